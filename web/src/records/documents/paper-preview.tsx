// A paper as it will come out of the printer, with the press that prints it. The browser's own viewer draws it.

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Download, ExternalLink, MessageCircle, Printer } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { envelopeOf, refusal } from '../../api.ts';
import { texts, useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { preferences } from '../../preferences.ts';
import { canPreview, type PaperForm, type ShownPaper } from './paper-store.ts';

const previewTexts = texts({
  tr: {
    preview: (title: string) => `${title}: önizleme`,
    form: 'Kâğıt',
    print: 'Yazdır',
    tab: 'Yeni sekmede aç',
    save: 'İndir',
    noPreview: 'Belge hazır: yazdırmak için yeni sekmede açın ya da indirin.',
    send: 'WhatsApp',
    sendName: (title: string) => `${title}: WhatsApp’tan gönder`,
    message: (title: string, url: string) => `${title}: ${url}`,
  },
  en: {
    preview: (title: string) => `${title}: preview`,
    form: 'Paper',
    print: 'Print',
    tab: 'Open in a new tab',
    save: 'Download',
    noPreview: 'The paper is ready: open it in a new tab to print it, or download it.',
    send: 'WhatsApp',
    sendName: (title: string) => `${title}: send by WhatsApp`,
    message: (title: string, url: string) => `${title}: ${url}`,
  },
});

interface Drawn {
  readonly blob: Blob;
  readonly name: string;
  /** The page on which the recipient can verify the paper. */
  readonly checkedAt: string | null;
}

async function fetchPaper({ href, isLink = false }: PaperForm, signal: AbortSignal): Promise<Drawn> {
  const response = await fetch(href, {
    credentials: isLink ? 'omit' : 'same-origin',
    headers: { 'Accept-Language': preferences().locale },
    signal,
  });
  if (!response.ok) throw refusal(response.status, envelopeOf(await response.text()), response.headers.get('X-Request-Id'));
  const named = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
  const checkedAt = /<([^<>]+)>; rel="describedby"/.exec(response.headers.get('Link') ?? '')?.[1] ?? null;
  return { blob: await response.blob(), name: named === undefined ? '' : decodeURIComponent(named), checkedAt };
}

/** The address of what was fetched, for as long as it is shown. */
function useAddress(blob: Blob | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (blob === undefined) return;
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => {
      setAddress(null);
      URL.revokeObjectURL(made);
    };
  }, [blob]);
  return address;
}

interface PreviewProps extends ShownPaper {
  /** What is decided about the paper once it was seen. */
  readonly actions?: ReactNode;
  readonly onClose: () => void;
}

export function PaperPreview({ title, message, forms, actions, onClose }: PreviewProps) {
  const t = useTexts(previewTexts);
  const frame = useRef<HTMLIFrameElement>(null);
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      forms.findIndex(({ label }) => label !== undefined && label === lastForm()),
    ),
  );
  const form = forms[at] ?? forms[0];
  const paper = useQuery({
    queryKey: ['paper', form.href],
    queryFn: ({ signal }) => fetchPaper(form, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const shows = canPreview();
  const address = useAddress(paper.data?.blob);
  const isPicture = paper.data?.blob.type.startsWith('image/') ?? false;
  const print = () => {
    frame.current?.contentWindow?.focus();
    frame.current?.contentWindow?.print();
  };
  return (
    <Dialog
      wide
      open
      onClose={onClose}
      title={title}
      description={message}
      footer={
        <>
          {address !== null && (
            <PaperLinks
              title={title}
              address={address}
              name={paper.data?.name}
              checkedAt={paper.data?.checkedAt}
              isMain={!shows}
            />
          )}
          {!isPicture && shows && (
            <Button look={actions ? 'secondary' : 'primary'} icon={Printer} disabled={address === null} onClick={print} autoFocus>
              {t.print}
            </Button>
          )}
          {actions}
        </>
      }
    >
      {forms.length > 1 && (
        <ChoiceChips
          label={t.form}
          value={String(at)}
          chips={forms.map(({ label }, index) => ({ value: String(index), label }))}
          onChange={(next) => {
            setAt(Number(next));
            keepForm(forms[Number(next)]?.label);
          }}
        />
      )}
      <PaperView title={title} paper={paper} address={address} shows={shows} isPicture={isPicture} frame={frame} />
    </Dialog>
  );
}

/** A person with a roll printer prints every receipt on it, so the form is remembered. */
const KEPT = 'galeri.paper-form';
const lastForm = (): string | null => localStorage.getItem(KEPT);
const keepForm = (label: string | undefined): void => {
  if (label !== undefined) localStorage.setItem(KEPT, label);
};

interface PaperViewProps {
  readonly title: string;
  readonly paper: Pick<UseQueryResult, 'isError' | 'error' | 'refetch'>;
  readonly address: string | null;
  /** Whether this browser can show the file. */
  readonly shows: boolean;
  readonly isPicture: boolean;
  readonly frame: RefObject<HTMLIFrameElement | null>;
}

function PaperView({ title, paper, address, shows, isPicture, frame }: PaperViewProps) {
  const t = useTexts(previewTexts);
  return (
    <div className={shows ? 'h-[70dvh] min-h-60' : ''}>
      {paper.isError ? (
        <ErrorState error={paper.error} onRetry={paper.refetch} />
      ) : !shows ? (
        <p className="m-0 text-13 text-text-2">{t.noPreview}</p>
      ) : address === null ? (
        <Skeleton className="h-full w-full" />
      ) : isPicture ? (
        <img src={address} alt={t.preview(title)} className="h-full w-full object-contain" />
      ) : (
        <iframe
          ref={frame}
          title={t.preview(title)}
          src={`${address}#view=FitH&navpanes=0`}
          className="h-full w-full rounded-control border border-line"
        />
      )}
    </div>
  );
}

interface PaperLinksProps {
  readonly title: string;
  readonly address: string;
  readonly name: string | undefined;
  /** The address that proves the paper. */
  readonly checkedAt: string | null | undefined;
  /** Where nothing can be previewed, opening it is the main action. */
  readonly isMain: boolean;
}

/** Sends, saves or opens the file. */
function PaperLinks({ title, address, name, checkedAt, isMain }: PaperLinksProps) {
  const t = useTexts(previewTexts);
  return (
    <>
      {checkedAt && (
        <OutsideLink
          to={{ message: t.message(title, checkedAt) }}
          inSandbox="nothing"
          aria-label={t.sendName(title)}
          className={buttonLook('quiet')}
        >
          <MessageCircle aria-hidden className="size-4" />
          {t.send}
        </OutsideLink>
      )}
      <a href={address} download={name || title} className={buttonLook('quiet')}>
        <Download aria-hidden className="size-4" />
        {t.save}
      </a>
      <a href={address} target="_blank" rel="noreferrer" className={buttonLook(isMain ? 'primary' : 'quiet')}>
        <ExternalLink aria-hidden className="size-4" />
        {t.tab}
      </a>
    </>
  );
}

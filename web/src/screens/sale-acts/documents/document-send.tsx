// Sends a document for signature; where mail is off, the links and codes are handed over in person.

import { useQuery } from '@tanstack/react-query';
import { KeyRound, MessageCircle } from 'lucide-react';
import { useState } from 'react';
import { isOut, OFFERED_CHANNELS } from '../../../../../src/domain/documents/documents-states.ts';
import { call } from '../../../api.ts';
import type { RawBody } from '../../../endpoints.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Button, buttonLook } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { FormLayer } from '../../../parts/form/form.tsx';
import { withoutEmpty } from '../../../parts/form/form-body.ts';
import { ChoiceField, type FieldsOf, LinesField } from '../../../parts/form/form-fields.tsx';
import { useForm } from '../../../parts/form/form-state.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { OutsideLink } from '../../../parts/outside-link.tsx';
import { Dialog } from '../../../parts/overlay/dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { DateTime } from '../../../parts/values.tsx';
import { documentWord } from '../../../records/documents/document-badge.tsx';
import { type Document, useDocumentsChanged } from '../../../records/documents/documents.ts';
import { SandboxRule } from '../../../records/sandbox/sandbox-rule.tsx';
import { documentActsTexts } from './document-texts.ts';

interface SendProps {
  readonly document: Document;
  readonly onClose: () => void;
}

interface SigningLink {
  readonly role: string;
  readonly name: string;
  readonly url: string;
}

export function SendDocument({ document, onClose }: SendProps) {
  const t = useTexts(documentActsTexts);
  const locale = useLocale();
  const changed = useDocumentsChanged();
  const [links, setLinks] = useState<readonly SigningLink[]>([]);
  const form = useForm({ channel: 'Bağlantı', message: '' });
  const write = useWrite({
    send: (typed: RawBody<'POST v1/sale-documents/{document_id}/send'>, headers) =>
      call('POST v1/sale-documents/{document_id}/send', {
        params: { document_id: document.id },
        rawBody: withoutEmpty(typed),
        headers,
      }),
    onDone: ({ signing_links }) => {
      notify({ title: t.sent });
      if (signing_links.length === 0) onClose();
      setLinks(signing_links);
      return changed();
    },
  });
  if (links.length > 0) return <Links document={document} links={links} onClose={onClose} />;
  const names = { channel: t.channel, message: t.message };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  const { channel, message } = form.values;
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run({ channel, ...(message.trim() === '' ? {} : { message }) })}
      onClose={onClose}
      title={document.status !== null && isOut(document.status) ? t.remind : t.send}
      description={t.sendText}
      action={t.sendNow}
    >
      <ChoiceField
        of={of}
        name="channel"
        options={OFFERED_CHANNELS.map((value) => ({ value, label: documentWord(locale, value) }))}
      />
      <LinesField of={of} name="message" rows={2} maxLength={1000} optional />
      <SandboxRule endpoint="POST sale-documents/{document_id}/send" field="recipients[].email" value={undefined} />
    </FormLayer>
  );
}

interface LinksProps extends SendProps {
  readonly links: readonly SigningLink[];
}

/** A recipient of a link asks for a code next, so that the codes are a press away. */
function Links({ document, links, onClose }: LinksProps) {
  const t = useTexts(documentActsTexts);
  const [showsCodes, setShowsCodes] = useState(false);
  if (showsCodes) return <SigningCodes document={document} onClose={onClose} />;
  const footer = (
    <>
      <Button icon={KeyRound} onClick={() => setShowsCodes(true)}>
        {t.codes}
      </Button>
      <Button look="primary" onClick={onClose}>
        {t.done}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={t.links} description={t.linksText} footer={footer}>
      <SigningLinks links={links.map((link) => ({ ...link, title: document.title }))} />
    </Dialog>
  );
}

interface SigningLinksProps {
  readonly links: readonly (SigningLink & { readonly title: string })[];
}

/** One link for each recipient of each document, to be copied or sent by WhatsApp. */
export function SigningLinks({ links }: SigningLinksProps) {
  const t = useTexts(documentActsTexts);
  const locale = useLocale();
  return (
    <ul className="m-0 list-none divide-y divide-line p-0">
      {links.map(({ role, name, title, url }) => (
        <li key={url} className="flex flex-wrap items-center gap-2 py-2">
          <span className="min-w-0 basis-full">
            <span className="block font-medium wrap-anywhere">
              {name}{' '}
              <span className="font-normal text-text-2">
                · {documentWord(locale, role)} · {title}
              </span>
            </span>
            <span className="code block text-12 wrap-anywhere">{url}</span>
          </span>
          <CopyButton text={url} label={t.copyLink} />
          <OutsideLink
            to={{ message: t.linkMessage(name, title, url) }}
            inSandbox="nothing"
            aria-label={t.byWhatsApp(name)}
            className={buttonLook()}
          >
            <MessageCircle aria-hidden className="size-4" />
            WhatsApp
          </OutsideLink>
        </li>
      ))}
    </ul>
  );
}

const LOOKS_AGAIN_MS = 5000;

export function SigningCodes({ document, onClose }: SendProps) {
  const t = useTexts(documentActsTexts);
  const locale = useLocale();
  const codes = useQuery({
    queryKey: ['documents', 'codes', document.id],
    queryFn: ({ signal }) => call('GET sale-documents/{document_id}/codes', { params: { document_id: document.id }, signal }),
    refetchInterval: LOOKS_AGAIN_MS,
  });
  return (
    <Dialog open onClose={onClose} title={t.codes} description={t.codesText} footer={<Button onClick={onClose}>{t.done}</Button>}>
      <Loaded query={codes} rows={1}>
        {(found) =>
          found.length === 0 ? (
            <p className="m-0 text-text-2">{t.noCodes}</p>
          ) : (
            <ul className="m-0 list-none divide-y divide-line p-0">
              {found.map(({ name, role, code, expires_at }) => (
                <li key={`${role} ${name}`} className="flex flex-wrap items-center justify-between gap-2 py-2">
                  <span className="min-w-0 wrap-anywhere">
                    {name} <span className="text-text-2">· {documentWord(locale, role)}</span>
                    <span className="block text-12 text-text-2">
                      {t.until}: <DateTime at={expires_at} />
                    </span>
                  </span>
                  <span className="tabular text-20 font-semibold tracking-widest">{code}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  );
}

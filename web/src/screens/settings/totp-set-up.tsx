// Sets up the second factor: a QR code to scan, a code to confirm it, then the recovery codes, shown once.
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Checkbox } from '../../parts/input/choices.tsx';
import { ErrorSummary } from '../../parts/input/error-summary.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { QrCode } from './qr-code.tsx';
import { settingsTexts } from './texts.ts';

export function TotpSetUp({ onClose }: { readonly onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return codes === null ? <Proof onProven={setCodes} onClose={onClose} /> : <RecoveryCodes codes={codes} onClose={onClose} />;
}

interface ProofProps {
  readonly onProven: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}

function Proof({ onProven, onClose }: ProofProps) {
  const t = useTexts(settingsTexts).security;
  const p = useTexts(partsTexts);
  const [code, setCode] = useState('');
  const start = useMutation({ mutationFn: () => call('POST me/totp') });
  // Runs once when the dialog opens; without the password it closes again.
  const begin = start.mutate;
  useEffect(() => begin(), [begin]);
  const confirm = useMutation({
    mutationFn: () => call('POST me/totp/confirm', { body: { code } }),
    onSuccess: ({ recovery_codes }) => {
      notify({ title: t.turnedOn });
      onProven(recovery_codes);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.setUpTitle}
      description={t.scan}
      footer={
        <>
          <Button onClick={onClose}>{p.cancel}</Button>
          <Button look="primary" type="submit" form="totp-form" busy={confirm.isPending} disabled={code.trim().length < 6}>
            {t.confirm}
          </Button>
        </>
      }
    >
      {start.isError ? (
        <ErrorState error={start.error} onRetry={begin} />
      ) : (
        <form id="totp-form" onSubmit={submit} className="flex flex-col gap-4 py-1">
          <div className="flex justify-center">
            {start.data ? <QrCode text={start.data.uri} label={t.scanAlt} /> : <Skeleton className="size-[212px]" />}
          </div>
          <div className="text-13 text-text-2">
            {t.orType}
            <span className="mt-1 flex min-h-8 items-center gap-1">
              <span className="code text-text wrap-anywhere">{start.data?.secret.match(/.{1,4}/g)?.join(' ') ?? ''}</span>
              {start.data && <CopyButton text={start.data.secret} />}
            </span>
          </div>
          <ErrorSummary error={confirm.error} />
          <Field label={t.code}>
            <TextInput
              value={code}
              onChange={setCode}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={7}
              className="code max-w-40 text-16 tracking-[.2em]"
            />
          </Field>
        </form>
      )}
    </Dialog>
  );
}

function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const t = useTexts(settingsTexts).security;
  const [kept, setKept] = useState(false);
  const text = `${codes.join('\n')}\n`;
  return (
    // Escape and a click outside do nothing, because the codes cannot be shown again.
    <Dialog
      open
      onClose={() => kept && onClose()}
      title={t.codesTitle}
      description={t.codesText}
      footer={
        <Button look="primary" disabled={!kept} onClick={onClose}>
          {t.finish}
        </Button>
      }
    >
      <div className="flex flex-col gap-3 py-1">
        <ol className="code m-0 grid list-none grid-cols-2 gap-x-6 gap-y-1 rounded-control border border-line bg-subtle p-3">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={text} label={t.copyCodes} />
          <Button icon={Download} onClick={() => download('galeri-kurtarma-kodlari.txt', text)}>
            {t.downloadCodes}
          </Button>
        </div>
        <Checkbox checked={kept} onChange={setKept} label={t.keptCodes} />
      </div>
    </Dialog>
  );
}

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

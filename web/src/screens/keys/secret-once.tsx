// The secret, once: in this component's memory and nowhere else. Leaving needs the word that it was kept.
import { useBlocker } from '@tanstack/react-router';
import { Check, Copy, Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/choices.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Warning } from './key-parts.tsx';
import { keysTexts } from './texts.ts';

interface SecretProps {
  readonly secret: string;
  /** A path the key may call, for the ready request. */
  readonly path: string;
  readonly doneLabel: string;
  readonly onDone: () => void;
}

export const curlFor = (path: string, secret: string): string =>
  `curl -H "Authorization: Bearer ${secret}" "${location.origin}/api/v1/${path}"`;

export function SecretOnce({ secret, path, doneLabel, onDone }: SecretProps) {
  const t = useTexts(keysTexts);
  const [saved, setSaved] = useState(false);
  const leaving = useBlocker({ shouldBlockFn: () => !saved, enableBeforeUnload: () => !saved, withResolver: true });
  return (
    <div className="flex max-w-[760px] flex-col gap-4">
      <Warning>{t.secretText}</Warning>
      <SecretBox secret={secret} />
      <div>
        <p className="m-0 mb-1 text-13 font-medium">{t.curl}</p>
        <div className="flex items-start gap-2">
          <pre className="code m-0 min-w-0 flex-1 overflow-x-auto rounded-control bg-subtle p-2.5 text-12 whitespace-pre-wrap wrap-anywhere">
            {curlFor(path, '$GALERI_KEY')}
          </pre>
          <CopyButton text={curlFor(path, secret)} />
        </div>
      </div>
      <Checkbox label={t.saved} hint={t.savedHint} checked={saved} onChange={setSaved} />
      <div>
        <Button look="primary" disabled={!saved} onClick={onDone}>
          {doneLabel}
        </Button>
      </div>
      <ConfirmDialog
        open={leaving.status === 'blocked'}
        onClose={() => leaving.reset?.()}
        title={t.leaveTitle}
        action={t.leave}
        run={async () => leaving.proceed?.()}
      >
        {t.leaveText}
      </ConfirmDialog>
    </div>
  );
}

function SecretBox({ secret }: { readonly secret: string }) {
  const t = useTexts(keysTexts);
  const text = useRef<HTMLParagraphElement>(null);
  const copyButton = useRef<HTMLButtonElement>(null);
  const [said, setSaid] = useState('');
  const [copied, setCopied] = useState(false);
  useEffect(() => copyButton.current?.focus(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      setCopied(true);
      setSaid('');
    } catch {
      if (text.current) getSelection()?.selectAllChildren(text.current);
      setSaid(t.copyRefused);
    }
  };
  return (
    <div>
      <p className="m-0 mb-1 text-13 font-medium">{t.secretLabel}</p>
      {/* Not a field: browsers keep what stands in fields to fill them again. */}
      <p ref={text} className="code m-0 rounded-control border border-line-strong bg-subtle p-3 text-14 wrap-anywhere select-all">
        {secret}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button ref={copyButton} look="primary" icon={copied ? Check : Copy} onClick={copy}>
          {t.copySecret}
        </Button>
        <Button icon={Download} onClick={() => download(`GALERI_KEY=${secret}\n`)}>
          {t.envFile}
        </Button>
      </div>
      <p role="status" className="m-0 mt-1 min-h-4 text-12 text-write">
        {said}
      </p>
    </div>
  );
}

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'galeri.env';
  link.click();
  URL.revokeObjectURL(address);
}

/** A secret for as long as it is shown: forgotten when it is done with, and when the page is put aside. */
export function useSecret<T>(): [T | null, (made: T | null) => void] {
  const [made, setMade] = useState<T | null>(null);
  useEffect(() => {
    const forget = () => setMade(null);
    addEventListener('pagehide', forget);
    return () => removeEventListener('pagehide', forget);
  }, []);
  return [made, setMade];
}

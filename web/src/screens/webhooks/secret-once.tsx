// The signing secret, once, with what a receiver does with it beside it. Leaving needs the word that it was kept.
import { useBlocker } from '@tanstack/react-router';
import { Check, Copy, Download, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/choices.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { CodeBlock } from '../catalog/code-block.tsx';
import { SAMPLES, SECRET_NAME } from './samples.ts';
import { webhooksTexts } from './texts.ts';

interface SecretProps {
  readonly secret: string;
  readonly doneLabel: string;
  readonly onDone: () => void;
}

export function SecretOnce({ secret, doneLabel, onDone }: SecretProps) {
  const t = useTexts(webhooksTexts);
  const [saved, setSaved] = useState(false);
  const leaving = useBlocker({ shouldBlockFn: () => !saved, enableBeforeUnload: () => !saved, withResolver: true });
  return (
    <div className="flex max-w-[760px] flex-col gap-4">
      <div className="flex items-start gap-2 rounded-control bg-write-bg px-3 py-2 text-13 text-write">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        {t.secretText}
      </div>
      <SecretBox secret={secret} />
      <Samples />
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

export function Samples() {
  const t = useTexts(webhooksTexts);
  return (
    <section aria-label={t.check} className="min-w-0">
      <h2 className="m-0 mb-1 text-14 font-semibold">{t.check}</h2>
      <p className="mt-0 mb-2 text-13 text-text-2">{t.checkText}</p>
      <Tabs
        label={t.check}
        tabs={Object.entries(SAMPLES).map(([language, text]) => ({
          id: language,
          name: language,
          content: <CodeBlock label={t.sample(language)} text={text} tall />,
        }))}
      />
    </section>
  );
}

function SecretBox({ secret }: { readonly secret: string }) {
  const t = useTexts(webhooksTexts);
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
        <Button icon={Download} onClick={() => download(`${SECRET_NAME}=${secret}\n`)}>
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
  link.download = 'galeri-webhook.env';
  link.click();
  URL.revokeObjectURL(address);
}

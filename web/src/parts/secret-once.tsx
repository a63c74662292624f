// Shows a secret once. It is only in this component's memory, and leaving asks whether it was saved.
import { useBlocker } from '@tanstack/react-router';
import { Check, Copy, Download, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Checkbox } from './input/choices.tsx';
import { ConfirmDialog } from './overlay/confirm-dialog.tsx';

/** The screen's own texts about its secret. */
export interface SecretWords {
  readonly secretText: string;
  readonly secretLabel: string;
  readonly copySecret: string;
  readonly copyRefused: string;
  readonly envFile: string;
  readonly saved: string;
  readonly savedHint: string;
  readonly leaveTitle: string;
  readonly leaveText: string;
  readonly leave: string;
}

interface ShownProps {
  readonly secret: string;
  readonly words: SecretWords;
  /** The variable's name in an environment file, and the name of that file. */
  readonly env: { readonly name: string; readonly file: string };
}

interface SecretProps extends ShownProps {
  readonly doneLabel: string;
  readonly onDone: () => void;
  /** What it is used for. */
  readonly children: ReactNode;
}

export function SecretOnce({ secret, words, env, doneLabel, onDone, children }: SecretProps) {
  const [saved, setSaved] = useState(false);
  const leaving = useBlocker({ shouldBlockFn: () => !saved, enableBeforeUnload: () => !saved, withResolver: true });
  return (
    <div className="flex max-w-[760px] flex-col gap-4">
      <div className="flex items-start gap-2 rounded-control bg-write-bg px-3 py-2 text-13 text-write">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        <div className="min-w-0">{words.secretText}</div>
      </div>
      <SecretBox secret={secret} words={words} env={env} />
      {children}
      <Checkbox label={words.saved} hint={words.savedHint} checked={saved} onChange={setSaved} />
      <div>
        <Button look="primary" disabled={!saved} onClick={onDone}>
          {doneLabel}
        </Button>
      </div>
      <ConfirmDialog
        open={leaving.status === 'blocked'}
        onClose={() => leaving.reset?.()}
        title={words.leaveTitle}
        action={words.leave}
        run={async () => leaving.proceed?.()}
      >
        {words.leaveText}
      </ConfirmDialog>
    </div>
  );
}

function SecretBox({ secret, words, env }: ShownProps) {
  const text = useRef<HTMLParagraphElement>(null);
  const copyButton = useRef<HTMLButtonElement>(null);
  const [problem, setProblem] = useState('');
  const [copied, setCopied] = useState(false);
  useEffect(() => copyButton.current?.focus(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      setCopied(true);
      setProblem('');
    } catch {
      if (text.current) getSelection()?.selectAllChildren(text.current);
      setProblem(words.copyRefused);
    }
  };
  return (
    <div>
      <p className="m-0 mb-1 text-13 font-medium">{words.secretLabel}</p>
      {/* Not a field: browsers store the values of fields to fill them in later. */}
      <p ref={text} className="code m-0 rounded-control border border-line-strong bg-subtle p-3 text-14 wrap-anywhere select-all">
        {secret}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button ref={copyButton} look="primary" icon={copied ? Check : Copy} onClick={copy}>
          {words.copySecret}
        </Button>
        <Button icon={Download} onClick={() => download(env.file, `${env.name}=${secret}\n`)}>
          {words.envFile}
        </Button>
      </div>
      <p role="status" className="m-0 mt-1 min-h-4 text-12 text-write">
        {problem}
      </p>
    </div>
  );
}

function download(file: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = file;
  link.click();
  URL.revokeObjectURL(address);
}

/** Keeps a secret while it is shown; it is forgotten afterwards, and when the page is left. */
export function useSecret<T>(): [T | null, (made: T | null) => void] {
  const [made, setMade] = useState<T | null>(null);
  useEffect(() => {
    const forget = () => setMade(null);
    addEventListener('pagehide', forget);
    return () => removeEventListener('pagehide', forget);
  }, []);
  return [made, setMade];
}

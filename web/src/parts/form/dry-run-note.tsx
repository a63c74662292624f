import type { ReactNode } from 'react';
import { useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { cx } from '../cx.ts';
import { refusalOf } from '../input/error-summary.tsx';
import type { DryRun } from './dry-run.ts';

interface DryRunNoteProps<Reply> {
  readonly run: DryRun<Reply>;
  /** Field → its label in the form. */
  readonly names: Readonly<Record<string, string>>;
  readonly children: (reply: Reply) => ReactNode;
}

/** One line under a form: what the server says it would do, or why it would refuse. */
export function DryRunNote<Reply>({ run: { reply, error, isBehind }, names, children }: DryRunNoteProps<Reply>) {
  const p = useTexts(partsTexts);
  return (
    <p
      role="status"
      aria-busy={isBehind}
      className={cx(
        'm-0 min-h-9 rounded-control bg-subtle px-3 py-2 text-13',
        isBehind && 'opacity-60',
        error ? 'text-danger' : 'font-medium',
      )}
    >
      {error ? refusalOf(error, names, p.offline) : reply === undefined ? '…' : children(reply)}
    </p>
  );
}

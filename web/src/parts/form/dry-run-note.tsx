import type { ReactNode } from 'react';
import { ApiError } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { cx } from '../cx.ts';
import type { DryRun } from './dry-run.ts';

interface DryRunNoteProps<Reply> {
  readonly run: DryRun<Reply>;
  readonly children: (reply: Reply) => ReactNode;
}

/** One line under a form: what the server says it would do, or why it would refuse. */
export function DryRunNote<Reply>({ run: { reply, error, isBehind }, children }: DryRunNoteProps<Reply>) {
  const p = useTexts(partsTexts);
  const known = error instanceof ApiError ? error : null;
  const said = known?.details.map(({ message }) => message).join(' ');
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
      {error ? (known ? said || known.message : p.offline) : reply === undefined ? '…' : children(reply)}
    </p>
  );
}

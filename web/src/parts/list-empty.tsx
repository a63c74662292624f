// A list without lines says why: one has gone past its end, nothing matches, or there is nothing yet.
import type { ReactNode } from 'react';
import { useTexts } from '../language.ts';
import { partsTexts } from '../texts/parts.ts';
import { Button } from './button.tsx';
import { EmptyState } from './states.tsx';

interface ListEmptyProps {
  /** The page is one after the last, and the way back to the first: after a deletion, say. */
  readonly pastEnd?: { readonly title: string; readonly toFirst: () => void } | false | undefined;
  /** Filters are set and nothing matches. */
  readonly noMatch?: { readonly title: string; readonly clear: () => void } | false | undefined;
  /** There is nothing at all: an `EmptyState` with what one can do about it. */
  readonly children: ReactNode;
}

export function ListEmpty({ pastEnd, noMatch, children }: ListEmptyProps) {
  const t = useTexts(partsTexts);
  if (pastEnd) return <EmptyState title={pastEnd.title} action={<Button onClick={pastEnd.toFirst}>{t.firstPage}</Button>} />;
  if (noMatch) return <EmptyState title={noMatch.title} action={<Button onClick={noMatch.clear}>{t.clearFilters}</Button>} />;
  return children;
}

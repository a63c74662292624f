// Why a list is empty: the page is past its end, no record matches the filters, or there are none yet.
import type { ReactNode } from 'react';
import { useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { Button } from '../button.tsx';
import { EmptyState } from '../page/states.tsx';

interface ListEmptyProps {
  /** The page is past the last one, for example after a deletion; `toFirst` leads to the first page. */
  readonly pastEnd?: { readonly title: string; readonly toFirst: () => void } | false | undefined;
  /** Filters are set and nothing matches. */
  readonly noMatch?: { readonly title: string; readonly clear: () => void } | false | undefined;
  /** For a list without any records: an `EmptyState` with the next step. */
  readonly children: ReactNode;
}

export function ListEmpty({ pastEnd, noMatch, children }: ListEmptyProps) {
  const t = useTexts(partsTexts);
  if (pastEnd) return <EmptyState title={pastEnd.title} action={<Button onClick={pastEnd.toFirst}>{t.firstPage}</Button>} />;
  if (noMatch) return <EmptyState title={noMatch.title} action={<Button onClick={noMatch.clear}>{t.clearFilters}</Button>} />;
  return children;
}

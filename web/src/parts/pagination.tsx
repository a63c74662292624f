import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTexts } from '../language.ts';
import { useFormat } from '../session.ts';
import { partsTexts } from '../texts/parts.ts';
import { Button } from './button.tsx';

interface PaginationProps {
  readonly page: {
    readonly items: readonly unknown[];
    readonly limit: number;
    readonly offset: number;
    readonly hasMore: boolean;
    readonly total: number | null;
  };
  readonly onMove: (offset: number) => void;
}

export function Pagination({ page, onMove }: PaginationProps) {
  const t = useTexts(partsTexts);
  const format = useFormat();
  const { items, limit, offset, hasMore, total } = page;
  return (
    <nav aria-label={t.pages} className="flex flex-wrap items-center justify-between gap-2">
      <span className="tabular text-13 text-text-2" aria-live="polite">
        {t.page(offset + 1, offset + items.length)}
        {total !== null && ` / ${format.number(total)}`}
      </span>
      <span className="flex gap-2">
        <Button icon={ChevronLeft} disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - limit))}>
          {t.previous}
        </Button>
        <Button disabled={!hasMore} onClick={() => onMove(offset + limit)}>
          {t.next}
          <ChevronRight aria-hidden className="size-4" />
        </Button>
      </span>
    </nav>
  );
}

import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTexts } from '../../language.ts';
import { useFormat } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { Button } from '../button.tsx';
import { type Option, Select } from '../input/field.tsx';

interface PaginationProps {
  readonly page: {
    readonly items: readonly unknown[];
    readonly limit: number;
    readonly offset: number;
    readonly hasMore: boolean;
    readonly total: number | null;
  };
  readonly onMove: (offset: number) => void;
  /** Offers a choice of page sizes. */
  readonly onLimit?: (limit: string) => void;
}

const LIMITS = ['25', '50', '100'].map((value) => ({ value, label: value }));

export function Pagination({ page, onMove, onLimit }: PaginationProps) {
  const t = useTexts(partsTexts);
  const format = useFormat();
  const { items, limit, offset, hasMore, total } = page;
  return (
    <nav aria-label={t.pages} className="flex flex-wrap items-center justify-between gap-2">
      <span className="flex flex-wrap items-center gap-x-4 gap-y-2 text-13 text-text-2">
        <span className="tabular" aria-live="polite">
          {t.page(offset + 1, offset + items.length)}
          {total !== null && ` / ${format.number(total)}`}
        </span>
        {onLimit && (
          <span className="flex items-center gap-2 whitespace-nowrap">
            <span aria-hidden>{t.perPage}</span>
            <Select
              aria-label={t.perPage}
              value={String(limit)}
              onChange={onLimit}
              options={limitsWith(limit)}
              className="w-20"
            />
          </span>
        )}
      </span>
      <span className="ml-auto flex gap-2">
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

/** Also offers the page size in the address, if it is another. */
const limitsWith = (limit: number): readonly Option[] =>
  LIMITS.some(({ value }) => value === String(limit)) ? LIMITS : [{ value: String(limit), label: String(limit) }, ...LIMITS];

// Statements of several customers at once, chosen from who owes what.
import { Printer, X } from 'lucide-react';
import { useState } from 'react';
import type { AgingRow } from '../../../../src/domain/receivables/aging.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/input/choices.tsx';
import { openPaper } from '../../records/documents/paper-store.ts';
import { useStatementPaper } from '../../records/documents/statement-papers.ts';
import { receivablesTexts } from './texts.ts';

export const agingKey = ({ customer_id, currency }: AgingRow): string => `${customer_id} ${currency}`;

/** As many as one file holds. */
const MAX = 100;

export interface AgingSelection {
  readonly rows: ReadonlyMap<string, AgingRow>;
  toggle(rows: readonly AgingRow[], on: boolean): void;
}

/** Kept while one goes through the pages. */
export function useAgingSelection(): AgingSelection {
  const [rows, setRows] = useState<ReadonlyMap<string, AgingRow>>(new Map());
  return {
    rows,
    toggle: (some, on) => {
      const next = new Map(rows);
      for (const row of some) {
        if (!on) next.delete(agingKey(row));
        else if (next.size < MAX) next.set(agingKey(row), row);
      }
      setRows(next);
    },
  };
}

export function SelectAging({ row, selection }: { readonly row: AgingRow; readonly selection: AgingSelection }) {
  const t = useTexts(receivablesTexts);
  return (
    <Checkbox
      aria-label={t.selectCustomer(row.name, row.currency)}
      checked={selection.rows.has(agingKey(row))}
      onChange={(on) => selection.toggle([row], on)}
    />
  );
}

export function SelectAgingPage({ page, selection }: { readonly page: readonly AgingRow[]; readonly selection: AgingSelection }) {
  const t = useTexts(receivablesTexts);
  const chosen = page.filter((row) => selection.rows.has(agingKey(row))).length;
  if (page.length === 0) return null;
  return (
    <Checkbox
      label={<span className="text-13 text-text-2">{t.selectPage(page.length)}</span>}
      checked={chosen === 0 ? false : chosen === page.length ? true : 'mixed'}
      onChange={(on) => selection.toggle(page, on)}
      className="mb-1 px-3"
    />
  );
}

export function StatementsBar({ selection }: { readonly selection: AgingSelection }) {
  const t = useTexts(receivablesTexts);
  const paperOf = useStatementPaper();
  const rows = [...selection.rows.values()];
  const paper = paperOf(rows);
  if (paper === null) return null;
  return (
    <section
      aria-label={t.statements}
      className="card sticky bottom-3 z-20 mx-auto mt-3 flex w-fit max-w-full flex-wrap items-center gap-2 px-3 py-2 shadow-pop"
    >
      <span aria-live="polite" className="text-13 font-medium">
        {t.selected(rows.length)}
      </span>
      <Button look="primary" icon={Printer} onClick={() => openPaper(paper)}>
        {t.statements}
      </Button>
      <Button look="quiet" icon={X} onClick={() => selection.toggle(rows, false)}>
        {t.unselect}
      </Button>
    </section>
  );
}

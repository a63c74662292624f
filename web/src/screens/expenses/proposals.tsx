// Recurring expenses whose day has come: one click enters each.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ExpenseCategory } from '../../../../src/domain/expenses/expenses-states.ts';
import type { ExpenseProposal } from '../../../../src/domain/expenses/recurring.ts';
import { ApiError, call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Day, Money } from '../../parts/values.tsx';
import { expensesTexts } from '../../records/expenses/expenses-texts.ts';
import { useExpensesChanged } from '../../records/expenses/new-expense.tsx';

export function Proposals() {
  const t = useTexts(expensesTexts);
  const proposals = useQuery({
    queryKey: ['expenses', 'proposals'],
    queryFn: ({ signal }) => call('GET expenses/proposals', { signal }),
  });
  if (!proposals.data || proposals.data.length === 0) return null;
  return (
    <section className="card mb-4 p-4" aria-label={t.proposals}>
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.proposals}</h2>
      <ul className="m-0 flex list-none flex-col gap-2 p-0">
        {proposals.data.map((one) => (
          <Proposal key={`${one.recurring_id} ${one.on}`} proposal={one} />
        ))}
      </ul>
    </section>
  );
}

function Proposal({ proposal }: { readonly proposal: ExpenseProposal }) {
  const t = useTexts(expensesTexts);
  const changed = useExpensesChanged();
  const [busy, setBusy] = useState(false);
  const options = { params: { recurring_id: proposal.recurring_id }, body: { on: proposal.on } };
  const run = async (act: () => Promise<unknown>, done: string) => {
    setBusy(true);
    try {
      await act();
      notify({ title: done });
    } catch (error) {
      notify({ title: t.failed, ...(error instanceof ApiError ? { text: error.message } : {}), failed: true });
    }
    setBusy(false);
    await changed();
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0 flex-1 wrap-anywhere">
        {t.categories[proposal.category as ExpenseCategory]}
        {proposal.supplier && ` · ${proposal.supplier}`} · <Day day={proposal.on} />
      </span>
      <span className="tabular font-medium">
        <Money amount={proposal.amount} currency={proposal.currency} />
      </span>
      <span className="flex gap-2">
        <Button
          look="primary"
          busy={busy}
          onClick={() => void run(() => call('POST expenses/recurring/{recurring_id}/enter', options), t.entered)}
        >
          {t.enter}
        </Button>
        <Button
          look="quiet"
          disabled={busy}
          onClick={() => void run(() => call('POST expenses/recurring/{recurring_id}/skip', options), t.skipped)}
        >
          {t.skip}
        </Button>
      </span>
    </li>
  );
}

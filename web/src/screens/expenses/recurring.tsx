// Expenses that recur each month: the rules, a new one, and the end of one.
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { BUSINESS_CATEGORIES, EXPENSE_METHODS } from '../../../../src/domain/expenses/expenses-states.ts';
import type { RecurringExpense } from '../../../../src/domain/expenses/recurring.ts';
import { call } from '../../api.ts';
import { useCurrencies } from '../../currencies.ts';
import type { RawBody } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountToSend, wholeToSend } from '../../parts/form/form-amount.ts';
import { filled, withoutEmpty } from '../../parts/form/form-body.ts';
import { ChoiceField, type FieldsOf, MoneyField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { Day, Money } from '../../parts/values.tsx';
import { useBranches } from '../../records/branches.ts';
import { expensesTexts } from '../../records/expenses/expenses-texts.ts';
import { useExpensesChanged } from '../../records/expenses/new-expense.tsx';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { useRole } from '../../session.ts';
import { Proposals } from './proposals.tsx';
import { ExpenseTabs } from './screen.tsx';

export function RecurringScreen() {
  const t = useTexts(expensesTexts);
  const isOffice = useRole('owner', 'finance');
  const [adds, setAdds] = useState(false);
  const [ends, setEnds] = useState<RecurringExpense | null>(null);
  const changed = useExpensesChanged();
  const columns = useColumns(isOffice ? setEnds : null);
  const rules = useQuery({
    queryKey: ['expenses', 'recurring'],
    queryFn: ({ signal }) => call('GET expenses/recurring', { signal }),
  });
  return (
    <>
      <PageHeader
        title={t.title}
        description={t.description}
        actions={
          isOffice && (
            <Button look="primary" icon={Plus} onClick={() => setAdds(true)}>
              {t.addRecurring}
            </Button>
          )
        }
      />
      <ExpenseTabs />
      <Proposals />
      <Loaded query={rules} rows={4}>
        {(found) => (
          <Table
            label={t.recurring}
            rows={found}
            rowKey={({ id }) => id}
            columns={columns}
            empty={<EmptyState title={t.noRecurring}>{t.noRecurringText}</EmptyState>}
          />
        )}
      </Loaded>
      {adds && <NewRecurring onClose={() => setAdds(false)} />}
      <ConfirmDialog
        open={ends !== null}
        onClose={() => setEnds(null)}
        title={t.endTitle}
        action={t.end}
        run={async () => {
          await call('DELETE expenses/recurring/{recurring_id}', { params: { recurring_id: ends!.id } });
          await changed();
        }}
      >
        {t.endText}
      </ConfirmDialog>
    </>
  );
}

function useColumns(onEnd: ((rule: RecurringExpense) => void) | null): readonly Column<RecurringExpense>[] {
  const t = useTexts(expensesTexts);
  const locale = useLocale();
  const { names } = t;
  return [
    {
      id: 'category',
      head: names.category,
      onCard: 'title',
      cell: ({ category, supplier }) => (
        <span className="wrap-anywhere">{[t.categories[category], supplier].filter(Boolean).join(' · ')}</span>
      ),
    },
    { id: 'day_of_month', head: names.day_of_month, align: 'end', cell: ({ day_of_month }) => day_of_month },
    { id: 'method', head: names.method, onCard: 'hide', cell: ({ method }) => saleWord(locale, method) },
    { id: 'next', head: t.next, cell: ({ next_on }) => (next_on === null ? t.ended : <Day day={next_on} />) },
    {
      id: 'amount',
      head: names.amount,
      align: 'end',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    ...(onEnd === null
      ? []
      : [
          {
            id: 'acts',
            head: t.end,
            headHidden: true,
            align: 'end' as const,
            cell: (rule: RecurringExpense) =>
              rule.next_on !== null && (
                <Button look="quiet" onClick={() => onEnd(rule)}>
                  {t.end}
                </Button>
              ),
          },
        ]),
  ];
}

const initial = (currency: string) => ({
  category: 'Kira' as string,
  amount: '',
  currency,
  day_of_month: '1',
  method: 'Nakit' as string,
  branch_id: '',
  supplier: '',
  until: '',
});
type Values = ReturnType<typeof initial>;

export const recurringBody = (values: Values): RawBody<'POST expenses/recurring'> => ({
  category: values.category,
  amount: filled(values.amount, amountToSend),
  currency: values.currency,
  day_of_month: filled(values.day_of_month, wholeToSend),
  branch_id: filled(values.branch_id),
  method: values.method,
  supplier: filled(values.supplier),
  until: filled(values.until),
});

function NewRecurring({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(expensesTexts);
  const locale = useLocale();
  const branches = useBranches();
  const form = useForm(initial(useCurrencies()[0]!.value));
  const changed = useExpensesChanged();
  const write = useWrite({
    send: (typed: RawBody<'POST expenses/recurring'>, headers) =>
      call('POST expenses/recurring', { rawBody: withoutEmpty(typed), headers }),
    onDone: () => {
      notify({ title: t.recurringAdded });
      onClose();
      return changed();
    },
  });
  const of: FieldsOf<Values> = { form, error: write.error, names: t.names };
  return (
    <FormLayer
      form={form}
      names={t.names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(recurringBody(form.values))}
      onClose={onClose}
      title={t.addRecurring}
      action={t.addRecurring}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField
          of={of}
          name="category"
          options={BUSINESS_CATEGORIES.map((value) => ({ value, label: t.categories[value] }))}
        />
        <TextField of={of} name="day_of_month" inputMode="numeric" hint={t.dayHint} />
      </div>
      <MoneyField of={of} name="amount" currency="currency" />
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField
          of={of}
          name="method"
          options={EXPENSE_METHODS.map((value) => ({ value, label: saleWord(locale, value) }))}
        />
        <TextField of={of} name="until" type="date" optional />
      </div>
      <TextField of={of} name="supplier" optional maxLength={120} />
      {branches.length > 1 && (
        <ChoiceField
          of={of}
          name="branch_id"
          none={t.mainBranch}
          options={branches.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
    </FormLayer>
  );
}

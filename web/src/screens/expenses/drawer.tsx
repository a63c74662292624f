// One expense beside the list: its facts, its receipt, its reversal.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileText, Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Expense } from '../../../../src/domain/expenses/expense.ts';
import { call } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Drawer } from '../../parts/overlay/dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Facts } from '../../parts/page/facts.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { DateTime, Day, Money } from '../../parts/values.tsx';
import { useBranches } from '../../records/branches.ts';
import { expensesTexts } from '../../records/expenses/expenses-texts.ts';
import { attach, useExpensesChanged } from '../../records/expenses/new-expense.tsx';
import { ReasonLayer } from '../../records/reason-layer.tsx';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { VehicleName } from '../../records/vehicles/vehicle-name.tsx';
import { useRole } from '../../session.ts';

export function ExpenseDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useTexts(expensesTexts);
  const [reverses, setReverses] = useState(false);
  const isOffice = useRole('owner', 'finance');
  const expense = useQuery({
    queryKey: ['expenses', 'one', id],
    queryFn: ({ signal }) => call('GET expenses/{expense_id}', { params: { expense_id: id }, signal }),
  });
  return (
    <Drawer open onClose={onClose} title={expense.data?.expense_no ?? t.title}>
      <Loaded query={expense} rows={8}>
        {(found) => (
          <div className="flex flex-col gap-3 pb-4">
            <ExpenseFacts expense={found} />
            <div className="flex flex-wrap gap-2">
              <Receipt expense={found} />
              {isOffice && found.reverses_id === null && found.reversed_by_id === null && (
                <Button icon={Undo2} onClick={() => setReverses(true)}>
                  {t.reverse}
                </Button>
              )}
            </div>
            {reverses && <Reverse expense={found} onClose={() => setReverses(false)} />}
          </div>
        )}
      </Loaded>
    </Drawer>
  );
}

function ExpenseFacts({ expense }: { readonly expense: Expense }) {
  const t = useTexts(expensesTexts);
  const locale = useLocale();
  const branch = useBranches().find(({ id }) => id === expense.branch_id)?.name;
  const { names } = t;
  const isValued = expense.currency !== expense.valued_currency;
  const value =
    expense.valued_amount === null ? t.noRate : <Money amount={expense.valued_amount} currency={expense.valued_currency} />;
  return (
    <Facts
      title={t.categories[expense.category]}
      facts={[
        { name: names.amount, value: <Money amount={expense.amount} currency={expense.currency} /> },
        ...(isValued ? [{ name: t.value, value }] : []),
        ...(expense.exchange_rate ? [{ name: names.exchange_rate, value: `${expense.rate_pair} ${expense.exchange_rate}` }] : []),
        { name: names.day, value: <Day day={expense.day} /> },
        { name: names.kind, value: t.kinds[expense.kind] },
        ...(expense.vehicle_id ? [{ name: names.vehicle_id, value: <VehicleName id={expense.vehicle_id} /> }] : []),
        { name: names.method, value: saleWord(locale, expense.method) },
        { name: names.supplier, value: expense.supplier },
        { name: names.branch_id, value: branch ?? null },
        { name: names.note, value: expense.note && <span className="whitespace-pre-line">{expense.note}</span> },
        ...(expense.reversed_by_id
          ? [{ name: t.isReversed, value: <Other id={expense.reversed_by_id}>{t.toReversal}</Other> }]
          : []),
        ...(expense.reverses_id
          ? [
              { name: names.reason, value: expense.reversal_reason },
              { name: t.isReversal, value: <Other id={expense.reverses_id}>{t.toReversed}</Other> },
            ]
          : []),
        {
          name: t.enteredBy,
          value: (
            <>
              {expense.created_by} · <DateTime at={expense.created_at} />
            </>
          ),
        },
      ]}
    />
  );
}

function Other({ id, children }: { readonly id: string; readonly children: string }) {
  return (
    <Link to="/giderler" search={(now) => ({ ...now, gider: id })} className="link">
      {children}
    </Link>
  );
}

function Receipt({ expense }: { readonly expense: Expense }) {
  const t = useTexts(expensesTexts);
  const changed = useExpensesChanged();
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const run = async (act: () => Promise<unknown>) => {
    setBusy(true);
    await act().catch((error: unknown) => notify({ title: error instanceof Error ? error.message : t.failed, failed: true }));
    setBusy(false);
  };
  const open = async () => {
    const { url } = await call('GET expenses/{expense_id}/file', { params: { expense_id: expense.id } });
    window.open(url, '_blank', 'noopener');
  };
  if (expense.has_file)
    return (
      <Button icon={FileText} busy={busy} onClick={() => void run(open)}>
        {t.openFile}
      </Button>
    );
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t.names.file}
        accept=".pdf,.jpg,.jpeg,.png,.webp"
        onChange={({ target: { files } }) => {
          const [file] = files ?? [];
          if (file) void run(() => attach(expense.id, file).then(changed));
        }}
      />
      <Button icon={FileText} busy={busy} onClick={() => input.current?.click()}>
        {t.addFile}
      </Button>
    </>
  );
}

function Reverse({ expense, onClose }: { readonly expense: Expense; readonly onClose: () => void }) {
  const t = useTexts(expensesTexts);
  const changed = useExpensesChanged();
  return (
    <ReasonLayer
      title={t.reverseTitle}
      description={t.reverseText}
      action={t.reverse}
      label={t.names.reason}
      send={(typed, headers) =>
        call('POST expenses/{expense_id}/reverse', { params: { expense_id: expense.id }, rawBody: typed, headers })
      }
      onDone={() => {
        notify({ title: t.reversed });
        return changed();
      }}
      onClose={onClose}
    />
  );
}

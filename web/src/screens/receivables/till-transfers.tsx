// Cash out of the till to the bank, the safe or another branch, and back: a form, and the transfers of the branch.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeftRight, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { CashTransfer } from '../../../../src/domain/expenses/cash-transfer.ts';
import { CASH_PLACES } from '../../../../src/domain/expenses/expenses-states.ts';
import { call, callPage } from '../../api.ts';
import { useCurrencies } from '../../currencies.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountToSend } from '../../parts/form/form-amount.ts';
import { filled, withoutEmpty } from '../../parts/form/form-body.ts';
import { ChoiceField, type FieldsOf, LinesField, MoneyField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/overlay/toast.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { Day, Money, None } from '../../parts/values.tsx';
import { useBranches } from '../../records/branches.ts';
import { ReasonLayer } from '../../records/reason-layer.tsx';
import { useRole } from '../../session.ts';
import { transferTexts } from './transfer-texts.ts';

/** A till is named by its branch, the other places by their own names. */
interface Side {
  readonly place: string;
  readonly branch: string | undefined;
}
const sideOf = (value: string): Side =>
  (CASH_PLACES as readonly string[]).includes(value) ? { place: value, branch: undefined } : { place: 'Kasa', branch: value };

type Values = ReturnType<typeof initial>;
const initial = (branchId: string, day: string, currency: string) => ({
  amount: '',
  currency,
  day,
  from_place: branchId,
  to_place: 'Banka' as string,
  note: '',
});

export function transferBody(values: Values): RawBody<'POST cash-transfers'> {
  const [from, to] = [sideOf(values.from_place), sideOf(values.to_place)];
  return {
    amount: filled(values.amount, amountToSend),
    currency: values.currency,
    day: filled(values.day),
    from_place: from.place,
    from_branch_id: from.branch,
    to_place: to.place,
    to_branch_id: to.branch,
    note: filled(values.note),
  };
}

const SHOWN = 10;

export function Transfers({ branchId, day }: { readonly branchId: string; readonly day: string }) {
  const t = useTexts(transferTexts);
  const may = useRole('owner', 'finance');
  const [adds, setAdds] = useState(false);
  const [reverses, setReverses] = useState<CashTransfer | null>(null);
  const transfers = useQuery({
    queryKey: ['till', 'transfers', branchId],
    queryFn: ({ signal }) => callPage('GET cash-transfers', { query: { branch_id: branchId, limit: SHOWN }, signal }),
    enabled: may,
  });
  const columns = useColumns(setReverses);
  if (!may) return null;
  const found = transfers.data?.items ?? [];
  return (
    <section aria-label={t.title} className="mt-6">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 className="m-0 text-14 font-semibold">{t.title}</h2>
        <Button icon={ArrowLeftRight} onClick={() => setAdds(true)}>
          {t.add}
        </Button>
      </div>
      {found.length > 0 && <Table label={t.title} rows={found} rowKey={({ id }) => id} columns={columns} />}
      {adds && <NewTransfer branchId={branchId} day={day} onClose={() => setAdds(false)} />}
      {reverses && <Reverse transfer={reverses} onClose={() => setReverses(null)} />}
    </section>
  );
}

function useColumns(onReverse: (transfer: CashTransfer) => void): readonly Column<CashTransfer>[] {
  const t = useTexts(transferTexts);
  const branches = useBranches();
  const name = (place: CashTransfer['from_place'], branch: string | null) =>
    branch === null ? t.places[place] : t.tillOf(branches.find(({ id }) => id === branch)?.name ?? '');
  return [
    {
      id: 'number',
      head: t.number,
      onCard: 'title',
      cell: ({ transfer_no, reverses_id, reversed_by_id }) => (
        <span className="flex flex-wrap items-center gap-2">
          {transfer_no}
          {(reverses_id ?? reversed_by_id) && (
            <Badge tone="soon" icon={Undo2}>
              {reverses_id ? t.isReversal : t.isReversed}
            </Badge>
          )}
        </span>
      ),
    },
    { id: 'day', head: t.names.day, cell: ({ day }) => <Day day={day} /> },
    { id: 'from', head: t.names.from_place, cell: (one) => name(one.from_place, one.from_branch_id) },
    { id: 'to', head: t.names.to_place, cell: (one) => name(one.to_place, one.to_branch_id) },
    { id: 'note', head: t.names.note, cell: ({ note, reversal_reason }) => reversal_reason ?? note ?? <None /> },
    {
      id: 'amount',
      head: t.names.amount,
      align: 'end',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      id: 'acts',
      head: t.reverse,
      headHidden: true,
      align: 'end',
      cell: (one) =>
        one.reverses_id === null &&
        one.reversed_by_id === null && (
          <Button look="quiet" icon={Undo2} onClick={() => onReverse(one)}>
            {t.reverse}
          </Button>
        ),
    },
  ];
}

function useTillChanged() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['till'] });
}

function NewTransfer({
  branchId,
  day,
  onClose,
}: {
  readonly branchId: string;
  readonly day: string;
  readonly onClose: () => void;
}) {
  const t = useTexts(transferTexts);
  const branches = useBranches();
  const form = useForm(initial(branchId, day, useCurrencies()[0]!.value));
  const changed = useTillChanged();
  const write = useWrite({
    send: (typed: RawBody<'POST cash-transfers'>, headers) =>
      call('POST cash-transfers', { rawBody: withoutEmpty(typed), headers }),
    onDone: ({ transfer_no }) => {
      notify({ title: t.added(transfer_no) });
      onClose();
      return changed();
    },
  });
  const names = { ...t.names, from_branch_id: t.names.from_place, to_branch_id: t.names.to_place };
  const of: FieldsOf<Values> = { form, error: write.error, names };
  const sides = [
    ...branches.map(({ id, name }) => ({ value: id, label: t.tillOf(name) })),
    ...CASH_PLACES.filter((place) => place !== 'Kasa').map((value) => ({ value: value as string, label: t.places[value] })),
  ];
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(transferBody(form.values))}
      onClose={onClose}
      title={t.add}
      action={t.add}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField of={of} name="from_place" options={sides} />
        <ChoiceField of={of} name="to_place" options={sides} />
      </div>
      <MoneyField of={of} name="amount" currency="currency" />
      <TextField of={of} name="day" type="date" />
      <LinesField of={of} name="note" optional rows={2} maxLength={2000} />
    </FormLayer>
  );
}

function Reverse({ transfer, onClose }: { readonly transfer: CashTransfer; readonly onClose: () => void }) {
  const t = useTexts(transferTexts);
  const changed = useTillChanged();
  return (
    <ReasonLayer
      title={t.reverseTitle}
      description={t.reverseText}
      action={t.reverse}
      label={t.reason}
      send={(typed, headers) =>
        call('POST cash-transfers/{transfer_id}/reverse', { params: { transfer_id: transfer.id }, rawBody: typed, headers })
      }
      onDone={() => {
        notify({ title: t.reversed });
        return changed();
      }}
      onClose={onClose}
    />
  );
}

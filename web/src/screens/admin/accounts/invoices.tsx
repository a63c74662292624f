// A dealer's membership invoices: issued, and marked as paid.

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { MembershipInvoice } from '../../../../../src/domain/membership/invoices.ts';
import { call, callPage } from '../../../api.ts';
import type { RawBody } from '../../../endpoints.ts';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { FormLayer } from '../../../parts/form/form.tsx';
import { amountToSend } from '../../../parts/form/form-amount.ts';
import { withoutEmpty } from '../../../parts/form/form-body.ts';
import { type FieldsOf, TextField } from '../../../parts/form/form-fields.tsx';
import { useForm } from '../../../parts/form/form-state.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { Field, Select } from '../../../parts/input/field.tsx';
import { ConfirmDialog } from '../../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { EmptyState } from '../../../parts/page/states.tsx';
import { Pagination } from '../../../parts/table/pagination.tsx';
import { type Column, Table } from '../../../parts/table/table.tsx';
import { DateTime, Day, Money } from '../../../parts/values.tsx';
import { InvoiceBadge } from '../../../records/wallet-words.tsx';
import { useFormat } from '../../../session.ts';
import { decisionTexts } from '../decisions/decision-texts.ts';
import { moneyTexts } from '../money-texts.ts';

export function Invoices({ accountId }: { readonly accountId: string }) {
  const t = useTexts(moneyTexts);
  const [offset, setOffset] = useState(0);
  const [issues, setIssues] = useState(false);
  const [settles, setSettles] = useState<MembershipInvoice | null>(null);
  const columns = useColumns(setSettles);
  const invoices = useQuery({
    queryKey: ['admin', 'invoices', accountId, offset],
    queryFn: ({ signal }) =>
      callPage('GET admin/accounts/{account_id}/invoices', { params: { account_id: accountId }, query: { offset }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-label={t.invoices}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 className="m-0 text-16 font-semibold">{t.invoices}</h2>
        <Button icon={Plus} onClick={() => setIssues(true)}>
          {t.issue}
        </Button>
      </div>
      <Loaded query={invoices} rows={3}>
        {(page) => (
          <Table
            label={t.invoices}
            rows={page.items}
            rowKey={({ id }) => id}
            columns={columns}
            empty={<EmptyState title={t.noInvoices} />}
            footer={(page.hasMore || offset > 0) && <Pagination page={page} onMove={setOffset} />}
          />
        )}
      </Loaded>
      {issues && <IssueInvoice accountId={accountId} onClose={() => setIssues(false)} />}
      {settles && <SettleInvoice accountId={accountId} invoice={settles} onClose={() => setSettles(null)} />}
    </section>
  );
}

function useColumns(onSettle: (invoice: MembershipInvoice) => void): readonly Column<MembershipInvoice>[] {
  const t = useTexts(moneyTexts);
  return [
    { id: 'no', head: t.invoiceNo, onCard: 'title', cell: ({ invoice_no }) => <span className="code">{invoice_no}</span> },
    { id: 'status', head: t.status, cell: ({ status }) => <InvoiceBadge status={status} /> },
    {
      id: 'total',
      head: t.total,
      align: 'end',
      cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
    },
    { id: 'due', head: t.due, cell: ({ due_date }) => <Day day={due_date} /> },
    { id: 'paid', head: t.paidAt, cell: ({ paid_at }) => <DateTime at={paid_at} show="date" /> },
    {
      id: 'acts',
      head: t.acts,
      headHidden: true,
      align: 'end',
      cell: (invoice) =>
        invoice.status === 'Ödenmedi' && (
          <Button look="quiet" onClick={() => onSettle(invoice)}>
            {t.settle}
          </Button>
        ),
    },
  ];
}

function IssueInvoice({ accountId, onClose }: { readonly accountId: string; readonly onClose: () => void }) {
  const t = useTexts(moneyTexts);
  const client = useQueryClient();
  const form = useForm({ amount: '', tax_rate: '20', period_start: '', period_end: '', due_date: '' });
  const write = useWrite({
    send: (typed: RawBody<'POST admin/accounts/{account_id}/invoices'>) =>
      call('POST admin/accounts/{account_id}/invoices', { params: { account_id: accountId }, rawBody: withoutEmpty(typed) }),
    onDone: () => {
      notify({ title: t.issued });
      form.release();
      onClose();
      return client.invalidateQueries({ queryKey: ['admin', 'invoices', accountId] });
    },
  });
  const names = {
    amount: t.amount,
    tax_rate: t.taxRate,
    period_start: t.periodStart,
    period_end: t.periodEnd,
    due_date: t.dueDate,
  };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  const { amount, tax_rate, ...days } = form.values;
  const filled = Object.fromEntries(Object.entries(days).filter(([, day]) => day !== ''));
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run({ amount: amountToSend(amount), tax_rate: amountToSend(tax_rate), ...filled })}
      onClose={onClose}
      title={t.issue}
      description={t.issueText}
      action={t.issue}
    >
      <TextField of={of} name="amount" inputMode="decimal" autoFocus />
      <TextField of={of} name="tax_rate" inputMode="decimal" />
      <TextField of={of} name="period_start" type="date" />
      <TextField of={of} name="period_end" type="date" />
      <TextField of={of} name="due_date" type="date" />
    </FormLayer>
  );
}

interface SettleProps {
  readonly accountId: string;
  readonly invoice: MembershipInvoice;
  readonly onClose: () => void;
}

function SettleInvoice({ accountId, invoice, onClose }: SettleProps) {
  const t = useTexts(moneyTexts);
  const d = useTexts(decisionTexts);
  const format = useFormat();
  const client = useQueryClient();
  const [from, setFrom] = useState<'wallet' | 'outside'>('wallet');
  const settle = async () => {
    const params = { account_id: accountId, invoice_id: invoice.id };
    const answer = await call('POST admin/accounts/{account_id}/invoices/{invoice_id}/settle', { params, body: { from } });
    notify({ title: 'waits_for_second' in answer ? d.waits : t.settled });
    await client.invalidateQueries({ queryKey: ['admin'] });
  };
  return (
    <ConfirmDialog open onClose={onClose} title={t.settleTitle(invoice.invoice_no)} action={t.settle} danger={false} run={settle}>
      <p className="mt-0 mb-3">{t.settleText(format.money(invoice.total, invoice.currency))}</p>
      <Field label={t.paidFrom}>
        <Select
          value={from}
          options={[
            { value: 'wallet', label: t.fromWallet },
            { value: 'outside', label: t.fromOutside },
          ]}
          onChange={(value) => setFrom(value as typeof from)}
        />
      </Field>
    </ConfirmDialog>
  );
}

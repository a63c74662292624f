// «Tahsil et»: the amount first, and beside it what the server says it would do, until Enter saves it.

import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { COLLECTION_METHODS, DISCOUNT_REASONS } from '../../../../../src/domain/installments/sales-states.ts';
import { call } from '../../../api.ts';
import type { RawBody } from '../../../endpoints.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { useDryRun } from '../../../parts/form/dry-run.ts';
import { FormLayer } from '../../../parts/form/form.tsx';
import { amountOf } from '../../../parts/form/form-amount.ts';
import { withoutEmpty } from '../../../parts/form/form-body.ts';
import { ChoiceField, type FieldsOf, LinesField, MoneyField, TextField } from '../../../parts/form/form-fields.tsx';
import { type Form, useForm } from '../../../parts/form/form-state.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { Checkbox } from '../../../parts/input/choices.tsx';
import { Drawer } from '../../../parts/overlay/dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { ErrorState, Skeleton } from '../../../parts/page/states.tsx';
import { isAbove, minus, typedOf } from '../../../records/amounts.ts';
import { CustomerName } from '../../../records/customers/customer-name.tsx';
import { openPaper, opensAtOnce } from '../../../records/documents/paper-store.ts';
import { useMayPrint } from '../../../records/documents/papers.tsx';
import { hasReceipt, receiptPaper, receiptTexts } from '../../../records/documents/receipts.tsx';
import { saleWord } from '../../../records/sales/sale-texts.ts';
import {
  type Installment,
  type PlanWithInstallments,
  planQuery,
  type SaleDetail,
  saleQuery,
  useSalesChanged,
  useToday,
} from '../../../records/sales/sales.ts';
import { useFormat, useRole, useSession } from '../../../session.ts';
import { saleActsTexts } from '../texts.ts';
import { CollectPreview } from './collect-preview.tsx';
import { amountPaid, type PaidRate, useRate } from './collect-rate.ts';
import { type CollectForm, collectionBody, emptyCollection, isPreviewable } from './collect-values.ts';

interface CollectProps {
  readonly saleId: string;
  /** Money for this installment alone. */
  readonly installmentId?: string | undefined;
  /** What is likely to be paid, in the sale's currency. */
  readonly amount?: string | undefined;
  readonly onClose: () => void;
}

export function Collect({ saleId, installmentId, amount, onClose }: CollectProps) {
  const t = useTexts(saleActsTexts);
  const sale = useQuery(saleQuery(saleId));
  const plan = useQuery(planQuery(saleId));
  if (sale.data && plan.data)
    return <CollectLayer sale={sale.data} plan={plan.data} installmentId={installmentId} amount={amount} onClose={onClose} />;
  const error = sale.error ?? plan.error;
  return (
    <Drawer open onClose={onClose} title={t.collect}>
      {error ? (
        <ErrorState error={error} onRetry={() => void Promise.all([sale.refetch(), plan.refetch()])} />
      ) : (
        <Skeleton className="h-60 w-full" />
      )}
    </Drawer>
  );
}

interface LayerProps {
  readonly sale: SaleDetail;
  readonly plan: PlanWithInstallments;
  readonly installmentId: string | undefined;
  readonly amount: string | undefined;
  readonly onClose: () => void;
}

const isOpen = ({ status }: Installment): boolean => status === 'Bekliyor' || status === 'Kısmi Ödendi';

function CollectLayer({ sale, plan, installmentId, amount, onClose }: LayerProps) {
  const t = useTexts(saleActsTexts);
  const locale = useLocale();
  const { account } = useSession();
  const today = useToday();
  const changed = useSalesChanged();
  const mayPrint = useMayPrint();
  const r = useTexts(receiptTexts);
  const installment = plan.installments.find(({ id }) => id === installmentId);
  const expected = installment?.remaining_amount ?? amount;
  const form = useForm<CollectForm>(
    emptyCollection(sale.currency, today, expected === undefined ? '' : typedOf(expected, locale)),
  );
  const lateInterest = (installment ? installment.late_interest : sale.payoff?.late_interest) ?? '0.00';
  const context = { saleId: sale.id, installmentId: installment?.id, collectedById: account?.member_id, lateInterest };
  const body = collectionBody(form.values, context);
  const write = useWrite({
    send: (typed: RawBody<'POST v1/collections'>, headers) =>
      call('POST v1/collections', { rawBody: withoutEmpty(typed), headers }),
    onDone: (saved) => {
      const receipt = mayPrint && hasReceipt(saved) ? receiptPaper(r.titleOf(saved.receipt_no), saved.id) : null;
      onClose();
      const message = t.saved(saved.receipt_no);
      // The payer waits for the receipt. Where it would open in a new tab, it is opened by a button.
      if (receipt && opensAtOnce()) openPaper({ ...receipt, message });
      else notify({ title: message, ...(receipt ? { undo: { label: r.open, run: () => openPaper(receipt) } } : {}) });
      return changed();
    },
  });
  const preview = useDryRun('collections', isPreviewable(form.values) ? body : null, (typed, _, signal) =>
    call('POST collections/preview', { rawBody: typed, signal }),
  );
  const rate = useRate(sale, form.values);
  const mayDiscount = useRole('owner', 'finance');
  const names = useCollectNames();
  const of: FieldsOf<CollectForm> = { form, error: write.error, names };
  return (
    <FormLayer
      drawer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(body)}
      onClose={onClose}
      title={t.collectFor(sale.sale_no)}
      description={<CustomerName id={sale.customer_id} />}
      action={t.collect}
    >
      <MoneyField of={of} name="amount" currency="currency" autoFocus hint={t.enterSaves} />
      {mayDiscount && form.values.currency !== sale.currency && (
        <TextField of={of} name="exchange_rate" inputMode="decimal" optional hint={t.exchangeRateHint} />
      )}
      <QuickAmounts sale={sale} plan={plan} installment={installment} form={form} rate={rate} />
      <CollectPreview sale={sale} plan={plan} form={form} preview={preview} names={names} />
      <Offers sale={sale} form={form} lateInterest={lateInterest} isWhole={installment === undefined && mayDiscount} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <MethodField of={of} />
        <TextField of={of} name="collected_on" type="date" min={sale.sale_date} max={today} />
      </div>
      {form.values.method === 'Çek' && <ChequeFields of={of} />}
      {mayDiscount && <DiscountFold of={of} currency={sale.currency} />}
      <Folded title={t.more} isOpen={false}>
        <TextField of={of} name="reference" maxLength={200} optional hint={t.referenceHint} />
        <LinesField of={of} name="note" rows={2} maxLength={2000} optional />
      </Folded>
    </FormLayer>
  );
}

function useCollectNames(): Readonly<Record<string, string>> {
  const t = useTexts(saleActsTexts);
  const { amount, currency, method, collected_on, exchange_rate, reference, note, discount_amount, discount_reason } = t;
  const instrument = { 'instrument.bank': t.bank, 'instrument.number': t.number, 'instrument.due_on': t.due_on };
  return {
    amount,
    currency,
    method,
    collected_on,
    exchange_rate,
    reference,
    note,
    discount_amount,
    discount_reason,
    ...instrument,
  };
}

function MethodField({ of }: { readonly of: FieldsOf<CollectForm> }) {
  const locale = useLocale();
  return (
    <ChoiceField of={of} name="method" options={COLLECTION_METHODS.map((value) => ({ value, label: saleWord(locale, value) }))} />
  );
}

function ChequeFields({ of }: { readonly of: FieldsOf<CollectForm> }) {
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <TextField of={of} name="instrument.bank" maxLength={80} />
      <TextField of={of} name="instrument.number" maxLength={40} />
      <TextField of={of} name="instrument.due_on" type="date" />
    </div>
  );
}

function DiscountFold(props: { readonly of: FieldsOf<CollectForm>; readonly currency: string }) {
  const t = useTexts(saleActsTexts);
  return (
    <Folded title={t.addDiscount} isOpen={props.of.form.values.discount_amount !== ''}>
      <DiscountFields {...props} />
    </Folded>
  );
}

function DiscountFields({ of, currency }: { readonly of: FieldsOf<CollectForm>; readonly currency: string }) {
  const t = useTexts(saleActsTexts);
  const locale = useLocale();
  const format = useFormat();
  const mayWriteOff = useRole('owner', 'finance');
  const typed = amountOf(of.form.values.discount_amount);
  const reasons = DISCOUNT_REASONS.filter((reason) => reason !== 'Silme' || mayWriteOff);
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <TextField
        of={of}
        name="discount_amount"
        inputMode="decimal"
        hint={typed === undefined ? currency : format.money(typed, currency)}
      />
      <ChoiceField
        of={of}
        name="discount_reason"
        none={t.noDiscount}
        options={reasons.map((value) => ({ value, label: saleWord(locale, value) }))}
      />
    </div>
  );
}

interface QuickProps {
  readonly sale: SaleDetail;
  readonly plan: PlanWithInstallments;
  readonly installment: Installment | undefined;
  readonly form: Form<CollectForm>;
  /** Of the currency that is paid; null in the sale's own, undefined where there is none. */
  readonly rate: PaidRate | null | undefined;
}

/** The usual amounts, each one click away, in the currency of the payment. */
function QuickAmounts({ sale, plan, installment, form, rate }: QuickProps) {
  const t = useTexts(saleActsTexts);
  const locale = useLocale();
  const format = useFormat();
  const next = plan.installments
    .filter((one) => isOpen(one))
    .sort((a, b) => a.due_date.localeCompare(b.due_date) || a.seq - b.seq)[0];
  const sums = installment
    ? [{ label: t.fill.row, amount: installment.remaining_amount }]
    : [
        { label: t.fill.overdue, amount: sale.overdue_amount },
        { label: next?.seq === 0 ? t.fill.down : t.fill.next, amount: next?.remaining_amount ?? '0.00' },
        { label: t.fill.all, amount: sale.outstanding_amount },
      ];
  // Where all that is owed is also the next installment, it is called all.
  const isNamedBest = (amount: string, at: number) =>
    at === sums.length - 1 || (sums.findIndex((one) => one.amount === amount) === at && amount !== sums.at(-1)?.amount);
  const paid = rate ? form.values.currency : sale.currency;
  const inPaid = (amount: string) => (rate ? amountPaid(amount, form.values.currency, rate) : amount);
  const fill = (amount: string) => {
    form.set('currency', paid);
    form.set('amount', typedOf(inPaid(amount), locale));
    document.getElementById('amount')?.focus();
  };
  return (
    <div className="-mt-2 flex flex-wrap gap-1.5">
      {sums
        .filter(({ amount }, at) => isAbove(amount) && isNamedBest(amount, at))
        .map(({ label, amount }) => (
          <Button key={label} onClick={() => fill(amount)}>
            {label}
            <span className="tabular text-text-2">{format.money(inPaid(amount), paid, true)}</span>
          </Button>
        ))}
    </div>
  );
}

interface OffersProps {
  readonly sale: SaleDetail;
  readonly form: Form<CollectForm>;
  readonly lateInterest: string;
  /** Money for the whole sale, not for one row. */
  readonly isWhole: boolean;
}

/** Late interest and the discount for settling early are offered, never taken unasked. */
function Offers({ sale, form, lateInterest, isWhole }: OffersProps) {
  const t = useTexts(saleActsTexts);
  const locale = useLocale();
  const format = useFormat();
  const isSameCurrency = form.values.currency === sale.currency;
  const unearned = sale.payoff?.unearned_finance_charge ?? '0.00';
  const isEarly = form.values.discount_reason === 'Erken Ödeme';
  const offerEarly = (isTaken: boolean) => {
    form.set('discount_amount', isTaken ? typedOf(unearned, locale) : '');
    form.set('discount_reason', isTaken ? 'Erken Ödeme' : '');
    if (isTaken) form.set('amount', typedOf(minus(sale.outstanding_amount, unearned), locale));
  };
  if (!isSameCurrency) return null;
  return (
    <div className="flex flex-col gap-1 empty:hidden">
      {isAbove(lateInterest) && (
        <Checkbox
          label={t.late(format.money(lateInterest, sale.currency))}
          hint={t.lateHint}
          checked={form.values.takes_late}
          onChange={(checked) => form.set('takes_late', checked)}
        />
      )}
      {isWhole && isAbove(unearned) && (
        <Checkbox
          label={t.early(format.money(unearned, sale.currency))}
          hint={t.earlyHint}
          checked={isEarly}
          onChange={offerEarly}
        />
      )}
    </div>
  );
}

function Folded({
  title,
  isOpen: open,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}) {
  return (
    <details open={open || undefined} className="group/fold border-t border-line pt-3">
      <summary className="flex min-h-6 list-none items-center gap-1.5 text-13 font-medium">
        <ChevronRight aria-hidden className="size-4 text-text-3 transition-transform group-open/fold:rotate-90" />
        {title}
      </summary>
      <div className="mt-3 flex flex-col gap-4">{children}</div>
    </details>
  );
}

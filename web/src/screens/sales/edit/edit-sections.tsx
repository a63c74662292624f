// The parts of a sale's form, each for what one is allowed to change at a time.
import { Lock } from 'lucide-react';
import { LEGAL_STAGES, TITLE_STATUSES } from '../../../../../src/domain/installments/sales-states.ts';
import type { SalePreview } from '../../../../../src/domain/sales/sale-preview.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { FormSection } from '../../../parts/form/form.tsx';
import { amountOf } from '../../../parts/form/form-amount.ts';
import { ChoiceField, type FieldsOf, LinesField, TextField } from '../../../parts/form/form-fields.tsx';
import { useBranches } from '../../../records/branches.ts';
import { saleWord } from '../../../records/sales/sale-texts.ts';
import { type SaleDetail, useToday } from '../../../records/sales/sales.ts';
import { useStaff } from '../../../records/staff.ts';
import { useFormat, useSession } from '../../../session.ts';
import { ownInstallmentsTexts } from '../../sale-acts/own-installments-texts.ts';
import { GuarantorChoice } from '../new/new-guarantors.tsx';
import { PaymentSection } from '../new/new-payment.tsx';
import { newSaleTexts } from '../new/new-texts.ts';
import { financedOf } from '../new/new-values.ts';
import { editSaleTexts } from './edit-texts.ts';
import type { EditForm } from './edit-values.ts';

interface SectionProps {
  readonly of: FieldsOf<EditForm>;
}

export function useEditNames(): Readonly<Record<string, string>> {
  const n = useTexts(newSaleTexts);
  const e = useTexts(editSaleTexts);
  const { rows } = useTexts(ownInstallmentsTexts);
  const { salesperson_id, late_rate_yearly, delivery_due_on, currency_exemption, notes, guarantors } = n;
  const { sale_date, sale_price, currency, down_payment, finance_charge, installment_count, first_due_date, period, round_to } =
    n;
  const { title: _, saved: __, ...own } = e;
  return {
    ...own,
    salesperson_id,
    late_rate_yearly,
    delivery_due_on,
    currency_exemption,
    notes,
    guarantor_ids: guarantors,
    sale_date,
    sale_price,
    currency,
    down_payment,
    finance_charge,
    installment_count,
    first_due_date,
    period,
    round_to,
    installments: rows,
  };
}

export function PapersSection({ of }: SectionProps) {
  const e = useTexts(editSaleTexts);
  const locale = useLocale();
  const today = useToday();
  const isDone = of.form.values['title_transfer.status'] === 'Yapıldı';
  const titles = TITLE_STATUSES.map((value) => ({ value, label: value === 'Bekliyor' ? e.pending : saleWord(locale, value) }));
  return (
    <FormSection title={e.papers}>
      <ChoiceField of={of} name="title_transfer.status" options={titles} />
      {isDone && <TextField of={of} name="title_transfer.on" type="date" max={today} optional hint={e.titleHint} />}
      {isDone && <TextField of={of} name="title_transfer.place" maxLength={200} optional />}
      {isDone && <TextField of={of} name="title_transfer.reference" maxLength={120} optional />}
      <TextField of={of} name="secure_payment_ref" maxLength={120} optional />
      <TextField of={of} name="lien.placed_on" type="date" max={today} optional />
      <TextField of={of} name="lien.removed_on" type="date" max={today} optional />
      <TextField of={of} name="invoice.no" maxLength={60} optional />
      <TextField of={of} name="invoice.on" type="date" max={today} optional />
      <TextField of={of} name="invoice.ettn" maxLength={36} optional />
      <ChoiceField
        of={of}
        name="legal_stage"
        hint={e.legalHint}
        options={LEGAL_STAGES.map((value) => ({ value, label: saleWord(locale, value) }))}
      />
    </FormSection>
  );
}

export function PeopleSection({ of, customerId }: SectionProps & { readonly customerId: string }) {
  const e = useTexts(editSaleTexts);
  const n = useTexts(newSaleTexts);
  const today = useToday();
  const { form } = of;
  const staff = useStaff().filter(({ active, id }) => active || id === form.initial.salesperson_id);
  const { account } = useSession();
  const mayAssign = account?.role !== 'sales' || form.initial.salesperson_id === account.member_id;
  return (
    <FormSection title={e.people}>
      {mayAssign && (
        <ChoiceField
          of={of}
          name="salesperson_id"
          none={n.notSet}
          options={staff.map(({ id, full_name }) => ({ value: id, label: full_name }))}
        />
      )}
      <ChoiceField
        of={of}
        name="branch_id"
        none={e.noBranch}
        options={useBranches().map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextField of={of} name="delivered_at" type="date" max={today} optional />
      <GuarantorChoice
        customerId={customerId}
        chosen={form.values.guarantor_ids}
        onChange={(ids) => form.set('guarantor_ids', ids)}
      />
    </FormSection>
  );
}

export function ContractSection({ of, sale }: SectionProps & { readonly sale: SaleDetail }) {
  const e = useTexts(editSaleTexts);
  const n = useTexts(newSaleTexts);
  return (
    <FormSection title={e.contract}>
      <TextField of={of} name="late_rate_yearly" inputMode="decimal" optional />
      <TextField of={of} name="delivery_due_on" type="date" min={sale.sale_date} optional />
      {sale.currency_exemption !== null && (
        <TextField of={of} name="currency_exemption" maxLength={200} optional hint={n.exemptionHint} />
      )}
    </FormSection>
  );
}

interface TermsProps extends SectionProps {
  readonly sale: SaleDetail;
  readonly preview: SalePreview | undefined;
}

export function TermsSection({ of, sale, preview }: TermsProps) {
  const e = useTexts(editSaleTexts);
  const format = useFormat();
  const today = useToday();
  const { values } = of.form;
  const shown = (typed: string) => {
    const amount = amountOf(typed);
    return amount === undefined ? sale.currency : format.money(amount, sale.currency);
  };
  return (
    <>
      <FormSection title={e.terms}>
        <TextField of={of} name="sale_date" type="date" max={today} />
        <TextField of={of} name="sale_price" inputMode="decimal" hint={shown(values.sale_price)} />
        <TextField of={of} name="trade_in_amount" inputMode="decimal" optional hint={shown(values.trade_in_amount)} />
      </FormSection>
      <PaymentSection
        of={of}
        preview={preview}
        financed={financedOf(values, values.sale_price, values.trade_in_amount)}
        // Installments that exist are not dropped by an edit: a sale becomes one for cash when it is paid.
        ways={sale.payment_type === 'Peşin' ? ['cash', 'count', 'rows'] : ['count', 'rows']}
      />
    </>
  );
}

export function LockedNote({ isCancelled }: { readonly isCancelled: boolean }) {
  const e = useTexts(editSaleTexts);
  return (
    <section aria-label={e.terms} className="card p-4">
      <h2 className="m-0 mb-1 flex items-center gap-1.5 text-14 font-semibold">
        <Lock aria-hidden className="size-4 text-text-3" />
        {e.terms}
      </h2>
      <p className="m-0 text-13 text-text-2">{isCancelled ? e.cancelledLocked : e.termsLocked}</p>
    </section>
  );
}

export function NotesSection({ of }: SectionProps) {
  const n = useTexts(newSaleTexts);
  return (
    <FormSection title={n.notes}>
      <TextField of={of} name="external_ref" maxLength={120} optional />
      <LinesField of={of} name="notes" rows={3} maxLength={5000} optional wide />
    </FormSection>
  );
}

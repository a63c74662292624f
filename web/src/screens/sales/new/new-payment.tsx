// How a sale is paid: in cash, in equal installments, or in custom installments.
import { PERIODS, ROUND_TO } from '../../../../../src/domain/installments/sales-states.ts';
import type { SalePreview } from '../../../../../src/domain/sales/sale-preview.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { FormSection } from '../../../parts/form/form.tsx';
import { amountOf } from '../../../parts/form/form-amount.ts';
import { ChoiceField, type FieldsOf, TextField } from '../../../parts/form/form-fields.tsx';
import { RadioGroup } from '../../../parts/input/choices.tsx';
import { saleWord } from '../../../records/sales/sale-texts.ts';
import { useFormat } from '../../../session.ts';
import { installmentsFrom, OwnInstallments } from '../../sale-acts/own-installments.tsx';
import { MonthlyRate } from './monthly-rate.tsx';
import { newSaleTexts } from './new-texts.ts';
import { type PayBy, type PaymentForm, smallerStep } from './new-values.ts';

interface PaymentProps {
  readonly of: FieldsOf<PaymentForm>;
  /** Its installments are what an own plan begins with. */
  readonly preview: SalePreview | undefined;
  /** What own installments must come to; null while that is not known. */
  readonly financed: string | null;
  readonly ways?: readonly PayBy[];
}

const WAYS = ['cash', 'count', 'rows'] as const;

export function PaymentSection({ of, preview, financed, ways = WAYS }: PaymentProps) {
  const n = useTexts(newSaleTexts);
  const locale = useLocale();
  const { form } = of;
  const { pay_by } = form.values;
  const choose = (by: PayBy) => {
    if (by === 'rows' && form.values.rows.length === 0)
      form.set('rows', installmentsFrom(preview?.plan.installments.filter(({ seq }) => seq > 0) ?? [], locale));
    form.set('pay_by', by);
  };
  return (
    <FormSection title={n.payment}>
      <div className="col-span-full">
        <RadioGroup<PayBy>
          inline
          label={n.payBy}
          value={pay_by as PayBy}
          options={ways.map((value) => ({ value, label: n.by[value] }))}
          onChange={choose}
        />
      </div>
      {pay_by !== 'cash' && (
        <>
          <AmountField of={of} name="down_payment" />
          <AmountField of={of} name="finance_charge" />
          {pay_by === 'count' && form.values.period === 'Aylık' && <MonthlyRate of={of} financed={financed} />}
        </>
      )}
      {pay_by === 'count' && <CountFields of={of} preview={preview} />}
      {pay_by === 'rows' && (
        <OwnInstallments
          rows={form.values.rows}
          onChange={(rows) => form.set('rows', rows)}
          name="installments"
          error={of.error}
          from={form.values.sale_date}
          total={financed}
          currency={form.values.currency}
        />
      )}
    </FormSection>
  );
}

function AmountField({ of, name }: { readonly of: FieldsOf<PaymentForm>; readonly name: 'down_payment' | 'finance_charge' }) {
  const format = useFormat();
  const { currency } = of.form.values;
  const typed = amountOf(of.form.values[name]);
  return (
    <TextField
      of={of}
      name={name}
      inputMode="decimal"
      optional
      hint={typed === undefined || currency === '' ? currency : format.money(typed, currency)}
    />
  );
}

function CountFields({ of, preview }: Pick<PaymentProps, 'of' | 'preview'>) {
  const n = useTexts(newSaleTexts);
  const locale = useLocale();
  return (
    <>
      <TextField of={of} name="installment_count" inputMode="numeric" maxLength={3} />
      <ChoiceField of={of} name="period" options={PERIODS.map((value) => ({ value, label: saleWord(locale, value) }))} />
      <TextField of={of} name="first_due_date" type="date" min={of.form.values.sale_date} optional hint={n.firstDueHint} />
      <ChoiceField
        of={of}
        name="round_to"
        none={n.noRounding}
        options={ROUND_TO.map((value) => ({ value: String(value), label: String(value) }))}
      />
      <SmallerStep of={of} preview={preview} />
    </>
  );
}

/** Shown where rounding leaves a last installment far from the others. */
function SmallerStep({ of: { form }, preview }: Pick<PaymentProps, 'of' | 'preview'>) {
  const n = useTexts(newSaleTexts);
  const format = useFormat();
  const equal = preview?.plan.installments.filter(({ seq }) => seq > 0).map(({ amount }) => amount) ?? [];
  const step = smallerStep(equal, form.values.round_to, ROUND_TO);
  if (preview === undefined || step === undefined) return null;
  const last = format.money(equal.at(-1)!, preview.sale.currency);
  return (
    <p role="status" className="col-span-full m-0 flex flex-wrap items-center gap-2 text-13 text-text-2">
      {n.lastIsFar(last, format.money(equal[0]!, preview.sale.currency))}
      <Button onClick={() => form.set('round_to', step === null ? '' : String(step))}>
        {step === null ? n.noStep : n.smallerStep(step)}
      </Button>
    </p>
  );
}

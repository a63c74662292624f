// How a sale is paid: at once, by equal installments, or by rows of one's own with the running difference beside them.
import { Plus, Trash2 } from 'lucide-react';
import type { SalePreview } from '../../../../src/domain/sales/sale-preview.ts';
import { CUSTOM_KINDS, PERIODS, ROUND_TO } from '../../../../src/domain/sales/sales-states.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { RadioGroup } from '../../parts/choices.tsx';
import { cx } from '../../parts/cx.ts';
import { problemOf } from '../../parts/error-summary.tsx';
import { Field, Select, TextInput } from '../../parts/field.tsx';
import { FormSection } from '../../parts/form/form.tsx';
import { amountOf } from '../../parts/form/form-amount.ts';
import { ChoiceField, type FieldsOf, TextField } from '../../parts/form/form-fields.tsx';
import { isAbove, plus, typedOf } from '../../records/amounts.ts';
import { saleWord } from '../../records/sale-texts.ts';
import { useFormat } from '../../session.ts';
import { newSaleTexts } from './new-texts.ts';
import { differenceOf, type PayBy, rowsOf, type SaleForm, type TypedRow } from './new-values.ts';

interface PaymentProps {
  readonly of: FieldsOf<SaleForm>;
  /** Its rows are what an own plan begins with. */
  readonly preview: SalePreview | undefined;
}

export function PaymentSection({ of, preview }: PaymentProps) {
  const n = useTexts(newSaleTexts);
  const locale = useLocale();
  const { form } = of;
  const { pay_by } = form.values;
  const choose = (by: PayBy) => {
    if (by === 'rows' && rowsOf(form.values).length === 0) {
      const rows = preview?.plan.installments.filter(({ seq }) => seq > 0) ?? [];
      const typed = rows.map(({ due_date, amount, kind }) => ({ due_date, amount: typedOf(amount, locale), kind }));
      form.set('rows', JSON.stringify(typed.length > 0 ? typed : [{ due_date: '', amount: '', kind: 'Taksit' }]));
    }
    form.set('pay_by', by);
  };
  return (
    <FormSection title={n.payment}>
      <div className="col-span-full">
        <RadioGroup<PayBy>
          inline
          label={n.payBy}
          value={pay_by as PayBy}
          options={(['cash', 'count', 'rows'] as const).map((value) => ({ value, label: n.by[value] }))}
          onChange={choose}
        />
      </div>
      {pay_by !== 'cash' && (
        <>
          <AmountField of={of} name="down_payment" />
          <AmountField of={of} name="finance_charge" />
        </>
      )}
      {pay_by === 'count' && <CountFields of={of} />}
      {pay_by === 'rows' && <OwnRows of={of} />}
    </FormSection>
  );
}

function AmountField({ of, name }: { readonly of: FieldsOf<SaleForm>; readonly name: 'down_payment' | 'finance_charge' }) {
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

function CountFields({ of }: { readonly of: FieldsOf<SaleForm> }) {
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
    </>
  );
}

function OwnRows({ of }: { readonly of: FieldsOf<SaleForm> }) {
  const n = useTexts(newSaleTexts);
  const { form } = of;
  const rows = rowsOf(form.values);
  const set = (next: readonly TypedRow[]) => form.set('rows', JSON.stringify(next));
  const change = (at: number, part: Partial<TypedRow>) => set(rows.map((row, one) => (one === at ? { ...row, ...part } : row)));
  const add = () => set([...rows, { due_date: monthAfter(rows.at(-1)?.due_date ?? ''), amount: '', kind: 'Taksit' }]);
  return (
    <fieldset id="installments" className="col-span-full m-0 min-w-0 border-0 p-0">
      <legend className="mb-1 p-0 text-13 font-medium">{n.rows}</legend>
      <div className="flex flex-col gap-2">
        {rows.map((row, at) => (
          <OwnRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name but its place
            key={at}
            of={of}
            at={at}
            row={row}
            onChange={(part) => change(at, part)}
            onRemove={() => set(rows.filter((_, one) => one !== at))}
          />
        ))}
      </div>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
        <Button icon={Plus} onClick={add}>
          {n.addRow}
        </Button>
        <Difference of={of} onPutRest={(rest) => change(rows.length - 1, { amount: rest })} />
      </div>
    </fieldset>
  );
}

/** The same day a month later, or the month's last where it has no such day. */
function monthAfter(day: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return '';
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(date, last))).toISOString().slice(0, 10);
}

interface OwnRowProps {
  readonly of: FieldsOf<SaleForm>;
  readonly at: number;
  readonly row: TypedRow;
  readonly onChange: (part: Partial<TypedRow>) => void;
  readonly onRemove: () => void;
}

function OwnRow({ of, at, row, onChange, onRemove }: OwnRowProps) {
  const n = useTexts(newSaleTexts);
  const locale = useLocale();
  const id = (name: string) => `installments[${at}].${name}`;
  const label = (word: string) => `${n.rowNo(at + 1)}: ${word}`;
  return (
    <div className="flex flex-wrap items-start gap-2">
      <span className="tabular grid h-[var(--control)] w-6 place-items-center text-13 text-text-2">{at + 1}</span>
      <div className="min-w-36 flex-1">
        <Field id={id('due_date')} label={label(n.due)} labelHidden error={problemOf(of.error, id('due_date'), n.due)}>
          <TextInput
            type="date"
            min={of.form.values.sale_date}
            value={row.due_date}
            onChange={(due_date) => onChange({ due_date })}
          />
        </Field>
      </div>
      <div className="min-w-28 flex-1">
        <Field id={id('amount')} label={label(n.amount)} labelHidden error={problemOf(of.error, id('amount'), n.amount)}>
          <TextInput
            inputMode="decimal"
            autoComplete="off"
            className="tabular text-end"
            value={row.amount}
            onChange={(amount) => onChange({ amount })}
          />
        </Field>
      </div>
      <div className="min-w-28 flex-1">
        <Field label={label(n.kind)} labelHidden>
          <Select
            value={row.kind}
            options={CUSTOM_KINDS.map((value) => ({ value, label: saleWord(locale, value) }))}
            onChange={(kind) => onChange({ kind })}
          />
        </Field>
      </div>
      <IconButton label={n.removeRow(at + 1)} icon={Trash2} onClick={onRemove} />
    </div>
  );
}

function Difference({ of, onPutRest }: { readonly of: FieldsOf<SaleForm>; readonly onPutRest: (rest: string) => void }) {
  const n = useTexts(newSaleTexts);
  const locale = useLocale();
  const format = useFormat();
  const { values } = of.form;
  const difference = differenceOf(values);
  if (difference === null || values.currency === '') return null;
  const isMissing = isAbove(difference);
  const isEven = !isMissing && !difference.startsWith('-');
  const last = amountOf(rowsOf(values).at(-1)?.amount ?? '') ?? '0';
  const rest = plus(last, difference);
  const shown = format.money(difference.replace('-', ''), values.currency);
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span role="status" className={cx('text-13 font-medium', isEven ? 'text-live' : 'text-danger')}>
        {isEven ? n.even : isMissing ? n.missing(shown) : n.tooMuch(shown)}
      </span>
      {!isEven && isAbove(rest) && <Button onClick={() => onPutRest(typedOf(rest, locale))}>{n.putRest}</Button>}
    </span>
  );
}

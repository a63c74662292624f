// Custom installments, with the difference to the total. For a new sale, its terms and a restructuring.
import { Plus, Trash2 } from 'lucide-react';
import { CUSTOM_KINDS } from '../../../../src/domain/installments/sales-states.ts';
import type { RawBody } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { amountOf, amountToSend } from '../../parts/form/form-amount.ts';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { Field, Select, TextInput } from '../../parts/input/field.tsx';
import { isAbove, minus, plus, typedOf } from '../../records/amounts.ts';
import { saleWord } from '../../records/sales/sale-texts.ts';
import type { Installment } from '../../records/sales/sales.ts';
import { useFormat } from '../../session.ts';
import { ownInstallmentsTexts } from './own-installments-texts.ts';

/** As typed. */
export interface TypedInstallment {
  readonly due_date: string;
  readonly amount: string;
  readonly kind: string;
}

export const installmentsToSend = (rows: readonly TypedInstallment[]): NonNullable<RawBody<'POST v1/sales'>['installments']> =>
  rows.map(({ due_date, amount, kind }) => ({ due_date, amount: amountToSend(amount), kind }));

/** Far enough for the server to compute something. */
export const areInstallmentsFilled = (rows: readonly TypedInstallment[]): boolean =>
  rows.length > 0 && rows.every(({ due_date, amount }) => due_date !== '' && amountOf(amount) !== undefined);

/** Installments of a plan that exists, as a beginning. */
export const installmentsFrom = (
  rows: readonly Pick<Installment, 'due_date' | 'amount' | 'kind'>[],
  locale: 'tr' | 'en',
): readonly TypedInstallment[] =>
  rows.length === 0
    ? [{ due_date: '', amount: '', kind: 'Taksit' }]
    : rows.map(({ due_date, amount, kind }) => ({ due_date, amount: typedOf(amount, locale), kind }));

/** What the installments must still come to, negative where they are too much; null while something is not an amount. */
export function restOf(total: string | null, rows: readonly TypedInstallment[]): string | null {
  const read = rows.map(({ amount }) => (amount.trim() === '' ? '0' : amountOf(amount)));
  if (total === null || read.some((amount) => amount === undefined)) return null;
  return minus(total, ...(read as string[]));
}

interface OwnInstallmentsProps {
  readonly rows: readonly TypedInstallment[];
  readonly onChange: (rows: readonly TypedInstallment[]) => void;
  /** How the server names them: `installments` or `restructure.installments`. */
  readonly name: string;
  readonly error: unknown;
  /** The first day that an installment may have. */
  readonly from: string;
  /** What they must come to; null while that is not known. */
  readonly total: string | null;
  readonly currency: string;
}

export function OwnInstallments({ rows, onChange, name, error, from, total, currency }: OwnInstallmentsProps) {
  const t = useTexts(ownInstallmentsTexts);
  const change = (at: number, part: Partial<TypedInstallment>) =>
    onChange(rows.map((row, one) => (one === at ? { ...row, ...part } : row)));
  const add = () => onChange([...rows, { due_date: monthAfter(rows.at(-1)?.due_date ?? ''), amount: '', kind: 'Taksit' }]);
  return (
    <fieldset id={name} className="col-span-full m-0 min-w-0 border-0 p-0">
      <legend className="mb-1 p-0 text-13 font-medium">{t.rows}</legend>
      <div className="flex flex-col gap-2">
        {rows.map((row, at) => (
          <OwnInstallment
            // biome-ignore lint/suspicious/noArrayIndexKey: an installment has no name but its place
            key={at}
            at={at}
            row={row}
            name={`${name}[${at}]`}
            error={error}
            from={from}
            onChange={(part) => change(at, part)}
            onRemove={() => onChange(rows.filter((_, one) => one !== at))}
          />
        ))}
      </div>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
        <Button icon={Plus} onClick={add}>
          {t.addRow}
        </Button>
        <Rest rows={rows} total={total} currency={currency} onPutRest={(rest) => change(rows.length - 1, { amount: rest })} />
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

interface OwnInstallmentProps extends Pick<OwnInstallmentsProps, 'name' | 'error' | 'from'> {
  readonly at: number;
  readonly row: TypedInstallment;
  readonly onChange: (part: Partial<TypedInstallment>) => void;
  readonly onRemove: () => void;
}

function OwnInstallment({ at, row, name, error, from, onChange, onRemove }: OwnInstallmentProps) {
  const t = useTexts(ownInstallmentsTexts);
  const locale = useLocale();
  const id = (field: string) => `${name}.${field}`;
  const label = (word: string) => `${t.rowNo(at + 1)}: ${word}`;
  return (
    <div className="flex flex-wrap items-start gap-2">
      <span className="tabular grid h-[var(--control)] w-6 place-items-center text-13 text-text-2">{at + 1}</span>
      <div className="min-w-36 flex-1">
        <Field id={id('due_date')} label={label(t.due)} labelHidden error={problemOf(error, id('due_date'), t.due)}>
          <TextInput type="date" min={from} value={row.due_date} onChange={(due_date) => onChange({ due_date })} />
        </Field>
      </div>
      <div className="min-w-28 flex-1">
        <Field id={id('amount')} label={label(t.amount)} labelHidden error={problemOf(error, id('amount'), t.amount)}>
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
        <Field label={label(t.kind)} labelHidden>
          <Select
            value={row.kind}
            options={CUSTOM_KINDS.map((value) => ({ value, label: saleWord(locale, value) }))}
            onChange={(kind) => onChange({ kind })}
          />
        </Field>
      </div>
      <IconButton label={t.removeRow(at + 1)} icon={Trash2} onClick={onRemove} />
    </div>
  );
}

interface RestProps extends Pick<OwnInstallmentsProps, 'rows' | 'total' | 'currency'> {
  readonly onPutRest: (rest: string) => void;
}

function Rest({ rows, total, currency, onPutRest }: RestProps) {
  const t = useTexts(ownInstallmentsTexts);
  const locale = useLocale();
  const format = useFormat();
  const rest = restOf(total, rows);
  if (rest === null || currency === '') return null;
  const isMissing = isAbove(rest);
  const isEven = !isMissing && !rest.startsWith('-');
  const last = plus(amountOf(rows.at(-1)?.amount ?? '') ?? '0', rest);
  const shown = format.money(rest.replace('-', ''), currency);
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span role="status" className={cx('text-13 font-medium', isEven ? 'text-live' : 'text-danger')}>
        {isEven ? t.even : isMissing ? t.missing(shown) : t.tooMuch(shown)}
      </span>
      {!isEven && rows.length > 0 && isAbove(last) && (
        <Button onClick={() => onPutRest(typedOf(last, locale))}>{t.putRest}</Button>
      )}
    </span>
  );
}

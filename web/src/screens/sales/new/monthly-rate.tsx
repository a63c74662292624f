// A finance charge given as a monthly rate on what is still owed. What it comes to is written into the charge, which is what is stored.
import { useEffect, useRef, useState } from 'react';
import { useLocale, useTexts } from '../../../language.ts';
import { amountOf } from '../../../parts/form/form-amount.ts';
import type { FieldsOf } from '../../../parts/form/form-fields.tsx';
import { Field, TextInput } from '../../../parts/input/field.tsx';
import { minus, typedOf } from '../../../records/amounts.ts';
import { newSaleTexts } from './new-texts.ts';
import { monthlyCharge, type PaymentForm, percentToSend } from './new-values.ts';

interface MonthlyRateProps {
  readonly of: FieldsOf<PaymentForm>;
  /** What is paid in installments, the charge included; null while that is not known. */
  readonly financed: string | null;
}

export function MonthlyRate({ of: { form }, financed }: MonthlyRateProps) {
  const n = useTexts(newSaleTexts);
  const locale = useLocale();
  const [rate, setRate] = useState('');
  const written = useRef<string | null>(null);
  const { finance_charge, installment_count } = form.values;
  const isOwn = written.current !== null && finance_charge !== written.current;
  const typed = isOwn ? '' : rate;
  const charge = finance_charge.trim() === '' ? '0' : amountOf(finance_charge);
  const principal = financed === null || charge === undefined ? null : minus(financed, charge);
  const count = Number(installment_count);
  const comes = principal === null ? null : monthlyCharge(principal, count, percentToSend(typed));
  const charged = comes === null ? null : typedOf(comes, locale);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when what it comes to changes
  useEffect(() => {
    if (charged === null || charged === finance_charge) return;
    written.current = charged;
    form.set('finance_charge', charged);
  }, [charged]);
  const change = (text: string) => {
    written.current = null;
    setRate(text);
  };
  return (
    <Field id="monthly_rate" label={n.monthlyRate} hint={n.monthlyRateHint} optional>
      <TextInput value={typed} onChange={change} inputMode="decimal" maxLength={6} autoComplete="off" />
    </Field>
  );
}

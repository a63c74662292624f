// Converts the typed values of a customer or guarantor to the body of their rows.
import { amountToSend } from '../parts/form/form-amount.ts';
import type { FormValues } from '../parts/form/form-state.ts';

/** Fields that can be cleared, by null. */
const NULLABLE: ReadonlySet<string> = new Set([
  'email',
  'note',
  'relationship',
  'id_no',
  'address',
  'monthly_income',
  'birth_date',
  'company_name',
  'tax_office',
  'tax_no',
  'notice_given_on',
]);

export function sentValue(name: string, typed: string): unknown {
  if (name === 'reminder_opt_out') return typed === '1';
  if (typed.trim() === '') return NULLABLE.has(name) ? null : '';
  return name === 'monthly_income' ? amountToSend(typed) : typed;
}

/** The body for a new record: the fields that were filled in. The server reports missing ones. */
export const filledIn = (values: FormValues): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name, typed]) => typed.trim() !== '' && !name.endsWith('?clear'))
      .map(([name, typed]) => [name, sentValue(name, typed)]),
  );

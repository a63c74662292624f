// What is typed of a customer or guarantor, as the rows take it.
import { amountToSend } from '../parts/form/form-amount.ts';
import type { FormValues } from '../parts/form/form-state.ts';

/** Emptied by null; the others cannot be empty. */
const NULLABLE: ReadonlySet<string> = new Set([
  'email',
  'note',
  'relationship',
  'id_no',
  'address',
  'monthly_income',
  'birth_date',
]);

export function sentValue(name: string, typed: string): unknown {
  if (typed.trim() === '') return NULLABLE.has(name) ? null : '';
  return name === 'monthly_income' ? amountToSend(typed) : typed;
}

/** Of a new one, what was filled in: what is missing and needed, the server says at its field. */
export const filledIn = (values: FormValues): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name, typed]) => typed.trim() !== '' && !name.endsWith('?clear'))
      .map(([name, typed]) => [name, sentValue(name, typed)]),
  );

// A customer or guarantor as text in a form, and the body that the row takes.
import type { CustomerDetail } from '../../../../src/resources/customers.ts';
import { clearName } from '../../parts/form/form-fields.tsx';
import type { FormValues } from '../../parts/form/form-state.ts';
import { sentValue } from '../../records/person-values.ts';
import type { Guarantor } from './data.ts';

/** Written, never shown. */
export const CUSTOMER_KEPT = ['id_no', 'address', 'monthly_income', 'birth_date'] as const;
export const GUARANTOR_KEPT = ['id_no', 'address', 'monthly_income'] as const;

type CustomerField = 'first_name' | 'last_name' | 'phone' | 'email' | 'risk_level' | 'note';
export type CustomerForm = FormValues & Readonly<Record<CustomerField, string>>;
export type GuarantorForm = FormValues &
  Readonly<Record<'first_name' | 'last_name' | 'phone' | 'email' | 'relationship', string>>;

const empty = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => [name, clearName(name)]).map((name) => [name, '']));

export const customerForm = (customer: CustomerDetail | null): CustomerForm => ({
  ...empty(CUSTOMER_KEPT),
  first_name: customer?.first_name ?? '',
  last_name: customer?.last_name ?? '',
  phone: customer?.phone ?? '',
  email: customer?.email ?? '',
  risk_level: customer?.risk_level ?? 'medium',
  note: customer?.note ?? '',
});

export const guarantorForm = (guarantor: Guarantor | null): GuarantorForm => ({
  ...empty(GUARANTOR_KEPT),
  first_name: guarantor?.first_name ?? '',
  last_name: guarantor?.last_name ?? '',
  phone: guarantor?.phone ?? '',
  email: guarantor?.email ?? '',
  relationship: guarantor?.relationship ?? '',
});

/** Of one that exists, what is other than before. Kept fields are empty before: empty is untouched, and cleared by their box. */
export const editBody = (values: FormValues, changed: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    changed.flatMap((name): [string, unknown][] => {
      if (!name.endsWith('?clear')) return [[name, sentValue(name, values[name] ?? '')]];
      const kept = name.slice(0, -'?clear'.length);
      return values[name] === '1' && (values[kept] ?? '') === '' ? [[kept, null]] : [];
    }),
  );

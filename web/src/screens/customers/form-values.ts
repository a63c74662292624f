// A customer or guarantor as form texts, and as the body of the row.
import type { CustomerDetail } from '../../../../src/resources/customers.ts';
import { clearName } from '../../parts/form/form-fields.tsx';
import type { FormValues } from '../../parts/form/form-state.ts';
import type { Guarantor } from '../../records/guarantors.ts';
import { sentValue } from '../../records/person-values.ts';

/** Write-only fields. */
export const CUSTOMER_KEPT = ['id_no', 'tax_no', 'address', 'monthly_income', 'birth_date'] as const;
export const GUARANTOR_KEPT = ['id_no', 'address', 'monthly_income'] as const;

type CustomerField =
  | ('first_name' | 'last_name' | 'phone' | 'email' | 'risk_level' | 'note')
  | ('kind' | 'company_name' | 'tax_office' | 'notice_given_on' | 'reminder_opt_out');
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
  kind: customer?.kind ?? 'Bireysel',
  company_name: customer?.company_name ?? '',
  tax_office: customer?.tax_office ?? '',
  notice_given_on: customer?.notice_given_on ?? '',
  reminder_opt_out: customer?.reminder_opt_out ? '1' : '',
});

export const guarantorForm = (guarantor: Guarantor | null): GuarantorForm => ({
  ...empty(GUARANTOR_KEPT),
  first_name: guarantor?.first_name ?? '',
  last_name: guarantor?.last_name ?? '',
  phone: guarantor?.phone ?? '',
  email: guarantor?.email ?? '',
  relationship: guarantor?.relationship ?? '',
});

/** The changed fields. Write-only fields begin empty: empty means unchanged, and a checkbox clears them. */
export const editBody = (values: FormValues, changed: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    changed.flatMap((name): [string, unknown][] => {
      if (!name.endsWith('?clear')) return [[name, sentValue(name, values[name] ?? '')]];
      const kept = name.slice(0, -'?clear'.length);
      return values[name] === '1' && (values[kept] ?? '') === '' ? [[kept, null]] : [];
    }),
  );

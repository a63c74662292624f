// A customer or guarantor as the values of its form.
import type { CustomerDetail } from '../../../../src/resources/customers.ts';
import { emptyKept } from '../../parts/form/form-body.ts';
import type { Guarantor } from '../../records/customers/guarantors.ts';
import { CUSTOMER_KEPT, type CustomerForm, GUARANTOR_KEPT, type GuarantorForm } from '../../records/customers/person-values.ts';

export const customerForm = (customer: CustomerDetail | null): CustomerForm => ({
  ...emptyKept(CUSTOMER_KEPT),
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
  reminder_opt_out: customer?.reminder_opt_out ?? false,
});

export const guarantorForm = (guarantor: Guarantor | null): GuarantorForm => ({
  ...emptyKept(GUARANTOR_KEPT),
  first_name: guarantor?.first_name ?? '',
  last_name: guarantor?.last_name ?? '',
  phone: guarantor?.phone ?? '',
  email: guarantor?.email ?? '',
  relationship: guarantor?.relationship ?? '',
});

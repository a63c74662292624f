// The values of a customer's or guarantor's form, as the bodies of the endpoints.

import type { RawBody } from '../../endpoints.ts';
import { amountToSend } from '../../parts/form/form-amount.ts';
import { changesOf, filled, type KeptValues } from '../../parts/form/form-body.ts';

/** Write-only fields. */
export const CUSTOMER_KEPT = ['id_no', 'tax_no', 'address', 'monthly_income', 'birth_date'] as const;
export const GUARANTOR_KEPT = ['id_no', 'address', 'monthly_income'] as const;

export type ContactForm = Readonly<Record<'first_name' | 'last_name' | 'phone' | 'email', string>>;
export type CustomerForm = ContactForm &
  Readonly<Record<'risk_level' | 'note' | 'kind' | 'company_name' | 'tax_office' | 'notice_given_on', string>> &
  Readonly<Record<'reminder_opt_out', boolean>> &
  KeptValues<(typeof CUSTOMER_KEPT)[number]>;
export type GuarantorForm = ContactForm & Readonly<Record<'relationship', string>> & KeptValues<(typeof GUARANTOR_KEPT)[number]>;

/** A name and a phone are enough for a new customer. */
export const contactBody = (values: ContactForm): RawBody<'POST v1/customers'> => ({
  first_name: filled(values.first_name),
  last_name: filled(values.last_name),
  phone: filled(values.phone),
  email: filled(values.email),
});

export const customerBody = (values: CustomerForm): RawBody<'POST v1/customers'> => ({
  first_name: filled(values.first_name),
  last_name: filled(values.last_name),
  phone: filled(values.phone),
  email: filled(values.email),
  risk_level: filled(values.risk_level),
  note: filled(values.note),
  kind: filled(values.kind),
  company_name: filled(values.company_name),
  tax_office: filled(values.tax_office),
  notice_given_on: filled(values.notice_given_on),
  reminder_opt_out: values.reminder_opt_out || undefined,
  id_no: filled(values.id_no),
  tax_no: filled(values.tax_no),
  address: filled(values.address),
  monthly_income: filled(values.monthly_income, amountToSend),
  birth_date: filled(values.birth_date),
});

export function customerEdit(values: CustomerForm, changed: readonly string[]): RawBody<'PATCH v1/customers/{customer_id}'> {
  const { required, optional, kept, has } = changesOf(values, changed);
  return {
    first_name: required('first_name'),
    last_name: required('last_name'),
    phone: required('phone'),
    email: optional('email'),
    risk_level: required('risk_level'),
    note: optional('note'),
    kind: required('kind'),
    company_name: optional('company_name'),
    tax_office: optional('tax_office'),
    notice_given_on: optional('notice_given_on'),
    reminder_opt_out: has('reminder_opt_out') ? values.reminder_opt_out : undefined,
    id_no: kept('id_no'),
    tax_no: kept('tax_no'),
    address: kept('address'),
    monthly_income: kept('monthly_income', amountToSend),
    birth_date: kept('birth_date'),
  };
}

export const guarantorBody = (values: GuarantorForm): RawBody<'POST v1/customers/{customer_id}/guarantors'> => ({
  first_name: filled(values.first_name),
  last_name: filled(values.last_name),
  phone: filled(values.phone),
  email: filled(values.email),
  relationship: filled(values.relationship),
  id_no: filled(values.id_no),
  address: filled(values.address),
  monthly_income: filled(values.monthly_income, amountToSend),
});

export function guarantorEdit(values: GuarantorForm, changed: readonly string[]): RawBody<'PATCH v1/guarantors/{guarantor_id}'> {
  const { required, optional, kept } = changesOf(values, changed);
  return {
    first_name: required('first_name'),
    last_name: required('last_name'),
    phone: required('phone'),
    email: optional('email'),
    relationship: optional('relationship'),
    id_no: kept('id_no'),
    address: kept('address'),
    monthly_income: kept('monthly_income', amountToSend),
  };
}

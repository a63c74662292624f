// The fields that a feed can set: which are required, and what their values may be. The server's types make sure that none is missing.

import type { CUSTOMER_FIELDS } from '../../../../src/domain/customers/customer.ts';
import { CUSTOMER_KINDS, RISK_LEVELS } from '../../../../src/domain/customers/customer-states.ts';
import {
  BODY_TYPES,
  DRIVES,
  FUEL_TYPES,
  STEERING_SIDES,
  TRANSMISSIONS,
  VEHICLE_SOURCES,
} from '../../../../src/domain/stock/stock-states.ts';
import type { IMPORTED_VEHICLE_FIELDS } from '../../../../src/domain/stock/vehicle.ts';
import { CURRENCIES } from '../../../../src/kit/money.ts';

export type Target = 'vehicles' | 'customers';
export type VehicleField = keyof typeof IMPORTED_VEHICLE_FIELDS;
export type CustomerField = keyof typeof CUSTOMER_FIELDS;
export type OurField = VehicleField | CustomerField;

export type Kind = 'text' | 'whole' | 'money' | 'day' | 'choice';

export interface FieldSpec {
  readonly kind: Kind;
  readonly required?: true;
  /** The API's values of a fixed choice. */
  readonly values?: readonly string[];
  /** Write-only, so it can come from a column but has no default. */
  readonly secret?: true;
}

const text: FieldSpec = { kind: 'text' };
const neededText: FieldSpec = { kind: 'text', required: true };
const whole: FieldSpec = { kind: 'whole', required: true };
const optionalWhole: FieldSpec = { kind: 'whole' };
const secretText: FieldSpec = { kind: 'text', secret: true };
const secretMoney: FieldSpec = { kind: 'money', secret: true };
const day: FieldSpec = { kind: 'day' };
const choice = (values: readonly string[]): FieldSpec => ({ kind: 'choice', values });
const neededChoice = (values: readonly string[]): FieldSpec => ({ kind: 'choice', required: true, values });

const VEHICLE: Readonly<Record<VehicleField, FieldSpec>> = {
  plate: neededText,
  brand: neededText,
  model: neededText,
  model_year: whole,
  km: whole,
  price: { kind: 'money', required: true },
  fuel_type: neededChoice(FUEL_TYPES),
  transmission: neededChoice(TRANSMISSIONS),
  body_type: neededChoice(BODY_TYPES),
  color: neededText,
  city: neededText,
  currency: choice(CURRENCIES),
  external_ref: text,
  trim: text,
  description: text,
  engine_cc: optionalWhole,
  power_hp: optionalWhole,
  drive: choice(DRIVES),
  steering: choice(STEERING_SIDES),
  doors: optionalWhole,
  seats: optionalWhole,
  owners: optionalWhole,
  inspection_until: day,
  equipment: text,
  warranty: text,
  stock_date: day,
  source: choice(VEHICLE_SOURCES),
  chassis_no: secretText,
  engine_no: secretText,
  purchase_price: secretMoney,
  purchase_currency: choice(CURRENCIES),
  customs_fee: secretMoney,
  other_costs: secretMoney,
  branch_id: text,
};

const CUSTOMER: Readonly<Record<CustomerField, FieldSpec>> = {
  first_name: neededText,
  last_name: neededText,
  phone: neededText,
  email: text,
  external_ref: text,
  risk_level: choice(RISK_LEVELS),
  kind: choice(CUSTOMER_KINDS),
  company_name: text,
  tax_office: text,
  notice_given_on: day,
  reminder_opt_out: choice(['true', 'false']),
  note: text,
  id_no: secretText,
  tax_no: secretText,
  address: secretText,
  monthly_income: secretMoney,
  birth_date: { kind: 'day', secret: true },
};

const FIELDS: Readonly<Record<Target, Readonly<Record<string, FieldSpec>>>> = { vehicles: VEHICLE, customers: CUSTOMER };

export const fieldsOf = (target: Target): readonly OurField[] => Object.keys(FIELDS[target]) as OurField[];

export const specOf = (target: Target, field: string): FieldSpec | undefined => FIELDS[target][field];

export const isRequired = (target: Target, field: string): boolean => specOf(target, field)?.required === true;

/** The fields by which a row can be matched to its record. */
export const KEY_FIELDS: Readonly<Record<Target, readonly OurField[]>> = {
  vehicles: ['plate', 'external_ref'],
  customers: ['phone', 'external_ref'],
};

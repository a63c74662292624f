// A sale's fields, its database row, and the records that it may refer to.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import {
  CUSTOM_KINDS,
  LEGAL_STAGES,
  MAX_INSTALLMENTS,
  type PaymentType,
  PERIODS,
  type Period,
  ROUND_TO,
  type RoundTo,
  type SaleStatus,
  TITLE_STATUSES,
} from '../installments/sales-states.ts';
import {
  currencyField,
  dayField,
  type FieldError,
  type Fields,
  integerField,
  listField,
  moneyField,
  nullable,
  objectField,
  oneOfField,
  oneOfNumberField,
  percentField,
  required,
  textField,
  uuidField,
  type Values,
  withDefault,
} from '../records/fields.ts';
import { type Columns, columnList, violatedConstraint } from '../records/record.ts';
import { VEHICLE_FIELDS } from '../stock/vehicle.ts';

const MAX_GUARANTORS = 10;

const installmentField = objectField({
  due_date: required(dayField()),
  amount: required(moneyField({ above: 0n })),
  kind: oneOfField(CUSTOM_KINDS),
});

/** The requested plan: a number of equal installments, or custom installments. */
export const PLAN_FIELDS = {
  installment_count: integerField(1, MAX_INSTALLMENTS),
  first_due_date: dayField(),
  period: oneOfField(PERIODS),
  round_to: oneOfNumberField(ROUND_TO),
  installments: listField(installmentField, MAX_INSTALLMENTS, 1),
} as const satisfies Fields;
export type PlanValues = Values<typeof PLAN_FIELDS>;

/** Agreed in the contract; editable until the contract is sent for signature. */
const CONTRACT_FIELDS = {
  currency_exemption: nullable(textField(200, { min: 3 })),
  late_rate_yearly: nullable(percentField(200)),
  delivery_due_on: nullable(dayField()),
} as const satisfies Fields;

const PEOPLE_FIELDS = {
  guarantor_ids: listField(uuidField, MAX_GUARANTORS),
  salesperson_id: nullable(uuidField),
  branch_id: nullable(uuidField),
} as const satisfies Fields;

const OWN_FIELDS = {
  external_ref: nullable(textField(120)),
  notes: nullable(textField(5000, { lines: true })),
} as const satisfies Fields;

const tradeInField = objectField({ amount: required(moneyField()), vehicle: objectField(VEHICLE_FIELDS) });

export const SALE_FIELDS = {
  vehicle_id: required(uuidField),
  customer_id: required(uuidField),
  ...PEOPLE_FIELDS,
  guarantor_ids: withDefault(PEOPLE_FIELDS.guarantor_ids, 'none', 'yok'),
  branch_id: withDefault(PEOPLE_FIELDS.branch_id, "the vehicle's", 'aracınki'),
  sale_date: withDefault(dayField({ past: true }), 'today', 'bugün'),
  currency: withDefault(currencyField, "the vehicle's", 'aracınki'),
  sale_price: required(moneyField({ above: 0n })),
  down_payment: withDefault(moneyField(), '`0.00`'),
  finance_charge: withDefault(moneyField(), '`0.00`'),
  ...CONTRACT_FIELDS,
  ...PLAN_FIELDS,
  installment_count: withDefault(PLAN_FIELDS.installment_count, 'none: paid at once', 'yok: peşin satış'),
  first_due_date: withDefault(PLAN_FIELDS.first_due_date, 'one period after the sale', 'satıştan bir dönem sonra'),
  period: withDefault(PLAN_FIELDS.period, '`Aylık`'),
  trade_in: tradeInField,
  ...OWN_FIELDS,
} as const satisfies Fields;

const TERM_FIELDS = {
  sale_price: moneyField({ above: 0n }),
  trade_in_amount: moneyField(),
  down_payment: moneyField(),
  finance_charge: moneyField(),
  sale_date: dayField({ past: true }),
  ...PLAN_FIELDS,
} as const satisfies Fields;

const pastDay = nullable(dayField({ past: true }));

/** Set by an edit only, at any time. Each is an object whose keys merge. */
const PAPER_FIELDS = {
  title_transfer: objectField({
    status: oneOfField(TITLE_STATUSES),
    on: pastDay,
    place: nullable(textField(200)),
    reference: nullable(textField(120)),
  }),
  secure_payment_ref: nullable(textField(120)),
  lien: objectField({ placed_on: pastDay, removed_on: pastDay }),
  invoice: objectField({ no: nullable(textField(60)), ettn: nullable(uuidField), on: pastDay }),
  legal_stage: oneOfField(LEGAL_STAGES),
} as const satisfies Fields;

export const RESTRUCTURE_FIELDS = {
  from: required(dayField()),
  installment_count: integerField(1, MAX_INSTALLMENTS),
  period: oneOfField(PERIODS),
  round_to: oneOfNumberField(ROUND_TO),
  installments: listField(installmentField, MAX_INSTALLMENTS, 1),
  add_finance_charge: moneyField(),
  reason: required(textField(500, { min: 3 })),
} as const satisfies Fields;

export const SALE_EDIT_FIELDS = {
  ...OWN_FIELDS,
  ...PAPER_FIELDS,
  ...PEOPLE_FIELDS,
  delivered_at: nullable(dayField({ past: true })),
  ...CONTRACT_FIELDS,
  ...TERM_FIELDS,
  restructure: objectField(RESTRUCTURE_FIELDS),
} as const satisfies Fields;
export type SaleEdit = Values<typeof SALE_EDIT_FIELDS>;

export const TERM_NAMES = Object.keys(TERM_FIELDS) as (keyof typeof TERM_FIELDS)[];
export const CONTRACT_NAMES = Object.keys(CONTRACT_FIELDS) as (keyof typeof CONTRACT_FIELDS)[];

export interface StoredSale extends Columns {
  readonly id: string;
  readonly plan_id: string;
  readonly sale_no: string;
  readonly vehicle_id: string;
  readonly customer_id: string;
  readonly guarantor_ids: readonly string[];
  readonly salesperson_id: string | null;
  readonly branch_id: string | null;
  readonly sale_date: string;
  readonly currency: Currency;
  readonly currency_exemption: string | null;
  readonly sale_price_minor: bigint;
  readonly trade_in_amount_minor: bigint;
  readonly trade_in_vehicle_id: string | null;
  readonly down_payment_minor: bigint;
  readonly finance_charge_minor: bigint;
  readonly late_rate_yearly_minor: number | null;
  readonly delivery_due_on: string | null;
  readonly period: Period | null;
  readonly round_to: RoundTo | null;
  readonly is_first_due_given: boolean;
  readonly payment_type: PaymentType;
  readonly status: SaleStatus;
  readonly total_receivable_minor: bigint;
  readonly collected_amount_minor: bigint;
  readonly discounted_amount_minor: bigint;
  readonly restructured_at: Date | null;
  readonly lien_placed_on: string | null;
  readonly lien_removed_on: string | null;
}

const COLUMNS = [
  ...[
    'id',
    'plan_id',
    'sale_no',
    'external_ref',
    'vehicle_id',
    'customer_id',
    'guarantor_ids',
    'salesperson_id',
    'branch_id',
    'sale_date',
  ],
  ...['currency', 'currency_exemption', 'sale_price_minor', 'trade_in_amount_minor', 'trade_in_vehicle_id', 'down_payment_minor'],
  ...[
    'finance_charge_minor',
    'late_rate_yearly_minor',
    'delivery_due_on',
    'delivered_at',
    'notes',
    'period',
    'round_to',
    'is_first_due_given',
  ],
  ...['payment_type', 'status', 'total_receivable_minor', 'collected_amount_minor', 'discounted_amount_minor', 'restructured_at'],
  ...[
    'title_status',
    'title_on',
    'title_place',
    'title_reference',
    'secure_payment_ref',
    'lien_placed_on',
    'lien_removed_on',
    'invoice_no',
  ],
  ...['invoice_ettn', 'invoice_on', 'legal_stage'],
];

export const outstandingOf = (sale: StoredSale): bigint =>
  sale.status === 'İptal' ? 0n : sale.total_receivable_minor - sale.collected_amount_minor - sale.discounted_amount_minor;

/** Locked after its vehicles and before its installments. */
export async function lockSale(db: Db, id: string): Promise<StoredSale | null> {
  const [found] = await db.rows<StoredSale>(sql`select ${columnList(COLUMNS)} from ${own('sales')} where id = ${id} for update`);
  return found ?? null;
}

/** Columns that the account's own rules need. */
export interface Dealer {
  readonly country: 'TR' | 'KKTC';
}

export const readDealer = (db: Db): Promise<Dealer> => db.one<Dealer>(sql`select country from ${own('accounts')}`);

export interface Buyer {
  readonly id: string;
  readonly kind: 'Bireysel' | 'Kurumsal';
  readonly risk_level: string;
}

export const badField = (field: string, code: string, en: string, tr: string): never =>
  fail('validation_failed', { details: [{ field, code, message: { en, tr } }] });

export const unknownReference = (field: string): never =>
  fail('unknown_reference', {
    details: [
      {
        field,
        code: 'unknown_reference',
        message: { en: `${field} does not refer to a record of this account`, tr: `${field} bu hesabın bir kaydını göstermiyor` },
      },
    ],
    words: { field },
  });

/** Locked against deletion until the write ends. */
export async function lockBuyer(db: Db, id: string): Promise<Buyer> {
  const [found] = await db.rows<Buyer>(
    sql`select id, kind, risk_level from ${own('customers')} where id = ${id} and deleted_at is null for key share`,
  );
  return found ?? unknownReference('customer_id');
}

/** People and the branch of a sale; each is locked against deletion until the write ends. */
export async function requirePeople(
  { db }: Work,
  customerId: string,
  references: {
    readonly guarantor_ids?: readonly string[];
    readonly salesperson_id?: string | null;
    readonly branch_id?: string | null;
  },
): Promise<void> {
  const ids = [...new Set(references.guarantor_ids ?? [])];
  if (ids.length !== (references.guarantor_ids ?? []).length)
    badField(
      'guarantor_ids',
      'not_allowed',
      'guarantor_ids must name each guarantor once',
      'guarantor_ids her kefili bir kez içermeli',
    );
  if (ids.length > 0) {
    const found =
      await db.rows(sql`select id from ${own('guarantors')} where id = any(${ids}::uuid[]) and customer_id = ${customerId}
      and deleted_at is null order by id for key share`);
    if (found.length < ids.length) fail('unknown_guarantor', { details: [UNKNOWN_GUARANTOR] });
  }
  if (references.salesperson_id) await requireOne(db, 'members', 'salesperson_id', references.salesperson_id);
  if (references.branch_id) await requireOne(db, 'branches', 'branch_id', references.branch_id);
}

const UNKNOWN_GUARANTOR: FieldError = {
  field: 'guarantor_ids',
  code: 'unknown_guarantor',
  message: { en: 'The guarantor must belong to this customer', tr: 'Kefil, bu müşterinin kefillerinden biri olmalı' },
};

export async function requireOne(db: Db, table: 'members' | 'branches', field: string, id: string): Promise<void> {
  const live = table === 'members' ? sql`active` : sql`true`;
  const found = await db.rows(sql`select id from ${own(table)} where id = ${id} and ${live} for key share`);
  if (found.length === 0) unknownReference(field);
}

/** Turns a violated constraint into the API's refusal. */
export function refuseSaleConflict(error: unknown): never {
  const violated = violatedConstraint(error);
  if (violated === 'sales_one_per_vehicle') return fail('vehicle_already_sold');
  if (violated === 'sales_no')
    return badField('sale_no', 'not_allowed', 'Another sale has this number', 'Bu numarayla başka bir satış var');
  if (violated === 'sales_external_ref')
    return fail('external_ref_in_use', {
      details: [
        {
          field: 'external_ref',
          code: 'external_ref_in_use',
          message: { en: 'Another sale has this external_ref', tr: 'Başka bir satış bu external_ref değerini taşıyor' },
        },
      ],
    });
  throw error;
}

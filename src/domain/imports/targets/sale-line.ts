// One sale of a dealer's previous system as a file gives it: its fields, the check of its amounts, and its fingerprint.
import { createHash } from 'node:crypto';
import { currencyFromFeed, formatMoney, sum } from '../../../kit/money.ts';
import { CUSTOMER_FIELDS } from '../../customers/customer.ts';
import { writtenMoney } from '../../formats/written.ts';
import { COLLECTION_METHODS, CUSTOM_KINDS, MAX_INSTALLMENTS } from '../../installments/sales-states.ts';
import { financedAmount, totalReceivable } from '../../installments/totals.ts';
import {
  currencyField,
  dayField,
  type FieldContext,
  type FieldError,
  type Fields,
  listField,
  missingFields,
  moneyField,
  nullable,
  objectField,
  oneOfField,
  percentField,
  rateField,
  readFields,
  required,
  textField,
  type Values,
} from '../../records/fields.ts';
import { IMPORTED_VEHICLE_FIELDS } from '../../stock/vehicle.ts';
import type { RowFault } from '../import-target.ts';

const MAX_COLLECTIONS = 1000;
const NUMBER_LENGTH = 40;

/** No field is required: the customer and the car may exist already. */
const optional = <F extends Fields>(fields: F): F =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, required: false }])) as unknown as F;

export const PERSON_FIELDS = optional(CUSTOMER_FIELDS);
export const CAR_FIELDS = optional(IMPORTED_VEHICLE_FIELDS);

export const ROW_FIELDS = {
  due_date: required(dayField()),
  amount: required(moneyField({ above: 0n })),
  kind: oneOfField(CUSTOM_KINDS),
} as const satisfies Fields;

export const PAID_FIELDS = {
  collected_on: required(dayField({ past: true })),
  amount: required(moneyField({ above: 0n })),
  currency: currencyField,
  exchange_rate: rateField,
  method: oneOfField(COLLECTION_METHODS),
  receipt_no: textField(NUMBER_LENGTH),
} as const satisfies Fields;

/** Single-value fields, which a CSV column can hold. */
export const PLAIN_FIELDS = {
  external_ref: required(textField(120)),
  sale_no: textField(NUMBER_LENGTH),
  sale_date: required(dayField({ past: true })),
  currency: required(currencyField),
  sale_price: required(moneyField({ above: 0n })),
  trade_in_amount: moneyField(),
  down_payment: moneyField(),
  finance_charge: moneyField(),
  currency_exemption: nullable(textField(200, { min: 3 })),
  late_rate_yearly: nullable(percentField(200)),
  notes: nullable(textField(5000, { lines: true })),
} as const satisfies Fields;

export const SALE_LINE_FIELDS = {
  ...PLAIN_FIELDS,
  customer: required(objectField(PERSON_FIELDS)),
  vehicle: required(objectField(CAR_FIELDS)),
  installments: listField(objectField(ROW_FIELDS), MAX_INSTALLMENTS),
  collections: listField(objectField(PAID_FIELDS), MAX_COLLECTIONS),
} as const satisfies Fields;

type SaleLineValues = Values<typeof SALE_LINE_FIELDS>;
export type SaleLine = SaleLineValues &
  Required<Pick<SaleLineValues, 'external_ref' | 'sale_date' | 'currency' | 'sale_price' | 'customer' | 'vehicle'>>;

export type ReadLine = { readonly line: SaleLine; readonly digest: string } | { readonly errors: readonly RowFault[] };

export function readSaleLine(input: Readonly<Record<string, unknown>>, context: FieldContext): ReadLine {
  const { values, errors } = readFields(SALE_LINE_FIELDS, ours(input) as Readonly<Record<string, unknown>>, context);
  const reported = new Set(errors.map(({ field }) => field.split(/[.[]/, 1)[0]!));
  const missing = missingFields(SALE_LINE_FIELDS, values).filter(({ field }) => !reported.has(field));
  const line = values as SaleLine;
  const all = [...errors, ...missing];
  if (all.length > 0) return { errors: all };
  const faults = balanceFaults(line);
  return faults.length > 0 ? { errors: faults } : { line, digest: digestOf(line) };
}

/** Currency codes of other systems, also inside lists and objects. */
const ours = (value: unknown, name = ''): unknown =>
  Array.isArray(value)
    ? value.map((one) => ours(one))
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, ours(member, key)]))
      : typeof value === 'string' && name.endsWith('currency')
        ? currencyFromFeed(value)
        : value;

/**
 * Checks the installments against the financed amount, and payments in the sale's currency against the total; each error contains
 * the difference.
 */
function balanceFaults(line: SaleLine): FieldError[] {
  const { installments = [], collections = [], finance_charge = 0n, trade_in_amount = 0n, sale_price, currency } = line;
  const terms = { sale_price, finance_charge, trade_in_amount };
  const total = totalReceivable({ ...terms, down_payment: 0n });
  if (total < 0n) return [];
  const down_payment = line.down_payment ?? (installments.length === 0 ? total : 0n);
  const financed = financedAmount({ ...terms, down_payment });
  const rows = sum(installments.map(({ amount }) => amount!));
  const paid = sum(collections.filter((one) => (one.currency ?? currency) === currency).map(({ amount }) => amount!));
  return [
    ...(financed < 0n || rows === financed
      ? []
      : [
          mismatch('installments', 'installments_sum_mismatch', {
            what: ['installments', 'Taksitlerin'],
            actual: rows,
            expected: financed,
          }),
        ]),
    ...(paid <= total
      ? []
      : [
          mismatch('collections', 'amount_exceeds_balance', {
            what: ['collections', 'Tahsilatların'],
            actual: paid,
            expected: total,
          }),
        ]),
  ];
}

interface Compared {
  readonly what: readonly [en: string, tr: string];
  readonly actual: bigint;
  readonly expected: bigint;
}

function mismatch(field: string, code: string, { what, actual, expected }: Compared): FieldError {
  const difference = actual > expected ? actual - expected : expected - actual;
  const written = (minor: bigint) => writtenMoney(formatMoney(minor));
  const [sums, target, by] = [written(actual), written(expected), written(difference)];
  const [more, fazla] = actual > expected ? ['too much', 'fazla'] : ['too little', 'eksik'];
  return {
    field,
    code,
    message: {
      en: `The ${what[0]} add up to ${sums.en}, but the sale has ${target.en}: ${by.en} ${more}`,
      tr: `${what[1]} toplamı ${sums.tr}, satışta ise ${target.tr}: ${by.tr} ${fazla}`,
    },
  };
}

/**
 * A digest of everything but the person: personal data leaves no trace outside its sealed fields, and a customer may be renamed
 * later.
 */
function digestOf({ customer: _, ...line }: SaleLine): string {
  const sorted = (value: unknown): unknown =>
    typeof value === 'bigint'
      ? String(value)
      : Array.isArray(value)
        ? value.map(sorted)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .sort(([one], [other]) => (one < other ? -1 : 1))
                .map(([name, member]) => [name, sorted(member)]),
            )
          : value;
  return createHash('sha256')
    .update(JSON.stringify(sorted(line)))
    .digest('hex');
}

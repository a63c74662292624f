// Risk × money × reach × ceiling: only the writes that the rules allow need no person.
import { expect, test } from 'vitest';
import { moneyOf } from '../../src/domain/agents/agent-money.ts';
import { personReason } from '../../src/domain/agents/agent-rules.ts';
import { DISPOSITIONS } from '../../src/domain/installments/sales-states.ts';
import { moneyField, rateField, signedMoneyField } from '../../src/domain/records/fields.ts';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { exampleOf } from '../../src/http/docs/openapi/examples.ts';
import type { Risk } from '../../src/kit/endpoint.ts';
import { resources } from '../../src/resources/index.ts';

const WRITES = apiEndpoints(resources).filter(({ method }) => method !== 'GET');
const CEILINGS = { STG: { call: '1000', day: '5000' } };
const still = { endpoint: 'POST vehicles', money: [] };

test.each<[Risk, boolean]>([
  ['write', false],
  ['destructive', true],
  ['sensitive', true],
  ['read', true],
])('risk %s: a person decides is %s', (risk, isAsked) => {
  expect(personReason({ ...still, risk }, CEILINGS) !== null).toBe(isAsked);
});

test.each([
  [1000n, 'STG', null],
  [1001n, 'STG', 'money'],
  [1n, 'TL', 'money'],
] as const)('%s of %s: %s', (minor, currency, reason) => {
  const money = [{ currency, minor }];
  expect(personReason({ endpoint: 'POST collections', risk: 'write', money }, CEILINGS)).toBe(reason);
  expect(personReason({ endpoint: 'POST collections', risk: 'write', money }, {})).toBe('money');
});

test('one currency above its ceiling is enough, and an amount that is not known counts as above', () => {
  const two = [
    { currency: 'STG', minor: 1n },
    { currency: 'EUR', minor: 1n },
  ] as const;
  expect(personReason({ endpoint: 'POST collections', risk: 'write', money: two }, CEILINGS)).toBe('money');
  expect(personReason({ endpoint: 'POST collections', risk: 'write', money: null }, CEILINGS)).toBe('money');
  expect(personReason({ endpoint: 'POST webhooks', risk: 'write', money: [] }, CEILINGS)).toBe('reaches_out');
});

test.each(['', '-1', '1e9', 'all', '99999999999999999'])('a ceiling of «%s» is 0', (call) => {
  const money = [{ currency: 'STG', minor: 1n }] as const;
  expect(personReason({ endpoint: 'POST collections', risk: 'write', money }, { STG: { call, day: call } })).toBe('money');
});

/** Writes whose example moves money, and how much; null where neither the body nor the reply has it. */
const MOVED: Readonly<Record<string, string | null>> = {
  'PATCH installments/{installment_id}': null,
  'POST vehicles/{vehicle_id}/reserve': 'STG50000',
  'POST vehicles/{vehicle_id}/mark-sold': 'STG1350000',
  'POST sales': 'STG1530000',
  'DELETE sales/{sale_id}': 'STG860000',
  'POST sales/{sale_id}/cancel': 'STG450000',
  'POST collections': 'STG90000',
  'POST collections/{collection_id}/reverse': 'STG90000',
  'POST promissory-notes': 'STG180000',
  'POST trade-requests': null,
  'POST trade-requests/{request_id}/accept': null,
  'POST boost-orders': 'TL60000',
};

const sumsOf = (id: string, reply: unknown, body: unknown): string | null =>
  moneyOf(id, reply, body)
    ?.map(({ currency, minor }) => `${currency}${minor}`)
    .join(' ') ?? null;

const exampleSums = (id: string): string | null => {
  const example = exampleOf(id)!;
  return sumsOf(id, (example.reply as { data: unknown }).data, example.body ?? {});
};

test('the money of every write is declared, and known for its example', () => {
  const unknown = WRITES.filter(({ id }) => exampleSums(id) === null).map(({ id }) => id);
  expect(unknown).toEqual(Object.keys(MOVED).filter((id) => MOVED[id] === null));
  for (const [id, sums] of Object.entries(MOVED)) expect(exampleSums(id), id).toBe(sums);
  expect(moneyOf('PATCH sales/{sale_id}', SALE, { notes: 'x' })).toEqual([]);
  expect(moneyOf('POST trade-requests/{request_id}/accept', { cash_difference: '0.00', currency: 'STG' }, {})).toBeNull();
  expect(moneyOf('POST not-listed', {}, {})).toBeNull();
});

/** Prices, costs and incomes that are written down; nothing is owed or paid because of them. */
const WRITTEN_DOWN = [
  /^(POST|PATCH) vehicles/,
  /^(POST|PATCH) (customers|guarantors|payment-promises|auction-requests)/,
  /^POST sales trade_in\.vehicle\./,
  /^POST network-auctions (min_increment|reserve_price)$/,
];

const SALE = { sale_price: '900.00', finance_charge: '90.00', currency: 'STG' };
const PAID = { type: 'Tahsilat', amount: '10.00', currency: 'STG', sale_currency: 'STG' };
const OFFER = { amount: '10.00', currency: 'STG' };

/** For each field that holds money, a rate or what becomes of a deposit: the body and the reply, and the money that they move. */
const FIELD_CASES: Readonly<Record<string, readonly [body: object, reply: object, sums: string | null]>> = {
  'PATCH vehicles/{vehicle_id} deposit_disposition': [
    { deposit_disposition: 'iade' },
    { price: '900.00', currency: 'STG' },
    null,
  ],
  'POST vehicles/{vehicle_id}/mark-sold deposit_disposition': [
    { sold_price: '9.00', sold_currency: 'STG', deposit_disposition: 'kalsın' },
    {},
    null,
  ],
  'POST vehicles/{vehicle_id}/mark-sold sold_price': [{ sold_price: '9.00', sold_currency: 'STG' }, {}, 'STG900'],
  'POST vehicles/{vehicle_id}/reserve deposit_amount': [
    { deposit_amount: '5.00' },
    { reservation: { deposit_amount: '5.00', deposit_currency: 'STG' } },
    'STG500',
  ],
  'POST sales sale_price': [{ sale_price: '900.00' }, { ...SALE, finance_charge: '0.00' }, 'STG90000'],
  'POST sales finance_charge': [{ finance_charge: '90.00' }, SALE, 'STG99000'],
  'POST sales down_payment': [{ down_payment: '100.00' }, SALE, 'STG99000'],
  'POST sales installments[].amount': [{ installments: [{ amount: '990.00' }] }, SALE, 'STG99000'],
  'POST sales trade_in.amount': [{ trade_in: { amount: '100.00' } }, SALE, 'STG99000'],
  // A price that was lowered: the reply has what is left.
  'PATCH sales/{sale_id} sale_price': [{ sale_price: '1.00' }, { ...SALE, sale_price: '1.00' }, null],
  'PATCH sales/{sale_id} finance_charge': [{ finance_charge: '0.00' }, { ...SALE, finance_charge: '0.00' }, null],
  'PATCH sales/{sale_id} trade_in_amount': [{ trade_in_amount: '1.00' }, SALE, 'STG99000'],
  'PATCH sales/{sale_id} down_payment': [{ down_payment: '1.00' }, SALE, 'STG99000'],
  'PATCH sales/{sale_id} installments[].amount': [{ installments: [{ amount: '1.00' }] }, SALE, 'STG99000'],
  'PATCH sales/{sale_id} restructure.add_finance_charge': [{ restructure: { add_finance_charge: '90.00' } }, SALE, 'STG99000'],
  'PATCH sales/{sale_id} restructure.installments[].amount': [{ restructure: { installments: [] } }, SALE, 'STG99000'],
  'PATCH installments/{installment_id} amount': [{ amount: '1.00' }, { amount: '1.00', currency: 'STG' }, null],
  'POST collections amount': [{ amount: '10.00' }, PAID, 'STG1000'],
  'POST collections late_interest_amount': [{ amount: '10.00', late_interest_amount: '1.00' }, PAID, 'STG1000'],
  'POST collections discount_amount': [
    { amount: '10.00', discount_amount: 5000 },
    { ...PAID, currency: 'TL' },
    'TL1000 STG500000',
  ],
  'POST collections exchange_rate': [{ amount: '10.00', exchange_rate: '900.0' }, { ...PAID, currency: 'TL' }, null],
  'POST network-offers amount': [OFFER, OFFER, 'STG1000'],
  'POST network-offers/{offer_id}/counter amount': [OFFER, OFFER, 'STG1000'],
  'POST trade-requests cash_difference': [{}, { cash_difference: '0.00', currency: 'STG' }, null],
  'POST network-auctions start_price': [{}, { start_price: '10.00', currency: 'STG' }, 'STG1000'],
};

test('a field that moves money counts, or a person decides', () => {
  const fields = WRITES.filter(({ risk }) => risk === 'write').flatMap(({ id, body }) =>
    moneyFields((body as { bodySchema?: { schema?: Schema } } | undefined)?.bodySchema?.schema ?? {}).map(
      (name) => `${id} ${name}`,
    ),
  );
  const moving = fields.filter((field) => field in FIELD_CASES || !WRITTEN_DOWN.some((pattern) => pattern.test(field)));
  expect(Object.keys(FIELD_CASES).toSorted()).toEqual(moving.toSorted());
  for (const [field, [body, reply, sums]] of Object.entries(FIELD_CASES))
    expect(sumsOf(field.slice(0, field.lastIndexOf(' ')), reply, body), field).toBe(sums);
  const discountOnly = { type: 'İndirim', amount: '50.00', currency: 'STG', sale_currency: 'STG' };
  expect(sumsOf('POST collections', discountOnly, { amount: '0.00', discount_amount: '50.00' })).toBe('STG5000');
  expect(sumsOf('PATCH vehicles/{vehicle_id}', {}, { km: 1, deposit_disposition: null })).toBe('');
});

interface Schema {
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const MONEY_PATTERNS = [moneyField().schema.pattern, signedMoneyField.schema.pattern, rateField.schema.pattern];

/** The paths of the fields that hold money or a rate, or decide about money that was taken. */
function moneyFields({ properties = {}, items, anyOf = [] }: Schema, at = ''): string[] {
  return [
    ...Object.entries(properties).flatMap(([name, schema]) => [
      ...(holdsMoney(schema) ? [at + name] : []),
      ...moneyFields(schema, `${at}${name}.`),
    ]),
    ...(items === undefined ? [] : moneyFields(items, `${at.slice(0, -1)}[].`)),
    ...anyOf.flatMap((one) => moneyFields(one, at)),
  ];
}

const holdsMoney = ({ pattern, enum: values = [], anyOf = [] }: Schema): boolean =>
  MONEY_PATTERNS.some((one) => one === pattern && pattern !== undefined) ||
  DISPOSITIONS.every((one) => values.includes(one)) ||
  anyOf.some(holdsMoney);

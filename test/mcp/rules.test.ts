// Risk × money × reach × ceiling: only the writes that the rules allow need no person.
import { expect, test } from 'vitest';
import { moneyOf } from '../../src/domain/agents/agent-money.ts';
import { personReason } from '../../src/domain/agents/agent-rules.ts';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { exampleOf } from '../../src/http/docs/openapi/examples.ts';
import type { Risk } from '../../src/kit/endpoint.ts';
import { resources } from '../../src/resources/index.ts';

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

/** Writes whose example moves money, and how much. */
const MOVED: Readonly<Record<string, string>> = {
  'POST vehicles/{vehicle_id}/reserve': 'STG50000',
  'POST vehicles/{vehicle_id}/mark-sold': 'STG1350000',
  'POST sales': 'STG1425000',
  'DELETE sales/{sale_id}': 'STG860000',
  'POST sales/{sale_id}/cancel': 'STG450000',
  'PATCH installments/{installment_id}': 'STG95000',
  'POST collections': 'STG90000',
  'POST collections/{collection_id}/reverse': 'STG90000',
  'POST promissory-notes': 'STG180000',
  'POST boost-orders': 'TL60000',
};

test('the money of every write is declared, and known for its example', () => {
  const writes = apiEndpoints(resources).filter(({ method }) => method !== 'GET');
  const unknown = writes.filter(({ id }) => {
    const example = exampleOf(id)!;
    return moneyOf(id, (example.reply as { data: unknown }).data, example.body ?? {}) === null;
  });
  expect(unknown.map(({ id }) => id)).toEqual([]);
  for (const [id, sums] of Object.entries(MOVED)) {
    const example = exampleOf(id)!;
    const money = moneyOf(id, (example.reply as { data: unknown }).data, example.body ?? {})!;
    expect(money.map(({ currency, minor }) => `${currency}${minor}`).join(' '), id).toBe(sums);
  }
  const sale = { sale_price: '900.00', currency: 'STG' };
  expect(moneyOf('PATCH sales/{sale_id}', sale, { notes: 'x' })).toEqual([]);
  expect(moneyOf('PATCH sales/{sale_id}', sale, { notes: 'x', late_rate_yearly: '1.00' })).toHaveLength(1);
  expect(moneyOf('POST not-listed', {}, {})).toBeNull();
});

// The rules as data: complete, in both languages, and about fields that exist.
import { describe, expect, test } from 'vitest';
import { resources } from '../../../src/resources/index.ts';
import { ELSE, outcomeOfAmount, outcomeOfRecipient, SANDBOX_RULES, type SandboxRule } from '../../../src/sandbox/people/rules.ts';

const RULES: readonly SandboxRule[] = SANDBOX_RULES;

test.each(RULES.map((rule) => [rule.act, rule] as const))(
  '%s is described in both languages, and decides every value',
  (_, rule) => {
    for (const text of [rule.name, rule.decided_by, ...rule.outcomes.map(({ description }) => description)])
      expect([text.en.length > 0, text.tr.length > 0]).toEqual([true, true]);
    expect(rule.outcomes.at(-1)!.when).toEqual([ELSE]);
    const values = rule.outcomes.flatMap(({ when }) => when);
    expect(new Set(values).size).toBe(values.length);
  },
);

const endpoints = resources.flatMap((resource) => resource.endpoints);
test.each(RULES.flatMap(({ fields }) => fields))('$endpoint takes $field', ({ endpoint, field }) => {
  const [method, path] = endpoint.split(' ');
  const row = endpoints.find((one) => one.method === method && one.path === path)!;
  const { properties } = row.body!.bodySchema!.schema as { properties: Record<string, { items?: { properties: object } }> };
  const [name, inner] = field.split('[].') as [string, string?];
  expect(Object.keys(properties)).toContain(name);
  if (inner !== undefined) expect(Object.keys(properties[name]!.items!.properties)).toContain(inner);
});

describe('an amount', () => {
  test.each([
    ['11500.01', 'rejected'],
    ['11500.02', 'countered'],
    ['0.03', 'accepted_later'],
    ['1.04', 'unanswered'],
    ['1.05', 'falls_through'],
    ['1.00', 'accepted'],
    ['1.10', 'accepted'],
    ['101.21', 'accepted'],
  ])('%s of an offer is %s', (amount, outcome) => expect(outcomeOfAmount('network_offer', amount)).toBe(outcome));

  test('below zero decides as the same amount above it', () => {
    expect(outcomeOfAmount('trade_request', '-250.02')).toBe('countered');
  });
});

describe('a recipient', () => {
  test.each([
    ['imzalar@example.com', null, 'signs'],
    ['Imzalar.Ayse+2@example.com', '+905338001123', 'signs'],
    ['gecikir@example.com', null, 'signs_later'],
    ['reddeder2@example.com', null, 'declines'],
    ['ayse@example.com', null, 'by_hand'],
    ['ayse@example.com', '+905338001121', 'by_hand'],
    ['1@example.com', null, 'by_hand'],
    [null, '+905338001121', 'signs'],
    [null, '+905338001122', 'signs_later'],
    [null, '+905338001123', 'declines'],
    [null, '+905338001124', 'by_hand'],
    [null, null, 'by_hand'],
  ])('with %s and %s: %s', (email, phone, outcome) => expect(outcomeOfRecipient({ email, phone })).toBe(outcome));
});

// JSON thousands of levels deep, on every endpoint that accepts a body: refused with one clear code, never a 5xx.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isTooDeep, MAX_JSON_DEPTH } from '../../src/domain/formats/json-depth.ts';
import { AUTHORIZATIONS } from '../../src/domain/keys/key-policy.ts';
import { newId } from '../../src/kit/ids.ts';
import { panelEndpoints } from '../../src/panel/index.ts';
import { resources } from '../../src/resources/index.ts';
import { type Browser, newPerson, signedIn } from '../panel/people.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { type Dealer, dealerWith, newDealer, openAll } from '../support/writer.ts';

let service: TestService;
let dealer: Dealer;
let owner: Browser;
let admin: Browser;
beforeAll(async () => {
  service = await testService();
  await openAll(service);
  const { accountId } = await newDealer(service);
  const everything = {
    endpoints: resources.flatMap(({ endpoints }) => endpoints.map(({ id }) => id)),
    authorizations: [...AUTHORIZATIONS],
  };
  dealer = dealerWith(service, accountId, (await service.key(accountId, everything)).secret);
  owner = await signedIn(service, await newPerson(service, { accountId: dealer.accountId }));
  admin = await signedIn(service, await newPerson(service, { admin: true }));
});
afterAll(() => service.close());

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** In a known field of the endpoint, so that only its depth is wrong. */
const bodies = (fields: readonly string[], depth: number): string[] =>
  [...fields.slice(0, 30), 'x'].flatMap((name) => [lists(depth - 1), objects(depth - 1)].map((inner) => `{"${name}":${inner}}`));

const codesOf = ({ json }: Answer): string[] => (json.error?.details ?? []).map((one: { code: string }) => one.code);

function expectTooDeep(answer: Answer): void {
  expect([answer.status, answer.json.error.code, codesOf(answer)], answer.text).toEqual([422, 'validation_failed', ['too_deep']]);
}

const writes = resources
  .flatMap(({ endpoints }) => endpoints)
  .filter(({ body, method }) => method !== 'GET' && body?.bodySchema !== undefined);
const fieldsOf = (schema: Readonly<Record<string, unknown>>): string[] => Object.keys((schema.properties as object) ?? {});

describe('the API', () => {
  test.each(writes.map((endpoint) => [endpoint.id, endpoint] as const))('%s', async (_, endpoint) => {
    const target = endpoint.path.replace(/\{\w+\}/g, newId());
    const call = endpoint.method === 'PATCH' ? dealer.patch : dealer.post;
    for (const depth of [MAX_JSON_DEPTH + 1, 5000])
      for (const body of bodies(fieldsOf(endpoint.body!.bodySchema!.schema), depth))
        expectTooDeep(await call(target, body, { 'idempotency-key': newId() }));
    for (const body of bodies([], MAX_JSON_DEPTH)) {
      const answer = await call(target, body, { 'idempotency-key': newId() });
      expect(answer.status, answer.text).toBeLessThan(500);
      expect(codesOf(answer)).not.toContain('too_deep');
    }
  });
});

describe('the panel', () => {
  test.each(panelEndpoints.filter(({ bodySchema: takes }) => takes !== null).map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s',
    async (_, endpoint) => {
      const who = endpoint.who === 'admin' ? admin : owner;
      for (const raw of bodies(Object.keys(endpoint.bodySchema!), 5000))
        expectTooDeep(await who.api(endpoint.path.replace(/\{\w+\}/g, newId()), { method: endpoint.method, raw }));
    },
  );

  test('catalog endpoints through it', async () => {
    for (const raw of bodies(['config'], 5000))
      expectTooDeep(await owner.api('v1/import/connectors', { method: 'POST', raw, headers: { 'idempotency-key': newId() } }));
  });
});

test('depth is counted in lists and objects alike', () => {
  expect([lists, objects].map((make) => isTooDeep(JSON.parse(make(MAX_JSON_DEPTH))))).toEqual([false, false]);
  expect([lists, objects].map((make) => isTooDeep(JSON.parse(make(MAX_JSON_DEPTH + 1))))).toEqual([true, true]);
  expect(isTooDeep(JSON.parse(`{"a":1,"b":[1,{"c":${lists(MAX_JSON_DEPTH)}}]}`))).toBe(true);
});

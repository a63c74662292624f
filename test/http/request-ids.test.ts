// A reply has one id in its header and body, on every endpoint. A replay has the body of the first reply.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';

let api: TestService;
let dealer: Dealer;

beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
});
afterAll(() => api?.close());

describe('the id of a request', () => {
  it.each([
    ['the API', '/api/v1/account', 'GET'],
    ['the API, an unknown path', '/api/v1/nothing', 'GET'],
    ['the panel', '/panel/api/keys', 'GET'],
    ['the panel, an unknown path', '/panel/api/nothing', 'POST'],
    ['a file', '/files/nothing', 'GET'],
    ['the site, an unknown path', '/nothing', 'GET'],
    ['the site, a method that it has not', '/docs', 'DELETE'],
    ['an address that is too long', `/api/v1/vehicles?q=${'a'.repeat(9000)}`, 'GET'],
  ])('is the same in header and body of %s', async (_, path, method) => {
    const { headers, json, status } = await api.call(path, { method });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(json.meta.request_id).toMatch(/^req_[0-9a-z]{26}$/);
    expect(headers.get('x-request-id')).toBe(json.meta.request_id);
  });

  it('is that of the first reply in the body of its replay', async () => {
    const car = aCar();
    const [first, again] = [
      await dealer.post('vehicles', car, { 'Idempotency-Key': 'one' }),
      await dealer.post('vehicles', car, { 'Idempotency-Key': 'one' }),
    ];
    expect(first.headers.get('x-request-id')).toBe(first.json.meta.request_id);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.text).toBe(first.text);
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  });
});

describe('the root', () => {
  it('redirects people to the panel', async () => {
    const { status, headers } = await api.call('/');
    expect([status, headers.get('location')]).toEqual([302, '/panel']);
  });
});

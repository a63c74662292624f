// Errors say what to do: the page of the code, the place of a fault in JSON, the nearest path or field, the record in the way.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSecret } from '../../src/domain/keys/key-secret.ts';
import { ERRORS } from '../../src/kit/errors.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, dealerWith, newDealer, openAll } from '../support/writer.ts';
import { expectRefusal } from './expect.ts';
import { send } from './wire.ts';

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService({ env: { PUBLIC_URL: 'https://galeri.test' } });
  await openAll(api);
  dealer = await newDealer(api);
});
afterAll(() => api.close());

const ask = (target: string, headers: Record<string, string> = {}, key: string | undefined = dealer.key) =>
  send(api.service.url, { target, key, headers });
const messageOf = ({ json }: Answer): string => json.error.message;

describe('doc_url', () => {
  test('leads to the page of the code, from every entry of the service', async () => {
    const secret = newSecret('production');
    const refused: Answer[] = [
      await ask('/api/v1/vehicles?limit=0'),
      await ask('/api/v1/vehicles', {}, secret),
      await ask('/events/v1/nothing'),
      await ask('/sandbox/v1/clock'),
      await ask('/files/nothing'),
      await ask('/nothing'),
      await ask(`/api/v1/${'x'.repeat(17_000)}`),
      await dealer.post('vehicles', { ...aCar(), km: 'x' }),
    ];
    for (const { json } of refused) {
      expect(json.error.doc_url).toBe(`https://galeri.test/docs/errors/${json.error.code}`);
      const page = await ask(new URL(json.error.doc_url).pathname, { 'accept-language': 'tr' });
      expect(page.status).toBe(200);
      expect(page.text).toContain(`<h1><code>`);
    }
    expect(new Set(refused.map(({ json }) => json.error.code)).size).toBeGreaterThan(4);
  });

  test('the first and the repeated refusal of an idempotency key are the same bytes', async () => {
    const { plate } = (await dealer.post('vehicles', aCar())).json.data;
    const [first, again] = [
      await dealer.post('vehicles', aCar({ plate }), { 'idempotency-key': 'taken-1' }),
      await dealer.post('vehicles', aCar({ plate }), { 'idempotency-key': 'taken-1' }),
    ];
    expect(first.json.error.doc_url).toBe('https://galeri.test/docs/errors/plate_in_use');
    expect(again.text).toBe(first.text);
  });

  test('is absent where the service does not know its address', async () => {
    const other = await testService();
    try {
      const refused = await send(other.service.url, { target: '/api/v1/vehicles' });
      expect(Object.keys(refused.json.error)).toEqual(['code', 'message']);
    } finally {
      await other.close();
    }
  });

  test('there is a page for every code in both languages, and for nothing else', async () => {
    for (const code of ['plate_in_use', 'not_found', 'internal_error'])
      for (const lang of ['en', 'tr'] as const) {
        const page = await ask(`/docs/errors/${code}?lang=${lang}`);
        expect(page.text).toContain(ERRORS[code as 'not_found'][lang]);
      }
    for (const path of ['/docs/errors/', '/docs/errors/toString', '/docs/errors/no_such_code'])
      expect((await ask(path)).status, path).toBe(404);
  });
});

describe('a body', () => {
  test.each([
    ['[]', 'The request body must be a JSON object: it is an array'],
    ['[{"brand":"VW"}]', 'The request body must be a JSON object: it is an array'],
    ['"brand"', 'The request body must be a JSON object: it is a single value'],
    ['{\n  "brand": "Škoda",\n}', 'The request body must be a JSON object: it is not valid JSON at line 3, column 1'],
    ['{"brand":', 'The request body must be a JSON object: it ends too early, at line 1, column 10'],
  ])('%j names the fault', async (body, message) => {
    const refused = await dealer.post('vehicles', body);
    expectRefusal(refused, 'invalid_json');
    expect(messageOf(refused)).toBe(message);
  });

  test('a misspelt field suggests the right one, in both languages', async () => {
    const { color: _, ...car } = aCar();
    const refused = await dealer.post('vehicles', { ...car, colour: 'Gri' });
    const detail = refused.json.error.details.find(({ field }: { field: string }) => field === 'colour');
    expect(detail).toEqual({
      field: 'colour',
      code: 'unknown_field',
      message: 'colour is not a field of this record; did you mean color?',
      suggestion: 'color',
    });
    const turkish = await dealer.patch(`vehicles/${crypto.randomUUID()}`, { modelYear: 2 }, { 'accept-language': 'tr' });
    expect(turkish.json.error.details[0]).toMatchObject({
      message: 'modelYear bu kaydın alanı değil; model_year mi demek istediniz?',
      suggestion: 'model_year',
    });
  });

  test('a field that is nothing like any other gets no suggestion', async () => {
    const refused = await dealer.patch(`vehicles/${crypto.randomUUID()}`, { sunroof: true });
    expect(refused.json.error.details).toEqual([
      { field: 'sunroof', code: 'unknown_field', message: 'sunroof is not a field of this record' },
    ]);
  });

  test.each(['id', 'created_at', 'is_marketplace_visible'])('%s is read-only', async (field) => {
    const refused = await dealer.patch(`vehicles/${crypto.randomUUID()}`, { [field]: 'x' });
    expect(refused.json.error.details).toEqual([{ field, code: 'unknown_field', message: `${field} is read-only here` }]);
  });
});

describe('a path', () => {
  test.each([
    ['vehicle', 'the nearest endpoint is GET vehicles'],
    ['Vehicles', 'the nearest endpoint is GET vehicles'],
    ['promissoryNotes', 'the nearest endpoint is GET promissory-notes'],
    ['vehicles/0190a6c0-0000-7000-8000-000000000000/photo', 'the nearest endpoint is GET vehicles/{vehicle_id}/photos'],
    ['customers/0190a6c0-0000-7000-8000-000000000000/nothing/here', 'the nearest endpoint is GET customers/{customer_id}'],
    ['vehicles/', 'remove the trailing or double slash from the path'],
    ['/vehicles', 'remove the trailing or double slash from the path'],
  ])('%s: %s', async (path, hint) => {
    const refused = await ask(`/api/v1/${path}`);
    expectRefusal(refused, 'not_found');
    expect(messageOf(refused)).toBe(`Not found; ${hint}`);
  });

  test('that is like no other is only not found, as is a record that does not exist', async () => {
    expect(messageOf(await ask('/api/v1/weather'))).toBe('Not found');
    expect(messageOf(await dealer.get(`vehicles/${crypto.randomUUID()}`))).toBe('Not found');
  });

  test('prefers the method of the request', async () => {
    const refused = await send(api.service.url, { method: 'POST', target: '/api/v1/vehicle', key: dealer.key });
    expect(messageOf(refused)).toBe('Not found; the nearest endpoint is POST vehicles');
  });
});

describe('a plate that another vehicle has', () => {
  const taken = async (by: Dealer, body: object) => (await by.post('vehicles', body)).json.error;

  test('names that vehicle to a key that may read it', async () => {
    const { id, plate } = (await dealer.post('vehicles', aCar())).json.data;
    expect((await taken(dealer, aCar({ plate }))).details).toEqual([expect.objectContaining({ field: 'plate', record_id: id })]);
    const other = (await dealer.post('vehicles', aCar())).json.data;
    const edited = await dealer.patch(`vehicles/${other.id}`, { plate });
    expect(edited.json.error).toMatchObject({ code: 'plate_in_use', details: [{ record_id: id }] });
  });

  test('by its reference too', async () => {
    const { id } = (await dealer.post('vehicles', aCar({ external_ref: 'ERP-1' }))).json.data;
    expect((await taken(dealer, aCar({ external_ref: 'ERP-1' }))).details[0].record_id).toBe(id);
  });

  test('names nothing to a key that may only write', async () => {
    const { plate } = (await dealer.post('vehicles', aCar())).json.data;
    const { secret } = await api.key(dealer.accountId, { endpoints: ['POST vehicles'] });
    expect(await taken(dealerWith(api, dealer.accountId, secret), aCar({ plate }))).toEqual({
      code: 'plate_in_use',
      message: 'Another vehicle in stock already has this plate',
      details: [{ field: 'plate', code: 'plate_in_use', message: 'Another vehicle in stock already has this plate' }],
      doc_url: 'https://galeri.test/docs/errors/plate_in_use',
    });
  });

  test('never names another dealer’s vehicle', async () => {
    const { plate } = (await dealer.post('vehicles', aCar())).json.data;
    const stranger = await newDealer(api);
    expect((await stranger.post('vehicles', aCar({ plate }))).status).toBe(201);
  });
});

test('a key sent with Basic is answered with the right scheme', async () => {
  const basic = { authorization: `Basic ${Buffer.from(`${dealer.key}:`).toString('base64')}` };
  const refused = await send(api.service.url, { target: '/api/v1/vehicles', headers: basic });
  expectRefusal(refused, 'key_malformed');
  expect(messageOf(refused)).toContain('send it as Authorization: Bearer <API_KEY>, not with Basic');
});

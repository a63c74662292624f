// GET vehicles/{vehicle_id}: the fields that a detail adds to the list's, and the fields it never returns.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kit/ids.ts';
import { sql } from '../../../src/kit/sql.ts';
import { type TestService, testService } from '../../support/service.ts';

let api: TestService;
let accountId: string;
let key: string;

beforeAll(async () => {
  api = await testService();
  await api.release('Aktif', 'GET vehicles/{vehicle_id}');
  accountId = await api.account();
  key = (await api.key(accountId)).secret;
});
afterAll(() => api.close());

const read = (id: string, as = key) => api.call(`vehicles/${id}`, { key: as });

describe('a vehicle in stock', () => {
  test('returns the list’s fields and the detail’s, in the specified order', async () => {
    const id = await api.vehicle(accountId, { plate: 'GT 777' });
    const [listed] = (await api.call('vehicles?plate=GT777', { key })).json.data;
    const { data } = (await read(id)).json;
    expect(data).toEqual({
      ...listed,
      trim: null,
      description: null,
      branch_id: null,
      stock_date: '2026-01-10',
      source: 'Satın Alma',
      external_ref: null,
      condition: null,
      engine_cc: null,
      power_hp: null,
      drive: null,
      steering: null,
      doors: null,
      seats: null,
      owners: null,
      inspection_until: null,
      equipment: null,
      warranty: null,
      photo_count: 0,
      video_count: 0,
      reservation: null,
      active_sale_id: null,
      listing_id: null,
      auction_id: null,
      sold_at: null,
      sold_via: null,
      deleted_at: null,
    });
    expect(Object.keys(data).slice(0, 17)).toEqual(Object.keys(listed));
  });

  test('returns every given field, with Turkish letters and line breaks unchanged', async () => {
    const branch = newId();
    await api.database.onPlatform('write', (db) =>
      db.exec(sql`insert into branches (account_id, id, name) values (${accountId}, ${branch}, 'Girne')`),
    );
    const body = {
      trim: 'Ğüzel Işık',
      description: 'İlk sahibinden\nŞoför koltuğu yıpranmış',
      branch_id: branch,
      stock_date: '2026-02-28',
      source: 'İthalat',
      external_ref: 'STK-1042',
    };
    const id = await api.vehicle(accountId, body);
    expect((await read(id)).json.data).toMatchObject(body);
  });

  test('never returns cost, customs fee, chassis or engine number', async () => {
    const id = await api.vehicle(accountId, {
      purchase_price_minor: 987_654_321n,
      purchase_currency: 'USD',
      customs_fee_minor: 876_543_219n,
      other_costs_minor: 765_432_198n,
      chassis_no: 'WVWZZZ1KZAW000001',
      engine_no: 'CAXA00001',
    });
    const { text } = await read(id);
    for (const kept of [
      'purchase',
      'customs',
      'other_costs',
      'chassis',
      'engine_no',
      '9876543',
      '8765432',
      '7654321',
      'WVW',
      'CAXA',
    ])
      expect(text).not.toContain(kept);
  });
});

test('a condition from before parts could be locally painted has an empty list of them', async () => {
  const stored = '{"painted":["Tavan"],"replaced":[],"tramer_amount":null,"tramer_currency":null,"expertise_document_id":null}';
  const id = await api.vehicle(accountId, { condition: stored });
  const { condition } = (await read(id)).json.data;
  expect(condition).toEqual({ ...JSON.parse(stored), locally_painted: [] });
  expect(Object.keys(condition).slice(0, 3)).toEqual(['painted', 'locally_painted', 'replaced']);
});

test('a sold vehicle has the date and kind of sale', async () => {
  const sold = await api.vehicle(accountId, { status: 'Satıldı', sold_at: '2026-03-01', sold_via: 'Harici' });
  expect((await read(sold)).json.data).toMatchObject({ status: 'Satıldı', sold_at: '2026-03-01', sold_via: 'Harici' });
});

test('a deleted vehicle is returned with its deletion time', async () => {
  const deleted = await api.vehicle(accountId, { deleted_at: new Date('2026-04-05T06:07:08.009Z') });
  const answer = await read(deleted);
  expect(answer.status).toBe(200);
  expect(answer.json.data.deleted_at).toBe('2026-04-05T06:07:08.009Z');
});

test("returns the same 404 for another dealer's vehicle and one that does not exist", async () => {
  const stranger = await api.account();
  const foreign = await api.vehicle(stranger);
  const answers = [await read(foreign), await read(newId()), await read('nothing')];
  for (const answer of answers) {
    expect(answer.status).toBe(404);
    expect(answer.json.error).toEqual(answers[0]!.json.error);
  }
  expect((await read(foreign, (await api.key(stranger)).secret)).status).toBe(200);
});

test('a changed record has another ETag, an unchanged one returns 304', async () => {
  const id = await api.vehicle(accountId);
  const etag = (await read(id)).headers.get('etag')!;
  const again = await api.call(`vehicles/${id}`, { key, headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
  await api.database.inTenant(accountId, 'write', (db) => db.exec(sql`update vehicles set km = km + 1 where id = ${id}`));
  expect((await api.call(`vehicles/${id}`, { key, headers: { 'if-none-match': etag } })).status).toBe(200);
});

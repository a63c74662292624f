// Bulk endpoints: create by the hundred, update by the hundred, export as a file.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportVehicles } from '../../../src/domain/stock/vehicle-export.ts';
import type { Db } from '../../../src/kit/db.ts';
import { type TestService, testService } from '../../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../../support/writer.ts';
import { historyOf, made, type Trail, trailOf } from './vehicles-trail.ts';

let api: TestService;
let dealer: Dealer;
let trail: Trail;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
  trail = await trailOf(api, dealer);
});
afterAll(async () => {
  await trail.close();
  await api.close();
});

interface Result {
  readonly index: number;
  readonly status: string;
  readonly id?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly details: { field: string; code: string }[] };
}

describe('bulk-create', () => {
  test('creates the valid rows, and reports an error for each of the others', async () => {
    const plate = aCar().plate;
    const { brand: _, ...nameless } = aCar();
    const vehicles = [
      aCar({ plate, purchase_price: '7654321.09' }),
      nameless,
      aCar({ plate }),
      aCar({ branch_id: '0190a6c0-0000-7000-8000-000000000000' }),
      aCar({ colour: 'x', km: -1 }),
      'a car',
      null,
      aCar(),
    ];
    let answer = await dealer.get('account');
    const events = await trail.during(async () => {
      answer = await dealer.post('vehicles/bulk-create', { vehicles });
    });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('7654321');
    const { created, failed, results } = answer.json.data as { created: number; failed: number; results: Result[] };
    expect([created, failed]).toEqual([2, 6]);
    expect(results.map(({ index, status, error }) => [index, status, error?.code ?? null])).toEqual([
      [0, 'created', null],
      [1, 'failed', 'validation_failed'],
      [2, 'failed', 'plate_in_use'],
      [3, 'failed', 'unknown_reference'],
      [4, 'failed', 'validation_failed'],
      [5, 'failed', 'validation_failed'],
      [6, 'failed', 'validation_failed'],
      [7, 'created', null],
    ]);
    expect(results[1]!.error!.details).toEqual([{ field: 'brand', code: 'required', message: 'brand is required' }]);
    expect(results[4]!.error!.details.map(({ field }) => field).sort()).toEqual(['colour', 'km']);
    expect(events.map(({ type, resource }) => [type, resource.id])).toEqual([
      ['vehicle.created', results[0]!.id],
      ['vehicle.created', results[7]!.id],
    ]);
    expect((await historyOf(dealer, results[7]!.id!)).map(({ event }) => event)).toEqual(['created']);
  });

  test('uses the caller’s language', async () => {
    const { json } = await dealer.post('vehicles/bulk-create', { vehicles: [{}] }, { 'accept-language': 'tr' });
    expect(json.data.results[0].error).toMatchObject({ message: 'Bazı alanlar geçerli değil' });
    expect(json.data.results[0].error.details[0].message).toBe('brand zorunludur');
  });

  test('with one idempotency key takes effect once, refused rows included', async () => {
    const body = { vehicles: [aCar(), aCar({ km: -1 }), aCar()] };
    const headers = { 'idempotency-key': 'bulk' };
    const first = await dealer.post('vehicles/bulk-create', body, headers);
    let again = first;
    const kinds = await trail.kindsDuring(async () => {
      again = await dealer.post('vehicles/bulk-create', body, headers);
    });
    expect([again.text, kinds]).toEqual([first.text, []]);
    expect(first.json.data).toMatchObject({ created: 2, failed: 1 });
  });

  test('as a dry run stores nothing', async () => {
    const car = aCar();
    const dry = await dealer.post('vehicles/bulk-create', { vehicles: [car] }, { 'x-dry-run': 'true' });
    expect([dry.status, dry.json.data.created]).toEqual([200, 1]);
    expect((await dealer.get(`vehicles?plate=${encodeURIComponent(car.plate)}`)).json.data).toEqual([]);
  });

  test('fills the plan to its last place', async () => {
    const other = await newDealer(api);
    await trail.admin.rows(`update accounts set vehicle_limit = 2 where id = '${other.accountId}'`);
    const { json } = await other.post('vehicles/bulk-create', { vehicles: [aCar(), aCar(), aCar(), aCar()] });
    expect(json.data.results.map(({ error }: Result) => error?.code ?? null)).toEqual([
      null,
      null,
      'plan_limit_reached',
      'plan_limit_reached',
    ]);
  });

  test('accepts a hundred, more than the usual body limit, and no more', async () => {
    const description = 'x'.repeat(4000);
    const { status, json } = await dealer.post('vehicles/bulk-create', {
      vehicles: Array.from({ length: 100 }, () => aCar({ description })),
    });
    expect([status, json.data.created]).toEqual([200, 100]);
    for (const body of [{ vehicles: [] }, { vehicles: Array.from({ length: 101 }, () => aCar()) }, {}, { vehicles: {} }]) {
      const refused = await dealer.post('vehicles/bulk-create', body);
      expect([refused.status, refused.json.error.code, refused.json.error.details[0].field]).toEqual([
        422,
        'validation_failed',
        'vehicles',
      ]);
    }
  });
});

describe('bulk-update', () => {
  test('updates the valid rows, releases where requested, and reports an error for each of the others', async () => {
    const [one, held, sold, gone, same] = [
      await made(dealer),
      await made(dealer),
      await made(dealer),
      await made(dealer),
      await made(dealer),
    ];
    await dealer.post(`vehicles/${held}/reserve`);
    await dealer.post(`vehicles/${sold}/mark-sold`);
    await dealer.delete(`vehicles/${gone}`);
    const theirs = await made(await newDealer(api));
    const updates = [
      { id: one.toUpperCase(), price: '13000.00' },
      { id: held, status: 'Stokta' },
      { id: sold, price: '1.00' },
      { id: gone, km: 1 },
      { id: same, km: 84_000 },
      { id: theirs, km: 1 },
      { id: 'x', km: 1 },
      { km: 1 },
      { id: '0190a6c0-0000-7000-8000-000000000000' },
    ];
    let answer = await dealer.get('account');
    const kinds = await trail.kindsDuring(async () => {
      answer = await dealer.post('vehicles/bulk-update', { updates });
    });
    const { updated, failed, results } = answer.json.data as { updated: number; failed: number; results: Result[] };
    expect([updated, failed]).toEqual([3, 6]);
    expect(results.map(({ error, id }) => error?.code ?? id)).toEqual([
      one,
      held,
      'vehicle_locked',
      'vehicle_deleted',
      same,
      'not_found',
      'validation_failed',
      'validation_failed',
      'validation_failed',
    ]);
    expect(kinds).toEqual(['vehicle.updated', 'vehicle.price_changed', 'vehicle.reservation_released', 'vehicle.status_changed']);
    expect((await dealer.get(`vehicles/${held}`)).json.data.status).toBe('Stokta');
  });

  test('is refused as a whole when a vehicle occurs twice', async () => {
    const id = await made(dealer);
    const refused = await dealer.post('vehicles/bulk-update', {
      updates: [
        { id, km: 1 },
        { id: id.toUpperCase(), km: 2 },
      ],
    });
    expect([refused.status, refused.json.error.code]).toEqual([422, 'validation_failed']);
    expect(refused.json.error.details[0]).toMatchObject({ field: 'updates[1].id', code: 'duplicate' });
    expect((await dealer.get(`vehicles/${id}`)).json.data.km).toBe(84_000);
  });

  test('rolls back the effect and events of a row that fails late', async () => {
    const plate = aCar().plate;
    const id = await made(dealer, { plate });
    await dealer.post(`vehicles/${id}/mark-sold`);
    await made(dealer, { plate });
    const other = await made(dealer);
    const updates = [
      { id, price: '1.00', status: 'Stokta' },
      { id: other, km: 1 },
    ];
    const events = await trail.during(() => dealer.post('vehicles/bulk-update', { updates }, { 'idempotency-key': 'late' }));
    expect(events.map(({ type, resource }) => [type, resource.id])).toEqual([['vehicle.updated', other]]);
    expect((await dealer.get(`vehicles/${id}`)).json.data).toMatchObject({ status: 'Satıldı', price: '14500.00' });
    expect((await historyOf(dealer, id)).map(({ event }) => event)).toEqual(['sold', 'created']);
  });

  test('succeeds when two overlap in opposite orders', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => made(dealer)));
    const ask = (order: readonly string[], km: number) =>
      dealer.post('vehicles/bulk-update', { updates: order.map((id) => ({ id, km })) });
    // Two: an account's share of the connections, so that neither waits for one.
    const answers = await Promise.all([ask(ids, 1), ask(ids.toReversed(), 2)]);
    for (const answer of answers) expect(answer.json.data.updated).toBe(10);
    const found = await Promise.all(ids.map(async (id) => (await dealer.get(`vehicles/${id}`)).json.data.km));
    expect(new Set(found).size).toBe(1);
  });
});

describe('an export', () => {
  let shop: Dealer;
  beforeAll(async () => {
    shop = await newDealer(api);
    await made(shop, {
      brand: '=HYPERLINK("http://x")',
      model: 'A;B "C"',
      color: '+1',
      city: '@x',
      purchase_price: '7654321.09',
    });
    await made(shop, { brand: 'Škoda', model: 'Octavia', city: 'Girne', plate: '-5 A' });
    await shop.delete(`vehicles/${await made(shop, { brand: 'Gone' })}`);
  });

  test('is CSV for spreadsheets: with a byte order mark, semicolons, and no formulas', async () => {
    const { json, text } = await shop.get('vehicles/export');
    const { format, file_name, content_type, row_count, content } = json.data;
    expect({ format, content_type, row_count }).toEqual({ format: 'csv', content_type: 'text/csv; charset=utf-8', row_count: 2 });
    expect(file_name).toMatch(/^araclar-\d{4}-\d\d-\d\d\.csv$/);
    expect(text).not.toContain('7654321');
    expect(content.startsWith('\uFEFFid;brand;model;')).toBe(true);
    const rows = parse(content, { bom: true, delimiter: ';', columns: true }) as Record<string, string>[];
    const listed = (await shop.get('vehicles')).json.data as Record<string, unknown>[];
    expect(rows.map((row) => Object.keys(row))).toEqual(listed.map((one) => [...Object.keys(one), 'external_ref']));
    expect(rows.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
    expect(rows[0]).toMatchObject({ brand: 'Škoda', plate: "'-5 A", price: '14500.00', is_marketplace_visible: 'false' });
    expect(rows[1]).toMatchObject({ brand: `'=HYPERLINK("http://x")`, model: 'A;B "C"', color: "'+1", city: "'@x" });
  });

  test('is JSON on request, and accepts the list’s filters', async () => {
    const { json } = await shop.get('vehicles/export?format=json&city=girne');
    const listed = (await shop.get('vehicles?city=girne')).json.data;
    expect(json.data).toEqual({
      format: 'json',
      row_count: 1,
      rows: listed.map((one: object) => ({ ...one, external_ref: null })),
    });
    const deleted = await shop.get('vehicles/export?format=json&deleted=true');
    expect(deleted.json.data.rows.map(({ brand }: { brand: string }) => brand)).toEqual(['Gone']);
    expect((await shop.get('vehicles/export?format=xlsx')).json.error.param).toBe('format');
    expect((await shop.get('vehicles/export?limit=5')).json.error.code).toBe('unknown_parameter');
    expect((await shop.get('vehicles/export?price_min=5')).json.error.param).toBe('currency');
  });

  test('holds at most ten thousand', async () => {
    const large = await newDealer(api);
    const [first] = [await made(large)];
    const columns =
      'brand, model, model_year, km, fuel_type, transmission, body_type, color, city, price_minor, currency, stock_date';
    const fill = (from: number, to: number) =>
      trail.admin.rows(`insert into vehicles (account_id, id, plate, ${columns})
        select account_id, gen_random_uuid(), 'P ' || n, ${columns} from vehicles, generate_series(${from}, ${to}) as n where id = '${first}'`);
    await fill(1, 9999);
    const { json } = await large.get('vehicles/export');
    expect(json.data.row_count).toBe(10_000);
    const rows = parse(json.data.content, { bom: true, delimiter: ';', columns: true }) as { id: string }[];
    expect(new Set(rows.map(({ id }) => id)).size).toBe(10_000);
    expect(await maxAtOnce(large)).toBeLessThanOrEqual(500);
    await fill(10_000, 10_000);
    const refused = await large.get('vehicles/export?format=json');
    expect([refused.status, refused.json.error.code]).toEqual([409, 'export_too_large']);
    expect((await large.get('vehicles/export?format=json&plate=P+7')).json.data.row_count).toBe(1);
  });
});

/** The number of rows processed between two turns of the event loop: how long all other requests of the process wait. */
async function maxAtOnce({ accountId }: Dealer): Promise<number> {
  let max = 0;
  await api.database.inTenant(accountId, 'read', (db) => {
    const rows: Db['rows'] = async (statement) => {
      const found = await db.rows<never>(statement);
      max = Math.max(max, found.length);
      return found;
    };
    return exportVehicles({ ...db, rows }, { format: 'json', where: [], today: '2026-11-15' });
  });
  return max;
}

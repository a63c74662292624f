// Usage and overview in the panel: every call counted once, by key, endpoint, error and hour; from the rollups only; and by role.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Statement } from '../../src/kit/sql.ts';
import type { UsageView } from '../../src/panel/developer/usage.ts';
import type { Overview } from '../../src/panel/home/overview.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let service: TestService;
let admin: Session;
let accountId: string;
let keys: { id: string; secret: string }[];
let owner: Browser;
let developer: Browser;
let sent: Statement[] = [];

beforeAll(async () => {
  const watch = (statement: Statement) => {
    sent.push(statement);
    return statement;
  };
  service = await testService({ database: { watch } });
  admin = await openSession(service.adminUrl);
  accountId = await service.account();
  await admin.rows(`update accounts set timezone = 'Asia/Nicosia' where id = $1`, [accountId]);
  keys = [
    await service.key(accountId, { name: 'Muhasebe', limitPerMinute: 8 }),
    await service.key(accountId, { name: 'Vitrin', expiresAt: new Date(Date.now() + 3 * 86_400_000) }),
  ];
  owner = await signedIn(service, await newPerson(service, { accountId }));
  developer = await signedIn(service, await newPerson(service, { accountId, role: 'developer' }));
  // Eight succeed (one of them is a 404), the other two are over the limit.
  for (let call = 0; call < 10; call += 1) await service.call(call === 0 ? 'nothing' : 'vehicles', { key: keys[0]!.secret });
  for (let call = 0; call < 3; call += 1) await service.call('customers', { key: keys[1]!.secret });
  await service.logged();
  // Another dealer's traffic, which must not appear.
  const other = await service.account();
  await service.call('vehicles', { key: (await service.key(other)).secret });
  await service.logged();
});
afterAll(async () => {
  await admin?.close();
  await service?.close();
});

const usage = async (query = ''): Promise<UsageView> => {
  const { status, json } = await owner.api(`usage${query}`);
  expect(status, JSON.stringify(json)).toBe(200);
  return json.data;
};

describe('usage', () => {
  test('counts every call once, and the parts sum to the total', async () => {
    const view = await usage();
    expect(view.totals).toMatchObject({ ok: 10, refused: 3, failed: 0, limited: 2 });
    expect(view.totals.p50_ms).toBeGreaterThan(0);
    expect(view.totals.p99_ms!).toBeGreaterThanOrEqual(view.totals.p50_ms!);
    const sum = (parts: readonly { ok: number; refused: number; limited: number }[]) =>
      parts.reduce((all, { ok, refused, limited }) => [all[0]! + ok, all[1]! + refused, all[2]! + limited], [0, 0, 0]);
    for (const parts of [view.series, view.by_key, view.by_endpoint]) expect(sum(parts)).toEqual([10, 3, 2]);
    expect(view.by_key.map(({ key_name, ok }) => [key_name, ok])).toEqual([
      ['Muhasebe', 7],
      ['Vitrin', 3],
    ]);
    expect(view.by_endpoint.map(({ endpoint, ok }) => [endpoint, ok])).toEqual([
      ['GET vehicles', 7],
      ['GET customers', 3],
      [null, 0],
    ]);
    expect(view.by_error).toEqual([
      { code: 'rate_limit_exceeded', count: 2 },
      { code: 'not_found', count: 1 },
    ]);
  });

  test('by key and by endpoint; durations are omitted where they are not kept', async () => {
    expect((await usage(`?key=${keys[1]!.id}`)).totals).toMatchObject({ ok: 3, refused: 0 });
    const row = await usage('?endpoint=GET%20vehicles');
    expect(row.totals).toMatchObject({ ok: 7, limited: 2, p50_ms: null });
    expect((await usage(`?key=${crypto.randomUUID()}`)).totals).toMatchObject({ ok: 0 });
  });

  test('days are the account’s days, hours are hours, and none is missing', async () => {
    const days = await usage('?from=2026-10-20&to=2026-10-30&step=day');
    expect(days.series).toHaveLength(11);
    // Clocks go back on the 25th: that day is an hour longer, and days still start at midnight.
    expect(days.series.map(({ at }) => at).slice(4, 7)).toEqual([
      '2026-10-23T21:00:00.000Z',
      '2026-10-24T21:00:00.000Z',
      '2026-10-25T22:00:00.000Z',
    ]);
    const hours = await usage('?from=2026-10-24T20:00:00Z&to=2026-10-25T20:59:59Z&step=hour');
    expect(hours.series).toHaveLength(25);
    expect((await owner.api('usage?from=2026-10-01&to=2026-10-30&step=hour')).json.error.param).toBe('step');
  });

  test('reads rollups, never the log', async () => {
    sent = [];
    await usage();
    expect(sent.filter(({ text }) => text.includes('usage_calls')).length).toBeGreaterThan(0);
    expect(sent.filter(({ text }) => text.includes('request_logs'))).toEqual([]);
  });
});

describe('the overview', () => {
  const overview = async (browser = developer): Promise<Overview> => (await browser.api('overview')).json.data;

  test('shows the day, the keys that need attention and the stock', async () => {
    await service.vehicle(accountId, { status: 'Rezerve' });
    await service.customer(accountId);
    const view = await overview();
    expect(view.traffic!.points).toHaveLength(24);
    expect(view.traffic!.points.reduce((sum, { ok }) => sum + ok, 0)).toBe(10);
    expect(view.keys!.working).toBe(2);
    expect(view.keys!.to_look_at[0]).toMatchObject({ name: 'Vitrin', concerns: ['expiring', 'any_address'] });
    expect(view.stock).toEqual({ Stokta: 0, Rezerve: 1, "Auction'da": 0, Satıldı: 0 });
    expect(view.steps).toMatchObject({ has_key: true, has_call: true, has_vehicle: true, has_sale: false, has_colleague: true });
  });

  test('roles without keys see stock, not traffic', async () => {
    const sales = await signedIn(service, await newPerson(service, { accountId, role: 'sales' }));
    const view = await overview(sales);
    expect(view.keys).toBeNull();
    expect(view.traffic).toBeNull();
    expect(view.stock.Rezerve).toBe(1);
  });

  test('a new account sees its first steps', async () => {
    const fresh = await signedIn(service, await newPerson(service, { accountId: await service.account() }));
    const view = await overview(fresh);
    expect(view.steps).toEqual({
      has_key: false,
      has_call: false,
      has_identity: false,
      has_vehicle: false,
      has_rates: false,
      has_reminder_rule: false,
      has_colleague: false,
      has_sale: false,
    });
    // The API is a developer's.
    expect(view.keys).toBeNull();
  });

  test('a key that no longer works needs no attention', async () => {
    await admin.rows(`update api_keys set expires_at = now() - interval '1 day' where id = $1`, [keys[1]!.id]);
    const view = await overview();
    expect(view.keys!.working).toBe(1);
    expect(view.keys!.to_look_at.map(({ name }) => name)).not.toContain('Vitrin');
  });
});

test('a call of an endpoint that is not open yet is refused, but counted as an error nowhere', async () => {
  const waiting = await service.account({ name: 'Bekleyen Galeri' });
  const { id, secret } = await service.key(waiting);
  // Enough to cause a warning where they count.
  for (let call = 0; call < 24; call += 1) await service.call(call < 23 ? 'sales' : 'nothing', { key: secret });
  await service.logged();
  const dealer = await signedIn(service, await newPerson(service, { accountId: waiting, role: 'developer' }));
  const platform = await signedIn(service, await newPerson(service, { admin: true }));
  const data = async (browser: Browser, path: string) => (await browser.api(path)).json.data;
  const [line] = await data(dealer, 'keys');
  expect(line).toMatchObject({ calls_24h: 24, errors_24h: 1 });
  expect(line.concerns).not.toContain('errors');
  const [looked] = (await data(dealer, 'overview')).keys.to_look_at;
  expect(looked).toMatchObject({ id, calls_24h: 24, errors_24h: 1, concerns: ['any_address'] });
  expect((await data(dealer, 'usage')).totals).toMatchObject({ refused: 24, not_open: 23, failed: 0 });
  const traffic = await data(dealer, `keys/${id}/usage?days=1`);
  expect(traffic).toMatchObject({ total_requests: 24, successful_requests: 0, client_errors: 1, server_errors: 0 });
  expect(traffic.error_rate).toBeCloseTo(1 / 24, 4);
  expect(traffic.by_error_code).toContainEqual({ code: 'endpoint_not_active', count: 23 });
  const [account] = await data(platform, 'admin/accounts?q=bekleyen');
  expect(account).toMatchObject({ calls_24h: 24, errors_24h: 1 });
});

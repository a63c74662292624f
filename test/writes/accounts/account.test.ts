import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBranch } from '../../../src/domain/accounts/branches.ts';
import { changeSettings } from '../../../src/domain/accounts/settings.ts';
import { createStaff } from '../../../src/domain/accounts/staff.ts';
import { TIMED_TRANSITIONS } from '../../../src/domain/timed-transitions.ts';
import { newId } from '../../../src/kit/ids.ts';
import { TEST_ACTOR, type TestService, testService } from '../../support/service.ts';
import { type Dealer, dealerWith, newDealer, openAll } from '../../support/writer.ts';

let api: TestService;
let dealer: Dealer;
let girne: string;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
  const { accountId } = dealer;
  const act = { accountId, actor: TEST_ACTOR, now: new Date(), realNow: new Date(), locale: 'tr' } as const;
  girne = await api.database.inTenant(accountId, 'write', async (db) => {
    const { id } = await createBranch(
      db,
      accountId,
      { name: 'Girne', city: 'Girne', phone: '+905331112233' },
      TEST_ACTOR,
      act.now,
    );
    await createBranch(db, accountId, { name: 'Çatalköy', city: 'Girne' }, TEST_ACTOR, act.now);
    for (const full_name of ['Zeki Ak', 'Ayla Ok']) await createStaff(db, { full_name, role: 'sales', branch_id: id }, act);
    await createStaff(db, { full_name: 'Elsewhere', role: 'finance' }, act);
    return id;
  });
  await api.vehicle(accountId, { branch_id: girne });
  await api.vehicle(accountId, { branch_id: girne, status: 'Rezerve' });
  await api.vehicle(accountId, { branch_id: girne, status: 'Satıldı' });
  await api.vehicle(accountId, { branch_id: girne, deleted_at: new Date() });
});
afterAll(() => api.close());

test('lists the main branch first, then the others by name, with their live stock', async () => {
  const { data } = (await dealer.get('account/branches')).json;
  expect(data.map(({ name, is_main, vehicle_count }: Record<string, unknown>) => [name, is_main, vehicle_count])).toEqual([
    ['Merkez', true, 0],
    ['Çatalköy', false, 0],
    ['Girne', false, 2],
  ]);
  expect(Object.keys(data[0])).toEqual(['id', 'name', 'city', 'phone', 'is_main', 'vehicle_count', 'created_at', 'updated_at']);
  const paged = await dealer.get('account/branches?limit=1&offset=2');
  expect(paged.json.data.map(({ id }: { id: string }) => id)).toEqual([girne]);
});

test('a branch lists its own staff, and the list reflects a sold vehicle at once', async () => {
  const { data } = (await dealer.get(`account/branches/${girne}`)).json;
  expect(data.staff.map(({ full_name, role, active }: Record<string, unknown>) => [full_name, role, active])).toEqual([
    ['Ayla Ok', 'sales', true],
    ['Zeki Ak', 'sales', true],
  ]);
  const added = await dealer.get('account/branches');
  await api.vehicle(dealer.accountId, { branch_id: girne });
  const after = await dealer.get('account/branches', { 'if-none-match': added.headers.get('etag')! });
  expect(after.json.data[2].vehicle_count).toBe(3);
  const stranger = await newDealer(api);
  for (const id of [newId(), 'girne']) expect((await dealer.get(`account/branches/${id}`)).status).toBe(404);
  expect((await stranger.get(`account/branches/${girne}`)).status).toBe(404);
});

test('settings returns exactly the settings in force', async () => {
  const read = async () => (await dealer.get('account/settings')).json.data;
  expect(await read()).toEqual({
    default_currency: expect.any(String),
    timezone: expect.any(String),
    rate_source: expect.any(String),
    reservation_days: 7,
    offer_valid_hours: 48,
    document_valid_days: 30,
    upcoming_days: 30,
    overdue_grace_days: 0,
    document_retention_years: 10,
    reminders: [-3, 0, 3, 10].map((day) => ({ day, channel: 'WhatsApp', active: false })),
    locale: 'tr',
  });
  await api.database.inTenant(dealer.accountId, 'write', (db) =>
    changeSettings(
      db,
      { reservation_days: 3, locale: 'en' },
      { actor: TEST_ACTOR, now: new Date(), transitions: TIMED_TRANSITIONS },
    ),
  );
  expect(await read()).toMatchObject({ reservation_days: 3, locale: 'en' });
});

test('capabilities returns what this account and this key may do, and the price of a boost', async () => {
  const expiresAt = new Date(Date.now() + 86_400_000);
  const { secret } = await api.key(dealer.accountId, {
    name: 'capable',
    endpoints: ['GET account/capabilities', 'GET vehicles', 'POST vehicles', 'GET vehicles/export'],
    authorizations: ['network_auction_bid'],
    expiresAt,
  });
  const { data } = (await dealerWith(api, dealer.accountId, secret).get('account/capabilities')).json;
  expect(data.account).toEqual({
    dealer_network: true,
    marketplace: true,
    live_auctions: true,
    import: true,
    max_photos_per_vehicle: 30,
    max_videos_per_vehicle: 5,
  });
  expect(data.key).toEqual({
    name: 'capable',
    environment: 'production',
    scopes: ['account:read', 'vehicles:read', 'vehicles:write'],
    endpoint_count: 4,
    special_authorizations: ['network_auction_bid'],
    expires_at: expiresAt.toISOString(),
  });
  expect(data.endpoints).toEqual([
    { method: 'GET', path: 'account/capabilities', live: true },
    { method: 'GET', path: 'vehicles', live: true },
    { method: 'POST', path: 'vehicles', live: true },
    { method: 'GET', path: 'vehicles/export', live: true },
  ]);
  expect(data.boost_packages).toContainEqual({
    code: 'Vitrin-7',
    name: 'Vitrin, 7 gün',
    days: 7,
    price: '1200.00',
    currency: 'TL',
  });
  expect(new Set(data.boost_packages.map(({ code }: { code: string }) => code)).size).toBe(9);
});

test('the account returns its key as before', async () => {
  const { api_key } = (await dealer.get('account')).json.data;
  expect(Object.keys(api_key)).toEqual([
    ...['id', 'name', 'environment', 'prefix', 'expires_at', 'limit_per_minute', 'limit_per_hour', 'limit_per_day'],
    ...['endpoint_count', 'allowed_ip_count'],
  ]);
});

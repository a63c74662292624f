// Every state of a vehicle, and every transition requested in it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type TestService, testService } from '../../support/service.ts';
import { type Dealer, newDealer, openAll } from '../../support/writer.ts';
import { historyOf, made, type Trail, trailOf, verdict } from './vehicles-trail.ts';

let api: TestService;
let dealer: Dealer;
let trail: Trail;
let customer: string;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
  trail = await trailOf(api, dealer);
  customer = await api.customer(dealer.accountId);
});
afterAll(async () => {
  await trail.close();
  await api.close();
});

const STATES: Record<string, () => Promise<string>> = {
  Stokta: () => made(dealer),
  Rezerve: async () => {
    const id = await made(dealer);
    await dealer.post(`vehicles/${id}/reserve`, { customer_id: customer });
    return id;
  },
  'Rezerve, imported': () => api.vehicle(dealer.accountId, { status: 'Rezerve' }),
  "Auction'da, imported": () => api.vehicle(dealer.accountId, { status: "Auction'da" }),
  'Satıldı elsewhere': async () => {
    const id = await made(dealer);
    await dealer.post(`vehicles/${id}/mark-sold`);
    return id;
  },
  'Satıldı by a sale': () => api.vehicle(dealer.accountId, { status: 'Satıldı', sold_via: 'Satış', sold_at: '2026-01-15' }),
  deleted: async () => {
    const id = await made(dealer);
    await dealer.delete(`vehicles/${id}`);
    return id;
  },
};

const ACTS: Record<string, (id: string) => Promise<Answer>> = {
  'PATCH Stokta': (id) => dealer.patch(`vehicles/${id}`, { status: 'Stokta' }),
  'PATCH Rezerve': (id) => dealer.patch(`vehicles/${id}`, { status: 'Rezerve' }),
  'PATCH Satıldı': (id) => dealer.patch(`vehicles/${id}`, { status: 'Satıldı' }),
  'PATCH km': (id) => dealer.patch(`vehicles/${id}`, { km: 99_000, purchase_price: '1.00' }),
  'PATCH price': (id) => dealer.patch(`vehicles/${id}`, { price: '1.00' }),
  'PATCH brand': (id) => dealer.patch(`vehicles/${id}`, { brand: 'Fiat' }),
  reserve: (id) => dealer.post(`vehicles/${id}/reserve`, {}),
  'mark-sold': (id) => dealer.post(`vehicles/${id}/mark-sold`, {}),
  publish: (id) => dealer.post(`vehicles/${id}/publish`),
  unpublish: (id) => dealer.post(`vehicles/${id}/unpublish`),
  DELETE: (id) => dealer.delete(`vehicles/${id}`),
  restore: (id) => dealer.post(`vehicles/${id}/restore`),
};

const acts = Object.keys(ACTS);
const REFUSED = '409 invalid_transition';
const LOCKED = '409 vehicle_locked';
const NOT_DELETED = '409 vehicle_not_deleted';
const NOT_PUBLISHED = '409 not_published';
const NOT_IN_STOCK = '409 vehicle_not_in_stock';
const IN_AUCTION = '409 vehicle_in_auction';
const SOLD = '409 vehicle_already_sold';
const DELETED = '409 vehicle_deleted';
const HELD = '409 vehicle_reserved';

// In the order of ACTS.
// biome-ignore format: a table
const TABLE: Record<string, string[]> = {
  Stokta: ['Stokta', REFUSED, REFUSED, 'Stokta', 'Stokta', 'Stokta', 'Rezerve', 'Satıldı', 'Stokta', NOT_PUBLISHED, 'deleted', NOT_DELETED],
  Rezerve: ['Stokta', 'Rezerve', REFUSED, 'Rezerve', 'Rezerve', 'Rezerve', HELD, 'Satıldı', NOT_IN_STOCK, NOT_PUBLISHED, HELD, NOT_DELETED],
  'Rezerve, imported': ['Stokta', 'Rezerve', REFUSED, 'Rezerve', 'Rezerve', 'Rezerve', HELD, 'Satıldı', NOT_IN_STOCK, NOT_PUBLISHED, HELD, NOT_DELETED],
  "Auction'da, imported": ['Stokta', REFUSED, REFUSED, IN_AUCTION, IN_AUCTION, IN_AUCTION, IN_AUCTION, IN_AUCTION, NOT_IN_STOCK, NOT_PUBLISHED, IN_AUCTION, NOT_DELETED],
  'Satıldı elsewhere': ['Stokta', REFUSED, 'Satıldı', 'Satıldı', LOCKED, LOCKED, SOLD, SOLD, NOT_IN_STOCK, NOT_PUBLISHED, '409 vehicle_sold', NOT_DELETED],
  'Satıldı by a sale': [REFUSED, REFUSED, 'Satıldı', 'Satıldı', LOCKED, LOCKED, SOLD, SOLD, NOT_IN_STOCK, NOT_PUBLISHED, '409 vehicle_sold', NOT_DELETED],
  deleted: [DELETED, DELETED, DELETED, DELETED, DELETED, DELETED, DELETED, DELETED, DELETED, NOT_PUBLISHED, '404 not_found', 'Stokta'],
};

const cases = Object.entries(TABLE).flatMap(([state, outcomes]) =>
  acts.map((act, index) => [state, act, outcomes[index]!] as const),
);

describe('a vehicle that is', () => {
  test.each(cases)('%s: %s → %s', async (state, act, expected) => {
    const id = await STATES[state]!();
    const before = (await dealer.get(`vehicles/${id}`)).json.data;
    const entries = (await historyOf(dealer, id)).length;
    let answer: Answer | undefined;
    const kinds = await trail.kindsDuring(async () => {
      answer = await ACTS[act]!(id);
    });
    expect(verdict(answer!)).toBe(expected);
    const after = (await dealer.get(`vehicles/${id}`)).json.data;
    const isChanged = answer!.status === 200 && JSON.stringify(before) !== JSON.stringify(after);
    if (answer!.status === 200) expect(after).toEqual(answer!.json.data);
    else expect(after).toEqual(before);
    expect(await historyOf(dealer, id)).toHaveLength(entries + (isChanged ? 1 : 0));
    expect(kinds.length > 0).toBe(isChanged);
    await expectInvariants(id);
  });
});

/** I1, I2 and the single active hold, for every record created here. */
async function expectInvariants(id: string): Promise<void> {
  const [row] = (await trail.admin.rows(`select status, is_marketplace_visible as visible, deleted_at,
      (select count(*)::int from listings where vehicle_id = vehicles.id and listings.status = 'Yayında') as shown,
      (select count(*)::int from reservations where vehicle_id = vehicles.id and reservations.status = 'Aktif') as held
    from vehicles where id = '${id}'`)) as [
    { status: string; visible: boolean; deleted_at: Date | null; shown: number; held: number },
  ];
  expect(row.visible).toBe(row.shown === 1);
  if (row.shown > 0) expect([row.status, row.deleted_at]).toEqual(['Stokta', null]);
  if (row.held > 0) expect(row.status).toBe('Rezerve');
}

test('requests every transition of the table', () => {
  expect(Object.keys(TABLE)).toEqual(Object.keys(STATES));
  for (const outcomes of Object.values(TABLE)) expect(outcomes).toHaveLength(acts.length);
});

test('an unknown status is a validation error', async () => {
  const refused = await dealer.patch(`vehicles/${await made(dealer)}`, { status: 'Park' });
  expect([refused.status, refused.json.error.code]).toEqual([422, 'validation_failed']);
});

test('a refusal names both states, in the caller’s language', async () => {
  const id = await STATES['Satıldı by a sale']!();
  const refused = await dealer.patch(`vehicles/${id}`, { status: 'Stokta' }, { 'accept-language': 'tr' });
  expect(refused.json.error.message).toBe('«Satıldı» durumundan «Stokta» durumuna geçilemez');
});

describe('concurrently', () => {
  test('twenty reserve one vehicle: one wins', async () => {
    const id = await made(dealer);
    const people = await Promise.all(Array.from({ length: 20 }, () => api.customer(dealer.accountId)));
    const answers = await Promise.all(people.map((customer_id) => dealer.post(`vehicles/${id}/reserve`, { customer_id })));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const lost of answers) if (lost !== won[0]) expect(verdict(lost)).toBe('409 vehicle_reserved');
    expect(await trail.admin.rows(`select 1 from reservations where vehicle_id = '${id}'`)).toHaveLength(1);
    expect((await historyOf(dealer, id)).map(({ event }) => event)).toEqual(['reserved', 'created']);
  });

  test('reserve, sell and delete: only allowed transitions', async () => {
    const id = await made(dealer);
    const replies = Array.from({ length: 18 }, (_, index) =>
      [
        () => dealer.post(`vehicles/${id}/reserve`, {}),
        () => dealer.post(`vehicles/${id}/mark-sold`),
        () => dealer.delete(`vehicles/${id}`),
      ][index % 3]!(),
    );
    const answers = await Promise.all(replies);
    const allowed = ['Rezerve', 'Satıldı', 'deleted', HELD, SOLD, DELETED, '409 vehicle_sold', '404 not_found'];
    for (const answer of answers) expect(allowed).toContain(verdict(answer));
    // Newest first: a vehicle is held, then sold; or sold; or deleted. Nothing follows a sale or a deletion.
    const events = (await historyOf(dealer, id)).map(({ event }) => event).reverse();
    expect([
      ['created', 'reserved', 'sold'],
      ['created', 'sold'],
      ['created', 'deleted'],
    ]).toContainEqual(events);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(events.length - 1);
    await expectInvariants(id);
  });
});

// Offers beyond the story: expiry, turns, refusals, a busy dealer, and what the database refuses.
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTimedTransitions } from '../../../src/jobs/run-timed-transitions.ts';
import { rawSql, sql } from '../../../src/kit/sql.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { carOf, dataOf, newKey, type Shown, verdictOf } from '../../support/books.ts';
import { eventsOf } from '../../support/events.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';
import { named, offer, publish, statusOf } from './network.ts';

const HOUR = 3_600_000;
let api: TestService;
let admin: Session;
let seller: Dealer;
let buyer: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  admin = await openSession(api.adminUrl);
  [seller, buyer] = [await named(api, 'Satan Oto'), await named(api, 'Alan Oto')];
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const inHours = (hours: number) => new Date(api.clock.now().getTime() + hours * HOUR).toISOString();
const emitted = async (dealer: Dealer, id: string) =>
  (await eventsOf(api, dealer.accountId)).filter((event) => event.id === id).map(({ kind }) => kind);

test.each(['buyer', 'seller', 'sweeper'] as const)(
  'an offer and a trade expire once for both parties: the %s looks first',
  async (first) => {
    const { listing } = await publish(seller);
    const expires_at = inHours(2);
    const made = await offer(buyer, listing, '12000.00', { expires_at });
    const body = { offered_vehicle_id: await carOf(buyer), requested_listing_id: listing, expires_at };
    const swap = dataOf(await buyer.post('trade-requests', body));
    // The clock continues while a busy machine is slow.
    api.clock.advance(HOUR);
    expect(await statusOf(buyer, `network-offers/${made.id}`)).toBe('Beklemede');
    api.clock.advance(HOUR);
    if (first === 'sweeper') await runTimedTransitions(api.service.parts.writer, api.clock.now());
    else await (first === 'buyer' ? buyer : seller).get('network-offers');
    for (const dealer of [buyer, seller]) {
      expect(await emitted(dealer, made.id)).toEqual(['network_offer.created', 'network_offer.expired']);
      expect(await emitted(dealer, swap.id)).toEqual(['trade_request.created', 'trade_request.expired']);
      expect(dataOf(await dealer.get(`network-offers/${made.id}`))).toMatchObject({ status: 'Süresi Doldu', responded_at: null });
      expect(await statusOf(dealer, `trade-requests/${swap.id}`)).toBe('Süresi Doldu');
    }
    expect(verdictOf(await seller.post(`network-offers/${made.id}/accept`))).toBe('409 offer_expired');
    for (const act of ['reject', 'counter'])
      expect(verdictOf(await seller.post(`network-offers/${made.id}/${act}`, act === 'counter' ? { amount: '1.00' } : {}))).toBe(
        '409 offer_closed',
      );
    // The thread continues with a new offer.
    expect(await offer(buyer, listing, '12500.00')).toMatchObject({ thread_id: made.thread_id, parent_id: null });
  },
);

test('expires as the maker’s setting says, or after one hour to fourteen days', async () => {
  const { listing } = await publish(seller);
  for (const hours of [0.9, 14 * 24 + 1])
    expect(
      verdictOf(await buyer.post('network-offers', { listing_id: listing, amount: '1.00', expires_at: inHours(hours) })),
    ).toBe('422 validation_failed');
  await api.database.onPlatform('write', (db) =>
    db.exec(sql`update accounts set offer_valid_hours = 5 where id = ${buyer.accountId}`),
  );
  const { expires_at, created_at } = await offer(buyer, listing, '12000.00');
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(5 * HOUR);
});

test('turns: the maker of an offer may only withdraw it', async () => {
  const { car, listing } = await publish(seller);
  const made = await offer(buyer, listing, '12000.00');
  for (const act of ['accept', 'reject', 'counter'])
    expect(verdictOf(await buyer.post(`network-offers/${made.id}/${act}`, act === 'counter' ? { amount: '1.00' } : {}))).toBe(
      '409 not_your_turn',
    );
  expect(verdictOf(await seller.post(`network-offers/${made.id}/withdraw`))).toBe('409 not_your_offer');
  expect(verdictOf(await buyer.post('network-offers', { listing_id: listing, amount: '1.00', currency: 'TL' }))).toBe(
    '422 currency_mismatch',
  );
  expect(verdictOf(await seller.post('network-offers', { listing_id: listing, amount: '1.00' }))).toBe('409 own_listing');
  // A changed price does not affect the offer.
  dataOf(await seller.patch(`vehicles/${car}`, { price: '9999.00' }));
  expect(dataOf(await buyer.get(`network-offers/${made.id}`))).toMatchObject({ status: 'Beklemede', amount: '12000.00' });
  expect(dataOf(await seller.post(`network-offers/${made.id}/reject`, { reason: 'Az' }))).toMatchObject({
    status: 'Reddedildi',
    reject_reason: 'Az',
    responded_at: expect.any(String),
  });
  expect(verdictOf(await buyer.post(`network-offers/${made.id}/withdraw`))).toBe('409 offer_closed');
});

test('a closed listing and a deleted vehicle reject open offers', async () => {
  for (const [end, reason] of [
    ['listing', 'listing_closed'],
    ['car', 'vehicle_unavailable'],
  ] as const) {
    const { car, listing } = await publish(seller);
    const made = await offer(buyer, listing, '12000.00');
    dataOf(await seller.delete(end === 'car' ? `vehicles/${car}` : `marketplace/listings/${listing}`));
    const shown = dataOf(await buyer.get(`network-offers/${made.id}`));
    expect(shown).toMatchObject({ status: 'Reddedildi', responded_at: expect.any(String) });
    expect(['listing_closed', reason]).toContain(shown.reject_reason);
  }
});

test('returns 503 while the other dealer is busy, and the same request succeeds afterwards', async () => {
  const { listing } = await publish(seller);
  const holds = await openSession(api.adminUrl);
  const [body, key] = [{ listing_id: listing, amount: '12000.00' }, newKey()];
  try {
    await holds.rows(`begin; select from data_sets where id = '${seller.accountId}' for update`);
    const refused = await buyer.post('network-offers', body, key);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(refused.text).not.toContain(seller.accountId);
  } finally {
    await holds.rows('rollback');
    await holds.close();
  }
  const made = dataOf(await buyer.post('network-offers', body, key));
  expect(dataOf(await buyer.post('network-offers', body, key)).id).toBe(made.id);
  expect(dataOf(await seller.get(`network-offers?listing_id=${listing}`))).toHaveLength(1);
});

test('waits for a dealer who is busy for a moment', async () => {
  const { listing } = await publish(seller);
  const holds = await openSession(api.adminUrl);
  try {
    await holds.rows(`begin; select from data_sets where id = '${seller.accountId}' for update`);
    const reply = buyer.post('network-offers', { listing_id: listing, amount: '12000.00' });
    await wait(150);
    await holds.rows('rollback');
    expect((await reply).status).toBe(201);
  } finally {
    await holds.close();
  }
});

/** As the application's role, in the seller's name. */
const attempt = (text: string): Promise<string> =>
  api.database
    .inTenant(seller.accountId, 'write', (db) => db.exec(sql`${rawSql(text)}`))
    .then(() => 'done')
    .catch((error: Error) => error.message);

test('the database enforces one open offer, one agreement, two parties and one answer', async () => {
  const { listing } = await publish(seller);
  const made: Shown = await offer(buyer, listing, '12000.00');
  const other = await named(api, 'Başka Oto');
  const second = await offer(other, listing, '12100.00');
  const copy = (changes: Record<string, string>) => {
    const columns = [
      'account_id',
      'id',
      'thread_id',
      'parent_id',
      'listing_id',
      'vehicle_id',
      'buyer_id',
      'made_by',
      'amount_minor',
    ];
    columns.push('currency', 'status', 'responded_at', 'expires_at', 'created_at', 'updated_at');
    const values = columns.map((name) => changes[name] ?? (name === 'id' ? 'gen_random_uuid()' : name));
    return `insert into network_offers (${columns}) select ${values} from network_offers where id = '${made.id}'`;
  };
  expect(await attempt(copy({}))).toMatch(/network_offers_one_open/);
  const answered = { status: `'Reddedildi'`, responded_at: 'now()' };
  expect(await attempt(copy({ ...answered, buyer_id: 'account_id' }))).toMatch(/network_offers_two_sides/);
  expect(await attempt(copy({ status: `'Reddedildi'` }))).toMatch(/network_offers_responded/);
  expect(await attempt(copy({ ...answered, amount_minor: '0' }))).toMatch(/check constraint/);
  expect(await attempt(copy({ ...answered, parent_id: `'${made.id}'` }))).toBe('done');
  expect(await attempt(copy({ ...answered, parent_id: `'${made.id}'` }))).toMatch(/network_offers_one_answer/);
  const agree = (id: string) => `update network_offers set status = 'Kabul Edildi', responded_at = now() where id = '${id}'`;
  expect(await attempt(agree(made.id))).toBe('done');
  expect(await attempt(agree(second.id))).toMatch(/network_offers_one_accepted/);
  expect(await attempt(`delete from network_offers where id = '${made.id}'`)).toMatch(/permission denied/);
  expect(await attempt(`update network_offers set reject_reason = 'x' where id = '${second.id}'`)).toMatch(
    /network_offers_reason/,
  );
});

test('between the parties of an agreement a dealer without a phone has phone null; before the agreement the field is absent', async () => {
  const silent = await named(api, 'Telefonsuz Oto', { phone: null });
  const { car, listing } = await publish(seller);
  const made = await offer(silent, listing, '12000.00');
  expect(dataOf(await seller.get(`network-offers/${made.id}`)).buyer).not.toHaveProperty('phone');
  const agreed = dataOf(await seller.post(`network-offers/${made.id}/accept`));
  expect(agreed.buyer).toMatchObject({ account_id: silent.accountId, phone: null });
  expect(agreed.seller.phone).toMatch(/^\+90533/);
  expect(dataOf(await seller.get(`vehicles/${car}`)).reservation.counterparty).toMatchObject({ phone: null });
});

// Plants a failing timed transition of each kind: every other record moves, no request waits for it or returns its error, it is
// recorded and shown to the platform, and retried after 1, 5 and 30 minutes, then every hour.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TIMED_TRANSITIONS } from '../../src/domain/timed-transitions.ts';
import { runTransitions } from '../../src/domain/writes/timed-transition.ts';
import { runTimedTransitions } from '../../src/jobs/run-timed-transitions.ts';
import { dayIn } from '../../src/kit/clock.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { send } from '../contract/wire.ts';
import { newPerson, signedIn } from '../panel/people.ts';
import { aBidder, bid, HOUR, inFuture, putUp } from '../support/auctions.ts';
import { carOf, customerOf, dataOf, newKey, sell } from '../support/books.ts';
import { advanceClock } from '../support/clock.ts';
import { consumerOffers } from '../support/market.ts';
import { loadWallet } from '../support/platform.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { generate } from './documents/papers.ts';
import { offer, publish } from './network/network.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const MINUTE = 60_000;
const DAY = 24 * HOUR;

let api: TestService;
let admin: Session;
let metricsPort: number;
let [dealer, other]: Dealer[] = [];
beforeAll(async () => {
  metricsPort = await freePort();
  api = await testService({ at: new Date().toISOString(), env: { METRICS_PORT: String(metricsPort) } });
  await openAll(api);
  admin = await openSession(api.adminUrl);
  [dealer, other] = [await aBidder(api, { legal_name: 'Merkez Otomotiv Ltd.' }), await aBidder(api)];
  await admin.rows(`create table planted (id uuid);
    create function refuse_planted() returns trigger language plpgsql security definer set search_path = public, pg_temp as
      $$ begin if exists (select from planted where id = old.id) then raise exception 'planted'; end if; return new; end $$`);
  for (const { table } of Object.values(KINDS))
    await admin.rows(`create trigger planted before update on ${table} for each row execute function refuse_planted()`);
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const dayFromNow = (days: number): string => dayIn(new Date(api.clock.now().getTime() + days * DAY), 'Asia/Famagusta');

async function aSale(): Promise<string> {
  const [vehicle_id, customer_id] = [await carOf(dealer!), await customerOf(dealer!)];
  const terms = {
    currency: 'STG',
    sale_price: '1000.00',
    down_payment: '100.00',
    installment_count: 3,
    first_due_date: dayFromNow(4),
  };
  return dataOf(await sell(dealer!, { vehicle_id, customer_id, ...terms })).id;
}

/** For each kind its table, a record that ends within a day, and the column that shows the transition. */
const KINDS: Readonly<Record<string, { table: string; column: string; make: () => Promise<string> }>> = {
  boost_order: {
    table: 'boost_orders',
    column: 'status',
    make: async () => {
      await loadWallet(api, dealer!.accountId, '2000.00');
      const { listing } = await publish(dealer!);
      const order = { listing_id: listing, package: 'Vitrin-7', starts_at: inFuture(api, HOUR) };
      return dataOf(await dealer!.post('boost-orders', order, newKey())).id;
    },
  },
  network_auction: {
    table: 'network_auctions',
    column: 'status',
    make: async () => {
      const auction = await putUp(api, dealer!);
      dataOf(await bid(other!, auction, '8000.00'));
      return auction.id;
    },
  },
  reservation: {
    table: 'reservations',
    column: 'status',
    make: async () => {
      const car = await carOf(dealer!);
      dataOf(await dealer!.post(`vehicles/${car}/reserve`, { reserved_until: dayFromNow(0) }));
      return (await admin.rows<{ id: string }>('select id from reservations where vehicle_id = $1', [car]))[0]!.id;
    },
  },
  marketplace_offer: {
    table: 'marketplace_offers',
    column: 'status',
    make: async () => {
      const { id } = await consumerOffers(api, dealer!, (await publish(dealer!)).listing, '9000.00');
      await sooner('marketplace_offers', id);
      return id;
    },
  },
  payment_promise: {
    table: 'payment_promises',
    column: 'status',
    make: async () => {
      const promise = { sale_id: await aSale(), amount: '50.00', promised_date: dayFromNow(0) };
      return dataOf(await dealer!.post('payment-promises', promise)).id;
    },
  },
  installment: {
    table: 'installments',
    column: 'is_due_soon_told',
    make: async () => {
      const sale = await aSale();
      const [row] = await admin.rows<{ id: string }>('select id from installments where sale_id = $1 and seq = 1', [sale]);
      return row!.id;
    },
  },
  sale_document: {
    table: 'documents',
    column: 'status',
    make: async () => {
      const paper = dataOf(await generate(dealer!, await aSale(), 'odeme_plani'));
      const recipients = [{ role: 'Müşteri', name: 'Ayşe Yılmaz', phone: '+905331234567' }];
      dataOf(await dealer!.post(`sale-documents/${paper.id}/send`, { channel: 'Bağlantı', recipients }));
      await sooner('documents', paper.id);
      return paper.id;
    },
  },
  network_offer: {
    table: 'network_offers',
    column: 'status',
    make: async () =>
      (await offer(other!, (await publish(dealer!)).listing, '9000.00', { expires_at: inFuture(api, 2 * HOUR) })).id,
  },
  trade_request: {
    table: 'trade_requests',
    column: 'status',
    make: async () => {
      const swap = { offered_vehicle_id: await carOf(other!), requested_listing_id: (await publish(dealer!)).listing };
      return dataOf(await other!.post('trade-requests', { ...swap, expires_at: inFuture(api, 2 * HOUR) })).id;
    },
  },
};

/** Records that usually stay open for days end within the hour. */
async function sooner(table: string, id: string): Promise<void> {
  await admin.rows(`update ${table} set expires_at = business_now() + interval '1 hour' where id = $1`, [id]);
  await admin.rows(`update data_sets set next_due_at = least(next_due_at, business_now() + interval '1 hour') where id = $1`, [
    dealer!.accountId,
  ]);
}

const stateOf = async (kind: string, id: string): Promise<unknown> => {
  const { table, column } = KINDS[kind]!;
  return (await admin.rows<Record<string, unknown>>(`select ${column} as state from ${table} where id = $1`, [id]))[0]!.state;
};

interface Recorded {
  readonly kind: string;
  readonly record_id: string;
  readonly error: string;
  readonly tries: number;
  readonly pause: number;
}
const recorded = (): Promise<Recorded[]> =>
  admin.rows<Recorded>(
    `select kind, record_id, error, tries, extract(epoch from next_try_at - failed_at)::int as pause
    from transition_failures where account_id = $1 order by kind`,
    [dealer!.accountId],
  );

/** Before the clock moves it; a pending boost is «Beklemede» too. */
const OPEN = ['Canlı', 'Beklemede', 'Bekliyor', 'Gönderildi', false];

const made: { kind: string; good: string; bad: string }[] = [];

test('plants a failure of every kind', () => {
  expect(Object.keys(KINDS).sort()).toEqual(TIMED_TRANSITIONS.map(({ kind }) => kind).sort());
});

test('affects nothing else', async () => {
  for (const [kind, { make }] of Object.entries(KINDS)) made.push({ kind, good: await make(), bad: await make() });
  const before = new Map<string, unknown>();
  for (const { kind, good, bad } of made) for (const id of [good, bad]) before.set(id, await stateOf(kind, id));
  for (const { bad } of made) await admin.rows('insert into planted values ($1)', [bad]);
  await advanceClock(api, DAY + HOUR);
  // The seller's endpoints, reads and writes, and the list that all dealers read.
  const answers = await Promise.all([
    dealer!.get('vehicles'),
    dealer!.post('tasks', { title: 'ara' }),
    dealer!.get('network-auctions'),
    other!.get('network-auctions'),
    other!.get('trade-requests'),
    dealer!.get('boost-orders'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 200, 200, 200]);
  for (const { kind, good, bad } of made) {
    expect([kind, await stateOf(kind, good)]).not.toEqual([kind, before.get(good)]);
    expect([kind, await stateOf(kind, bad)]).toEqual([kind, before.get(bad)]);
  }
});

test('a record past its end accepts no bid, cannot be accepted, and is shown in its last state', async () => {
  const idOf = (kind: string) => made.find((one) => one.kind === kind)!.bad;
  expect(dataOf(await other!.get(`network-auctions/${idOf('network_auction')}`)).status).toBe('Canlı');
  const third = await aBidder(api);
  const codes = [
    await third.post(`network-auctions/${idOf('network_auction')}/bid`, { amount: '9000.00' }),
    await dealer!.post(`network-auctions/${idOf('network_auction')}/end`, { award: true }),
    await dealer!.post(`network-offers/${idOf('network_offer')}/accept`),
    await dealer!.post(`trade-requests/${idOf('trade_request')}/accept`),
  ].map(({ json }) => json.error.code);
  expect(codes).toEqual(['auction_ended', 'auction_ended', 'offer_expired', 'request_closed']);
});

test('is recorded, counted and shown to the platform', async () => {
  const failures = await recorded();
  expect(failures.map(({ kind, record_id }) => [kind, record_id])).toEqual(
    made.map(({ kind, bad }) => [kind, bad]).sort(([one], [two]) => (one! < two! ? -1 : 1)),
  );
  for (const { error, tries, pause } of failures) expect([error, tries, pause]).toEqual(['P0001 planted', 1, 60]);
  const { text } = await send(`http://127.0.0.1:${metricsPort}`, { target: '/metrics' });
  expect(Number(/^galeri_timed_transitions_failing (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(failures.length);
  const platform = await signedIn(api, await newPerson(api, { admin: true }));
  const { late, failed_transitions } = (await platform.api('admin/home')).json.data;
  expect(late).toContainEqual(expect.objectContaining({ kind: 'failed_transitions' }));
  const [auction] = failed_transitions.filter(({ kind }: { kind: string }) => kind === 'network_auction');
  expect(auction).toMatchObject({ account_id: dealer!.accountId, error: 'P0001 planted', tries: 1, overdue_transition: true });
});

test('is retried with growing pauses, and moves once its cause is gone', async () => {
  for (const [minutes, tries, pause] of [
    [1, 2, 300],
    [5, 3, 1800],
    [30, 4, 3600],
    [60, 5, 3600],
  ] as const) {
    await advanceClock(api, minutes * MINUTE);
    await runTimedTransitions(api.service.parts.writer, api.clock.now());
    for (const failure of await recorded())
      expect([failure.kind, failure.tries, failure.pause]).toEqual([failure.kind, tries, pause]);
    // No request retries it during its pause.
    expect((await dealer!.get('vehicles')).status).toBe(200);
    expect((await recorded()).map((failure) => failure.tries)).toEqual(made.map(() => tries));
  }
  await admin.rows('delete from planted');
  await advanceClock(api, 60 * MINUTE);
  expect((await dealer!.get('vehicles')).status).toBe(200);
  expect((await other!.get('network-offers')).status).toBe(200);
  expect(await recorded()).toEqual([]);
  for (const { kind, bad } of made) expect(OPEN, kind).not.toContain(await stateOf(kind, bad));
  expect(dataOf(await other!.get(`network-auctions/${made.find(({ kind }) => kind === 'network_auction')!.bad}`)).result).toBe(
    'Satıldı',
  );
});

test('a kind whose records cannot be selected is skipped as a whole', async () => {
  const held = await KINDS.reservation!.make();
  const broken = TIMED_TRANSITIONS.map((one) =>
    one.kind === 'network_auction' ? { ...one, next: () => Promise.reject(new Error('planted')) } : one,
  );
  await advanceClock(api, DAY);
  const due = {
    dataSet: dealer!.accountId,
    account: { id: dealer!.accountId, timezone: 'Asia/Famagusta' },
    now: api.clock.now(),
  };
  await runTransitions(api.service.parts.writer, due, broken);
  expect(await stateOf('reservation', held)).toBe('Süresi Doldu');
  expect(await recorded()).toMatchObject([{ kind: 'network_auction', record_id: dealer!.accountId, error: 'planted' }]);
  await advanceClock(api, MINUTE);
  expect((await dealer!.get('vehicles')).status).toBe(200);
  expect(await recorded()).toEqual([]);
});

// Every writing endpoint takes its locks in one order and never upgrades a lock; so no two of them can deadlock on the same
// records. PostgreSQL counts the deadlocks that it had to break: none.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiEndpoint, apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import type { Statement } from '../../src/kit/sql.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { resources } from '../../src/resources/index.ts';
import { repeatWhenOverrun } from '../harness/ask.ts';
import { inFuture } from '../support/auctions.ts';
import { carOf, customerOf, dataOf } from '../support/books.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { type Dealer, dealerWith, newDealer } from '../support/writer.ts';
import { publish } from '../writes/network/network.ts';
import { payloadOf } from './payload.ts';
import { type EndpointRequest, makeWorld, neededHeaders, REQUESTS, type World } from './requests.ts';
import { send } from './wire.ts';

const all = apiEndpoints(resources).filter((endpoint) => endpoint.body !== null);
const writes = all.filter((endpoint) => endpoint.method !== 'GET');

let api: TestService;
let admin: Session;
let world: World;
let [dealer, other]: Dealer[] = [];
let sent: Statement[] = [];
beforeAll(async () => {
  const watch = (statement: Statement) => {
    sent.push(statement);
    return statement;
  };
  api = await testService({ database: { watch } });
  admin = await openSession(api.adminUrl);
  const ids = all.map((endpoint) => endpoint.id);
  await api.release('Aktif', ...ids);
  world = await makeWorld(api, ids);
  [dealer, other] = [dealerWith(api, world.accountId, world.key), await newDealer(api)];
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const ask = (endpoint: ApiEndpoint, request: EndpointRequest): Promise<Answer> => {
  const payload = payloadOf(request);
  const call = {
    ...payload,
    method: endpoint.method,
    target: `/api/v1/${request.path}`,
    key: world.key,
    headers: { ...neededHeaders(endpoint), ...payload.headers },
  };
  return repeatWhenOverrun(() => send(api.service.url, call));
};

/**
 * Writes that remove a vehicle from stock end these last: they are locked only under the lock of their vehicle, and then at any
 * time.
 */
const OF_A_CAR = ['network_offers', 'trade_requests', 'marketplace_offers', 'auction_requests'];
/** Tables on which the writes of several people meet. */
const ORDER = [
  ['vehicles'],
  ['listings'],
  ['network_auctions', 'live_lots'],
  ['sales'],
  ['installments'],
  ['branches'],
  ['wallets'],
  ['data_sets'],
];
const rankOf = (table: string): number | null => {
  const rank = ORDER.findIndex((tables) => tables.includes(table));
  return rank < 0 ? null : rank;
};

interface Lock {
  readonly table: string;
  readonly how: 'update' | 'share';
  readonly ids: readonly string[];
}

const IS_LOCK =
  /\bfrom\s+\(?(?:select \* from )?(\w+)\b[\s\S]*\bfor (update|no key update|key share|share)(?: of \w+)?( nowait| skip locked)?\s*$/;
const IS_UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Locks that a statement waits for. */
function lockOf({ text, values }: Statement): Lock[] {
  const found = IS_LOCK.exec(text);
  if (found === null || found[3] !== undefined) return [];
  const ids = [...(values ?? [])].flat().filter((value): value is string => typeof value === 'string' && IS_UUID.test(value));
  return [{ table: found[1]!, how: found[2]!.endsWith('share') ? 'share' : 'update', ids }];
}

function problemsOf(locks: readonly Lock[]): string[] {
  const problems: string[] = [];
  for (const [index, lock] of locks.entries()) {
    const before = locks.slice(0, index);
    const shares = (one: Lock) =>
      one.table === lock.table && one.ids.some((id) => id !== world.accountId && lock.ids.includes(id));
    const isHeld = before.some((one) => one.how === 'update' && shares(one));
    if (lock.how === 'update' && !isHeld && before.some((one) => one.how === 'share' && shares(one)))
      problems.push(`${lock.table}: shared first, then for update`);
    if (OF_A_CAR.includes(lock.table) && !before.some(({ table }) => table === 'vehicles'))
      problems.push(`${lock.table} without its car`);
    const rank = rankOf(lock.table);
    const later = before.find((one) => rank !== null && (rankOf(one.table) ?? -1) > rank);
    if (later !== undefined && !isHeld) problems.push(`${lock.table} after ${later.table}`);
  }
  return [...new Set(problems)];
}

test('the locks of a statement are read from its text', () => {
  const id = randomUUID();
  const lock = (text: string) => lockOf({ text, values: [id] } as unknown as Statement);
  expect(lock('select id from (select * from sales where account_id = $2) sales where id = $1 for update')).toEqual([
    { table: 'sales', how: 'update', ids: [id] },
  ]);
  expect(lock('select id from vehicles where id = $1 for key share')).toMatchObject([{ how: 'share' }]);
  expect(lock('select id from vehicles where id = $1 for update nowait')).toEqual([]);
  expect(lock('select id from vehicles where id = $1')).toEqual([]);
  const [car, sale] = [lock('select from vehicles where id = $1 for update'), lock('select from sales where id = $1 for update')];
  expect(problemsOf([...car, ...sale])).toEqual([]);
  expect(problemsOf([...sale, ...car])).toEqual(['vehicles after sales']);
  expect(problemsOf([...lock('select from vehicles where id = $1 for key share'), ...car])).toEqual([
    'vehicles: shared first, then for update',
  ]);
});

/** Files and papers are created a few at a time. */
const atOnce = ({ id, body }: ApiEndpoint): number => (body!.upload !== undefined || id.endsWith('/generate') ? 2 : 8);

describe.each(writes.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test('takes locks in one order, and eight concurrent requests run without a deadlock', async () => {
    const request = await REQUESTS[endpoint.id]!(world);
    const [first, ...rest] = await Promise.all(Array.from({ length: atOnce(endpoint) }, () => ask(endpoint, request)));
    for (const answer of [first!, ...rest]) expect(answer.status, answer.text).toBeLessThan(500);
    const alone = await REQUESTS[endpoint.id]!(world);
    sent = [];
    await ask(endpoint, alone);
    expect(problemsOf(sent.flatMap(lockOf))).toEqual([]);
  });
});

/** Every endpoint that names a vehicle or a customer of the dealer in its path or body, on the same two at once. */
const onSame = (car: string, customer: string, listing: string): (() => Promise<Answer>)[] => [
  () => dealer!.post('marketplace/listings', { vehicle_id: car }),
  () => dealer!.post('trade-requests', { offered_vehicle_id: car, requested_listing_id: listing }),
  () =>
    dealer!.post('network-auctions', { vehicle_id: car, start_price: 1, min_increment: 1, ends_at: inFuture(api, 7_200_000) }),
  () => dealer!.post('auction-requests', { vehicle_id: car, start_price: 1 }),
  () => dealer!.post('tasks', { title: 'ara', vehicle_id: car, customer_id: customer }),
  () => dealer!.post(`vehicles/${car}/reserve`, { customer_id: customer }),
  () => dealer!.patch(`vehicles/${car}`, { km: Math.floor(Math.random() * 1e6) }),
  () => dealer!.patch(`vehicles/${car}`, { status: 'Stokta' }),
  () => dealer!.post(`vehicles/${car}/publish`),
  () => dealer!.post(`vehicles/${car}/unpublish`),
  () => dealer!.post(`vehicles/${car}/mark-sold`, {}),
  () => dealer!.delete(`vehicles/${car}`),
  () => dealer!.patch(`customers/${customer}`, { first_name: `Ad ${Math.floor(Math.random() * 1e6)}` }),
  () => dealer!.post(`customers/${customer}/activity`, { kind: 'Not', note: 'aradı' }),
  () => dealer!.delete(`customers/${customer}`),
  () =>
    dealer!.post(
      'sales',
      { vehicle_id: car, customer_id: customer, currency: 'STG', sale_price: '100.00' },
      { 'idempotency-key': randomUUID() },
    ),
];

test('every pair of endpoints on the same vehicle and customer concurrently', async () => {
  const { listing } = await publish(other!);
  const count = onSame('', '', '').length;
  for (let round = 0; round < count; round += 1) {
    const [car, customer] = [await carOf(dealer!), await customerOf(dealer!)];
    const acts = onSame(car, customer, listing);
    // Each action beside its neighbours of this round, several times: after all rounds each pair has met.
    const pairs = acts.flatMap((act, index) => [act, acts[(index + round) % count]!]);
    const answers = await Promise.all(pairs.map((act) => act()));
    for (const answer of answers) expect(answer.status, answer.text).toBeLessThan(500);
  }
});

test('concurrent listings and trades of one vehicle', async () => {
  const { listing } = await publish(other!);
  for (const act of [
    (car: string) => dealer!.post('marketplace/listings', { vehicle_id: car }),
    (car: string) => dealer!.post('trade-requests', { offered_vehicle_id: car, requested_listing_id: listing }),
  ]) {
    const car = await carOf(dealer!);
    const answers = await Promise.all(Array.from({ length: 16 }, () => act(car)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(15);
  }
  dataOf(await dealer!.get('marketplace/listings'));
});

test('PostgreSQL counted no deadlock', async () => {
  const others = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
  // A connection reports its statistics at the latest when it ends.
  await admin.rows(`select pg_terminate_backend(pid, 10000) ${others}`);
  expect(await admin.rows('select deadlocks::int from pg_stat_database where datname = current_database()')).toEqual([
    { deadlocks: 0 },
  ]);
});

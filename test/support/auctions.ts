// Builders for tests of auctions: dealers who may bid, a vehicle in an auction, an event with lots.

import { approveRequest } from '../../src/domain/auctions/auction-request-writes.ts';
import { planEvent } from '../../src/domain/auctions/live-event-writes.ts';
import { AUTHORIZATIONS } from '../../src/domain/keys/key-policy.ts';
import { SYSTEM } from '../../src/domain/writes/write.ts';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { rawSql, sql } from '../../src/kit/sql.ts';
import type { Work } from '../../src/kit/work.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { resources } from '../../src/resources/index.ts';
import { carOf, dataOf, type Shown } from './books.ts';
import type { TestService } from './service.ts';
import { type Dealer, dealerWith } from './writer.ts';

const ROWS = apiEndpoints(resources).map(({ id }) => id);

/** With a phone, and a key that holds every endpoint and every special authorization. */
export async function aBidder(api: TestService, account: Record<string, unknown> = {}): Promise<Dealer> {
  const id = await api.account({ phone: '+905330000000', city: 'Girne', ...account });
  const { secret } = await api.key(id, { endpoints: ROWS, authorizations: [...AUTHORIZATIONS] });
  return dealerWith(api, id, secret);
}

export const inFuture = (api: TestService, milliseconds: number): string =>
  new Date(api.clock.now().getTime() + milliseconds).toISOString();

export const HOUR = 3_600_000;

export async function putUp(api: TestService, seller: Dealer, overrides: Record<string, unknown> = {}): Promise<Shown> {
  const vehicle_id = (overrides.vehicle_id as string | undefined) ?? (await carOf(seller));
  const usual = { start_price: '8000.00', min_increment: '100.00', ends_at: inFuture(api, HOUR) };
  return dataOf(await seller.post('network-auctions', { ...usual, ...overrides, vehicle_id }));
}

export const bid = (dealer: Dealer, auction: Shown, amount: string, headers: Record<string, string> = {}) =>
  dealer.post(`network-auctions/${auction.id}/bid`, { amount }, headers);

/** As the platform acts on a dealer's data. */
export const asPlatform = <T>(api: TestService, accountId: string, run: (work: Work) => Promise<T>): Promise<T> =>
  api.service.parts.writer.write(
    { dataSet: accountId, account: { id: accountId, timezone: 'Asia/Famagusta' }, actor: SYSTEM, now: api.clock.now() },
    run,
  );

export const anEvent = (api: TestService, operator: Dealer, startsIn = 0): Promise<Shown> =>
  asPlatform(api, operator.accountId, (work) =>
    planEvent(work, { title: 'Kasım müzayedesi', starts_at: new Date(api.clock.now().getTime() + startsIn) }),
  );

/** A vehicle of the seller as a lot of the event. */
export async function aLot(
  api: TestService,
  seller: Dealer,
  event: Shown,
  overrides: Record<string, unknown> = {},
): Promise<Shown> {
  const vehicle_id = (overrides.vehicle_id as string | undefined) ?? (await carOf(seller));
  const request = dataOf(await seller.post('auction-requests', { start_price: '8000.00', ...overrides, vehicle_id }));
  const approved = await asPlatform(api, seller.accountId, (work) => approveRequest(work, request.id, { event_id: event.id }));
  return dataOf(await seller.get(`live-auctions/lots/${approved.lot_id}`));
}

/** During this call these auctions, events and lots belong to the demonstration: absent for real dealers. */
export async function asOfDemo(api: TestService, ids: readonly string[], run: () => Promise<void>): Promise<void> {
  const admin = await openSession(api.adminUrl);
  try {
    await moveToDemo(admin, ids, true);
    await run();
    await moveToDemo(admin, ids, false);
  } finally {
    await admin.close();
  }
}

export async function moveToDemo(admin: Session, ids: readonly string[], isDemo: boolean): Promise<void> {
  await admin.rows('update network_auctions set is_demo = $2 where id::text = any($1)', [ids, isDemo]);
  await admin.rows(
    'update live_events set is_demo = $2 where id::text = any($1) or id in (select event_id from live_lots where id::text = any($1))',
    [ids, isDemo],
  );
}

export async function withoutCapability(api: TestService, { accountId }: Dealer, capability: 'dealer_network' | 'live_auctions') {
  await api.database.onPlatform('write', (db) =>
    db.exec(sql`update accounts set ${rawSql(capability)} = false where id = ${accountId}`),
  );
  await api.settled();
}

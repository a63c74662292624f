// Writes on an auction: create, bid, end early, and the timed transitions. On every node, the database's clock under the
// auction's lock decides whether it has started or ended.
import { allAnswers } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';

import { type Of, object } from '../../kit/schema.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { requireCapability } from '../parties/capability.ts';
import { holdSides, withSides } from '../parties/sides.ts';
import { type LinkTo, NO_LINKS } from '../parties/vehicle-card.ts';
import type { CreateBody } from '../records/body.ts';
import {
  exactInstantField,
  flagField,
  instantField,
  moneyField,
  nullable,
  required,
  textField,
  uuidField,
  withDefault,
} from '../records/fields.ts';
import { violatedConstraint } from '../records/record.ts';
import { requireStorable } from '../records/stored-amount.ts';
import { lockNamedVehicle, lockVehicle, type StoredVehicle } from '../stock/vehicle.ts';
import { changeVehicle } from '../stock/vehicle-change.ts';
import type { Look } from '../writes/timed-transition.ts';
import { idsOf, without } from '../writes/transition-failures.ts';
import { endAuction } from './auction-end.ts';
import { biddersOf, emitBidPlaced } from './auction-events.ts';
import { badField, requireFree } from './auction-vehicle.ts';
import { endAfterBid, extendsEnd, firstLink } from './bid-rules.ts';
import { AuctionBid, lockForBid, placeBid, standingAfter } from './bids.ts';
import {
  findAuction,
  isLate,
  lookAtAuction,
  NetworkAuction,
  requireMoved,
  type SeenAuction,
  showAuction,
} from './network-auction.ts';

export const AUCTION_FIELDS = {
  vehicle_id: required(uuidField),
  start_price: required(moneyField({ above: 0n })),
  min_increment: required(moneyField({ above: 0n })),
  reserve_price: nullable(moneyField({ above: 0n })),
  starts_at: withDefault(nullable(instantField), 'now', 'şimdi'),
  ends_at: required(exactInstantField),
  title: withDefault(nullable(textField(200)), 'year, brand and model', 'yıl, marka ve model'),
} as const;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A time slightly in the past, from a slow clock, means now. */
const GRACE_MS = 60_000;

export async function createAuction(
  work: Work,
  body: CreateBody<typeof AUCTION_FIELDS>,
  linkTo: LinkTo,
): Promise<NetworkAuction> {
  const { db } = work;
  const [, vehicle, { at, is_demo }] = await allAnswers([
    requireCapability(db, 'dealer_network'),
    lockNamedVehicle(db, body.vehicle_id),
    db.one<{ at: Date; is_demo: boolean }>(sql`select business_now() as at, is_demo from ${own('accounts')}`),
  ]);
  const car = await requireFree(db, vehicle);
  if (body.reserve_price != null && body.reserve_price < body.start_price)
    badField('reserve_price', 'out_of_range', 'reserve_price must be at least start_price', 'en az start_price');
  requireStorable('min_increment', body.start_price + body.min_increment);
  const { starts, ends } = timesOf(body, at);
  const isPlanned = starts > at;
  const id = newId(work.now.getTime());
  const title = body.title ?? `${car.model_year} ${car.brand} ${car.model}`;
  await db
    .exec(sql`insert into network_auctions (account_id, id, is_demo, vehicle_id, title, currency, start_price_minor, min_increment_minor,
        reserve_price_minor, starts_at, ends_at, original_ends_at, status, chain_head, created_at, updated_at)
      values (${theAccount}, ${id}, ${is_demo}, ${car.id}, ${title}, ${car.currency}, ${body.start_price}, ${body.min_increment},
        ${body.reserve_price ?? null}, ${starts}, ${ends}, ${ends}, ${isPlanned ? 'Planlandı' : 'Canlı'}, ${firstLink(id)}, ${at}, ${at})`)
    .catch((error) => {
      if (violatedConstraint(error) === 'network_auctions_one_open') fail('auction_exists');
      throw error;
    });
  work.endsAt(isPlanned ? starts : ends);
  const seen = await lookAtAuction(db, id);
  work.emit({ kind: 'network_auction.created', id, path: `network-auctions/${id}`, object: showAuction(seen, NO_LINKS) });
  await changeVehicle(work, car, {
    columns: { status: "Auction'da" },
    history: 'status_changed',
    events: ['status_changed'],
    listing: { closed: 'ihalede' },
    leftFor: id,
  });
  return showAuction(seen, linkTo);
}

function timesOf(body: CreateBody<typeof AUCTION_FIELDS>, at: Date): { starts: Date; ends: Date } {
  const requested = body.starts_at ?? at;
  const starts = requested < at && at.getTime() - requested.getTime() <= GRACE_MS ? at : requested;
  if (starts < at || starts.getTime() > at.getTime() + 30 * DAY)
    badField('starts_at', 'out_of_range', 'starts_at must be within the next 30 days', 'şimdi ile 30 gün sonrası arasında');
  const length = body.ends_at.getTime() - starts.getTime();
  // A client that wants an hour from now has read the clock slightly before us.
  const shortest = starts === at ? HOUR - GRACE_MS : HOUR;
  if (length <= shortest - 1 || length > 14 * DAY)
    badField(
      'ends_at',
      'out_of_range',
      'ends_at must be 1 hour to 14 days after the start',
      'başlangıçtan 1 saat ile 14 gün sonrası arasında',
    );
  return { starts, ends: body.ends_at };
}

export const BidPlaced = object({ bid: AuctionBid, auction: NetworkAuction });

/** How the response may show the written record: links to photos, and whether this is a dry run. */
export interface Showing {
  readonly linkTo: LinkTo | typeof NO_LINKS;
  readonly isDry: boolean;
}

export async function bidInAuction(work: Work, id: string, amount: bigint, showing: Showing): Promise<Of<typeof BidPlaced>> {
  const { locked, seen } = await lockForBid(work.db, { id, isLot: false }, amount, findAuction);
  if (isLate(seen, locked.at)) await refuseLate(work, seen);
  if (seen.status === 'Planlandı') fail('auction_not_live');
  if (seen.status !== 'Canlı') fail('auction_ended');
  const bid = placeBid(work, { id, isLot: false }, locked, amount);
  const ends_at = endAfterBid(seen.ends_at, locked.at);
  const isExtended = extendsEnd(seen.ends_at, locked.at);
  const extension_count = seen.extension_count + (isExtended ? 1 : 0);
  const after = { ...seen, ...standingAfter(seen, locked, bid, amount, showing), extension_count, ends_at };
  const { id: bidId, bidder, ...rest } = bid;
  const placed = { id: bidId, auction_id: id, ...rest };
  if (!showing.isDry) emitBidPlaced(work, { seen: after, bid: placed, isExtended });
  return { bid: { ...placed, bidder }, auction: showAuction(after, showing.linkTo) };
}

/**
 * The clock has started or ended the auction: the transition is written first and the request repeated; if it cannot be written,
 * the clock still decides.
 */
async function refuseLate({ db }: Work, { id, status }: SeenAuction): Promise<void> {
  await requireMoved(db, id);
  if (status === 'Canlı') fail('auction_ended');
}

export const END_FIELDS = { award: required(flagField), reason: nullable(textField(500, { lines: true })) } as const;

/** By the seller: awarded to the leader at once, or unsold while no bidder has a right to it. */
export async function endEarly(
  work: Work,
  id: string,
  { award, reason = null }: CreateBody<typeof END_FIELDS>,
  { linkTo }: Showing,
): Promise<NetworkAuction> {
  const { db } = work;
  await requireCapability(db, 'dealer_network');
  const { vehicle_id, is_seller } = await lookAtAuction(db, id);
  if (!is_seller || vehicle_id === null) fail('not_seller');
  const vehicle = await lockVehicle(db, vehicle_id!);
  await db.exec(sql`select from ${own('network_auctions')} where id = ${id} for update`);
  const seen = await lookAtAuction(db, id);
  if (isLate(seen, seen.server_time)) await refuseLate(work, seen);
  if (seen.status === 'Bitti' || seen.status === 'İptal') fail('auction_ended');
  if (seen.status === 'Canlı' && award && seen.bid_count === 0) fail('no_bids');
  if (seen.status === 'Canlı' && !award && seen.reserve_met) fail('reserve_met_must_award');
  const how = seen.status === 'Planlandı' ? 'İptal' : award ? 'Satıldı' : 'Satılmadı';
  await endAuction(work, vehicle, seen, { how, reason, byClock: false });
  return showAuction(await lookAtAuction(db, id), linkTo);
}

/** The others follow in the next run: a write across very many dealers would lock all of them. */
const MAX_AT_ONCE = 20;

interface Due {
  readonly id: string;
  readonly vehicle_id: string;
}

const IS_DUE = sql`(status = 'Canlı' and ends_at <= at or status = 'Planlandı' and starts_at <= at)`;

export const dueAuctions = ({ db }: Look, skip: readonly string[]): Promise<string[]> =>
  idsOf(
    db,
    sql`select id from ${own('network_auctions')}, business_now() as at where ${IS_DUE} and ${without(skip)}
      order by vehicle_id, id limit ${MAX_AT_ONCE}`,
  );

/**
 * Starts and ends auctions by the clock. All records are locked first, cars before auctions, because the first change locks the
 * data set.
 */
export async function runAuctions(work: Work, ids: readonly string[]): Promise<void> {
  const { db } = work;
  const due = await db.rows<Due>(sql`select id, vehicle_id from ${own('network_auctions')}, business_now() as at
    where ${IS_DUE} and id = any(${ids}::uuid[]) order by vehicle_id, id`);
  if (due.length === 0) return;
  const vehicles = new Map<string, StoredVehicle>();
  for (const { vehicle_id } of due) vehicles.set(vehicle_id, await lockVehicle(db, vehicle_id));
  await db.exec(
    sql`select from ${own('network_auctions')} where id = any(${due.map(({ id }) => id)}::uuid[]) order by id for update`,
  );
  const bidders = (await allAnswers(due.map(({ id }) => biddersOf(db, id)))).flat();
  // All data sets are locked in id order before the first event is emitted.
  await withSides(work, bidders, async (of) => {
    holdSides(of, [work.account.id, ...bidders]);
    for (const one of due) await advanceAuction(work, one, vehicles.get(one.vehicle_id)!);
  });
}

async function advanceAuction(work: Work, { id }: Due, vehicle: StoredVehicle): Promise<void> {
  await startIfDue(work, id);
  // Checked again under the lock: a last bid may have moved the end.
  const seen = await lookAtAuction(work.db, id);
  if (seen.status !== 'Canlı' || seen.ends_at > seen.server_time) return;
  const how = seen.reserve_met ? 'Satıldı' : 'Satılmadı';
  await endAuction(work, vehicle, seen, { how, reason: null, byClock: true });
}

async function startIfDue({ db, emit }: Work, id: string): Promise<void> {
  const started = await db.exec(sql`update network_auctions set status = 'Canlı', updated_at = business_now()
    where account_id = ${theAccount} and id = ${id} and status = 'Planlandı' and starts_at <= business_now()`);
  if (started === 0) return;
  const shown = showAuction(await lookAtAuction(db, id), NO_LINKS);
  const previous = { status: 'Planlandı' };
  emit({ kind: 'network_auction.started', id, path: `network-auctions/${id}`, object: shown, changed: ['status'], previous });
}

export async function nextAuctionMoment(db: Work['db'], _timezone: string, skip: readonly string[]): Promise<Date | null> {
  const { at } = await db.one<{ at: Date | null }>(sql`select min(case status when 'Canlı' then ends_at else starts_at end) as at
    from ${own('network_auctions')} where status in ('Planlandı', 'Canlı') and ${without(skip)}`);
  return at;
}

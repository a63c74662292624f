// Writes on a swap: propose, accept, reject, withdraw. Both cars are locked first, in id order; the row belongs to the
// recipient's data set.
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { requireMembership } from '../membership/membership.ts';
import { settingsOf } from '../membership/plan-limits.ts';
import { requireCapability } from '../parties/capability.ts';
import { eitherPartyRows } from '../parties/counterparty-rows.ts';
import { holdSides, withSides } from '../parties/sides.ts';
import type { CreateBody } from '../records/body.ts';
import type { Values } from '../records/fields.ts';
import { violatedConstraint } from '../records/record.ts';
import { refuseUnknown } from '../records/references.ts';
import { hold } from '../stock/reservations.ts';
import type { StoredVehicle } from '../stock/vehicle.ts';
import { concernedBy, findPublished, isOnSale, lockCars, type PublishedCar } from './network-cars.ts';
import type { TradeSide } from './network-states.ts';
import type { REJECT_FIELDS } from './offer.ts';
import type { WorkByAccount } from './offer-events.ts';
import { lockTrades, type StoredTrade, type TRADE_FIELDS } from './trade.ts';
import { CANCELLED, emitTradeEvents, settleTrade } from './trade-events.ts';
import { validUntil } from './validity.ts';

type CreateTradeBody = CreateBody<typeof TRADE_FIELDS>;

/** Returns its id. */
export async function proposeTrade(work: Work, body: CreateTradeBody): Promise<string> {
  const { db, account } = work;
  await requireCapability(db, 'dealer_network');
  await requireMembership(db);
  // Only read: both cars are locked below, in id order.
  const [offered] = await db.rows(
    sql`select id from ${own('vehicles')} where id = ${body.offered_vehicle_id} and deleted_at is null`,
  );
  if (offered === undefined) refuseUnknown('offered_vehicle_id');
  const listing = await findPublished(db, body.requested_listing_id);
  return withSides(work, [listing.account_id], async (of) => {
    const cars = await lockCars(of, [
      { owner: account.id, id: body.offered_vehicle_id },
      { owner: listing.account_id, id: listing.vehicle_id },
    ]);
    const recipient = of(listing.account_id);
    if (!(await isOnSale(recipient.db, cars.get(listing.vehicle_id)!, listing.id))) fail('listing_not_available');
    if (!isInStock(cars.get(body.offered_vehicle_id)!)) fail('vehicle_not_in_stock');
    const trade = await addTrade(work, recipient, listing, body);
    for (const side of [trade.account_id, trade.requester_id]) of(side).endsAt(trade.expires_at);
    await emitTradeEvents(of, trade, null, {
      verb: 'created',
      notifies: { sides: ['recipient'], kind: 'trade_request.created' },
    });
    return trade.id;
  });
}

const isInStock = ({ status, deleted_at }: StoredVehicle): boolean => status === 'Stokta' && deleted_at === null;

async function addTrade(work: Work, recipient: Work, listing: PublishedCar, body: CreateTradeBody): Promise<StoredTrade> {
  const { now, account } = work;
  const id = newId(now.getTime());
  const expires_at = await validUntil(work, body.expires_at);
  const currency = body.currency ?? (await settingsOf(work)).default_currency;
  const { offered_vehicle_id, cash_difference, message = null } = body;
  await recipient.db
    .exec(sql`insert into trade_requests (account_id, id, requested_listing_id, requested_vehicle_id, requester_id, offered_vehicle_id,
        cash_difference_minor, currency, message, expires_at, created_at, updated_at)
      values (${theAccount}, ${id}, ${listing.id}, ${listing.vehicle_id}, ${account.id}, ${offered_vehicle_id}, ${cash_difference ?? 0n}, ${currency},
        ${message}, ${expires_at}, ${now}, ${now})`)
    .catch((error) => {
      if (violatedConstraint(error) === 'trade_requests_one_open') fail('request_already_open');
      throw error;
    });
  return {
    account_id: listing.account_id,
    id,
    requested_listing_id: listing.id,
    requested_vehicle_id: listing.vehicle_id,
    requester_id: account.id,
    offered_vehicle_id,
    currency,
    status: 'Beklemede',
    expires_at,
    is_requested_sold: false,
    is_offered_sold: false,
  };
}

interface Acting {
  readonly of: WorkByAccount;
  readonly trade: StoredTrade;
  readonly requested: StoredVehicle;
  readonly offered: StoredVehicle;
  readonly mine: TradeSide;
}

/** The request with both cars, all locked; 404 for a dealer who is not a side of it. */
async function onTrade<T>(work: Work, id: string, act: (acting: Acting) => Promise<T>): Promise<T> {
  await requireCapability(work.db, 'dealer_network');
  const named = await work.db.one<StoredTrade>(sql`select account_id, requester_id, requested_vehicle_id, offered_vehicle_id
    from ${eitherPartyRows('trade_requests')} where id = ${id}`);
  const { account_id, requester_id, requested_vehicle_id, offered_vehicle_id } = named;
  return withSides(work, [account_id, requester_id], async (of) => {
    const cars = await lockCars(of, [
      { owner: account_id, id: requested_vehicle_id },
      { owner: requester_id, id: offered_vehicle_id },
    ]);
    await lockNeighbours(of, named);
    const [trade] = await lockTrades(of(account_id).db, sql`id = ${id}`);
    return act({
      of,
      trade: trade!,
      requested: cars.get(requested_vehicle_id)!,
      offered: cars.get(offered_vehicle_id)!,
      mine: account_id === work.account.id ? 'recipient' : 'requester',
    });
  });
}

/** Every open swap of either car, in id order: another write may hold one of them through its other car. */
async function lockNeighbours(
  of: WorkByAccount,
  { account_id, requester_id, requested_vehicle_id, offered_vehicle_id }: StoredTrade,
) {
  const found = new Map<string, string>();
  for (const side of [account_id, requester_id]) {
    const open = await of(side).db.rows<{
      id: string;
      account_id: string;
    }>(sql`select id, account_id from ${eitherPartyRows('trade_requests')}
      where status = 'Beklemede' and (requested_vehicle_id = any(${[requested_vehicle_id, offered_vehicle_id]}::uuid[])
        or offered_vehicle_id = any(${[requested_vehicle_id, offered_vehicle_id]}::uuid[]))`);
    for (const { id, account_id: owner } of open) found.set(id, owner);
  }
  await withSides(of(account_id), [...found.values()], async (ofAll) => {
    for (const id of [...found.keys()].sort()) await lockTrades(ofAll(found.get(id)!).db, sql`id = ${id}`);
  });
}

function requireOpen({ status, expires_at }: StoredTrade, now: Date): void {
  if (status !== 'Beklemede' || expires_at <= now) fail('request_closed');
}

export const acceptTrade = (work: Work, id: string): Promise<void> =>
  onTrade(work, id, async ({ of, trade, requested, offered, mine }) => {
    if (mine !== 'recipient') fail('not_your_turn');
    requireOpen(trade, work.now);
    const { account_id, requester_id, requested_listing_id } = trade;
    const [recipient, requester] = [of(account_id), of(requester_id)];
    if (!isInStock(offered) || !(await isOnSale(recipient.db, requested, requested_listing_id))) fail('vehicle_not_available');
    const concerned = [account_id, requester_id, ...(await concernedBy(recipient.db, requested.id))];
    concerned.push(...(await concernedBy(requester.db, offered.id)));
    await withSides(work, concerned, async (ofAll) => {
      holdSides(ofAll, concerned);
      await settleTrade(recipient, trade, 'Kabul Edildi');
      const notifies = { sides: ['requester'], kind: 'trade_request.accepted' } as const;
      await emitTradeEvents(of, trade, 'Beklemede', { verb: 'accepted', notifies });
      // The requested car first: of two crossed swaps the other one then ends because its car left stock.
      await hold(recipient, requested, { kind: 'Takas', counterparty_id: requester_id, source_id: trade.id });
      await hold(requester, offered, { kind: 'Takas', counterparty_id: account_id, source_id: trade.id });
    });
  });

export const rejectTrade = (work: Work, id: string, { reason = null }: Values<typeof REJECT_FIELDS>): Promise<void> =>
  onTrade(work, id, async ({ of, trade, mine }) => {
    if (mine !== 'recipient') fail('not_your_turn');
    requireOpen(trade, work.now);
    await settleTrade(of(trade.account_id), trade, 'Reddedildi', reason);
    const notifies = { sides: ['requester'], kind: 'trade_request.rejected' } as const;
    await emitTradeEvents(of, trade, 'Beklemede', { verb: 'rejected', notifies });
  });

export const cancelTrade = (work: Work, id: string): Promise<void> =>
  onTrade(work, id, async ({ of, trade, mine }) => {
    if (mine !== 'requester') fail('not_your_request');
    requireOpen(trade, work.now);
    await settleTrade(of(trade.account_id), trade, 'İptal');
    await emitTradeEvents(of, trade, 'Beklemede', CANCELLED);
  });

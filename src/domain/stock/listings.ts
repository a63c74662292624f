// A car's listing on the marketplace: published, suspended while the car is reserved, or closed for good. Its price is the car's.
import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import { own, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { requireListingRoom } from '../membership/plan-limits.ts';
import { type Fields, nullable as nullableField, textField, type Values, withDefault } from '../records/fields.ts';
import { readListing } from './listing-view.ts';
import type { CloseReason } from './stock-states.ts';
import type { StoredVehicle } from './vehicle.ts';

export const LISTING_FIELDS = {
  title: withDefault(nullableField(textField(200)), 'year, brand and model', 'yıl, marka ve model'),
  description: nullableField(textField(5000, { lines: true })),
} as const satisfies Fields;
export type ListingText = Values<typeof LISTING_FIELDS>;

/** The effect of a vehicle's change on its listing. */
export type ListingMove = 'suspended' | 'resumed' | { readonly closed: CloseReason } | { readonly published: ListingText };

/** A changed listing. Its event is emitted separately, because the vehicle's own events may have to come first. */
export interface MovedListing {
  readonly id: string;
  readonly kind: `listing.${string}`;
  readonly isVisible: boolean;
}

/** The car is locked. Null if it has no listing that changes. */
export async function moveListing(work: Work, vehicle: StoredVehicle, move: ListingMove): Promise<MovedListing | null> {
  if (move === 'suspended') return moved(work, vehicle, sql`status = 'Askıda'`, sql`status = 'Yayında'`, move);
  if (move === 'resumed') return moved(work, vehicle, sql`status = 'Yayında'`, sql`status = 'Askıda'`, move);
  if ('published' in move) return publishListing(work, vehicle, move.published);
  const closed = sql`status = 'Kapandı', closed_at = ${work.now}, close_reason = ${move.closed}`;
  return moved(work, vehicle, closed, sql`status <> 'Kapandı'`, 'closed');
}

async function moved(
  { db, now }: Work,
  vehicle: StoredVehicle,
  change: Sql,
  from: Sql,
  verb: 'suspended' | 'resumed' | 'closed',
): Promise<MovedListing | null> {
  const [listing] = await db.rows<{ id: string }>(sql`update listings set ${change}, updated_at = ${now}
    where account_id = ${theAccount} and vehicle_id = ${vehicle.id} and ${from} returning id`);
  if (listing !== undefined && verb === 'closed') holdBoosts(db, listing.id);
  return listing === undefined ? null : { id: listing.id, kind: `listing.${verb}`, isVisible: verb === 'resumed' };
}

/**
 * Records that a closing listing ends are locked before the car is stamped, because the stamp locks the data set, and a write
 * that cancels a boost waits for the data set while it holds the order and the wallet.
 */
function holdBoosts(db: Db, listingId: string): void {
  const open = sql`listing_id = ${listingId} and status in ('Beklemede', 'Aktif')`;
  db.send(sql`select from ${own('boost_orders')} where ${open} order by created_at, id for update`);
  db.send(sql`select from ${own('wallets')} where exists (select from ${own('boost_orders')} where ${open}) for no key update`);
}

/** Creates a listing; an open listing of a hidden car becomes visible again instead. */
async function publishListing(work: Work, vehicle: StoredVehicle, body: ListingText): Promise<MovedListing> {
  const { db, now } = work;
  const open = await openListing(db, vehicle.id);
  const id = open?.id ?? newId(now.getTime());
  const title = body.title ?? open?.title ?? `${vehicle.model_year} ${vehicle.brand} ${vehicle.model}`;
  const description = body.description === undefined ? (open?.description ?? null) : body.description;
  if (open === null) {
    await requireListingRoom(work);
    await db.exec(sql`insert into listings (account_id, id, vehicle_id, title, description, published_at, created_at, updated_at)
      values (${theAccount}, ${id}, ${vehicle.id}, ${title}, ${description}, ${now}, ${now}, ${now})`);
  } else {
    await db.exec(sql`update listings set status = 'Yayında', title = ${title}, description = ${description}, updated_at = ${now}
      where account_id = ${theAccount} and id = ${id}`);
  }
  return { id, kind: 'listing.published', isVisible: true };
}

interface OpenListing {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
}

export async function openListing(db: Db, vehicleId: string): Promise<OpenListing | null> {
  const [open] = await db.rows<OpenListing>(
    sql`select id, title, description from ${own('listings')} where vehicle_id = ${vehicleId} and status <> 'Kapandı'`,
  );
  return open ?? null;
}

export async function emitListingEvent(work: Work, { id, kind }: MovedListing): Promise<void> {
  work.emit({ kind, id, path: `marketplace/listings/${id}`, object: await readListing(work.db, id) });
}

// Writes on a consumer's offer: received from the public site, accepted, rejected; and the effect on it when its car, listing,
// reservation or time ends. Accepting does not sell the car: the car is reserved for the consumer, and the dealer sells it.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { own, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { EndedReservation, Work } from '../../kit/work.ts';
import { writtenSum } from '../formats/written.ts';
import { addNotification } from '../notifications/notification.ts';
import { requireCapability } from '../parties/capability.ts';
import type { CreateBody } from '../records/body.ts';
import { hold } from '../stock/reservations.ts';
import { lockVehicle, lockVehicles, type StoredVehicle } from '../stock/vehicle.ts';
import type { Look } from '../writes/timed-transition.ts';
import { idsOf, without } from '../writes/transition-failures.ts';
import {
  type CONSUMER_OFFER_FIELDS,
  emitOfferEvent,
  lockOffers,
  type MarketplaceOffer,
  readOffer,
  type StoredOffer,
} from './marketplace-offer.ts';
import type { MarketplaceOfferStatus } from './marketplace-states.ts';

const VALID_DAYS = 7;

/** From the public site, which shows a listing only while it is «Yayında». */
export async function receiveOffer(
  work: Work,
  listingId: string,
  body: CreateBody<typeof CONSUMER_OFFER_FIELDS>,
): Promise<MarketplaceOffer> {
  const { db, now } = work;
  const { vehicle, isLive } = await lockListedCar(db, listingId);
  const { isOpen } = await db.one<{ isOpen: boolean }>(
    sql`select marketplace and status = 'Aktif' as "isOpen" from ${own('accounts')}`,
  );
  if (!isLive || !isOpen) fail('listing_not_available');
  const { buyer_name, buyer_phone, amount, message = null } = body;
  const [id, expires] = [newId(now.getTime()), new Date(now.getTime() + VALID_DAYS * 86_400_000)];
  db.send(sql`insert into marketplace_offers (account_id, id, listing_id, vehicle_id, buyer_name, buyer_phone, amount_minor, currency, message,
      expires_at, created_at, updated_at)
    values (${theAccount}, ${id}, ${listingId}, ${vehicle.id}, ${buyer_name}, ${buyer_phone}, ${amount}, ${vehicle.currency}, ${message},
      ${expires}, ${now}, ${work.updatedAt()})`);
  work.endsAt(expires);
  const shown = await readOffer(db, id);
  emitOfferEvent(work, 'received', shown);
  await notifyReceived(work, vehicle, shown);
  await work.consequences.offerReceived(work, { id });
  return shown;
}

/** Lock order: cars first, then their listing. */
async function lockListedCar(db: Db, listingId: string): Promise<{ vehicle: StoredVehicle; isLive: boolean }> {
  const { vehicle_id } = await db.one<{ vehicle_id: string }>(
    sql`select vehicle_id from ${own('listings')} where id = ${listingId}`,
  );
  const vehicle = await lockVehicle(db, vehicle_id);
  const { status } = await db.one<{ status: string }>(
    sql`select status from ${own('listings')} where id = ${listingId} for update`,
  );
  return { vehicle, isLive: status === 'Yayında' && vehicle.status === 'Stokta' && vehicle.deleted_at === null };
}

/** Without the consumer's name, because everyone who works for the dealer reads notifications. */
const notifyReceived = (work: Work, { brand, model, plate }: StoredVehicle, { id, amount, currency }: MarketplaceOffer) =>
  addNotification(work, {
    kind: 'marketplace_offer.received',
    title: { en: 'A new marketplace offer', tr: 'Yeni pazar teklifi' },
    body: {
      en: `${writtenSum(amount, currency).en} was offered for ${brand} ${model} (${plate}).`,
      tr: `${brand} ${model} (${plate}) için ${writtenSum(amount, currency).tr} teklif edildi.`,
    },
    resource_type: 'marketplace_offer',
    resource_id: id,
  });

export async function acceptOffer(work: Work, listingId: string, offerId: string): Promise<MarketplaceOffer> {
  const { db } = work;
  await requireCapability(db, 'marketplace');
  const found = await findOffer(db, listingId, offerId);
  const { vehicle, isLive } = await lockListedCar(db, found.listing_id);
  const offer = (await lockOffers(db, sql`id = ${offerId}`))[0]!;
  // The timed transition may have failed: an expired offer is still not accepted.
  if (offer.status === 'Süresi Doldu' || (offer.status === 'Beklemede' && offer.expires_at <= work.now)) fail('offer_expired');
  if (offer.status !== 'Beklemede') fail('offer_closed');
  if (!isLive) fail('vehicle_not_available');
  await move(work, offer, 'accepted');
  await hold(work, vehicle, { kind: 'Pazar Teklifi', source_id: offerId });
  return readOffer(db, offerId);
}

export async function rejectOffer(
  work: Work,
  listingId: string,
  offerId: string,
  reason: string | null,
): Promise<MarketplaceOffer> {
  const { db } = work;
  await requireCapability(db, 'marketplace');
  const { listing_id } = await findOffer(db, listingId, offerId);
  // The car is locked first, because writes that take the car from stock lock it before they reject its offers.
  await lockListedCar(db, listing_id);
  const offer = (await lockOffers(db, sql`id = ${offerId}`))[0]!;
  if (offer.status !== 'Beklemede') fail('offer_closed');
  return move(work, offer, 'rejected', reason);
}

const findOffer = (db: Db, listingId: string, offerId: string): Promise<{ readonly listing_id: string }> =>
  db.one(sql`select listing_id from ${own('marketplace_offers')} where id = ${offerId} and listing_id = ${listingId}`);

const BECOMES = {
  accepted: 'Kabul Edildi',
  rejected: 'Reddedildi',
  expired: 'Süresi Doldu',
  completed: 'Tamamlandı',
  fell_through: 'Bozuldu',
} as const satisfies Readonly<Record<string, MarketplaceOfferStatus>>;

/** The offer is locked and may change its status. */
async function move(
  work: Work,
  { id }: StoredOffer,
  verb: keyof typeof BECOMES,
  reason: string | null = null,
): Promise<MarketplaceOffer> {
  const { db, now } = work;
  const before = await readOffer(db, id);
  const isAnswer = verb === 'accepted' || verb === 'rejected';
  db.send(sql`update marketplace_offers set status = ${BECOMES[verb]}, reject_reason = ${reason}, updated_at = ${work.updatedAt()},
      responded_at = case when ${isAnswer} then ${now}::timestamptz else responded_at end
    where account_id = ${theAccount} and id = ${id}`);
  const shown = await readOffer(db, id);
  emitOfferEvent(work, verb, shown, before);
  return shown;
}

async function rejectAll(work: Work, where: Sql, reason: string): Promise<void> {
  const open = await lockOffers(work.db, sql`status = 'Beklemede' and ${where}`);
  for (const offer of open) await move(work, offer, 'rejected', reason);
}

/** Consequence: the car left stock, perhaps for one of its offers. */
export const rejectOffersOnCar = (work: Work, vehicle: { readonly id: string }, { except }: { readonly except: string | null }) =>
  rejectAll(work, sql`vehicle_id = ${vehicle.id} and id is distinct from ${except}::uuid`, 'vehicle_unavailable');

/** Consequence: it can receive no more offers. */
export const rejectOffersOfListing = (work: Work, listing: { readonly id: string }) =>
  rejectAll(work, sql`listing_id = ${listing.id}`, 'listing_closed');

/** Consequence: the car that was reserved for the consumer was sold or released. */
export async function settleAgreedOffer(work: Work, { kind, source_id, outcome }: EndedReservation): Promise<void> {
  if (kind !== 'Pazar Teklifi' || source_id === null) return;
  const agreed = await lockOffers(work.db, sql`id = ${source_id} and status = 'Kabul Edildi'`);
  for (const offer of agreed) await move(work, offer, outcome === 'completed' ? 'completed' : 'fell_through');
}

const EXPIRED = (now: Date) => sql`status = 'Beklemede' and expires_at <= ${now}`;
const MAX_AT_ONCE = 200;

export const dueOffers = ({ db, now }: Look, skip: readonly string[]): Promise<string[]> =>
  idsOf(
    db,
    sql`select id from ${own('marketplace_offers')} where ${EXPIRED(now)} and ${without(skip)} order by id limit ${MAX_AT_ONCE}`,
  );

/** Timed transition: offers that were not answered in time. */
export async function expireOffers(work: Work, ids: readonly string[]): Promise<void> {
  const cars = await work.db.rows<{ vehicle_id: string }>(
    sql`select vehicle_id from ${own('marketplace_offers')} where id = any(${ids}::uuid[])`,
  );
  await lockVehicles(
    work.db,
    cars.map(({ vehicle_id }) => vehicle_id),
  );
  const due = await lockOffers(work.db, sql`id = any(${ids}::uuid[]) and ${EXPIRED(work.now)}`);
  for (const offer of due) await move(work, offer, 'expired');
}

export async function nextOfferEnd(db: Db, _timezone: string, skip: readonly string[]): Promise<Date | null> {
  const { at } = await db.one<{ at: Date | null }>(
    sql`select min(expires_at) as at from ${own('marketplace_offers')} where status = 'Beklemede' and ${without(skip)}`,
  );
  return at;
}

const ERASED_PERSON = sql`buyer_name = 'Silinmiş Kayıt', buyer_phone = '+0000000', message = null`;

/** Consequence: a customer's earlier offers as a consumer are found by their phone number. */
export async function forgetOffersOf({ db, updatedAt }: Work, customerId: string): Promise<void> {
  await db.exec(sql`update marketplace_offers set ${ERASED_PERSON}, updated_at = ${updatedAt()} where account_id = ${theAccount}
    and buyer_phone = (select phone from ${own('customers')} where id = ${customerId})`);
}

/** A consumer asked about cars without becoming a customer. Offers since `before`, if given, belong to a later contact and stay. */
export async function forgetOffersBy(
  { db, updatedAt }: Work,
  { phones, ids, before }: { readonly phones: readonly string[]; readonly ids: readonly string[]; readonly before: Date | null },
): Promise<void> {
  await db.exec(sql`update marketplace_offers set ${ERASED_PERSON}, updated_at = ${updatedAt()} where account_id = ${theAccount}
    and (buyer_phone = any(${phones}::text[]) or id = any(${ids}::uuid[])) and created_at < coalesce(${before}::timestamptz, 'infinity')`);
}

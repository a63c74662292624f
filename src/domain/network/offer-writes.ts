// Writes on an offer: create, counter, accept, reject, withdraw. The car is always locked first; the row belongs to the seller's
// data set.
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { requireMembership } from '../membership/membership.ts';
import { requireCapability } from '../parties/capability.ts';
import { eitherPartyRows } from '../parties/counterparty-rows.ts';
import { holdSides, withSides } from '../parties/sides.ts';
import type { CreateBody } from '../records/body.ts';
import type { Values } from '../records/fields.ts';
import { violatedConstraint } from '../records/record.ts';
import { hold } from '../stock/reservations.ts';
import { lockVehicle, type StoredVehicle } from '../stock/vehicle.ts';
import { concernedBy, findPublished, isOnSale } from './network-cars.ts';
import type { OfferSide } from './network-states.ts';
import type { ACCEPT_FIELDS, COUNTER_FIELDS, OFFER_FIELDS, REJECT_FIELDS, StoredOffer } from './offer.ts';
import { lockOffers } from './offer.ts';
import { emitOfferEvents, settle, type WorkByAccount } from './offer-events.ts';
import { validUntil } from './validity.ts';

/** Returns its id. */
export async function makeOffer(work: Work, body: CreateBody<typeof OFFER_FIELDS>): Promise<string> {
  await requireCapability(work.db, 'dealer_network');
  const listing = await findPublished(work.db, body.listing_id);
  return withSides(work, [listing.account_id], async (of) => {
    const seller = of(listing.account_id);
    await requireMembership(work.db);
    const vehicle = await lockVehicle(seller.db, listing.vehicle_id);
    if (!(await isOnSale(seller.db, vehicle, listing.id))) fail('listing_not_available');
    requireCurrency(body.currency, vehicle);
    const [last] = await seller.db.rows<{ thread_id: string; created_at: Date }>(sql`select thread_id, created_at
      from ${own('network_offers')} where listing_id = ${listing.id} and buyer_id = ${work.account.id} order by created_at desc, id desc limit 1`);
    const offer = await addOffer(work, seller, {
      account_id: seller.account.id,
      thread_id: last?.thread_id ?? null,
      parent_id: null,
      listing_id: listing.id,
      vehicle_id: vehicle.id,
      buyer_id: work.account.id,
      made_by: 'buyer',
      currency: vehicle.currency,
      after: last?.created_at ?? null,
      amount: body.amount,
      message: body.message ?? null,
      expires_at: await validUntil(work, body.expires_at),
    });
    watch(of, offer);
    await emitOfferEvents(of, offer, null, { verb: 'created', notifies: { sides: ['seller'], kind: 'network_offer.created' } });
    return offer.id;
  });
}

function requireCurrency(requested: string | null | undefined, { currency }: StoredVehicle): void {
  if (requested === null || requested === undefined || requested === currency) return;
  const message = { en: `The listing is in ${currency}`, tr: `İlan ${currency} ile` };
  fail('currency_mismatch', { status: 422, details: [{ field: 'currency', code: 'currency_mismatch', message }] });
}

type NewOffer = Pick<
  StoredOffer,
  'account_id' | 'listing_id' | 'vehicle_id' | 'buyer_id' | 'made_by' | 'currency' | 'expires_at'
> & {
  readonly thread_id: string | null;
  readonly parent_id: string | null;
  readonly amount: bigint;
  readonly message: string | null;
  /** The time of the last offer in the thread: this one must be later, also on a stopped test clock. */
  readonly after: Date | null;
};

async function addOffer({ now }: Work, seller: Work, newOffer: NewOffer): Promise<StoredOffer> {
  const { account_id, parent_id, listing_id, vehicle_id, buyer_id, made_by, currency, amount, message, expires_at } = newOffer;
  const created_at = new Date(Math.max(now.getTime(), (newOffer.after?.getTime() ?? 0) + 1));
  const id = newId(created_at.getTime());
  const thread_id = newOffer.thread_id ?? newId(created_at.getTime());
  await seller.db
    .exec(sql`insert into network_offers (account_id, id, thread_id, parent_id, listing_id, vehicle_id, buyer_id, made_by, amount_minor, currency,
        message, expires_at, created_at, updated_at)
      values (${theAccount}, ${id}, ${thread_id}, ${parent_id}, ${listing_id}, ${vehicle_id}, ${buyer_id}, ${made_by}, ${amount}, ${currency},
        ${message}, ${expires_at}, ${created_at}, ${created_at})`)
    .catch((error) => {
      if (violatedConstraint(error) === 'network_offers_one_open') fail('offer_already_open');
      throw error;
    });
  const ids = { account_id, id, thread_id, listing_id, vehicle_id, buyer_id };
  return { ...ids, made_by, amount_minor: amount, currency, status: 'Beklemede', expires_at, created_at };
}

function watch(of: WorkByAccount, { account_id, buyer_id, expires_at }: StoredOffer): void {
  for (const side of [account_id, buyer_id]) of(side).endsAt(expires_at);
}

interface Acting {
  readonly of: WorkByAccount;
  readonly seller: Work;
  readonly offer: StoredOffer;
  readonly vehicle: StoredVehicle;
  readonly mine: OfferSide;
  readonly theirs: OfferSide;
}

/** The offer with its car, both locked; 404 for a dealer who is not a side of it. */
async function onOffer<T>(work: Work, id: string, act: (acting: Acting) => Promise<T>): Promise<T> {
  const { db } = work;
  await requireCapability(db, 'dealer_network');
  const { account_id, buyer_id, vehicle_id } = await db.one<Pick<StoredOffer, 'account_id' | 'buyer_id' | 'vehicle_id'>>(
    sql`select account_id, buyer_id, vehicle_id from ${eitherPartyRows('network_offers')} where id = ${id}`,
  );
  return withSides(work, [account_id, buyer_id], async (of) => {
    const seller = of(account_id);
    const vehicle = await lockVehicle(seller.db, vehicle_id);
    const [offer] = await lockOffers(seller.db, sql`id = ${id}`);
    const mine = account_id === work.account.id ? 'seller' : 'buyer';
    return act({ of, seller, offer: offer!, vehicle, mine, theirs: mine === 'seller' ? 'buyer' : 'seller' });
  });
}

function requireOpen({ status, expires_at }: StoredOffer, now: Date, expired: 'offer_expired' | 'offer_closed'): void {
  if (status === 'Süresi Doldu' || (status === 'Beklemede' && expires_at <= now)) fail(expired);
  if (status !== 'Beklemede') fail('offer_closed');
}

export const acceptOffer = (work: Work, id: string, { message = null }: Values<typeof ACCEPT_FIELDS>): Promise<void> =>
  onOffer(work, id, async ({ of, seller, offer, vehicle, mine, theirs }) => {
    if (offer.made_by === mine) fail('not_your_turn');
    requireOpen(offer, work.now, 'offer_expired');
    if (!(await isOnSale(seller.db, vehicle, offer.listing_id))) fail('vehicle_not_available');
    const concerned = [offer.account_id, offer.buyer_id, ...(await concernedBy(seller.db, vehicle.id))];
    await withSides(work, concerned, async (ofAll) => {
      holdSides(ofAll, concerned);
      await settle(seller, offer, 'Kabul Edildi', { response_message: message });
      const notifies = { sides: [theirs], kind: 'network_offer.accepted' } as const;
      await emitOfferEvents(of, offer, 'Beklemede', { verb: 'accepted', notifies });
      await hold(seller, vehicle, { kind: 'Ağ Teklifi', counterparty_id: offer.buyer_id, source_id: offer.id });
    });
  });

export const rejectOffer = (work: Work, id: string, { reason = null }: Values<typeof REJECT_FIELDS>): Promise<void> =>
  onOffer(work, id, async ({ of, seller, offer, mine, theirs }) => {
    if (offer.made_by === mine) fail('not_your_turn');
    requireOpen(offer, work.now, 'offer_closed');
    await settle(seller, offer, 'Reddedildi', { reject_reason: reason });
    const notifies = { sides: [theirs], kind: 'network_offer.rejected' } as const;
    await emitOfferEvents(of, offer, 'Beklemede', { verb: 'rejected', notifies });
  });

export const withdrawOffer = (work: Work, id: string): Promise<void> =>
  onOffer(work, id, async ({ of, seller, offer, mine, theirs }) => {
    if (offer.made_by !== mine) fail('not_your_offer');
    requireOpen(offer, work.now, 'offer_closed');
    await settle(seller, offer, 'Geri Çekildi');
    const notifies = { sides: [theirs], kind: 'network_offer.withdrawn' } as const;
    await emitOfferEvents(of, offer, 'Beklemede', { verb: 'withdrawn', notifies });
  });

/** Returns the id of the new offer, which replaces the one it answers. */
export const counterOffer = (work: Work, id: string, body: CreateBody<typeof COUNTER_FIELDS>): Promise<string> =>
  onOffer(work, id, async ({ of, seller, offer, vehicle, mine, theirs }) => {
    if (offer.made_by === mine) fail('not_your_turn');
    requireOpen(offer, work.now, 'offer_closed');
    if (body.amount === offer.amount_minor) fail('same_amount');
    await requireMembership(work.db);
    if (!(await isOnSale(seller.db, vehicle, offer.listing_id))) fail('vehicle_not_available');
    const expires_at = await validUntil(work, body.expires_at);
    await settle(seller, offer, 'Karşı Teklif');
    const { account_id, thread_id, listing_id, vehicle_id, buyer_id, currency, created_at: after } = offer;
    const made = await addOffer(work, seller, {
      account_id,
      thread_id,
      parent_id: offer.id,
      listing_id,
      vehicle_id,
      buyer_id,
      made_by: mine,
      currency,
      after,
      amount: body.amount,
      message: body.message ?? null,
      expires_at,
    });
    watch(of, made);
    await emitOfferEvents(of, offer, 'Beklemede', { verb: 'countered' });
    const notifies = { sides: [theirs], kind: 'network_offer.countered' } as const;
    await emitOfferEvents(of, made, null, { verb: 'created', notifies });
    return made.id;
  });

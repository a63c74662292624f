// A money offer for another dealer's published car: its fields, its database row, and its representation for each side.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import type { Page, Paging } from '../../kit/page.ts';
import {
  arrayOf,
  currency,
  flag,
  nullable as maybe,
  money,
  type Of,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, type Sql, sql, theAccount } from '../../kit/sql.ts';
import { eitherPartyRows } from '../parties/counterparty-rows.ts';
import { Party, parties, partyJson } from '../parties/party.ts';
import { type SharedList, sharedPage, sharedRows } from '../parties/shared-list.ts';
import {
  cardJson,
  type LinkTo,
  type NO_LINKS,
  type StoredCard,
  shownCard,
  shownCards,
  VehicleCard,
} from '../parties/vehicle-card.ts';
import {
  currencyField,
  type Fields,
  instantField,
  moneyField,
  nullable,
  required,
  textField,
  uuidField,
  withDefault,
} from '../records/fields.ts';
import { OFFER_SIDES, OFFER_STATUSES, type OfferSide, type OfferStatus } from './network-states.ts';

const MESSAGE = nullable(textField(500, { lines: true }));
const EXPIRES = withDefault(nullable(instantField), 'as the account’s settings say', 'hesabın ayarlarına göre');

export const COUNTER_FIELDS = {
  amount: required(moneyField({ above: 0n })),
  message: MESSAGE,
  expires_at: EXPIRES,
} as const satisfies Fields;
export const OFFER_FIELDS = {
  listing_id: required(uuidField),
  ...COUNTER_FIELDS,
  currency: withDefault(nullable(currencyField), 'the listing’s; no other is allowed', 'ilanınki; başkası kabul edilmez'),
} as const satisfies Fields;
export const ACCEPT_FIELDS = { message: MESSAGE } as const satisfies Fields;
export const REJECT_FIELDS = { reason: MESSAGE } as const satisfies Fields;

export const NetworkOffer = object({
  id: uuid(),
  thread_id: uuid(),
  parent_id: maybe(uuid()),
  listing_id: uuid(),
  vehicle_id: maybe(uuid()),
  vehicle: VehicleCard,
  seller: Party,
  buyer: Party,
  made_by: oneOf(OFFER_SIDES),
  my_role: oneOf(OFFER_SIDES),
  awaiting_me: flag(),
  amount: money('11500.00'),
  currency: currency(),
  message: maybe(text('Yarın gelip görebilirim.')),
  status: oneOf(OFFER_STATUSES),
  expires_at: timestamp(),
  responded_at: maybe(timestamp()),
  response_message: maybe(text('Hayırlı olsun.')),
  reject_reason: maybe(text('vehicle_unavailable')),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type NetworkOffer = Of<typeof NetworkOffer>;
export const NetworkOfferThread = object({ ...NetworkOffer.shape, thread: arrayOf(NetworkOffer) });
export type NetworkOfferThread = Of<typeof NetworkOfferThread>;

type OfferRecord = Omit<NetworkOffer, 'vehicle'> & { readonly vehicle: StoredCard };

/** Both sides see each other's phone while the agreement is valid, and after it was completed. */
const AGREED = sql`chosen.status in ('Kabul Edildi', 'Tamamlandı')`;
const MY_ROLE = sql`case when chosen.account_id = ${theAccount} then 'seller' else 'buyer' end`;

const SHOWS = sql`chosen.id, chosen.thread_id, chosen.parent_id, chosen.listing_id,
  case when chosen.account_id = ${theAccount} then chosen.vehicle_id end as vehicle_id, ${cardJson('card')} as vehicle,
  ${partyJson('seller', AGREED)} as seller, ${partyJson('buyer', AGREED)} as buyer, chosen.made_by, ${MY_ROLE} as my_role,
  (chosen.status = 'Beklemede' and chosen.made_by <> ${MY_ROLE}) as awaiting_me, money_text(chosen.amount_minor) as amount, chosen.currency,
  chosen.message, chosen.status, utc_text(chosen.expires_at) as expires_at, utc_text(chosen.responded_at) as responded_at,
  chosen.response_message, chosen.reject_reason, utc_text(chosen.created_at) as created_at, utc_text(chosen.updated_at) as updated_at`;

const JOINS = sql`join ${shownCards('card')} on card.account_id = chosen.account_id and card.vehicle_id = chosen.vehicle_id
  join ${parties('seller')} on seller.account_id = chosen.account_id join ${parties('buyer')} on buyer.account_id = chosen.buyer_id`;

const listOf = (where: readonly Sql[], rows = eitherPartyRows('network_offers')): SharedList => ({
  rows,
  where,
  shows: SHOWS,
  joins: JOINS,
});

type Links = LinkTo | typeof NO_LINKS;
const show =
  (linkTo: Links) =>
  (found: OfferRecord): NetworkOffer => ({ ...found, vehicle: shownCard(found.vehicle, linkTo) });

export async function readOffer(db: Db, id: string, linkTo: Links): Promise<NetworkOffer> {
  const [found] = await sharedRows<OfferRecord>(db, listOf([sql`id = ${id}`]));
  return found === undefined ? fail('not_found') : show(linkTo)(found);
}

/** With all offers between the two about this listing, oldest first. */
export async function readThread(db: Db, id: string, linkTo: Links): Promise<NetworkOfferThread> {
  const offer = await readOffer(db, id, linkTo);
  const { thread_id, listing_id, buyer } = offer;
  const inThread = [sql`listing_id = ${listing_id}`, sql`buyer_id = ${buyer.account_id}`, sql`thread_id = ${thread_id}`];
  const thread = (await sharedRows<OfferRecord>(db, listOf(inThread))).map(show(linkTo));
  return { ...offer, thread };
}

export interface OfferFilter {
  readonly role?: OfferSide | undefined;
  readonly status?: OfferStatus | undefined;
  readonly listing_id?: string | undefined;
  readonly thread_id?: string | undefined;
  readonly awaiting_me?: boolean | undefined;
}

const MADE_BY_ME = sql`(made_by = 'seller') = (account_id = ${theAccount})`;

function whereOf({ role, status, listing_id, thread_id, awaiting_me }: OfferFilter): Sql[] {
  const where: Sql[] = [];
  if (role !== undefined) where.push(sql`(account_id = ${theAccount}) = ${role === 'seller'}`);
  if (status !== undefined) where.push(sql`status = ${status}`);
  if (listing_id !== undefined) where.push(sql`listing_id = ${listing_id}`);
  if (thread_id !== undefined) where.push(sql`thread_id = ${thread_id}`);
  if (awaiting_me) where.push(sql`status = 'Beklemede' and not (${MADE_BY_ME})`);
  return where;
}

export const listOffers = (db: Db, filter: OfferFilter, page: Paging, linkTo: LinkTo): Promise<Page> =>
  sharedPage<OfferRecord>(db, listOf(whereOf(filter)), page, show(linkTo));

/** Made by the other side, whether the caller buys or sells. */
export const listReceived = (db: Db, status: OfferStatus | undefined, page: Paging, linkTo: LinkTo): Promise<Page> =>
  sharedPage<OfferRecord>(db, listOf([sql`not (${MADE_BY_ME})`, ...whereOf({ status })]), page, show(linkTo));

/** All offers on a car of the caller. */
export async function listVehicleOffers(
  db: Db,
  vehicleId: string,
  status: OfferStatus | undefined,
  page: Paging,
  linkTo: LinkTo,
): Promise<Page> {
  await db.one(sql`select id from ${own('vehicles')} where id = ${vehicleId}`);
  const where = [sql`vehicle_id = ${vehicleId}`, ...whereOf({ status })];
  return sharedPage<OfferRecord>(db, listOf(where, own('network_offers')), page, show(linkTo));
}

/** An offer's row. */
export interface StoredOffer {
  readonly account_id: string;
  readonly id: string;
  readonly thread_id: string;
  readonly listing_id: string;
  readonly vehicle_id: string;
  readonly buyer_id: string;
  readonly made_by: OfferSide;
  readonly amount_minor: bigint;
  readonly currency: Currency;
  readonly status: OfferStatus;
  readonly expires_at: Date;
  readonly created_at: Date;
}

export const OFFER_COLUMNS = sql`account_id, id, thread_id, listing_id, vehicle_id, buyer_id, made_by, amount_minor, currency, status, expires_at,
  created_at`;

/** `work` is the seller's; the car is locked, so no other write changes its offers. */
export const lockOffers = (db: Db, where: Sql): Promise<StoredOffer[]> =>
  db.rows<StoredOffer>(sql`select ${OFFER_COLUMNS} from ${own('network_offers')} where ${where} order by id for update`);

/** A phone is shown only for a real agreement, not in a dry run. */
export const withoutPhones = <T extends { readonly [Side in keyof T]: unknown }>(shown: T): T =>
  Object.fromEntries(
    Object.entries(shown).map(([name, value]) => {
      if (typeof value !== 'object' || value === null || !('phone' in value)) return [name, value];
      const { phone: _, ...party } = value;
      return [name, party];
    }),
  ) as T;

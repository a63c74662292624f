// A proposal to swap cars between two dealers: its fields, its database row, and its representation for each side.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import type { Page, Paging } from '../../kit/page.ts';
import { currency, nullable as maybe, money, type Of, object, oneOf, text, timestamp, uuid } from '../../kit/schema.ts';
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
  nullable,
  required,
  signedMoneyField,
  textField,
  uuidField,
  withDefault,
} from '../records/fields.ts';
import { TRADE_SIDES, TRADE_STATUSES, type TradeSide, type TradeStatus } from './network-states.ts';

export const TRADE_FIELDS = {
  offered_vehicle_id: required(uuidField),
  requested_listing_id: required(uuidField),
  // If negative, the recipient pays.
  cash_difference: withDefault(nullable(signedMoneyField), '0.00'),
  currency: withDefault(nullable(currencyField), 'the account’s currency', 'hesabın para birimi'),
  message: nullable(textField(500, { lines: true })),
  expires_at: withDefault(nullable(instantField), 'as the account’s settings say', 'hesabın ayarlarına göre'),
} as const satisfies Fields;

export const TradeRequest = object({
  id: uuid(),
  offered_vehicle_id: maybe(uuid()),
  offered_vehicle: VehicleCard,
  requested_listing_id: uuid(),
  requested_vehicle_id: maybe(uuid()),
  requested_vehicle: VehicleCard,
  requester: Party,
  recipient: Party,
  my_role: oneOf(TRADE_SIDES),
  cash_difference: money('-250.50'),
  currency: currency(),
  message: maybe(text('Üstüne 250 sterlin alırım.')),
  status: oneOf(TRADE_STATUSES),
  expires_at: timestamp(),
  reject_reason: maybe(text('vehicle_unavailable')),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type TradeRequest = Of<typeof TradeRequest>;

type TradeRecord = Omit<TradeRequest, 'offered_vehicle' | 'requested_vehicle'> & {
  readonly offered_vehicle: StoredCard;
  readonly requested_vehicle: StoredCard;
};

const AGREED = sql`chosen.status in ('Kabul Edildi', 'Tamamlandı')`;

const SHOWS = sql`chosen.id, case when chosen.requester_id = ${theAccount} then chosen.offered_vehicle_id end as offered_vehicle_id,
  ${cardJson('offered')} as offered_vehicle, chosen.requested_listing_id,
  case when chosen.account_id = ${theAccount} then chosen.requested_vehicle_id end as requested_vehicle_id,
  ${cardJson('requested')} as requested_vehicle, ${partyJson('requester', AGREED)} as requester,
  ${partyJson('recipient', AGREED)} as recipient, case when chosen.account_id = ${theAccount} then 'recipient' else 'requester' end as my_role,
  money_text(chosen.cash_difference_minor) as cash_difference, chosen.currency, chosen.message, chosen.status,
  utc_text(chosen.expires_at) as expires_at, chosen.reject_reason, utc_text(chosen.created_at) as created_at,
  utc_text(chosen.updated_at) as updated_at`;

const JOINS = sql`join ${shownCards('offered')} on offered.account_id = chosen.requester_id and offered.vehicle_id = chosen.offered_vehicle_id
  join ${shownCards('requested')} on requested.account_id = chosen.account_id and requested.vehicle_id = chosen.requested_vehicle_id
  join ${parties('requester')} on requester.account_id = chosen.requester_id
  join ${parties('recipient')} on recipient.account_id = chosen.account_id`;

const listOf = (where: readonly Sql[]): SharedList => ({
  rows: eitherPartyRows('trade_requests'),
  where,
  shows: SHOWS,
  joins: JOINS,
});

type Links = LinkTo | typeof NO_LINKS;
const show =
  (linkTo: Links) =>
  (found: TradeRecord): TradeRequest => ({
    ...found,
    offered_vehicle: shownCard(found.offered_vehicle, linkTo),
    requested_vehicle: shownCard(found.requested_vehicle, linkTo),
  });

export async function readTrade(db: Db, id: string, linkTo: Links): Promise<TradeRequest> {
  const [found] = await sharedRows<TradeRecord>(db, listOf([sql`id = ${id}`]));
  return found === undefined ? fail('not_found') : show(linkTo)(found);
}

export interface TradeFilter {
  readonly role?: TradeSide | undefined;
  readonly status?: TradeStatus | undefined;
}

export function listTrades(db: Db, { role, status }: TradeFilter, page: Paging, linkTo: LinkTo): Promise<Page> {
  const where: Sql[] = [];
  if (role !== undefined) where.push(sql`(account_id = ${theAccount}) = ${role === 'recipient'}`);
  if (status !== undefined) where.push(sql`status = ${status}`);
  return sharedPage<TradeRecord>(db, listOf(where), page, show(linkTo));
}

/** A request's row. */
export interface StoredTrade {
  readonly account_id: string;
  readonly id: string;
  readonly requested_listing_id: string;
  readonly requested_vehicle_id: string;
  readonly requester_id: string;
  readonly offered_vehicle_id: string;
  readonly currency: Currency;
  readonly status: TradeStatus;
  readonly expires_at: Date;
  readonly is_requested_sold: boolean;
  readonly is_offered_sold: boolean;
}

export const TRADE_COLUMNS = sql`account_id, id, requested_listing_id, requested_vehicle_id, requester_id, offered_vehicle_id, currency, status,
  expires_at, is_requested_sold, is_offered_sold`;

/** `work` is the recipient's. */
export const lockTrades = (db: Db, where: Sql, how = sql`for update`): Promise<StoredTrade[]> =>
  db.rows<StoredTrade>(sql`select ${TRADE_COLUMNS} from ${own('trade_requests')} where ${where} order by id ${how}`);

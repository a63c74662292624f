// What a key reads about its account besides the account itself: branches with their staff, settings, capabilities. They are
// edited in the panel (branches.ts, staff.ts, settings.ts) and by the platform.
import type { Db } from '../../kit/db.ts';
import type { CallingKey } from '../../kit/endpoint.ts';
import { formatMoney } from '../../kit/money.ts';
import { listPage, type Page, type Paging } from '../../kit/page.ts';
import {
  arrayOf,
  columnsOf,
  currency,
  flag,
  integer,
  jsonText,
  money,
  nullable,
  type Of,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, rawSql, sql } from '../../kit/sql.ts';
import { BOOST_PACKAGES } from '../boosts/boost-packages.ts';
import { RATE_SOURCES } from '../exchange-rates/rates.ts';
import { ROLES } from '../identity/roles.ts';
import { MAX_PHOTOS } from '../media/photo.ts';
import { MAX_VIDEOS } from '../media/video.ts';
import { REMINDER_CHANNELS } from './accounts-states.ts';
import { MAIN_THEN_BY_NAME, vehicleCount } from './branches.ts';

const shape = { id: uuid(), name: text('Merkez'), city: nullable(text('Lefkoşa')), phone: nullable(text()), is_main: flag() };
const times = { created_at: timestamp(), updated_at: timestamp() };
export const Branch = object({ ...shape, vehicle_count: integer(), ...times });

const StaffMember = object({ id: uuid(), full_name: text('Deniz Kaya'), role: oneOf(ROLES), active: flag() });
export const BranchDetail = object({ ...Branch.shape, staff: arrayOf(StaffMember) });
export type BranchDetail = Of<typeof BranchDetail>;

const SELECT_LIST = sql`${columnsOf(object(shape))}, ${vehicleCount(rawSql('chosen.id'))}, ${columnsOf(object(times))}`;

export const pageOfBranches = (db: Db, page: Paging): Promise<Page> =>
  listPage(db, { table: 'branches', shows: SELECT_LIST, where: [], order: MAIN_THEN_BY_NAME }, page);

/**
 * Former staff are listed as inactive, because old records name them. Staff without a branch are listed under the main branch.
 */
export const readBranch = (db: Db, id: string): Promise<BranchDetail> =>
  db.last<BranchDetail>(sql`select ${SELECT_LIST},
      (select coalesce(json_agg(one), '[]') from (select ${columnsOf(StaffMember)} from ${own('members')}
        where branch_id = chosen.id or branch_id is null and chosen.is_main order by active desc, fold_tr(full_name), id) one) as staff
    from (select * from ${own('branches')} where id = ${id}) chosen`);

const Reminder = object({ day: integer(), channel: oneOf(REMINDER_CHANNELS), active: flag() });

export const AccountSettings = object({
  default_currency: currency(),
  timezone: text('Asia/Famagusta'),
  rate_source: oneOf(RATE_SOURCES),
  reservation_days: integer(),
  offer_valid_hours: integer(),
  document_valid_days: integer(),
  upcoming_days: integer(),
  overdue_grace_days: integer(),
  document_retention_years: integer(),
  reminders: jsonText(arrayOf(Reminder)),
  locale: oneOf(['tr', 'en']),
});

export const readAccountSettings = (db: Db): Promise<Of<typeof AccountSettings>> =>
  db.last<Of<typeof AccountSettings>>(sql`select ${columnsOf(AccountSettings)} from ${own('accounts')}`);

const Switches = object({ dealer_network: flag(), marketplace: flag(), live_auctions: flag(), import: flag() });

export const Capabilities = object({
  account: object({ ...Switches.shape, max_photos_per_vehicle: integer(), max_videos_per_vehicle: integer() }),
  key: object({
    name: text(),
    environment: oneOf(['production', 'sandbox']),
    scopes: arrayOf(text('vehicles:read')),
    endpoint_count: integer(),
    special_authorizations: arrayOf(text('network_auction_bid')),
    expires_at: nullable(timestamp()),
  }),
  endpoints: arrayOf(
    object({ method: oneOf(['GET', 'POST', 'PATCH', 'DELETE']), path: text('vehicles/{vehicle_id}'), live: flag() }),
  ),
  boost_packages: arrayOf(
    object({ code: text('Vitrin-7'), name: text(), days: integer(), price: money(), currency: currency() }),
  ),
});

export async function readCapabilities(db: Db, key: CallingKey): Promise<Of<typeof Capabilities>> {
  const switches = await db.last<Of<typeof Switches>>(sql`select ${columnsOf(Switches)} from ${own('accounts')}`);
  const { name, environment, endpoint_count, expires_at } = key;
  const { scopes, special_authorizations } = key.grants();
  return {
    account: { ...switches, max_photos_per_vehicle: MAX_PHOTOS, max_videos_per_vehicle: MAX_VIDEOS },
    key: {
      name,
      environment,
      scopes: [...scopes],
      endpoint_count,
      special_authorizations: [...special_authorizations],
      expires_at,
    },
    endpoints: [...key.endpoints()],
    boost_packages: BOOST_PACKAGES.map(({ price_minor, currency, kind: _, ...shown }) => ({
      ...shown,
      price: formatMoney(price_minor),
      currency,
    })),
  };
}

// Dealers in bulk, each with a few rows of every kind that the panel and the jobs read: stock, customers, sales with installments, a
// wallet, a key that has been used today, and an owner who is signed in.
import { createHash } from 'node:crypto';
import { newToken } from '../src/domain/identity/sessions.ts';
import { newId } from '../src/kit/ids.ts';
import type { Session } from '../src/postgres/database.ts';
import { loadDealers } from './data.ts';
import { loadSales } from './sales-data.ts';

export interface WorkingDealer {
  readonly id: string;
  readonly key: string;
  /** The session of its owner. */
  readonly cookie: string;
}

export interface Stock {
  readonly cars: number;
  readonly sales: number;
  readonly rowsOfASale: number;
  readonly customers: number;
  readonly endpoints: readonly string[];
}

/** A statement for more would take long, and its memory. */
const AT_ONCE = 1000;

export async function loadWorkingDealers(
  session: Session,
  pepper: Buffer,
  count: number,
  stock: Stock,
): Promise<WorkingDealer[]> {
  const made: WorkingDealer[] = [];
  while (made.length < count) made.push(...(await loadSome(session, pepper, Math.min(AT_ONCE, count - made.length), stock)));
  return made;
}

async function loadSome(session: Session, pepper: Buffer, count: number, stock: Stock): Promise<WorkingDealer[]> {
  const { cars, sales, rowsOfASale, customers, endpoints } = stock;
  const [endpoint = 'GET vehicles'] = endpoints;
  const dealers = { accounts: count, keysEach: 1, rowsEach: cars, endpoint, perMinute: 1_000_000 };
  const { accounts, keys } = await loadDealers(session, pepper, dealers);
  await loadSales(session, { accounts, salesEach: sales, rowsEach: rowsOfASale, customersEach: customers, monthsPast: 6 });
  await giveSalesCars(session, accounts);
  await openEndpoints(session, accounts, endpoints);
  await session.rows('set session_replication_role = replica');
  await session.rows(
    `update accounts set city = (array['Lefkoşa', 'Gazimağusa', 'Girne', 'Mersin', 'Muğla'])[1 + abs(hashtext(id::text)) % 5],
       created_at = now() - abs(hashtext(id::text)) % 700 * interval '1 day',
       reminders = case when abs(hashtext(id::text)) % 10 = 0 then '[{"day":0,"channel":"E-posta","active":true}]' else reminders end
     where id = any($1::uuid[])`,
    [accounts],
  );
  await session.rows(
    `insert into wallets (account_id, updated_at) select account, now() from unnest($1::uuid[]) account on conflict do nothing`,
    [accounts],
  );
  await session.rows(
    `insert into usage_calls (account_id, key_id, hour, endpoint, error_code, calls)
     select account_id, id, date_trunc('hour', now()) - n * interval '1 hour', 'GET vehicles', case when n = 3 then 'rate_limit_exceeded' else '' end, 10 + n
     from api_keys, generate_series(0, 5) n where account_id = any($1::uuid[])`,
    [accounts],
  );
  await session.rows('set session_replication_role = default');
  const cookies = await signOwnersIn(session, accounts);
  return accounts.map((id, place) => ({ id, key: keys[place]!, cookie: cookies[place]! }));
}

/** `loadSales` names cars that do not exist: each sale gets one of the account's, which is sold then. */
export async function giveSalesCars(session: Session, accounts: readonly string[]): Promise<void> {
  await session.rows('set session_replication_role = replica');
  const numbered = (table: string) =>
    `select account_id, id, row_number() over (partition by account_id order by id) as n from ${table} where account_id = any($1::uuid[])`;
  await session.rows(
    `with cars as (${numbered('vehicles')}), sold as (${numbered('sales')}),
       taken as (update sales set vehicle_id = cars.id from sold join cars using (account_id, n)
         where sales.account_id = sold.account_id and sales.id = sold.id returning sales.account_id, vehicle_id)
     update vehicles set status = 'Satıldı', is_marketplace_visible = false from taken
       where vehicles.account_id = taken.account_id and vehicles.id = taken.vehicle_id`,
    [accounts],
  );
  await session.rows('set session_replication_role = default');
}

/** Their keys may also call these. */
export const openEndpoints = (session: Session, accounts: readonly string[], endpoints: readonly string[]): Promise<unknown> =>
  session.rows(
    `insert into key_endpoints (account_id, key_id, endpoint) select account_id, id, endpoint from api_keys, unnest($2::text[]) endpoint
       where account_id = any($1::uuid[]) on conflict do nothing`,
    [accounts, endpoints],
  );

/** An owner for each account, with the cookie of a session; null: an administrator. */
export async function signOwnersIn(session: Session, accounts: readonly (string | null)[]): Promise<string[]> {
  const owners = accounts.map((account) => ({ account, id: newId(), session: newId(), ...newToken() }));
  const of = <T>(read: (owner: (typeof owners)[number]) => T): T[] => owners.map(read);
  await session.rows(
    `with owners as (select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bytea[]) as of_row (account, person, session, digest)),
       made as (insert into people (id, email, password_hash, full_name, is_admin)
         select person, person || '@example.com', 'none', 'Ayşe Yılmaz', account is null from owners),
       working as (insert into members (account_id, id, person_id, full_name, role)
         select account, gen_random_uuid(), person, 'Ayşe Yılmaz', 'owner' from owners where account is not null)
     insert into sessions (id, digest, person_id, current_account, signed_in_at, reauthenticated_at, created_at, last_seen_at, ip, user_agent)
       select session, digest, person, account, now(), now(), now(), now(), '127.0.0.1', 'galeri-bench' from owners`,
    [of(({ account }) => account), of(({ id }) => id), of((owner) => owner.session), of(({ digest }) => digest)],
  );
  return owners.map(({ token }) => `__Host-panel=${token}`);
}

/** So that none ends for being idle while others are measured. */
export const keepSignedIn = (session: Session): Promise<unknown> =>
  session.rows('update sessions set created_at = now(), signed_in_at = now(), last_seen_at = now()');

/** The id of the nth sale that `loadSales` made for an account, n from 1. */
export function saleOf(account: string, n: number): string {
  const hex = createHash('md5').update(`${account}sale${n}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

// Which rows belong to a dealer, and copying them to another database. Each table is compared in 256 parts, by the hash of the primary
// key, and only parts that differ are copied: the first pass copies everything, a later one what was written since.
import { createHash } from 'node:crypto';
import { MAX_MISSED } from '../../domain/exchange-rates/bulletin-schedule.ts';
import { describe, qualifiedName, quote, readTable, type Table } from '../../postgres/backup.ts';
import type { Session } from '../../postgres/database.ts';
import { insertStatement, LOG_DAYS } from '../../postgres/restore.ts';

/** Tables whose rows belong to no dealer, or that are copied in a way of their own (people). */
export const PLATFORM_TABLES: readonly string[] = [
  'account_moves',
  'deployment',
  'exchange_rates',
  'job_rounds',
  'ledger_proofs',
  'moved_keys',
  'node_beats',
  'password_resets',
  'people',
  'platform_bank_accounts',
  'rate_looks',
  'rate_news',
  'releases',
  'sessions',
  'sign_in_failures',
  'sign_in_locks',
  'test_clock',
];

/** The columns that name the dealer, where it is not account_id. */
const OWNER_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  accounts: ['id'],
  admin_decisions: ['dealer_id'],
  ledger_accounts: ['wallet_of'],
  mails: ['data_set', 'turn_of'],
  worlds: ['owner_id'],
};

/** A bid belongs to its bidder, and to the auction or lot that it is on. */
const BIDS = ['auction_bids', 'auction_bidders'];

export interface MovedTable extends Table {
  readonly owners: readonly string[];
  readonly key: readonly string[];
  /** Its rows of the dealer. */
  readonly condition: string;
  /** Those that are removed from the old place. */
  readonly removed: string;
}

/** The account with the accounts of its isolated sandboxes. */
export async function accountsOf(source: Session, account: string): Promise<string[]> {
  const rows = await source.rows<{ id: string }>(
    `select id from accounts where world_id in (select id from worlds where owner_id = $1) and id <> $1 order by id`,
    [account],
  );
  return [account, ...rows.map(({ id }) => id)];
}

const anyOf = (ids: readonly string[]): string => `any('{${ids.join()}}'::uuid[])`;

export const isOwnedBy = (owners: readonly string[], ids: readonly string[], row = ''): string =>
  `(${owners.map((column) => `${row}${quote(column)} = ${anyOf(ids)}`).join(' or ')})`;

/** `since`: the first day of the request log that moves. */
export async function movedTables(
  source: Session,
  ids: readonly string[],
  since: string,
  others: readonly string[] = [],
): Promise<MovedTable[]> {
  const keys = await source.rows<{ name: string; columns: string[] }>(`
    select c.relname as name, array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality as k(attnum, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum order by place) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisprimary and c.relnamespace = 'public'::regnamespace and not c.relispartition`);
  const items = await source.rows<{ id: string }>(`select id from network_auctions where account_id = ${anyOf(ids)}
    union all select id from live_lots where account_id = ${anyOf(ids)}`);
  const onItems = `item_id = ${anyOf(items.map(({ id }) => id))}`;
  const tables = (await describe(source)).filter(({ name }) => !PLATFORM_TABLES.includes(name));
  return tables.map((table) => {
    const owners = OWNER_COLUMNS[table.name] ?? ['account_id'];
    const owned = isOwnedBy(owners, ids);
    // The number of the last writing transaction means nothing in another database; the trigger sets it there.
    const columns = table.columns.filter(({ name }) => table.name !== 'data_sets' || name !== 'written_in');
    const key = keys.find(({ name }) => name === table.name)?.columns;
    if (key === undefined || owners.some((owner) => !columns.some(({ name }) => name === owner)))
      throw new Error(`the table ${table.name} has no column that names its dealer, or no primary key`);
    const condition = table.name === 'request_logs' ? `${owned} and at >= '${since}'` : owned;
    const shared = BIDS.includes(table.name);
    const ofOthers = others.length === 0 ? '' : ` and not item_id = ${anyOf(others)}`;
    return {
      ...table,
      columns: columns.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      owners,
      key,
      condition: shared ? `(${owned} or ${onItems})${ofOthers}` : condition,
      // Bids of the dealer on others' auctions stay in their log of bids; nothing is ever deleted from the audit log.
      removed: shared ? onItems : table.name === 'audit_log' ? 'false' : owned,
    };
  });
}

/**
 * Auctions and lots of dealers who moved to the target earlier, on which these dealers have bid: those bids came with them, and belong to
 * their log of bids.
 */
export async function itemsOfOthers(source: Session, target: Session, ids: readonly string[]): Promise<string[]> {
  const itemsIn = (session: Session) =>
    session.rows<{ id: string }>(
      `select distinct item_id as id from auction_bidders where account_id = any($1)
        union select distinct item_id from auction_bids where account_id = any($1)`,
      [ids],
    );
  const bid = [...(await itemsIn(source)), ...(await itemsIn(target))];
  const there = await target.rows<{ id: string }>(
    `select id from network_auctions where id = any($1) and account_id <> all($2)
      union all select id from live_lots where id = any($1) and account_id <> all($2)`,
    [bid.map(({ id }) => id), ids],
  );
  return there.map(({ id }) => id);
}

/** The days of the request log for which a new place has partitions. */
export async function firstLogDay(session: Session): Promise<string> {
  const [row] = await session.rows<{ day: string }>(
    `select ((now() at time zone 'UTC')::date - ${LOG_DAYS - 1})::text || ' 00:00+00' as day`,
  );
  return row!.day;
}

interface Part {
  readonly rows: number;
  readonly digest: string;
}
type Parts = ReadonlyMap<string, Part>;

const partOf = ({ key }: MovedTable): string => `left(md5(row(${key.map(quote).join()})::text), 2)`;

async function partsOf(session: Session, table: MovedTable): Promise<Parts> {
  const columns = table.columns.map(({ name }) => quote(name)).join();
  const parts = await session.rows<
    Part & { part: string }
  >(`select part, count(*)::int as rows, md5(string_agg(hash, '' order by hash)) as digest
    from (select ${partOf(table)} as part, md5(row(${columns})::text) as hash from ${qualifiedName(table)} where ${table.condition}) hashed
    group by part`);
  return new Map(parts.map(({ part, rows, digest }) => [part, { rows, digest }]));
}

const differing = (one: Parts, other: Parts): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((part) => one.get(part)?.digest !== other.get(part)?.digest);

const rowsIn = (parts: Parts): number => [...parts.values()].reduce((sum, { rows }) => sum + rows, 0);

export interface Compared {
  readonly table: string;
  readonly rows: number;
  readonly digest: string;
  readonly copied: number;
}

/** The database at the other end differs after the copy. */
export class NotEqual extends Error {}

/** Makes the dealer's rows of one table in the target those of the source's snapshot, and verifies their number and digest. */
export async function syncTable(source: Session, target: Session, table: MovedTable): Promise<Compared> {
  const [here, there] = await Promise.all([partsOf(source, table), partsOf(target, table)]);
  const different = differing(here, there);
  let copied = 0;
  if (different.length > 0) {
    const inParts = there.size === 0 ? 'true' : `${partOf(table)} = any('{${different.join()}}')`;
    if (there.size > 0) await target.rows(`delete from ${qualifiedName(table)} where ${table.condition} and ${inParts}`);
    copied = await copyRows(source, target, table, `${table.condition} and ${inParts}`);
    const wrong = differing(here, await partsOf(target, table));
    if (wrong.length > 0) throw new NotEqual(`the rows of ${table.name} differ after the copy, in ${wrong.length} of 256 parts`);
  }
  const digests = [...here.entries()].sort().map(([part, { digest }]) => part + digest);
  const digest = createHash('sha256').update(digests.join()).digest('hex');
  return { table: table.name, rows: rowsIn(here), digest, copied };
}

/** The next rows are read while the last ones are inserted. */
async function copyRows(source: Session, target: Session, table: MovedTable, condition: string): Promise<number> {
  const statement = insertStatement(table);
  let copied = 0;
  let inserting: Promise<unknown> = Promise.resolve();
  for await (const lines of readTable(source, table, condition)) {
    await inserting;
    inserting = target.rows(statement, [`[${lines.join()}]`]);
    inserting.catch(() => {});
    copied += lines.length;
  }
  await inserting;
  return copied;
}

/** People who work for the dealer. One who is known there keeps that record; none becomes an administrator there. */
export async function copyPeople(source: Session, target: Session, ids: readonly string[]): Promise<number> {
  const people = (await describe(source)).find(({ name }) => name === 'people')!;
  const plain = people.columns.filter(({ name }) => !['is_admin', 'admin_made_by', 'disabled_by'].includes(name));
  const theirs = `id in (select person_id from members where account_id = ${anyOf(ids)})`;
  let count = 0;
  for await (const lines of readTable(source, { ...people, columns: plain }, theirs)) {
    count += lines.length;
    await target.rows(`${insertStatement({ ...people, columns: plain })} on conflict (id) do nothing`, [`[${lines.join()}]`]);
  }
  return count;
}

/**
 * Reports value past payments at the rates of their days, which a new place does not have. From the first day on that the target has of a
 * bank, its rates are left to it, because it notifies its dealers of them.
 */
export async function copyRates(source: Session, target: Session): Promise<void> {
  const rates = (await describe(source)).find(({ name }) => name === 'exchange_rates')!;
  const firstDays = await target.rows<{ bank: string; day: string }>(
    'select source as bank, min(rate_date)::text as day from exchange_rates group by 1',
  );
  const since = firstDays.map(({ bank, day }) => `when '${bank}' then '${day}'::date`).join(' ');
  const otherwise = `(now() - interval '${MAX_MISSED} days')::date`;
  const first = since === '' ? otherwise : `case source ${since} else ${otherwise} end`;
  for await (const lines of readTable(source, rates, `rate_date < ${first}`))
    await target.rows(`${insertStatement(rates)} on conflict do nothing`, [`[${lines.join()}]`]);
}

/** New rows get numbers after those that have arrived. */
export async function raiseSequences(target: Session, tables: readonly MovedTable[]): Promise<void> {
  const identities = await target.rows<{ name: string; column: string }>(`
    select c.relname as name, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and a.attidentity <> '' and not a.attisdropped`);
  for (const { name, column } of identities) {
    const table = tables.find((one) => one.name === name);
    if (table === undefined) continue;
    await target.rows(`select setval(pg_get_serial_sequence('public.${quote(name)}', '${column}'), highest)
      from (select max(${quote(column)}) as highest from ${qualifiedName(table)}) as numbers
      where highest > (select coalesce(last_value, 0) from pg_sequences
        where format('%I.%I', schemaname, sequencename)::regclass = pg_get_serial_sequence('public.${quote(name)}', '${column}')::regclass)`);
  }
}

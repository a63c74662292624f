// What must hold in the tables when sandboxes were made, reset and moved beside production.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { World } from './world.ts';

/** Written for every request, also one of a sandbox: the log, usage and keys belong to the account of production. */
const OF_REQUESTS = new Set(['request_logs', 'usage_calls', 'usage_latency', 'usage_secrets', 'api_keys']);
/** What writers of cars change. */
const OF_WRITERS = new Set(['data_sets', 'vehicles', 'vehicle_history', 'events', 'audit_log']);
/** Tables of the platform that nothing in a sandbox may change. */
const PLATFORM: readonly string[] = [
  'admin_decisions',
  'deployment',
  'exchange_rates',
  'mails',
  'password_resets',
  'people',
  'releases',
  'sessions',
  'test_clock',
];

/** The rows of production as a digest, by account and table. */
export type Production = ReadonlyMap<string, string>;

async function tenantTables({ query }: World): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  return tables.map(({ name }) => name);
}

/** Every row of production's accounts, byte for byte, and of the platform. */
export async function productionNow(world: World): Promise<Production> {
  const found = new Map<string, string>();
  const keep = async (name: string, from: string, values: unknown[] = []) => {
    const [row] = await world.query<{ digest: string }>(
      `select md5(coalesce(string_agg(row, '|' order by row), '')) as digest from (select one::text as row from ${from}) rows`,
      values,
    );
    found.set(name, row!.digest);
  };
  for (const { accountId } of world.dealers) {
    await keep(`accounts of ${accountId}`, 'accounts one where id = $1', [accountId]);
    for (const table of await tenantTables(world)) {
      if (OF_REQUESTS.has(table)) continue;
      const [id, and] =
        table === 'data_sets' ? ['id', ''] : ['account_id', table === 'idempotency' ? ` and key not like 'sandbox %'` : ''];
      await keep(`${table} of ${accountId}`, `${table} one where ${id} = $1${and}`, [accountId]);
    }
  }
  for (const table of PLATFORM) await keep(table, `${table} one`);
  await keep('ledger_accounts', `ledger_accounts one where code like 'platform:%' and code not like 'platform:sandbox%'`);
  await keep('accounts', 'accounts one where world_id is null');
  return found;
}

/** Tables of production that changed and that no writer of production changed. */
export async function productionChanges(world: World, before: Production, busy: readonly string[]): Promise<string[]> {
  const after = await productionNow(world);
  const isOfWriters = (name: string) => busy.some((id) => name.endsWith(id)) && OF_WRITERS.has(name.split(' ')[0]!);
  return [...after]
    .filter(([name, digest]) => before.get(name) !== digest && !isOfWriters(name))
    .map(([name]) => `production's ${name} changed`);
}

/** Every reference from an account to another: both are of the same sandbox, or both of production. */
export async function crossings(world: World): Promise<string[]> {
  const columns = await world.query<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.atttypid = 'uuid'::regtype
       and a.attname not in ('account_id', 'id') and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'account_id')
     order by 1, 2`,
  );
  const found: string[] = [];
  for (const { table, column } of columns) {
    const rows = await world.query<{ row: string }>(
      `select one::text as row from ${table} one join accounts mine on mine.id = one.account_id join accounts theirs on theirs.id = one."${column}"
       where mine.world_id is distinct from theirs.world_id limit 3`,
    );
    found.push(...rows.map(({ row }) => `${table}.${column} leads to another sandbox: ${row}`));
  }
  return found;
}

/** Sandboxes whose clock has not arrived, whose events are out of order, or that are not whole. */
export async function unfinishedWorlds({ query }: World): Promise<string[]> {
  const moving = await query<{ row: string }>(
    `select concat_ws(' ', id, status, failure) as row from worlds where removed_at is null and (status <> 'ready' or reached_at is not null)`,
  );
  const disordered = await query<{ row: string }>(
    `select concat_ws(' ', account_id, sequence, kind, created_at) as row from (
       select e.*, lag(e.created_at) over (partition by e.account_id order by e.sequence) as earlier
       from events e join accounts a on a.id = e.account_id join worlds w on w.id = a.world_id
       where w.removed_at is null and e.sequence is not null) seen
     where created_at < earlier limit 5`,
  );
  const partial = await query<{ row: string }>(
    `select concat_ws(' ', w.id, w.data) as row from worlds w where removed_at is null and (
       (select count(*) from accounts where world_id = w.id) <> 4
       or (select count(*) from data_sets d join accounts a on a.id = d.id where a.world_id = w.id and d.kind = 'sandbox') <> 4
       or (w.data = 'sample' and ((select count(*) from vehicles where account_id = w.id) < 24
         or (select count(*) from customers where account_id = w.id) < 16 or (select count(*) from sales where account_id = w.id) < 10
         or (select count(*) from vehicle_photos where account_id = w.id) < 24 or (select count(*) from documents where account_id = w.id) < 8)))`,
  );
  return [
    ...moving.map(({ row }) => `the clock has not arrived: ${row}`),
    ...disordered.map(({ row }) => `events are out of order: ${row}`),
    ...partial.map(({ row }) => `the sandbox is not whole: ${row}`),
  ];
}

/** Rows and files of accounts that do not exist. Every removed sandbox has been cleared away. */
export async function orphans(world: World): Promise<string[]> {
  const { query, dataDir } = world;
  const found: string[] = [];
  for (const table of await tenantTables(world)) {
    const [row] = await query<{ count: number }>(
      `select count(*)::int as count from ${table} one where account_id is not null and not exists (select from accounts where id = one.account_id)`,
    );
    if (row!.count > 0) found.push(`${table} has ${row!.count} rows of accounts that do not exist`);
  }
  const accounts = await query<{ id: string }>(
    'select id from accounts where world_id is not null and not exists (select from worlds where worlds.id = accounts.world_id)',
  );
  found.push(...accounts.map(({ id }) => `account ${id} has no sandbox`));
  const named = new Set(
    (await query<{ name: string }>('select name from stored_files')).map(({ name }) => name.replace(/^.*\//, '')),
  );
  const files = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).catch(() => []);
  const unnamed = files.filter((file) => file.isFile() && !named.has(file.name));
  if (unnamed.length > 0) found.push(`${unnamed.length} files without a record, such as ${unnamed[0]!.name}`);
  return found;
}

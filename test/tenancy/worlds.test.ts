// Production and two worlds of the isolated sandbox: no dealer of one gets an id of another from any table, view or function of the
// database, with both layers of isolation or with one of them removed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dealerOf } from '../../src/demo/demo-dealer.ts';
import type { Database, Db } from '../../src/kit/db.ts';
import { own, type Sql, sql } from '../../src/kit/sql.ts';
import { TENANT_TABLES, type TenantTable } from '../../src/kit/tenant-tables.ts';
import { openSession } from '../../src/postgres/database.ts';
import { stockSimulated } from '../../src/sandbox/simulated-stock.ts';
import { type TestWorlds, testWorlds } from '../support/test-worlds.ts';
import { cutOwn, dropWall } from './dealers.ts';

interface Group {
  readonly name: string;
  readonly accounts: readonly string[];
  /** Every id in the tables of its dealers. */
  readonly ids: ReadonlySet<string>;
  readonly auctions: readonly string[];
  readonly vehicles: readonly { readonly account: string; readonly vehicle: string }[];
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Books and templates that everyone shares. */
const SHARED = /^00000000-0000-4000-a000-|^00000000-0000-0000-0000-/;

async function groupOf(base: TestWorlds, name: string, accounts: readonly string[]): Promise<Group> {
  const admin = await openSession(base.adminUrl);
  try {
    const ids = new Set<string>(accounts);
    for (const table of TENANT_TABLES) {
      const column = table === 'accounts' || table === 'data_sets' ? 'id' : 'account_id';
      const rows = await admin.rows<{ row: string }>(
        `select to_json(t)::jsonb - 'template_id' - 'decision_id' as row from "${table}" t where ${column} = any($1::uuid[])`,
        [accounts],
      );
      for (const id of JSON.stringify(rows).match(UUID) ?? []) if (!SHARED.test(id)) ids.add(id);
    }
    const auctions = await admin.rows<{ id: string }>('select id from network_auctions where account_id = any($1::uuid[])', [
      accounts,
    ]);
    const vehicles = await admin.rows<{ account: string; vehicle: string }>(
      'select account_id as account, id as vehicle from vehicles where account_id = any($1::uuid[]) limit 5',
      [accounts],
    );
    return { name, accounts, ids, auctions: auctions.map(({ id }) => id), vehicles };
  } finally {
    await admin.close();
  }
}

async function makeGroups(base: TestWorlds): Promise<Group[]> {
  const owners = [await base.owner('Qalfaq Oto'), await base.owner('Wbetaw Oto')] as const;
  const { now } = base.times();
  for (const [index, id] of owners.entries()) {
    const call = {
      dataSet: id,
      account: { id, timezone: 'Asia/Famagusta' },
      actor: { type: 'system', name: 'test' },
      now,
    } as const;
    const dealer = { ...dealerOf(0), id, scope: id };
    await base.parts.writer.write(call, (work) => stockSimulated(work, dealer, index === 0 ? id : null, now));
  }
  const worlds = [await base.world(owners[0], 'sample'), await base.world(owners[1], 'sample')];
  const accountsIn = (world: string) =>
    base.database.onPlatform('read', (db) =>
      db.rows<{ id: string }>(sql`select dealer as id from dealers_of_world(${world}) dealer`),
    );
  const groups = [await groupOf(base, 'production', owners)];
  for (const { id } of worlds)
    groups.push(
      await groupOf(
        base,
        `world ${id}`,
        (await accountsIn(id)).map((account) => account.id),
      ),
    );
  return groups;
}

const EVERYTHING: readonly Sql[] = [
  sql`select to_json(network_dealers) as row from network_dealers`,
  sql`select to_json(dealer_parties) as row from dealer_parties`,
  sql`select to_json(network_listings) as row from network_listings`,
  sql`select to_json(shown_cards) as row from shown_cards`,
  sql`select to_json(page) as row from network_auctions_page(null, null, null, null, null, false, null, null, 1000, 0) page`,
  sql`select to_json(page) as row from live_events_page(null, null, null, false, null, null, 1000, 0) page`,
  sql`select late_sellers as row from late_sellers(null)`,
];

/** Questions that name a record of another group. */
const about = ({ auctions, vehicles, accounts }: Group): Sql[] => [
  ...auctions.flatMap((id) => [
    sql`select to_json(seen) as row from network_auction_seen(${id}) seen`,
    sql`select to_json(seen) as row from bids_seen(${id}, null, 100, 0) seen`,
    sql`select to_json(held) as row from lock_bidding(${id}, false, 100) held`,
    sql`select bidders_of as row from bidders_of(${id})`,
    sql`select late_sellers as row from late_sellers(${id})`,
  ]),
  ...vehicles.map(
    ({ account, vehicle }) =>
      sql`select card_of(${account}, ${vehicle}) as row where card_of(${account}, ${vehicle}) is not null`,
  ),
  ...accounts.map((id) => sql`select party_of(${id}, true) as row where party_of(${id}, true) is not null`),
];

async function ask(db: Db, questions: readonly Sql[]): Promise<string> {
  const found: unknown[] = [];
  for (const question of questions) found.push(...(await db.rows(question)));
  return JSON.stringify(found, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

let base: TestWorlds;
let groups: Group[];
let readable: readonly TenantTable[];

beforeAll(async () => {
  base = await testWorlds();
  groups = await makeGroups(base);
  readable = await base.database.inTenant(groups[0]!.accounts[0]!, 'read', async (db) => {
    const rows = await db.rows<{ name: TenantTable }>(
      sql`select name from unnest(${[...TENANT_TABLES]}::text[]) name where has_table_privilege(current_user, name, 'select')`,
    );
    return rows.map(({ name }) => name);
  });
});
afterAll(() => base?.close());

/** Everything that a dealer can ask the database, and records of the other groups by name. */
async function leaksOf(database: Database): Promise<string[]> {
  const leaked: string[] = [];
  for (const group of groups) {
    const others = groups.filter((one) => one !== group);
    const foreign = new Map(
      others.flatMap(({ name, ids }) => [...ids].filter((id) => !group.ids.has(id)).map((id) => [id, name] as const)),
    );
    const questions = [...readable.map((table) => sql`select * from ${own(table)}`), ...EVERYTHING, ...others.flatMap(about)];
    for (const account of group.accounts) {
      const answer = await database.inTenant(account, 'write', (db) => ask(db, questions));
      for (const id of new Set(answer.match(UUID)))
        if (foreign.has(id)) leaked.push(`${group.name} got ${id} of ${foreign.get(id)}`);
      if (!answer.includes(account)) leaked.push(`${account} got nothing`);
    }
  }
  return leaked;
}

test('with both layers, no dealer gets an id of another group', async () => {
  expect(await leaksOf(base.database)).toEqual([]);
});

test('without the filters of the code, no dealer gets an id of another group', async () => {
  expect(await leaksOf(base.reopen({ watch: cutOwn }))).toEqual([]);
});

test('dealers of a world meet each other', async () => {
  for (const { accounts, auctions } of groups.slice(1)) {
    const answer = await base.database.inTenant(accounts[0]!, 'read', (db) => ask(db, EVERYTHING));
    for (const id of auctions) expect(answer).toContain(id);
  }
});

/** The last two tests: they change the database. */
test('without row-level security, no dealer gets an id of another group', async () => {
  await dropWall(base.adminUrl);
  expect(await leaksOf(base.database)).toEqual([]);
});

test('the walk finds what functions show of other worlds', async () => {
  const admin = await openSession(base.adminUrl);
  await admin.rows(`create or replace function is_in_my_world(other uuid) returns boolean language sql as 'select true'`);
  await admin.close();
  expect(await leaksOf(base.database)).not.toEqual([]);
});

// Worlds of the isolated sandbox: made whole or not at all, one for each owner, and out of sight of production.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAccounts } from '../../src/domain/accounts/accounts.ts';
import { ROLES } from '../../src/domain/identity/roles.ts';
import { proveBooks, readBooks } from '../../src/domain/wallet/books.ts';
import { findWorldOf, showWorlds } from '../../src/domain/worlds/world.ts';
import { Rollback } from '../../src/kit/db.ts';
import { own, sql } from '../../src/kit/sql.ts';
import { createWorld, ensureWorld, type WorldParts } from '../../src/sandbox/create-world.ts';
import { testWriter } from '../support/test-writer.ts';
import { type TestWorlds, testWorlds } from '../support/test-worlds.ts';

let base: TestWorlds;
let parts: WorldParts;
let owner: string;

const times = () => base.times();
const newOwner = () => base.owner();

beforeAll(async () => {
  base = await testWorlds();
  ({ parts } = base);
  owner = await newOwner();
});
afterAll(() => base.close());

test('two callers at once get one world, with four dealers who have branches, staff and a wallet', async () => {
  const [one, other] = await Promise.all([ensureWorld(parts, owner, times()), ensureWorld(parts, owner, times())]);
  expect(other.id).toBe(one.id);
  expect((await ensureWorld(parts, owner, times())).id).toBe(one.id);
  const made = await base.database.onPlatform('read', async (db) => {
    showWorlds(db);
    return {
      worlds: await db.rows(sql`select id from worlds where owner_id = ${owner}`),
      accounts: await db.rows(sql`select id from accounts where world_id = ${one.id}`),
    };
  });
  expect(made.worlds).toEqual([{ id: one.id }]);
  expect(made.accounts).toHaveLength(4);
  const inside = await base.database.inTenant(one.id, 'read', async (db) => ({
    branches: await db.rows(sql`select name from ${own('branches')} order by is_main desc`),
    roles: (await db.rows<{ role: string }>(sql`select role from ${own('members')} where person_id is null`)).map(
      ({ role }) => role,
    ),
    ...(await db.one<object>(sql`select balance_minor, (select name from ${own('accounts')}) as name,
      (select kind from ${own('data_sets')}) as kind, (select count(*)::int from network_dealers) as dealers,
      (select count(*)::int from network_listings) as listings from ${own('wallets')}`)),
  }));
  expect({ ...inside, roles: inside.roles.toSorted() }).toEqual({
    branches: [{ name: 'Merkez' }, { name: 'Şube' }],
    roles: [...ROLES].toSorted(),
    balance_minor: 500_000n,
    name: 'Deneme Oto',
    kind: 'sandbox',
    dealers: 3,
    listings: 17,
  });
});

test('processes that make a world at the same time open one, and the other is left to be cleared away', async () => {
  const second = await newOwner();
  const elsewhere = { ...parts, writer: testWriter(base) };
  const opened = await Promise.all([
    createWorld(parts, second, 'empty', times()),
    createWorld(elsewhere, second, 'empty', times()),
  ]);
  expect(opened.toSorted()).toEqual([false, true]);
  const rows = await base.database.onPlatform('read', (db) =>
    db.rows(sql`select removed_at is null as is_open from worlds where owner_id = ${second} order by 1`),
  );
  expect(rows).toEqual([{ is_open: false }, { is_open: true }]);
});

test('a world whose making fails at the end does not exist', async () => {
  const third = await newOwner();
  const { database } = parts.writer;
  const failing: WorldParts['writer'] = {
    ...parts.writer,
    write: (call, run) =>
      parts.writer.write(call, async (work) => {
        await run(work);
        throw new Rollback('the process is killed');
      }),
  };
  await expect(createWorld({ ...parts, writer: failing }, third, 'empty', times())).rejects.toThrow('killed');
  expect(await database.onPlatform('read', (db) => findWorldOf(db, third))).toBeNull();
  await ensureWorld(parts, third, times());
  expect(await database.onPlatform('read', (db) => findWorldOf(db, third))).toMatchObject({ ownerId: third, status: 'ready' });
});

test('the platform sees no account of a world, and its books hold no money of one', async () => {
  await ensureWorld(parts, owner, times());
  const seen = await base.database.onPlatform('read', async (db) => ({
    accounts: (await listAccounts(db)).map(({ name }) => name),
    books: await readBooks(db, null),
    proof: await proveBooks(db),
  }));
  expect(new Set(seen.accounts)).toEqual(new Set(['Deneme Oto']));
  const platform = seen.books.accounts.filter(({ code }) => code.startsWith('platform:'));
  expect(platform.map(({ code }) => code)).toEqual([
    'platform:adjustments',
    'platform:boost_revenue',
    'platform:cash',
    'platform:membership_revenue',
  ]);
  expect(platform.every(({ debit, credit }) => debit === '0.00' && credit === '0.00')).toBe(true);
  expect(seen.proof).toMatchObject({ imbalance: 0n, found: [] });
});

test('the database refuses an entry of a world in the books of production', async () => {
  const world = await ensureWorld(parts, owner, times());
  const cash = '00000000-0000-4000-a000-000000000001';
  const posted = base.database.inTenant(world.id, 'write', async (db) => {
    await db.exec(
      sql`update wallets set balance_minor = balance_minor + 100, last_number = last_number + 1 where account_id = ${world.id}`,
    );
    const { number, balance } = await db.one<{ number: number; balance: bigint }>(
      sql`select last_number as number, balance_minor as balance from ${own('wallets')}`,
    );
    await db.exec(sql`insert into wallet_transactions (account_id, id, number, type, amount_minor, currency, balance_after_minor, reference_type,
        reference_id, description, created_at)
      values (${world.id}, ${owner}, ${number}, 'Yükleme', 100, 'TL', ${balance}, 'topup_request', ${owner}, 'x', now())`);
    await db.exec(sql`insert into ledger_entries (account_id, transaction_id, place, ledger_account_id, is_platform, direction, amount_minor, currency)
      values (${world.id}, ${owner}, 1, ${world.id}, false, 'credit', 100, 'TL'), (${world.id}, ${owner}, 2, ${cash}, true, 'debit', 100, 'TL')`);
  });
  await expect(posted).rejects.toMatchObject({ constraint: 'ledger_balanced' });
});

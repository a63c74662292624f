// The two database roles: what the service refuses to start with, what is visible without an account, and that the account of one
// transaction is never that of the next.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccount } from '../../src/domain/accounts/accounts.ts';
import { insertRecord } from '../../src/domain/records/record.ts';
import { type Database, isUnavailable, sqlState } from '../../src/kit/db.ts';
import { fail } from '../../src/kit/errors.ts';
import { newId } from '../../src/kit/ids.ts';
import { own, rawSql, sql } from '../../src/kit/sql.ts';
import { TENANT_TABLES } from '../../src/kit/tenant-tables.ts';
import { openDatabase, openSession, type Session } from '../../src/postgres/database.ts';
import { checkRowSecurity } from '../../src/postgres/roles.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { deadline, until } from '../support/patience.ts';

let base: TestDatabase;
let admin: Session;
const accounts: string[] = [];

const VEHICLE = {
  model: 'Golf',
  model_year: 2018,
  km: 1,
  fuel_type: 'Benzin',
  transmission: 'Otomatik',
  body_type: 'Sedan',
  color: 'Beyaz',
  city: 'Girne',
  price_minor: 100n,
  currency: 'STG',
  stock_date: '2026-01-01',
} as const;

const newVehicle = (plate: string) => ({ ...VEHICLE, id: newId(), brand: `plate ${plate}`, plate });

beforeAll(async () => {
  base = await testDatabase();
  admin = await openSession(base.adminUrl);
  for (const name of ['Birinci', 'İkinci']) {
    const actor = { type: 'system', name: 'test' } as const;
    const { id } = await base.database.onPlatform('write', (db) => createAccount(db, { name }, actor, new Date()));
    accounts.push(id);
    for (const plate of ['AA 1', 'AA 2', 'AA 3']) {
      await base.database.inTenant(id, 'write', (db) => insertRecord(db, 'vehicles', newVehicle(plate)));
    }
  }
});
afterAll(async () => {
  await admin.close();
  await base.close();
});

async function stateOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return sqlState(error) ?? (error as Error).message;
  }
}

describe('the check at the start', () => {
  const check = () => checkRowSecurity(base.urls);
  const withChange = async (change: string, restore: string, work: () => Promise<void>) => {
    await admin.rows(change);
    try {
      await work();
    } finally {
      await admin.rows(restore);
    }
  };
  const roleOf = (url: string) => new URL(url).username;

  test('passes on the migrated database', async () => {
    await expect(check()).resolves.toBeUndefined();
  });

  test('refuses a superuser as either role', async () => {
    await expect(checkRowSecurity({ ...base.urls, tenantUrl: base.adminUrl })).rejects.toThrow(/superuser/);
    await expect(checkRowSecurity({ ...base.urls, platformUrl: base.adminUrl })).rejects.toThrow(/superuser/);
  });

  test('refuses a role that bypasses row-level security, itself or by membership', async () => {
    const role = roleOf(base.urls.tenantUrl);
    await withChange(`alter role ${role} bypassrls`, `alter role ${role} nobypassrls`, () =>
      expect(check()).rejects.toThrow(/bypasses row-level security/),
    );
    const strong = `strong_${role}`;
    await withChange(`create role ${strong} bypassrls; grant ${strong} to ${role}`, `drop role ${strong}`, () =>
      expect(check()).rejects.toThrow(/bypasses row-level security/),
    );
  });

  test('refuses a role that owns a table', async () => {
    await withChange(
      `alter table releases owner to ${roleOf(base.urls.platformUrl)}`,
      'alter table releases owner to current_user',
      () => expect(check()).rejects.toThrow(/owns the table releases/),
    );
  });

  test.each(['vehicles', 'accounts', 'usage_calls'])('refuses when row-level security of %s is off', async (table) => {
    await withChange(`alter table ${table} disable row level security`, `alter table ${table} enable row level security`, () =>
      expect(check()).rejects.toThrow(`the table ${table} has no forced row-level security`),
    );
    await withChange(`alter table ${table} no force row level security`, `alter table ${table} force row level security`, () =>
      expect(check()).rejects.toThrow(`the table ${table} has no forced row-level security`),
    );
  });

  test('refuses a new table without row-level security', async () => {
    await withChange('create table forgotten (account_id uuid)', 'drop table forgotten', () =>
      expect(check()).rejects.toThrow(/forgotten/),
    );
  });
});

describe('without an account', () => {
  test.each([
    ['none set', `select 1`],
    ['an empty one', `select set_config('app.account_id', '', true)`],
  ])('%s: no row is visible or changeable, and a write is refused', async (_, set) => {
    const session = await openSession(base.urls.tenantUrl);
    try {
      const inTransaction = async <T>(text: string): Promise<T[]> => {
        await session.rows(`begin; ${set}`);
        return session.rows<T>(text).finally(() => session.rows('rollback'));
      };
      for (const table of TENANT_TABLES) {
        if (table === 'audit_log' || table === 'key_secrets') continue; // not granted at all
        expect(await inTransaction(`select 1 from ${table} limit 1`), table).toEqual([]);
      }
      expect(await inTransaction(`update vehicles set km = 2 returning id`)).toEqual([]);
      const columns = Object.entries({ ...newVehicle('ZZ 1'), account_id: accounts[0]! });
      const insert = `insert into vehicles (${columns.map(([name]) => name)}) values (${columns.map(([, value]) => `'${value}'`)})`;
      expect(await stateOf(inTransaction(insert))).toBe('42501');
    } finally {
      await session.close();
    }
  });

  test('an account that is not a uuid is refused', async () => {
    const session = await openSession(base.urls.tenantUrl);
    try {
      await session.rows(`begin; select set_config('app.account_id', 'x'' or true --', true)`);
      expect(await stateOf(session.rows('select 1 from vehicles'))).toBe('22P02');
    } finally {
      await session.close();
    }
    await expect(base.database.inTenant(`'; drop table vehicles; --`, 'read', async () => 1)).rejects.toThrow('uuid');
  });

  test('the platform role cannot name a tenant table', async () => {
    await expect(base.database.onPlatform('read', (db) => db.rows(sql`select 1 from ${own('api_keys')}`))).rejects.toThrow(
      'outside a tenant transaction',
    );
    expect(await stateOf(base.database.onPlatform('read', (db) => db.rows(sql`select 1 from vehicles`)))).toBe('42501');
  });
});

describe('with an account', () => {
  test("another's rows cannot be read, changed, taken or given away, even if the statement names no account", async () => {
    const [mine, other] = accounts as [string, string];
    await base.database.inTenant(mine, 'write', async (db) => {
      expect(await db.rows(sql`select distinct account_id from vehicles`)).toEqual([{ account_id: mine }]);
      expect(await db.exec(sql`update vehicles set km = 7 where account_id = ${other}`)).toBe(0);
      expect(await db.exec(sql`update vehicles set km = 7`)).toBe(3);
    });
    const give = base.database.inTenant(mine, 'write', (db) => db.exec(sql`update vehicles set account_id = ${other}`));
    expect(await stateOf(give)).toBe('42501');
    const seen = await base.database.inTenant(other, 'read', (db) => db.rows(sql`select distinct km from vehicles`));
    expect(seen).toEqual([{ km: 1 }]);
  });

  test("another's record as a parent is refused exactly like one that does not exist", async () => {
    const [mine, other] = accounts as [string, string];
    const [branch] = await base.database.inTenant(other, 'read', (db) => db.rows<{ id: string }>(sql`select id from branches`));
    const refusal = async (branch_id: string) => {
      try {
        await base.database.inTenant(mine, 'write', (db) => insertRecord(db, 'vehicles', { ...newVehicle('BB 1'), branch_id }));
        return null;
      } catch (error) {
        const { code, constraint, table } = error as unknown as Record<string, string>;
        return { code, constraint, table };
      }
    };
    const foreign = await refusal(branch!.id);
    expect(foreign).toMatchObject({ code: '23503' });
    expect(await refusal(newId())).toEqual(foreign);
  });

  test('two dealers may have the same plate and reference: uniqueness reveals nothing', async () => {
    for (const id of accounts) {
      await base.database.inTenant(id, 'write', (db) =>
        insertRecord(db, 'vehicles', { ...newVehicle('CC 1'), external_ref: 'same', chassis_no: 'same' }),
      );
    }
  });

  test('a swallowed failure is not taken for success', async () => {
    const swallow = (access: 'read' | 'write') =>
      base.database.inTenant(accounts[0]!, access, async (db) => {
        await db.rows(sql`select 1 / 0`).catch(() => {});
        return 'done';
      });
    await expect(swallow('read')).rejects.toThrow();
    await expect(swallow('write')).rejects.toThrow();
  });

  test('a read cannot write', async () => {
    const work = base.database.inTenant(accounts[0]!, 'read', (db) => db.exec(sql`update vehicles set km = 9`));
    expect(await stateOf(work)).toBe('25006');
    const alone = base.database.inTenant(accounts[0]!, 'read', (db) => db.last(sql`update vehicles set km = 9 returning id`));
    expect(await stateOf(alone)).toBe('25006');
  });

  test('a statement after the last one is refused', async () => {
    for (const first of [false, true]) {
      const work = base.database.inTenant(accounts[0]!, 'read', async (db) => {
        if (first) await db.rows(sql`select 1 as one`);
        await db.last(sql`select 1 as one`);
        await db.rows(sql`select 1 as one`);
      });
      await expect(work).rejects.toThrow('after the last one');
    }
  });
});

test('a process that has sent more statements than it keeps prepared still sets the account', async () => {
  for (let number = 0; number < 320; number += 1)
    await base.database.inTenant(accounts[0]!, 'read', (db) => db.last(rawSql(`select ${number} as number`)));
  const seen = await base.database.inTenant(accounts[1]!, 'read', (db) =>
    db.last<{ owners: string[]; setting: string }>(
      sql`select array_agg(distinct account_id::text) as owners, current_setting('app.account_id') as setting from vehicles`,
    ),
  );
  expect(seen).toEqual({ owners: [accounts[1]], setting: accounts[1] });
});

describe('one connection, many transactions', () => {
  let one: Database;
  beforeAll(() => {
    one = openDatabase({ ...base.urls, connections: 1 });
  });
  afterAll(() => one.close());

  /** What a body may do between two others; each states how its transaction must end. */
  const FAULTS: [string, (db: Parameters<Parameters<Database['inTenant']>[2]>[0]) => Promise<unknown>][] = [
    ['22012', (db) => db.rows(sql`select 1 / 0`)],
    ['42601', (db) => db.rows(sql`selec`)],
    ['not_found', (db) => db.one(sql`select 1 from vehicles where false`)],
    ['not_found', (db) => db.last(sql`select 1 from vehicles where false`)],
    ['22012', (db) => db.last(sql`select 1 / 0`)],
    ['42601', (db) => db.last(sql`selec`)],
    ['conflict', async () => fail('conflict')],
    ['thrown before the first statement', async () => Promise.reject(new Error('thrown before the first statement'))],
    ['22012', (db) => Promise.all([db.rows(sql`select 1 / 0`), db.rows(sql`select 1 from vehicles`)])],
    ['42501', (db) => db.exec(sql`update vehicles set account_id = ${newId()}`)],
    // A body that tried to switch to another dealer permanently must not affect later ones.
    [
      'rolled back',
      async (db) => {
        await db.rows(sql`select set_config('app.account_id', ${newId()}, false)`);
        throw new Error('rolled back');
      },
    ],
  ];

  test('10 000 transactions of two dealers, failing ones in between: each sees only its own rows', async () => {
    let seed = 20_261_114;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (seed >> 8) % below;
    };
    let left = 10_000;
    let failed = 0;
    let wrong = 0;
    // The three wait a second for the one connection, which a busy machine may exceed: then nothing has begun.
    const inTurn = async <T>(transact: () => Promise<T>): Promise<T> => {
      for (const isOver = deadline(); ; ) {
        try {
          return await transact();
        } catch (error) {
          if (!isUnavailable(error) || isOver()) throw error;
        }
      }
    };
    const check = async (account: string, access: 'read' | 'write') => {
      const read = sql`select array_agg(distinct account_id::text) as owners, current_setting('app.account_id') as setting from vehicles`;
      // A read whose first statement is its last takes another path (LoneRead in postgres/database.ts).
      const alone = random(2) === 0;
      const seen = await inTurn(() =>
        one.inTenant(account, access, (db) =>
          alone ? db.last<{ owners: string[]; setting: string }>(read) : db.one<{ owners: string[]; setting: string }>(read),
        ),
      );
      if (seen.owners.join() !== account || seen.setting !== account) wrong += 1;
    };
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        const account = accounts[random(2)]!;
        if (random(20) > 0) {
          await check(account, random(10) === 0 ? 'write' : 'read');
          continue;
        }
        const [outcome, body] = FAULTS[random(FAULTS.length)]!;
        failed += 1;
        // In a read-only transaction a write is refused for that reason first.
        const access = outcome !== '42501' && random(2) === 0 ? 'read' : 'write';
        expect(await stateOf(inTurn(() => one.inTenant(account, access, body)))).toBe(outcome);
      }
    };
    await Promise.all([worker(), worker(), worker()]);
    expect({ wrong }).toEqual({ wrong: 0 });
    expect(failed).toBeGreaterThan(300);
  });

  test('after a commit the connection remembers no account', async () => {
    const session = await openSession(base.urls.tenantUrl);
    try {
      for (const end of ['commit', 'rollback']) {
        await session.rows(`begin; select set_config('app.account_id', '${accounts[0]}', true)`);
        expect(await session.rows('select 1 from vehicles limit 1')).toHaveLength(1);
        await session.rows(end);
        expect(await session.rows('select 1 from vehicles limit 1')).toEqual([]);
      }
      // Outside a transaction the setting is gone before the next statement: closed, not open.
      await session.rows(`select set_config('app.account_id', '${accounts[0]}', true)`);
      expect(await session.rows(`select 1 from vehicles limit 1`)).toEqual([]);
    } finally {
      await session.close();
    }
  });

  describe('of four connections', () => {
    let four: Database;
    beforeAll(async () => {
      four = openDatabase({ ...base.urls, connections: 4 });
      // All four are open before it starts: opening one takes long on a busy machine.
      gate = await openSession(base.adminUrl);
      await gate.rows('select pg_advisory_lock(41)');
      const opening = Array.from({ length: 4 }, () => hold(newId()));
      await until(async () => (await held()) === 4, 'all four are open');
      await gate.rows('select pg_advisory_unlock(41)');
      await Promise.all(opening);
    });
    afterAll(async () => {
      await gate.close();
      await four.close();
    });
    beforeEach(() => gate.rows('select pg_advisory_lock(41)'));

    let gate: Session;
    /** Holds a connection until the gate is opened. */
    const hold = (account: string) =>
      four.inTenant(account, 'read', async (db) => {
        await db.rows(sql`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`);
        await db.rows(sql`select pg_advisory_xact_lock_shared(41)`);
      });
    const held = async () => {
      const [row] = await admin.rows<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and query ~ 'lock_shared' and state = 'active' and pid <> pg_backend_pid()`,
      );
      return row!.n;
    };
    const readOf = (account: string) => four.inTenant(account, 'read', (db) => db.rows(sql`select 1 as one`));

    test('a dealer never holds more than half', async () => {
      const busy = Array.from({ length: 6 }, () => hold(accounts[0]!));
      await expect.poll(held, { interval: 20 }).toBe(2);
      await expect(readOf(accounts[1]!)).resolves.toEqual([{ one: 1 }]);
      expect(await held()).toBeLessThanOrEqual(2);
      await gate.rows('select pg_advisory_unlock(41)');
      await Promise.all(busy);
    });

    test('two dealers with maximum demand leave one to a third', async () => {
      const busy = accounts.flatMap((account) => Array.from({ length: 6 }, () => hold(account)));
      await expect.poll(held, { interval: 20 }).toBeGreaterThanOrEqual(2);
      await expect(readOf(newId())).resolves.toEqual([{ one: 1 }]);
      expect(four.waiting()).toBeGreaterThan(0);
      expect(await held()).toBeGreaterThanOrEqual(2);
      await gate.rows('select pg_advisory_unlock(41)');
      await Promise.all(busy);
    });
  });
});

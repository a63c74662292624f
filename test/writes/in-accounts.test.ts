// Several dealers in one transaction: each party's data, events, version and audit are separate, and both layers of tenant
// isolation hold.
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from '../../src/domain/accounts/accounts.ts';
import { lockVehicle } from '../../src/domain/stock/vehicle.ts';
import { addVehicle, editVehicle } from '../../src/domain/stock/vehicle-writes.ts';
import type { Writer } from '../../src/domain/writes/write.ts';
import { sqlState } from '../../src/kit/db.ts';
import { fail } from '../../src/kit/errors.ts';
import { newId } from '../../src/kit/ids.ts';
import { own, sql, theAccount } from '../../src/kit/sql.ts';
import type { Work } from '../../src/kit/work.ts';
import { openDatabase, openSession, type Session } from '../../src/postgres/database.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { testWriter } from '../support/test-writer.ts';
import { cutOwn } from '../tenancy/dealers.ts';

interface Dealer {
  readonly id: string;
  readonly car: string;
}

let base: TestDatabase;
let admin: Session;
let writer: Writer;
/** In the order of their ids. */
let dealers: [Dealer, Dealer, Dealer];
const KEY = { type: 'api_key', name: 'Gizli anahtar', ip: '203.0.113.7', requestId: 'req_1' } as const;

const write = <T>(whose: string, run: (work: Work) => Promise<T>, by = writer): Promise<T> =>
  by.write({ dataSet: whose, account: { id: whose, timezone: 'UTC' }, actor: KEY, requestId: 'req_1', now: new Date() }, run);

let plates = 0;
const aCar = (whose: string): Promise<string> =>
  write(whose, async (work) => {
    const car = { brand: 'Fiat', model: 'Egea', model_year: 2020, km: 0, fuel_type: 'Benzin', transmission: 'Manuel' } as const;
    const place = { body_type: 'Sedan', color: 'Gri', plate: `IA ${++plates}`, city: 'Girne', price: 100n } as const;
    return (await addVehicle(work, { ...car, ...place })).id;
  });

beforeAll(async () => {
  base = await testDatabase();
  admin = await openSession(base.adminUrl);
  writer = testWriter(base);
  const actor = { type: 'system', name: 'test' } as const;
  const made: Dealer[] = [];
  for (const name of ['Bir', 'İki', 'Üç']) {
    const { id } = await base.database.onPlatform('write', (db) => createAccount(db, { name }, actor, new Date()));
    made.push({ id, car: await aCar(id) });
  }
  dealers = made.toSorted((one, other) => (one.id < other.id ? -1 : 1)) as typeof dealers;
});
afterAll(async () => {
  await admin.close();
  await base.close();
});

const ids = () => dealers.map(({ id }) => id);
const kmOf = async ({ car }: Dealer) => (await admin.rows<{ km: number }>('select km from vehicles where id = $1', [car]))[0]!.km;
const stateOf = async ({ id, car }: Dealer) =>
  (
    await admin.rows<{ version: bigint; sequence: bigint; km: number; audits: number }>(
      `select version, sequence, (select km from vehicles where id = $2) as km,
        (select count(*)::int from audit_log where account_id = $1) as audits from data_sets where id = $1`,
      [id, car],
    )
  )[0]!;
const states = async () => {
  const found = [];
  for (const dealer of dealers) found.push(await stateOf(dealer));
  return found;
};
const failure = (work: Promise<unknown>) => work.then(() => null).catch((error: Error) => error);

/** Adds a kilometre to every party's vehicle, for any caller. */
const driveAll = (by: string, run = writer) =>
  write(
    by,
    (work) =>
      work.inAccounts(ids(), async (works) => {
        for (const { id, car } of dealers.toSorted((one, other) => (one.car < other.car ? -1 : 1))) {
          const { km } = await lockVehicle(works.get(id)!.db, car);
          await editVehicle(works.get(id)!, car, { km: (km as number) + 1 });
        }
      }),
    run,
  );

test('each party has its own events, numbers, version and audit, and neither learns who acted for the other', async () => {
  const [first, second, third] = dealers;
  const before = await states();
  await driveAll(second.id);
  const after = await states();
  for (const [place, state] of after.entries()) {
    expect(state.version).toBe(before[place]!.version + 1n);
    expect(state.sequence).toBe(before[place]!.sequence + 1n);
    expect(state.km).toBe(before[place]!.km + 1);
  }
  // The caller audits the write itself.
  expect(after.map(({ audits }, place) => audits - before[place]!.audits)).toEqual([1, 0, 1]);
  for (const other of [first, third]) {
    const [entry] = await admin.rows(
      'select actor_type, actor, ip, action, target from audit_log where account_id = $1 order by id desc',
      [other.id],
    );
    expect(entry).toEqual({ actor_type: 'system', actor: 'Galeri', ip: null, action: 'vehicle.updated', target: other.car });
    const [event] = await admin.rows<{ payload: string }>(
      'select payload from events where account_id = $1 order by sequence desc limit 1',
      [other.id],
    );
    expect(JSON.parse(event!.payload)).toMatchObject({
      account_id: other.id,
      data: { object: { id: other.car }, changed: ['km'] },
    });
    const [history] = await admin.rows(
      'select actor_type, actor_name from vehicle_history where vehicle_id = $1 order by created_at desc',
      [other.car],
    );
    expect(history).toEqual({ actor_type: 'system', actor_name: 'Galeri' });
  }
});

test('commits all of it or nothing, and a rolled back step discards the events of every party', async () => {
  const before = await states();
  const [first, second, third] = dealers;
  const refused = write(first.id, (work) =>
    work.inAccounts(ids(), async (works) => {
      await editVehicle(works.get(third.id)!, third.car, { km: 999 });
      return fail('vehicle_sold');
    }),
  );
  expect(await failure(refused)).toMatchObject({ code: 'vehicle_sold' });
  expect(await states()).toEqual(before);
  await write(first.id, (work) =>
    work.inAccounts([second.id, third.id], async (works) => {
      const step = work.step(async () => {
        await editVehicle(works.get(second.id)!, second.car, { km: 998 });
        return fail('vehicle_sold');
      });
      expect(await failure(step)).toMatchObject({ code: 'vehicle_sold' });
      // The setting was rolled back with the step: this is still the third dealer's, and then the first dealer's.
      await editVehicle(works.get(third.id)!, third.car, { km: 777 });
      await editVehicle(work, first.car, { km: 776 });
    }),
  );
  const after = await states();
  expect(after.map(({ km }) => km)).toEqual([776, before[1]!.km, 777]);
  expect(after.map(({ sequence }, place) => sequence - before[place]!.sequence)).toEqual([1n, 0n, 1n]);
});

describe('a planted read of the other party’s data', () => {
  const raw = (text: string) => sql([text] as unknown as TemplateStringsArray);

  /** Sent concurrently: each is answered from its own data set. */
  const mixed = (mine: Dealer, theirs: Dealer, by: Writer, planted: (work: Work, other: Work) => Promise<void>) =>
    write(
      mine.id,
      (work) =>
        work.inAccounts([theirs.id], async (works) => {
          const other = works.get(theirs.id)!;
          const cars = ({ db }: Work) => db.rows<{ id: string }>(sql`select id from ${own('vehicles')} order by id`);
          const seen = await Promise.all([cars(work), cars(other), cars(work), cars(other)]);
          expect(seen).toEqual([[{ id: mine.car }], [{ id: theirs.car }], [{ id: mine.car }], [{ id: theirs.car }]]);
          expect(await work.db.rows(sql`select id from ${own('vehicles')} where id = ${theirs.car}`)).toEqual([]);
          await planted(work, other);
        }),
      by,
    );

  test('finds nothing with row-level security alone, even when statements of both parties are interleaved', async () => {
    const [mine, theirs] = dealers;
    const withoutOwn = openDatabase({ ...base.urls, watch: cutOwn });
    for (const by of [writer, testWriter({ ...base, database: withoutOwn })])
      await mixed(mine, theirs, by, async (work, other) => {
        expect(await work.db.rows(raw(`select id from vehicles where account_id = '${theirs.id}'`))).toEqual([]);
        expect(await other.db.rows(raw(`select id from vehicles where account_id = '${mine.id}'`))).toEqual([]);
      });
    await withoutOwn.close();
  });

  test('finds nothing with own() alone', async () => {
    const [mine, theirs] = dealers;
    await admin.rows('alter table vehicles disable row level security, no force row level security');
    try {
      await mixed(mine, theirs, writer, async (work) => {
        // Row-level security is really off.
        expect(await work.db.rows(raw(`select id from vehicles where account_id = '${theirs.id}'`))).toHaveLength(1);
      });
    } finally {
      await admin.rows('alter table vehicles enable row level security, force row level security');
    }
  });

  test('and cannot write a row of the other party', async () => {
    const [mine, theirs] = dealers;
    const stray = (whose: string) =>
      sql`insert into notifications (account_id, id, kind, title, body) values (${whose}, ${newId()}, 'x', 'x', 'x')`;
    const planted = (side: 'mine' | 'theirs', whose: string) =>
      write(mine.id, (work) =>
        work.inAccounts([theirs.id], (works) => (side === 'mine' ? work : works.get(theirs.id)!).db.exec(stray(whose))),
      );
    expect(sqlState(await failure(planted('mine', theirs.id)))).toBe('42501');
    expect(sqlState(await failure(planted('theirs', mine.id)))).toBe('42501');
    expect(await planted('theirs', theirs.id)).toBe(1);
  });

  test('a consequence in one account may reach a third, or lead back, in the same transaction', async () => {
    const [mine, theirs, third] = dealers;
    await write(mine.id, (work) =>
      work.inAccounts([theirs.id], (works) =>
        works.get(theirs.id)!.inAccounts([mine.id, third.id], async (further) => {
          expect(further.get(mine.id)).toBe(work);
          expect(await further.get(third.id)!.db.rows(sql`select distinct account_id from vehicles`)).toEqual([
            { account_id: third.id },
          ]);
          expect(further.get(third.id)!.actor).toMatchObject({ type: 'system' });
        }),
      ),
    );
  });

  test('only a write can name another account', async () => {
    const [mine, theirs] = dealers;
    const read = base.database.inTenant(mine.id, 'read', async (_, inDataSet) => inDataSet(theirs.id));
    await expect(read).rejects.toThrow('only a write');
    await expect(write(mine.id, (work) => work.inAccounts([newId()], async () => {}))).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(write(mine.id, (work) => work.inAccounts(["x'; reset all; --"], async () => {}))).rejects.toThrow('uuid');
  });
});

describe('concurrently', () => {
  const deadlocks = async (): Promise<number> => {
    // Statistics of a connection are flushed within a second of its being idle.
    await wait(1500);
    const [row] = await admin.rows<{ deadlocks: bigint }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    return Number(row!.deadlocks);
  };

  test('three dealers on each other’s vehicles lose nothing and do not deadlock', async () => {
    const before = await states();
    const drive = async (by: Dealer) => {
      for (let turn = 0; turn < 20; turn += 1) await driveAll(by.id);
    };
    await Promise.all(dealers.map(drive));
    const after = await states();
    expect(after.map(({ km }, place) => km - before[place]!.km)).toEqual([60, 60, 60]);
    expect(after.map(({ sequence }, place) => sequence - before[place]!.sequence)).toEqual([60n, 60n, 60n]);
    expect(await deadlocks()).toBe(0);
  });

  test('writes that lock their own data set from the start are retried instead of waited for', async () => {
    const [first, second] = dealers;
    const holding = (mine: Dealer, other: Dealer) =>
      write(mine.id, async (work) => {
        work.holdDataSet();
        const { km } = await work.db.one<{ km: number }>(sql`select km from ${own('vehicles')} where id = ${mine.car}`);
        return work.inAccounts([other.id], async (works) => {
          await works.get(other.id)!.db.exec(sql`update customers set note = null where account_id = ${theAccount} and false`);
          await editVehicle(work, mine.car, { km: km + 1 });
        });
      });
    const before = [await kmOf(first), await kmOf(second)];
    for (let turn = 0; turn < 20; turn += 1) await Promise.all([holding(first, second), holding(second, first)]);
    const after = [await kmOf(first), await kmOf(second)];
    expect(after.map((km, place) => km - before[place]!)).toEqual([20, 20]);
    expect(await deadlocks()).toBe(0);
  });
});

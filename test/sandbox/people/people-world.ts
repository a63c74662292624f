// A world for tests of the simulated side: the dealer, three simulated dealers, and a clock that stops at everything that is due on the way.
import { createAccount } from '../../../src/domain/accounts/accounts.ts';
import type { Files } from '../../../src/domain/files/file-store.ts';
import { openListingOf } from '../../../src/domain/marketplace/listing-writes.ts';
import { addVehicle } from '../../../src/domain/stock/vehicle-writes.ts';
import { SYSTEM, type WorldPeople, type WriteCall, type Writer } from '../../../src/domain/writes/write.ts';
import { parseMoney } from '../../../src/kit/money.ts';
import { own, sql } from '../../../src/kit/sql.ts';
import type { Actor, Work } from '../../../src/kit/work.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { runWorldTransitions, WORLD_PEOPLE } from '../../../src/sandbox/people/people.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { testWriter } from '../../support/test-writer.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const TIMEZONE = 'Asia/Famagusta';
const KEY: Actor = { type: 'api_key', name: 'Sandbox key' };

export interface TestWorld {
  readonly id: string;
  /** The account of production. */
  readonly owner: string;
  /** The simulated dealers in the order of their names. */
  readonly dealers: readonly [string, string, string];
  readonly admin: Session;
  readonly writer: Writer;
  now(): Date;
  /** A request of the world's dealer. What the simulated side does at once has happened when it returns. */
  write<T>(run: (work: Work) => Promise<T>): Promise<T>;
  /** Something that a simulated dealer has done before. */
  writeAs<T>(dealer: string, run: (work: Work) => Promise<T>): Promise<T>;
  /** Moves the clock; everything that is due on the way happens at its own time. */
  pass(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

const NAMES = ['Akın Oto', 'Bulut Motors', 'Ceylan Galeri'];

interface WorldOptions {
  /** For documents. */
  readonly files?: () => Promise<Files>;
  /** A database that has other worlds too; the caller closes it. */
  readonly base?: TestDatabase;
  readonly people?: WorldPeople;
}

export async function testWorld({ files, base: input, people = WORLD_PEOPLE }: WorldOptions = {}): Promise<TestWorld> {
  const base = input ?? (await testDatabase());
  const admin = await openSession(base.adminUrl);
  const { id, owner, dealers } = await makeWorld(base, admin);
  const writer = testWriter({ ...base, worldPeople: people, ...(files === undefined ? {} : { files }) });
  let offsetMs = 0;
  const now = () => new Date(Date.now() + offsetMs);
  const callOf = (dataSet: string, at: Date): Omit<WriteCall, 'actor'> => ({
    dataSet,
    account: { id: dataSet, timezone: TIMEZONE },
    now: at,
    world: { id, offsetMs, isClock: true },
  });
  const pass = async (milliseconds: number): Promise<void> => {
    const target = new Date(now().getTime() + milliseconds);
    for (;;) {
      const [next] = await nextDue(admin, id, target);
      if (next === undefined) break;
      await admin.rows(
        `update worlds set status = 'advancing', target_at = $2, reached_at = greatest(reached_at, $3) where id = $1`,
        [id, target, next.due],
      );
      const [{ at }] = (await admin.rows<{ at: Date }>('select reached_at as at from worlds where id = $1', [id])) as [
        { at: Date },
      ];
      await runWorldTransitions(writer, callOf(next.id, at));
    }
    offsetMs = Math.max(offsetMs, target.getTime() - Date.now());
    await admin.rows(`update worlds set status = 'ready', target_at = null, reached_at = null, offset_ms = $2 where id = $1`, [
      id,
      offsetMs,
    ]);
  };
  return {
    id,
    owner,
    dealers,
    admin,
    writer,
    now,
    write: (run) => writer.write({ ...callOf(id, now()), actor: KEY, requestId: 'req_test' }, run),
    writeAs: (dealer, run) => writer.write({ ...callOf(dealer, now()), actor: SYSTEM }, run),
    pass,
    close: async () => {
      await admin.close();
      if (input === undefined) await base.close();
    },
  };
}

const nextDue = (admin: Session, id: string, target: Date) =>
  admin.rows<{ id: string; due: Date }>(
    `select d.id, d.next_due_at as due from data_sets d join accounts a on a.id = d.account_id
      where a.world_id = $1 and d.next_due_at <= $2 order by d.next_due_at, d.id limit 1`,
    [id, target],
  );

async function makeWorld({ database }: TestDatabase, admin: Session) {
  const at = new Date();
  const made: string[] = [];
  for (const name of ['Sahip Oto', 'Deneme Oto', ...NAMES])
    made.push(
      (
        await database.onPlatform('write', (db) =>
          createAccount(db, { name, legal_name: name, phone: '+905330000000' }, SYSTEM, at),
        )
      ).id,
    );
  const [owner, id, ...dealers] = made as [string, string, string, string, string];
  await admin.rows(
    `insert into worlds (id, owner_id, data, data_version, created_at, started_at, last_used_at) values ($1, $2, 'empty', 1, $3, $3, $3)`,
    [id, owner, at],
  );
  await admin.rows('update accounts set world_id = $1 where id = any($2)', [id, [id, ...dealers]]);
  await admin.rows(`update data_sets set kind = 'sandbox' where id = any($1)`, [[id, ...dealers]]);
  return { id, owner, dealers };
}

let plates = 0;

export const minor = (amount: string): bigint => (amount.startsWith('-') ? -minor(amount.slice(1)) : parseMoney(amount)!);

export const addCar = async (work: Work, price = '10000.00'): Promise<string> => {
  const car = { brand: 'Fiat', model: 'Egea', model_year: 2020, km: 0, fuel_type: 'Benzin', transmission: 'Manuel' } as const;
  const place = { body_type: 'Sedan', color: 'Gri', plate: `PW ${++plates}`, city: 'Girne', price: minor(price) } as const;
  return (await addVehicle(work, { ...car, ...place })).id;
};

/** A published car: its listing. */
export const addListing = async (work: Work, price = '10000.00'): Promise<string> =>
  (await openListingOf(work, { vehicle_id: await addCar(work, price) })).id;

export interface DoneAct {
  readonly kind: string;
  readonly due_at: Date;
  readonly done_at: Date | null;
  readonly outcome: string | null;
}

export const actsOf = (world: TestWorld, recordId: string): Promise<DoneAct[]> =>
  world.admin.rows<DoneAct>(
    'select kind, due_at, done_at, outcome from sandbox_acts where account_id = $1 and record_id = $2 order by due_at, number',
    [world.id, recordId],
  );

/** Kinds of the dealer's events about a record, in order. */
export const eventsOf = async (world: TestWorld, recordId: string, dealer = world.id): Promise<string[]> =>
  (
    await world.admin.rows<{ kind: string }>(
      'select kind from events where account_id = $1 and resource_id = $2 order by sequence',
      [dealer, recordId],
    )
  ).map(({ kind }) => kind);

export const failuresIn = (world: TestWorld): Promise<{ error: string }[]> =>
  world.writer.database.inTenant(world.id, 'read', (db) =>
    db.rows<{ error: string }>(sql`select kind, error from ${own('transition_failures')}`),
  );

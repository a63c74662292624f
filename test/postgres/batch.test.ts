// Pipelined statements: what each caller gets when one fails, and that the connection stays usable.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inSavepoint } from '../../src/domain/writes/write.ts';
import { allAnswers, type Db, Rollback, sqlState } from '../../src/kit/db.ts';
import { sql } from '../../src/kit/sql.ts';
import { openDatabase, openSession, type Session } from '../../src/postgres/database.ts';
import { type CountingWire, openCountingWire } from '../support/counting-wire.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let base: TestDatabase;
let wire: CountingWire;
let admin: Session;
let database: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  base = await testDatabase();
  wire = await openCountingWire(base.urls.platformUrl);
  admin = await openSession(base.adminUrl);
  await admin.rows('create table numbers (n int primary key)');
  await admin.rows('grant all on numbers to public');
  database = openDatabase({ ...base.urls, platformUrl: wire.url });
});
beforeEach(() => admin.rows('delete from numbers'));
afterAll(async () => {
  await database.close();
  await admin.close();
  await wire.close();
  await base.close();
});

const write = <T>(work: (db: Db) => Promise<T>) => database.onPlatform('write', work);
const add = (n: number) => sql`insert into numbers values (${n})`;
const all = async () => (await admin.rows<{ n: number }>('select n from numbers order by n')).map(({ n }) => n);
const failure = (work: Promise<unknown>) => work.then(() => null).catch((error: Error) => error);

test('one packet out, one answer back, COMMIT with the last', async () => {
  await write((db) => db.exec(add(1)));
  wire.taken();
  await write(async (db) => {
    db.send(add(2));
    const [count, rows] = await allAnswers([db.exec(add(3)), db.rows<{ n: number }>(sql`select n from numbers order by n`)]);
    expect([count, rows]).toEqual([1, [{ n: 1 }, { n: 2 }, { n: 3 }]]);
    db.send(add(4));
  });
  expect(wire.taken()).toBe(2);
  expect(await all()).toEqual([1, 2, 3, 4]);
});

test('a failing statement that is not awaited fails its transaction, with its own error', async () => {
  const lost = await failure(
    write(async (db) => {
      await db.exec(add(1));
      db.send(add(1));
    }),
  );
  expect(sqlState(lost)).toBe('23505');
  const next = await failure(
    write(async (db) => {
      db.send(add(1));
      db.send(add(1));
      await db.rows(sql`select n from numbers`);
    }),
  );
  expect(sqlState(next)).toBe('23505');
  expect(await all()).toEqual([]);
});

test('statements after a failed one report only that, and the failed one is the cause', async () => {
  let others: unknown[] = [];
  const cause = await failure(
    write(async (db) => {
      const sent = [db.exec(add(1)), db.exec(add(1)), db.exec(add(2)), db.rows(sql`select n from numbers`)] as const;
      others = (await Promise.allSettled(sent)).map((result) =>
        result.status === 'rejected' ? sqlState(result.reason) : 'done',
      );
      await allAnswers(sent);
    }),
  );
  expect(others).toEqual(['done', '23505', '25P02', '25P02']);
  expect(sqlState(cause)).toBe('23505');
  expect(await all()).toEqual([]);
});

test('a savepoint is rolled back alone, and statements prepared after the failure are prepared again', async () => {
  await write(async (db) => {
    await db.exec(add(1));
    const step = inSavepoint(db, () => allAnswers([db.exec(add(1)), db.rows(sql`select n as never_before from numbers`)]));
    expect(sqlState(await failure(step))).toBe('23505');
    await inSavepoint(db, () => db.exec(add(2)));
    expect(await db.rows(sql`select n as never_before from numbers order by n`)).toEqual([
      { never_before: 1 },
      { never_before: 2 },
    ]);
  });
  expect(await all()).toEqual([1, 2]);
});

test('a failure that was caught without a savepoint commits nothing, and says so', async () => {
  const lost = await failure(write((db) => db.exec(add(5)).then(() => db.exec(add(5)).catch(() => 0))));
  expect(lost?.message).toMatch(/rolled back/);
  expect(await all()).toEqual([]);
});

test('statements not yet sent when the work is abandoned are never sent', async () => {
  const undone = await failure(
    write(async (db) => {
      await db.exec(add(1));
      db.send(add(2));
      throw new Rollback('never mind');
    }),
  );
  expect(undone).toBeInstanceOf(Rollback);
  expect(await all()).toEqual([]);
  expect(await write((db) => db.exec(add(3)))).toBe(1);
});

test('a sent statement may map its failure to an own error, and the connection continues', async () => {
  const refusal = await failure(
    write(async (db) => {
      db.send(add(1));
      db.send(add(1), () => {
        throw new Rollback('one is taken');
      });
      db.send(add(2));
    }),
  );
  expect(refusal).toMatchObject({ message: 'one is taken' });
  expect(await all()).toEqual([]);
  wire.taken();
  await write((db) => db.exec(add(3)));
  // One for the statement with its BEGIN, one for COMMIT: no new connection was opened.
  expect(wire.taken()).toBe(2);
});

test('a statement that is built when it is sent keeps its place', async () => {
  let number = 1;
  await write(async (db) => {
    db.send(() => add(number));
    number = 7;
    expect(await db.rows(sql`select n from numbers`)).toEqual([{ n: 7 }]);
  });
  expect(await all()).toEqual([7]);
});

test('a statement that cannot be built fails the write, and nothing of it is sent', async () => {
  const lost = await failure(
    write(async (db) => {
      db.send(add(1));
      db.send(() => {
        throw new Rollback('nothing to send');
      });
      await db.exec(add(2));
    }),
  );
  expect(lost).toMatchObject({ message: 'nothing to send' });
  expect(await all()).toEqual([]);
  await write((db) => db.exec(add(3)));
  expect(await all()).toEqual([3]);
});

test('work that continues after its write was abandoned gets an error, not the next user of the connection', async () => {
  let straggler: Promise<unknown> = Promise.resolve();
  let goOn = () => {};
  const input = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await failure(
    write(async (db) => {
      await db.exec(add(1));
      straggler = failure(input.then(() => db.exec(add(2))));
      throw new Rollback('given up');
    }),
  );
  goOn();
  expect(await straggler).toMatchObject({ message: expect.stringMatching(/after the last one/) });
  expect(await all()).toEqual([]);
});

// The only file that knows the PostgreSQL driver: one-off sessions, and the two doors through which all data is reached.
import pg from 'pg';
import { type Access, type Database, type Db, Undone } from '../kit/db.ts';
import { Failure, fail } from '../kit/errors.ts';
import { compile, type Sql, type Statement, sql } from '../kit/sql.ts';
import { type Answer, Batch, type Outgoing, Skipped } from './batch.ts';
import { createFairQueue } from './fair-queue.ts';

// bigint columns are counts and minor units here: numbers where they are safe, and money never leaves as a number.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text));
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** One connection of its own: for migrations, locks and the change channel, never for tenant data. */
export interface Session {
  rows<T = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>;
  /** Called once when the connection is lost without close() having been called. */
  onLost(callback: () => void): void;
  onNotice(callback: (channel: string, payload: string) => void): void;
  close(): Promise<void>;
}

export async function openSession(url: string, options: { timeoutMs?: number } = {}): Promise<Session> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: options.timeoutMs ?? 5000 });
  let closing = false;
  let lost: (() => void) | undefined;
  client.on('error', () => {});
  client.on('end', () => {
    if (!closing) lost?.();
  });
  await client.connect();
  return {
    rows: async <T>(text: string, values: unknown[] = []) =>
      (await client.query(text, values.length > 0 ? values : undefined)).rows as T[],
    onLost: (callback) => {
      lost = callback;
    },
    onNotice: (callback) => {
      client.on('notification', (message) => callback(message.channel, message.payload ?? ''));
    },
    close: async () => {
      closing = true;
      await client.end();
    },
  };
}

export interface DatabaseOptions {
  tenantUrl: string;
  platformUrl: string;
  /** 2 to 4 connections cost no throughput on a small machine and cut p99 to a third of 8's (docs/performance.md). */
  connections?: number;
  /** Sees every statement before it is sent and may alter it: how tests read plans and cut one belt at a time. */
  watch?: (statement: Statement) => Statement;
}

const UUID = /^[0-9a-f-]{36}$/;

export function openDatabase(options: DatabaseOptions): Database {
  const size = options.connections ?? 4;
  const tenant = createPool(options.tenantUrl, size, '-c default_transaction_read_only=on');
  const platform = createPool(options.platformUrl, 3, '');
  const queue = createFairQueue({ connections: size });
  const watch = options.watch ?? ((statement) => statement);
  const written: ((dataSet: string, version: bigint) => void)[] = [];

  return {
    async inTenant(dataSet, access, work, finish = () => raiseVersion(dataSet)) {
      if (!UUID.test(dataSet)) throw new Error('a data set id must be a uuid');
      const release = await queue.enter(dataSet);
      try {
        // SET LOCAL rather than set_config(): nothing to plan, no row to return, and it reaches the workers of a sharded database.
        const begin = [
          access === 'read' ? 'begin isolation level repeatable read read only' : 'begin read write',
          `set local app.account_id = '${dataSet}'`,
        ];
        if (access === 'read') return await transact(tenant, { begin, account: dataSet, access, watch }, work);
        let version = 0n;
        // Last of all, so that the counter's lock is held for the length of the commit only.
        const value = await transact(tenant, { begin, account: dataSet, access, watch }, work, {
          statement: finish,
          ended: (row) => {
            version = (row as { version: bigint }).version;
          },
        });
        for (const listener of written) listener(dataSet, version);
        return value;
      } finally {
        release();
      }
    },
    onPlatform: (access, work) =>
      transact(platform, { begin: [access === 'read' ? 'begin read only' : 'begin'], account: null, access, watch }, work),
    onWritten: (listener) => written.push(listener),
    waiting: () => queue.waiting() + tenant.waitingCount + platform.waitingCount,
    close: async () => {
      await Promise.all([tenant.end(), platform.end()]);
    },
  };
}

const raiseVersion = (dataSet: string): Sql =>
  sql`update data_sets set version = version + 1 where id = ${dataSet} returning version`;

function createPool(url: string, max: number, more: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 1000,
    // Never closed for idling: a timer for each request would cost more than a handful of open connections.
    idleTimeoutMillis: 0,
    // Planned once: planning a page anew for its values costs more than reading it, and its indexes serve every value.
    options: `-c statement_timeout=5000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=10000 -c plan_cache_mode=force_generic_plan ${more}`,
  } as pg.PoolConfig);
  // A connection that dies while idle is replaced by the pool; nobody waits for it.
  pool.on('error', () => {});
  // One that dies in use, but between two statements, has nobody to tell: whoever sends the next finds out.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

interface Transaction {
  readonly begin: readonly string[];
  readonly account: string | null;
  readonly access: Access;
  readonly watch: (statement: Statement) => Statement;
}

/** `atEnd` gives the statement that leaves with COMMIT, and `ended` is told its row. */
async function transact<T>(
  pool: pg.Pool,
  { begin, account, access, watch }: Transaction,
  work: (db: Db) => Promise<T>,
  atEnd: { statement(): Sql; ended(row: unknown): void } | null = null,
): Promise<T> {
  const client = await pool.connect();
  const line = openLine(client);
  let state = 'new' as 'new' | 'begun' | 'ended';
  let committed: Promise<Answer> | undefined;
  const prepare = (statement: Sql): Statement & { name: string | undefined } => {
    if (state === 'ended') throw new Error('a statement followed the one that was said to be the last');
    const { text, values } = watch(compile(statement, account));
    return { text, values: values.map(toParameter), name: preparedName(text) };
  };
  /** BEGIN and the account leave with the first statement, so that the wall of row-level security costs no round trip of its own. */
  const start = (): void => {
    if (state !== 'new') return;
    state = 'begun';
    for (const text of begin) line.send({ text, values: [], name: text.includes("'") ? undefined : preparedName(text) });
  };
  const run = (statement: Sql): Promise<Answer> => {
    const prepared = prepare(statement);
    start();
    return line.ask(prepared);
  };
  const commit = (): void => {
    state = 'ended';
    committed = quietly(line.ask({ text: 'commit', values: [], name: preparedName('commit') }));
  };
  const db: Db = {
    rows: async <R>(statement: Sql) => (await run(statement)).rows as R[],
    one: async <R>(statement: Sql) => ((await run(statement)).rows[0] as R) ?? fail('not_found'),
    exec: async (statement) => (await run(statement)).count,
    send: (statement) => {
      const prepared = prepare(statement);
      start();
      line.send(prepared);
    },
    last: async <R>(statement: Sql) => {
      if (access === 'read' && account !== null && state === 'new') {
        const prepared = prepare(statement);
        state = 'ended';
        return ((await readAlone(line, account, prepared)).rows[0] as R) ?? fail('not_found');
      }
      const answer = run(statement);
      if (atEnd === null) commit();
      return ((await answer).rows[0] as R) ?? fail('not_found');
    },
  };
  try {
    const value = await work(db);
    const last = atEnd === null ? null : quietly(run(atEnd.statement()));
    if (state === 'begun') commit();
    if (last !== null) atEnd!.ended((await last).rows[0] ?? fail('not_found'));
    // A statement that failed and was caught leaves a transaction that COMMIT ends as ROLLBACK, without an error.
    if (committed && (await committed).command !== 'COMMIT') {
      throw new Error('the transaction was rolled back by a failed statement');
    }
    client.release();
    return value;
  } catch (error) {
    line.drop();
    // Where the connection is what failed, so does the rollback, and nobody waits for it.
    await leave(client, error, state === 'begun' && !committed ? quietly(line.ask(ROLLBACK)) : committed);
    throw error;
  }
}

const ROLLBACK = { text: 'rollback', values: [], name: undefined };

/** A refusal of ours leaves a healthy connection. After any other error it is destroyed: no later request can meet its state. */
async function leave(client: pg.PoolClient, error: unknown, ending: Promise<unknown> | undefined): Promise<void> {
  const healthy =
    (error instanceof Failure || error instanceof Undone) &&
    (await Promise.resolve(ending).then(
      () => true,
      () => false,
    ));
  client.release(!healthy);
}

/** Looked at later: until then a failure of it must not count as unhandled. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

type Prepared = Omit<Outgoing, 'waiter'>;

/** One connection's statements. What is asked in one turn leaves in one write; what is asked before that is answered, in the next. */
interface Line {
  ask(statement: Prepared): Promise<Answer>;
  /** Leaves with the next one that is asked. */
  send(statement: Prepared): void;
  /** What has not left stays. */
  drop(): void;
}

function openLine(client: pg.PoolClient): Line {
  const waiting: Outgoing[] = [];
  let isAsked = false;
  let isUnderWay = false;
  let isPlanned = false;
  const leave = (): void => {
    isPlanned = false;
    if (!isAsked || isUnderWay) return;
    // Up to the last one that somebody waits for: a failure always has someone to be told to.
    const count = waiting.findLastIndex(({ waiter }) => waiter !== null) + 1;
    const statements = waiting.splice(0, count);
    isAsked = false;
    isUnderWay = true;
    client.query(new Batch(statements, parserOf, answered) as unknown as pg.Submittable);
  };
  /** After everything that follows at once from what was just answered: it leaves together. */
  const plan = (): void => {
    if (isPlanned || isUnderWay || !isAsked) return;
    isPlanned = true;
    process.nextTick(leave);
  };
  const answered = (): void => {
    isUnderWay = false;
    plan();
  };
  return {
    ask: (statement) =>
      new Promise((resolve, reject) => {
        waiting.push({ ...statement, waiter: { resolve, reject } });
        isAsked = true;
        plan();
      }),
    send: (statement) => {
      waiting.push({ ...statement, waiter: null });
    },
    drop: () => {
      for (const { waiter } of waiting.splice(0)) waiter?.reject(new Skipped('the transaction has failed'));
      isAsked = false;
    },
  };
}

const parserOf = (type: number) => pg.types.getTypeParser(type, 'text') as (text: string) => unknown;
const toParameter = (value: unknown): unknown =>
  (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils.prepareValue(value);

const ENTER = "select set_config('app.account_id', $1, true)";

/**
 * A statement that is a whole read by itself: the account and the statement share one Sync, so that PostgreSQL runs both in one
 * implicit transaction (read only by the connection's default) and the account ends with it. BEGIN and COMMIT as statements of
 * their own cost more than a page does.
 */
function readAlone(line: Line, account: string, statement: Prepared): Promise<Answer> {
  line.send({ text: ENTER, values: [account], name: 'enter' });
  return line.ask(statement);
}

const names = new Map<string, string>();

/** The first few hundred distinct statements are prepared once per connection; the long tail of filter combinations is not. */
function preparedName(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < 300) {
    name = `s${names.size}`;
    names.set(text, name);
  }
  return name;
}

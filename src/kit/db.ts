// The only file that knows the PostgreSQL driver: one-off sessions, and the two doors through which all data is reached.
import pg from 'pg';
import { Failure, fail } from './errors.ts';
import { compile, type Sql, type Statement, sql } from './sql.ts';

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

/** What bodies and domain functions speak to: one transaction. */
export interface Db {
  rows<T>(statement: Sql): Promise<T[]>;
  /** The one row, or the API's not_found. */
  one<T>(statement: Sql): Promise<T>;
  /** How many rows the statement touched. */
  exec(statement: Sql): Promise<number>;
  /** `one`, with the promise that no statement follows it: a read then takes a single round trip, COMMIT included. */
  last<T>(statement: Sql): Promise<T>;
}

export type Access = 'read' | 'write';

export interface Database {
  /** One dealer, one transaction: every statement sees that data set only. A write ends by raising its version. */
  inTenant<T>(dataSet: string, access: Access, work: (db: Db) => Promise<T>): Promise<T>;
  /** Keys, accounts, release status, the log: what lies before or beyond one dealer. */
  onPlatform<T>(access: Access, work: (db: Db) => Promise<T>): Promise<T>;
  /** Called for every tenant write after its commit and before its caller is told: what this process kept of it is old now. */
  onWritten(listener: (dataSet: string, version: bigint) => void): void;
  waiting(): number;
  close(): Promise<void>;
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
  const tenant = createPool(options.tenantUrl, size);
  const platform = createPool(options.platformUrl, 3);
  const fair = createFairness(Math.max(1, Math.ceil(size / 2)));
  const watch = options.watch ?? ((statement) => statement);
  const written: ((dataSet: string, version: bigint) => void)[] = [];

  return {
    async inTenant(dataSet, access, work) {
      if (!UUID.test(dataSet)) throw new Error('a data set id must be a uuid');
      const release = await fair.enter(dataSet);
      try {
        // SET LOCAL rather than set_config(): nothing to plan, no row to return, and it reaches the workers of a sharded database.
        const begin = `begin ${access === 'read' ? 'isolation level repeatable read read only' : ''}; set local app.account_id = '${dataSet}'`;
        if (access === 'read') return await transact(tenant, { begin, account: dataSet, watch }, work);
        let version = 0n;
        const value = await transact(tenant, { begin, account: dataSet, watch }, work, async (db) => {
          // Last of all, so that the counter's lock is held for the length of the commit only.
          ({ version } = await db.one<{ version: bigint }>(
            sql`update data_sets set version = version + 1 where id = ${dataSet} returning version`,
          ));
        });
        for (const listener of written) listener(dataSet, version);
        return value;
      } finally {
        release();
      }
    },
    onPlatform: (access, work) =>
      transact(platform, { begin: access === 'read' ? 'begin read only' : 'begin', account: null, watch }, work),
    onWritten: (listener) => written.push(listener),
    waiting: () => tenant.waitingCount + platform.waitingCount,
    close: async () => {
      await Promise.all([tenant.end(), platform.end()]);
    },
  };
}

function createPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    pipeline: true,
    connectionTimeoutMillis: 1000,
    // Never closed for idling: a timer for each request would cost more than a handful of open connections.
    idleTimeoutMillis: 0,
    // Planned once: planning a page anew for its values costs more than reading it, and its indexes serve every value.
    options:
      '-c statement_timeout=5000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=10000 -c plan_cache_mode=force_generic_plan',
  } as pg.PoolConfig);
  // A connection that dies while idle is replaced by the pool; nobody waits for it.
  pool.on('error', () => {});
  return pool;
}

interface Transaction {
  readonly begin: string;
  readonly account: string | null;
  readonly watch: (statement: Statement) => Statement;
}

async function transact<T>(
  pool: pg.Pool,
  { begin, account, watch }: Transaction,
  work: (db: Db) => Promise<T>,
  atEnd: ((db: Db) => Promise<void>) | null = null,
): Promise<T> {
  const client = await pool.connect();
  const stream = (client as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection.stream;
  let committed: Promise<pg.QueryResult> | undefined;
  const run = (statement: Sql): Promise<pg.QueryResult> => {
    if (committed) throw new Error('a statement followed the one that was said to be the last');
    const { text, values } = watch(compile(statement, account));
    const name = preparedName(text);
    return client.query(name === undefined ? { text, values } : { text, values, name });
  };
  const db: Db = {
    rows: async <R>(statement: Sql) => (await run(statement)).rows as R[],
    one: async <R>(statement: Sql) => ((await run(statement)).rows[0] as R) ?? fail('not_found'),
    exec: async (statement) => (await run(statement)).rowCount ?? 0,
    last: async <R>(statement: Sql) => {
      const result = run(statement);
      if (atEnd === null) committed = quietly(client.query('commit'));
      return ((await result).rows[0] as R) ?? fail('not_found');
    },
  };
  try {
    // Held back until the body's first statement is written too: BEGIN, the account, that statement and, after `last`,
    // COMMIT leave in one write, so that the wall of row-level security costs no round trip of its own.
    stream.cork();
    const begun = quietly(client.query(begin));
    let result: Promise<T>;
    try {
      result = quietly(work(db));
    } finally {
      stream.uncork();
    }
    await begun;
    const value = await result;
    if (atEnd !== null) await atEnd(db);
    const { command } = await (committed ?? client.query('commit'));
    // A statement that failed and was caught leaves a transaction that COMMIT ends as ROLLBACK, without an error.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back by a failed statement');
    client.release();
    return value;
  } catch (error) {
    await (error instanceof Failure && !committed ? rollBack(client) : drop(client, committed));
    throw error;
  }
}

/** A refusal of ours leaves a healthy connection. */
async function rollBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.release();
  } catch {
    client.release(true);
  }
}

/** After any other error the connection is destroyed: whatever state it was in, no later request can meet it. */
async function drop(client: pg.PoolClient, committed: Promise<unknown> | undefined): Promise<void> {
  const ended = await committed?.then(
    () => true,
    () => false,
  );
  client.release(ended !== true);
}

/** Looked at later: until then a failure of it must not count as unhandled. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
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

/** No account holds more than half the connections; a wait over a second is a 503, not a pile-up. */
function createFairness(most: number) {
  const busy = new Map<string, number>();
  const queues = new Map<string, (() => void)[]>();
  const leave = (account: string) => () => {
    const next = queues.get(account)?.shift();
    if (next) return next();
    const count = busy.get(account)! - 1;
    if (count === 0) {
      busy.delete(account);
      queues.delete(account);
    } else busy.set(account, count);
  };
  return {
    enter(account: string): Promise<() => void> | (() => void) {
      const count = busy.get(account) ?? 0;
      if (count < most) {
        busy.set(account, count + 1);
        return leave(account);
      }
      return new Promise((resolve, reject) => {
        const queue = queues.get(account) ?? [];
        queues.set(account, queue);
        const enter = () => {
          clearTimeout(timer);
          resolve(leave(account));
        };
        const timer = setTimeout(() => {
          queue.splice(queue.indexOf(enter), 1);
          reject(new Error('timeout: this account already uses its share of the database connections'));
        }, 1000);
        queue.push(enter);
      });
    },
  };
}

/** SQLSTATE of a database error, or null for anything else. */
export function sqlState(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : null;
}

/** True when the database, not the request, is the reason: gone, starting, overloaded, or too slow. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const state = sqlState(error);
  if (state !== null) return /^(08|53|57|58)/.test(state) || state === '25P03' || state === '55P03';
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^E(CONN|PIPE|NOENT|HOST|NET|TIMEDOUT|AGAIN)/.test(code) ||
    /timeout|terminat|Connection|not queryable|closed/i.test(error.message)
  );
}

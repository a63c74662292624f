// The only file that knows the PostgreSQL driver: one-off sessions, and the two doors through which all data is reached.
import pg from 'pg';
import { type Access, type Database, type Db, Undone } from '../kit/db.ts';
import { Failure, fail } from '../kit/errors.ts';
import { compile, type Sql, type Statement, sql } from '../kit/sql.ts';
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
    async inTenant(dataSet, access, work, finish = (db) => raiseVersion(db, dataSet)) {
      if (!UUID.test(dataSet)) throw new Error('a data set id must be a uuid');
      const release = await queue.enter(dataSet);
      try {
        // SET LOCAL rather than set_config(): nothing to plan, no row to return, and it reaches the workers of a sharded database.
        const begin = `begin ${access === 'read' ? 'isolation level repeatable read read only' : 'read write'}; set local app.account_id = '${dataSet}'`;
        if (access === 'read') return await transact(tenant, { begin, account: dataSet, access, watch }, work);
        let version = 0n;
        const value = await transact(tenant, { begin, account: dataSet, access, watch }, work, async (db) => {
          // Last of all, so that the counter's lock is held for the length of the commit only.
          version = await finish(db);
        });
        for (const listener of written) listener(dataSet, version);
        return value;
      } finally {
        release();
      }
    },
    onPlatform: (access, work) =>
      transact(platform, { begin: access === 'read' ? 'begin read only' : 'begin', account: null, access, watch }, work),
    onWritten: (listener) => written.push(listener),
    waiting: () => queue.waiting() + tenant.waitingCount + platform.waitingCount,
    close: async () => {
      await Promise.all([tenant.end(), platform.end()]);
    },
  };
}

async function raiseVersion(db: Db, dataSet: string): Promise<bigint> {
  const { version } = await db.one<{ version: bigint }>(
    sql`update data_sets set version = version + 1 where id = ${dataSet} returning version`,
  );
  return version;
}

function createPool(url: string, max: number, more: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    pipeline: true,
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
  readonly begin: string;
  readonly account: string | null;
  readonly access: Access;
  readonly watch: (statement: Statement) => Statement;
}

async function transact<T>(
  pool: pg.Pool,
  { begin, account, access, watch }: Transaction,
  work: (db: Db) => Promise<T>,
  atEnd: ((db: Db) => Promise<void>) | null = null,
): Promise<T> {
  const client = await pool.connect();
  const stream = (client as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection.stream;
  let state = 'new' as 'new' | 'begun' | 'ended';
  let begun: Promise<unknown> | undefined;
  let committed: Promise<pg.QueryResult> | undefined;
  const prepared = (statement: Sql): pg.QueryConfig => {
    if (state === 'ended') throw new Error('a statement followed the one that was said to be the last');
    const { text, values } = watch(compile(statement, account));
    return { text, values, name: preparedName(text) } as pg.QueryConfig;
  };
  const run = (statement: Sql, isLast = false): Promise<pg.QueryResult> => {
    const query = prepared(statement);
    if (state === 'begun' && !isLast) return client.query(query);
    // Held back until all of it is written: BEGIN, the account, the first statement and, after `last`, COMMIT leave in one
    // write, so that the wall of row-level security costs no round trip of its own.
    stream.cork();
    try {
      if (state === 'new') begun = quietly(client.query(begin));
      state = 'begun';
      const result = client.query(query);
      if (isLast) {
        state = 'ended';
        committed = quietly(client.query('commit'));
      }
      return result;
    } finally {
      stream.uncork();
    }
  };
  const db: Db = {
    rows: async <R>(statement: Sql) => (await run(statement)).rows as R[],
    one: async <R>(statement: Sql) => ((await run(statement)).rows[0] as R) ?? fail('not_found'),
    exec: async (statement) => (await run(statement)).rowCount ?? 0,
    last: async <R>(statement: Sql) => {
      if (access === 'read' && account !== null && state === 'new') {
        const query = prepared(statement);
        state = 'ended';
        return ((await readAlone(client, account, query)).rows[0] as R) ?? fail('not_found');
      }
      return ((await run(statement, atEnd === null)).rows[0] as R) ?? fail('not_found');
    },
  };
  try {
    const value = await work(db);
    if (atEnd !== null) await atEnd(db);
    await begun;
    if (state === 'begun') committed = client.query('commit');
    // A statement that failed and was caught leaves a transaction that COMMIT ends as ROLLBACK, without an error.
    if (committed && (await committed).command !== 'COMMIT') {
      throw new Error('the transaction was rolled back by a failed statement');
    }
    client.release();
    return value;
  } catch (error) {
    // Where the connection is what failed, so does the rollback, and nobody waits for it.
    await leave(client, error, state === 'begun' && !committed ? quietly(client.query('rollback')) : committed);
    throw error;
  }
}

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

/** What pg's connection offers to a query that writes its own messages. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string>;
  parse(message: { name: string; text: string }): void;
  bind(message: { portal: string; statement: string; values: unknown[] }): void;
  execute(message: { portal: string }): void;
}

const ENTER = { name: 'enter', text: "select set_config('app.account_id', $1, true)" };

/**
 * A statement that is a whole read by itself: the account and the statement share one Sync, so that PostgreSQL runs both in one
 * implicit transaction (read only by the connection's default) and the account ends with it. BEGIN and COMMIT as statements of
 * their own cost more than a page does.
 */
class LoneRead extends (pg.Query as unknown as new (
  ...query: [pg.QueryConfig, unknown[] | undefined, (error: Error | null, result: pg.QueryResult) => void]
) => {
  prepare(wire: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
}) {
  account = '';
  #entered = false;

  override prepare(wire: Wire): void {
    if (wire.parsedStatements[ENTER.name] === undefined) {
      wire.parse(ENTER);
      wire.parsedStatements[ENTER.name] = ENTER.text;
    }
    wire.bind({ portal: '', statement: ENTER.name, values: [this.account] });
    wire.execute({ portal: '' });
    super.prepare(wire);
  }

  override handleDataRow(message: unknown): void {
    if (this.#entered) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#entered) super.handleCommandComplete(message, wire);
    this.#entered = true;
  }
}

function readAlone(client: pg.PoolClient, account: string, query: pg.QueryConfig): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const read = new LoneRead(query, undefined, (error, result) => (error === null ? resolve(result) : reject(error)));
    read.account = account;
    client.query(read as unknown as pg.Submittable);
  });
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

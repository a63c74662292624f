// The only file that imports the PostgreSQL driver: single sessions, and the two roles with which all data is read and
// written.
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { addressOfHost, settingsByStatement } from '../domain/net/database-url.ts';
import {
  type Access,
  allAnswers,
  type Database,
  type DataSetWritten,
  type Db,
  type Explain,
  type Finish,
  isUnavailable,
  Rollback,
  sqlState,
  Unavailable,
} from '../kit/db.ts';
import { Failure, fail } from '../kit/errors.ts';
import { compile, type Sql, type Statement, sql } from '../kit/sql.ts';
import type { Answer, Batch } from './batch.ts';
import { raiseVersion, requireWritten } from './data-set-version.ts';
import { createFairQueue, MAX_WAIT_MS } from './fair-queue.ts';
import { type Hosts, hostsFor, StandbyServer } from './hosts.ts';
import { type Line, NOT_MADE, openLine, type Prepared, preparedName, readAlone } from './line.ts';
import { asOptions, asStatements, KEEPALIVE, POOL_SETTINGS, SERVER_KEEPALIVE } from './settings.ts';
import { atMost, DEADLINE_MS, type Silence, watchSilence } from './silence.ts';
import { createWaits } from './waits.ts';

// bigint columns are counts and minor units here: numbers where they are safe, and money never leaves as a number.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text));
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** A separate connection: for migrations, locks and the change channel, never for tenant data. */
export interface Session {
  rows<T = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>;
  /** Called once when the connection is lost without close() having been called. */
  onLost(callback: () => void): void;
  onNotice(callback: (channel: string, payload: string) => void): void;
  close(): Promise<void>;
}

export interface SessionOptions {
  /** The limit for connecting. */
  readonly timeoutMs?: number;
  /** How long a statement may go without an answer; null for migrations and backups, which have no limit. */
  readonly deadlineMs?: number | null;
  /** For a backup, and for a look at the server. */
  readonly acceptsStandby?: boolean;
}

/** PostgreSQL reports when a connection opens, without a statement, whether it is a standby. */
class ServerClient extends pg.Client {
  reportsStandby = false;
  constructor(config: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter };
    connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === 'in_hot_standby') this.reportsStandby = parameterValue === 'on';
    });
  }
}

/** A pooler may repeat an old report, so it is confirmed. */
async function isStandby(client: ServerClient): Promise<boolean> {
  if (!client.reportsStandby) return false;
  return (await client.query<{ is: boolean }>('select pg_is_in_recovery() as is')).rows[0]!.is;
}

/** On the first host that answers and accepts writes. */
export async function openSession(url: string, options: SessionOptions = {}): Promise<Session> {
  const hosts = hostsFor(url);
  const problems: string[] = [];
  for (;;) {
    const host = hosts.current();
    try {
      return await openSessionAt(url, host, options);
    } catch (error) {
      hosts.failed(host);
      if (hosts.all.length === 1) throw error;
      problems.push(error instanceof StandbyServer ? error.message : `${decodeURIComponent(host)}: ${(error as Error).message}`);
      if (problems.length >= hosts.all.length) throw new Unavailable(problems.join('; '), { cause: error });
    }
  }
}

async function openSessionAt(url: string, host: string, options: SessionOptions): Promise<Session> {
  const { timeoutMs = 5000, deadlineMs = 60_000, acceptsStandby = false } = options;
  const client = new ServerClient({
    connectionString: addressOfHost(url, host),
    connectionTimeoutMillis: timeoutMs,
    ...KEEPALIVE,
    ...(settingsByStatement(url) ? {} : { options: asOptions(SERVER_KEEPALIVE) }),
  });
  let closing = false;
  let lost: (() => void) | undefined;
  client.on('error', () => {});
  client.on('end', () => {
    if (!closing) lost?.();
  });
  await client.connect();
  if (!acceptsStandby && (await isStandby(client))) {
    await atMost(CLOSE_MS, client.end());
    throw new StandbyServer(host);
  }
  const silence = deadlineMs === null ? null : watchSilence(deadlineMs);
  return {
    rows: async <T>(text: string, values: unknown[] = []) => {
      const answered = silence?.awaitAnswer(() => destroy(client));
      try {
        return (await client.query(text, values.length > 0 ? values : undefined)).rows as T[];
      } finally {
        answered?.();
      }
    },
    onLost: (callback) => {
      lost = callback;
    },
    onNotice: (callback) => {
      client.on('notification', (message) => callback(message.channel, message.payload ?? ''));
    },
    close: async () => {
      closing = true;
      silence?.close();
      await atMost(CLOSE_MS, client.end());
      destroy(client);
    },
  };
}

/** The time for the goodbye of a closed connection, and for one in use to finish. */
const CLOSE_MS = 3000;

/** Without a goodbye, which a silent connection would never answer. */
const destroy = (client: pg.ClientBase): void =>
  void (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();

export interface DatabaseOptions {
  tenantUrl: string;
  platformUrl: string;
  /** Default: four, as in tests; the service's own default is that of its setting (docs/decisions/0028-fair-turns.md). */
  connections?: number;
  /**
   * Sees every statement before it is sent and may alter it: tests use it to read plans and to disable one safeguard at a time.
   */
  watch?: (statement: Statement) => Statement;
  /** How long a statement may go without an answer before its connection is given up; tests set it. */
  deadlineMs?: number;
}

const UUID = /^[0-9a-f-]{36}$/;

function requireUuid(dataSet: string): string {
  if (!UUID.test(dataSet)) throw new Error('a data set id must be a uuid');
  return dataSet;
}

export function openDatabase(options: DatabaseOptions): Database {
  const size = options.connections ?? 4;
  const queue = createFairQueue({ connections: size });
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const readOnly = { default_transaction_read_only: 'on' };
  const tenant = createPool(options.tenantUrl, {
    max: size,
    settings: readOnly,
    deadlineMs,
    isWanted: () => queue.waiting() > 0,
  });
  const platform = createPool(options.platformUrl, { max: 3, settings: {}, deadlineMs, isWanted: () => false });
  const watch = options.watch ?? ((statement) => statement);
  let isRefused = false;
  const reached = (client: pg.PoolClient): pg.PoolClient => {
    isRefused = false;
    return client;
  };
  /** An error while connecting (too many connections, wrong password, no such database) is not the fault of the request. */
  const unreachable = (error: Error): never => {
    isRefused = true;
    throw new Unavailable(`no connection to the database: ${error.message}`, { cause: error });
  };
  const failed = (): void => {
    isRefused = true;
  };
  const connectionsOf = ({ connect, silence, cut, isFull }: Pool): PoolConnections => ({
    silence,
    cut,
    failed,
    connect: () => (isFull() ? timed(connect()) : connect()).then(reached, unreachable),
  });
  const [ofTenants, ofPlatform] = [connectionsOf(tenant), connectionsOf(platform)];
  const { timed, waits } = createWaits();
  const written: ((dataSet: string, written: DataSetWritten) => void)[] = [];

  return {
    async inTenant(dataSet, access, work, finish = () => [{ dataSet, statement: raiseVersion(dataSet) }]) {
      const turn = queue.enter(requireUuid(dataSet));
      const release = turn instanceof Promise ? await timed(turn) : turn;
      try {
        const begin = access === 'read' ? 'begin isolation level repeatable read read only' : 'begin read write';
        if (access === 'read') return await transact(ofTenants, { begin, account: dataSet, access, watch }, work);
        const ends: [string, DataSetWritten][] = [];
        // Last, so that the counter's lock is held for the length of the commit only.
        const value = await transact(ofTenants, { begin, account: dataSet, access, watch }, work, {
          statements: finish,
          ended: (one, row) => ends.push([one, requireWritten(row)]),
        });
        for (const [one, end] of ends) for (const listener of written) listener(one, end);
        return value;
      } finally {
        release();
      }
    },
    onPlatform: (access, work) =>
      transact(ofPlatform, { begin: access === 'read' ? 'begin read only' : 'begin', account: null, access, watch }, work),
    onWritten: (listener) => written.push(listener),
    waiting: () => queue.waiting() + tenant.waiting() + platform.waiting(),
    waits,
    isRefused: () => isRefused,
    makesProgress: async () => (await Promise.all([ofTenants, ofPlatform].map(makesProgress))).every((does) => does),
    close: async () => {
      await Promise.all([tenant.close(), platform.close()]);
    },
  };
}

const TOO_MANY_CONNECTIONS = '53300';
const RETRY_MS = 25;

interface PoolOptions {
  readonly max: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
  /** Whether anyone waits for a connection before asking the pool. */
  readonly isWanted: () => boolean;
}

interface Pool {
  connect(): Promise<pg.PoolClient>;
  readonly silence: Silence;
  cut(client: pg.PoolClient): void;
  waiting(): number;
  /** All connections are in use. */
  isFull(): boolean;
  close(): Promise<void>;
}

type Connect = (done: (error: Error | null) => void) => void;

/** A connection of a pool, to the host that is the current choice when it is made. */
function clientFor(url: string, hosts: Hosts) {
  return class extends ServerClient {
    readonly chosen: string;
    constructor(config: pg.ClientConfig) {
      const chosen = hosts.current();
      super({ ...config, connectionString: addressOfHost(url, chosen) });
      this.chosen = chosen;
      const connect = this.connect.bind(this) as unknown as Connect;
      const connectOrMoveOn: Connect = (done) =>
        connect((error) => {
          if (error) hosts.failed(chosen);
          done(error);
        });
      this.connect = connectOrMoveOn as unknown as typeof this.connect;
    }
  };
}

const checkAndSet = (hosts: Hosts, statements: string | null) => async (client: InstanceType<ReturnType<typeof clientFor>>) => {
  if (await isStandby(client)) {
    hosts.failed(client.chosen);
    throw new StandbyServer(client.chosen);
  }
  if (statements !== null) await client.query(statements);
};

function createPool(url: string, { max, settings, deadlineMs, isWanted }: PoolOptions): Pool {
  const hosts = hostsFor(url);
  const byStatement = settingsByStatement(url);
  const all = { ...POOL_SETTINGS, ...SERVER_KEEPALIVE, ...settings };
  const pool = new pg.Pool({
    Client: clientFor(url, hosts),
    max,
    connectionTimeoutMillis: MAX_WAIT_MS,
    // Never closed for idling: a timer for each request would cost more than a few open connections.
    idleTimeoutMillis: 0,
    ...KEEPALIVE,
    ...(byStatement ? {} : { options: asOptions(all) }),
    onConnect: checkAndSet(hosts, byStatement ? asStatements(all) : null),
  } as unknown as pg.PoolConfig);
  /** The open connections, and when each has ended. */
  const open = new Map<pg.PoolClient, Promise<void>>();
  const idle = new Set<pg.PoolClient>();
  // The pool replaces a connection that dies while idle; no caller waits for it.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // A connection that dies in use, between two statements, fails the next statement that is sent on it.
    client.on('error', () => {});
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    open.set(client, ended);
    client.once('end', () => {
      open.delete(client);
      idle.delete(client);
      resolve();
    });
  });
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_, client) => idle.add(client));
  const silence = watchSilence(deadlineMs, () => pool.waitingCount > 0 || isWanted());
  /**
   * A server at its limit of connections refuses a further one at once. While this pool has others, the request waits for one of
   * them instead, as long as for any connection. Of several hosts each is tried once.
   */
  const connect = async (): Promise<pg.PoolClient> => {
    const until = performance.now() + MAX_WAIT_MS;
    for (let others = hosts.all.length - 1; ; others -= 1) {
      try {
        return await pool.connect();
      } catch (error) {
        if (others > 0 && performance.now() < until) continue;
        if (sqlState(error) !== TOO_MANY_CONNECTIONS || open.size === 0 || performance.now() > until) throw error;
        await wait(RETRY_MS);
      }
    }
  };
  return {
    connect,
    silence,
    cut: (client) => {
      destroy(client);
      // Idle connections took the same route, and each would delay a request as long as this one did.
      for (const other of idle) destroy(other);
    },
    waiting: () => pool.waitingCount,
    isFull: () => pool.idleCount === 0 && pool.totalCount >= max,
    close: async () => {
      await atMost(CLOSE_MS, Promise.all([pool.end(), ...open.values()]));
      for (const client of open.keys()) destroy(client);
      silence.close();
    },
  };
}

interface PoolConnections extends Pick<Pool, 'connect' | 'silence' | 'cut'> {
  /** A connection was lost in use. */
  failed(): void;
}

/** A pool without answers for a while is probed; a slow report does not make it stalled while others get answers. */
async function makesProgress(connections: PoolConnections): Promise<boolean> {
  if (!connections.silence.isStalled()) return true;
  const probe = { begin: 'begin read only', account: null, access: 'read', watch: (statement: Statement) => statement } as const;
  let isAnswered = false;
  const answer = transact(connections, probe, (db) => db.last(sql`select 1 as one`)).then(
    () => {
      isAnswered = true;
    },
    () => {},
  );
  await atMost(ANSWERS_WITHIN_MS, answer);
  return isAnswered;
}

const ANSWERS_WITHIN_MS = 1000;

interface Transaction {
  readonly begin: string;
  readonly account: string | null;
  readonly access: Access;
  readonly watch: (statement: Statement) => Statement;
}

/** Statements that are sent with COMMIT, and the callback for the row that each returns. */
interface AtEnd {
  statements(): readonly Finish[];
  ended(dataSet: string, row: unknown): void;
}

async function transact<T>(
  { connect, silence, cut, failed }: PoolConnections,
  transaction: Transaction,
  work: (db: Db, inDataSet: (other: string) => Db) => Promise<T>,
  atEnd: AtEnd | null = null,
): Promise<T> {
  const client = await connect();
  const submit = (batch: Batch): void => void client.query(batch as unknown as pg.Submittable);
  const line = openLine({ submit, parserOf, silence, cut: () => cut(client) });
  const open = beginTransaction(line, transaction, atEnd === null);
  const inDataSet = (other: string): Db => {
    if (atEnd === null) throw new Error('only a write reaches another data set');
    return open.dbOf(requireUuid(other));
  };
  try {
    const value = await work(open.dbOf(transaction.account), inDataSet);
    const last = (atEnd?.statements() ?? []).map(({ dataSet, statement, explain }) => ({
      dataSet,
      row: open.dbOf(dataSet).one(statement, explain),
    }));
    const committed = open.commit();
    const rows = await allAnswers(last.map(({ row }) => row));
    for (const [index, { dataSet }] of last.entries()) atEnd!.ended(dataSet, rows[index]);
    // A statement that failed and was caught leaves a transaction that COMMIT ends as ROLLBACK, without an error.
    if (committed && (await committed).command !== 'COMMIT') {
      throw new Error('the transaction was rolled back by a failed statement');
    }
    client.release();
    return value;
  } catch (error) {
    if (isUnavailable(error)) failed();
    // If the connection failed, so does the rollback, and no caller waits for it.
    await leave(client, error, open.giveUp());
    throw error;
  }
}

/** The statements of one transaction, on one connection. `endsWithLast`: COMMIT follows `last` at once. */
function beginTransaction(line: Line, { begin, access, watch }: Transaction, endsWithLast: boolean) {
  let state = 'new' as 'new' | 'begun' | 'ended';
  let committed: Promise<Answer> | undefined;
  /** The data set whose setting applies once everything that was sent is done; null if that is not known. */
  let entered: string | null = null;
  const prepare = (statement: Sql, dataSet: string | null): Prepared => {
    const { text, values } = watch(compile(statement, dataSet));
    return { text, values: values.map(toParameter), name: preparedName(text) };
  };
  /**
   * BEGIN and the account setting are sent with the first statement, so that row-level security costs no extra round trip. The
   * account is set again before a statement for another one, and after a rolled back savepoint, which undoes the setting too. SET
   * LOCAL rather than set_config(): nothing to plan, no row to return, and it reaches the workers of a sharded database.
   */
  const entering = (statement: Sql | (() => Sql), dataSet: string | null): Prepared => {
    if (state === 'ended') throw new Error('a statement was sent after the last one');
    const isLate = typeof statement === 'function';
    const prepared = isLate ? { ...NOT_MADE, make: () => prepare(statement(), dataSet) } : prepare(statement, dataSet);
    if (state === 'new') line.send(plain(begin));
    state = 'begun';
    if (STEPS.test(prepared.text)) {
      // Errors after the first are noise in a failed transaction, and savepoint statements have no caller.
      if (prepared.text.startsWith('rollback')) entered = null;
    } else if (dataSet !== null && dataSet !== entered) {
      line.send({ text: `set local app.account_id = '${dataSet}'`, values: [], name: undefined });
      entered = dataSet;
    }
    return prepared;
  };
  const commit = (): Promise<Answer> | undefined => {
    if (state === 'begun') committed = quietly(line.ask(plain('commit')));
    state = 'ended';
    return committed;
  };
  const dbOf = (dataSet: string | null): Db => {
    const run = (statement: Sql, explain?: Explain): Promise<Answer> => line.ask(entering(statement, dataSet), explain);
    return {
      rows: async <R>(statement: Sql) => (await run(statement)).rows as R[],
      one: async <R>(statement: Sql, explain?: Explain) => ((await run(statement, explain)).rows[0] as R) ?? fail('not_found'),
      exec: async (statement) => (await run(statement)).count,
      send: (statement, explain) => line.send(entering(statement, dataSet), explain),
      last: async <R>(statement: Sql) => {
        const isAlone = access === 'read' && dataSet !== null && state === 'new';
        const answer = isAlone ? readAlone(line, dataSet, prepare(statement, dataSet)) : run(statement);
        if (endsWithLast) commit();
        return ((await answer).rows[0] as R) ?? fail('not_found');
      },
    };
  };
  const giveUp = (): Promise<Answer> | undefined => {
    // Code that still uses the transaction gets an error here, and never the connection's next user.
    state = 'ended';
    // After a COMMIT that was skipped with the rest of its batch too: the transaction is still open.
    return line.drop() ? quietly(line.ask(plain('rollback'))) : undefined;
  };
  return { dbOf, commit, giveUp };
}

const STEPS = /^(savepoint|release|rollback) /;

const plain = (text: string): Prepared => ({ text, values: [], name: preparedName(text) });

/** A refusal of ours leaves a healthy connection. After any other error it is destroyed: no later request can meet its state. */
async function leave(client: pg.PoolClient, error: unknown, ending: Promise<unknown> | undefined): Promise<void> {
  const healthy =
    (error instanceof Failure || error instanceof Rollback) &&
    (await Promise.resolve(ending).then(
      () => true,
      () => false,
    ));
  client.release(!healthy);
}

/** Awaited later: until then its failure must not count as unhandled. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

const parserOf = (type: number) => pg.types.getTypeParser(type, 'text') as (text: string) => unknown;
const toParameter = (value: unknown): unknown =>
  (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils.prepareValue(value);

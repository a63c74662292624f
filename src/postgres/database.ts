// The only file that imports the PostgreSQL driver: single sessions, and the two roles with which all data is read and
// written.
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { addressOfHost, settingsByStatement } from '../domain/net/database-url.ts';
import {
  allAnswers,
  CLOSED_FOR_MOVE,
  type Database,
  type DataSetWritten,
  type Db,
  type Finish,
  isUnavailable,
  Rollback,
  sqlState,
  Unavailable,
} from '../kit/db.ts';
import { Failure } from '../kit/errors.ts';
import { type Statement, sql } from '../kit/sql.ts';
import type { Batch } from './batch.ts';
import { createFairQueue, MAX_WAIT_MS } from './fair-queue.ts';
import { type Hosts, hostsFor, PrimaryServer, StandbyServer } from './hosts.ts';
import { openLine } from './line.ts';
import { asOptions, asStatements, KEEPALIVE, POOL_SETTINGS, SERVER_KEEPALIVE } from './settings.ts';
import { atMost, DEADLINE_MS, patientAfter, type Silence, watchSilence } from './silence.ts';
import { withSpans } from './traced-database.ts';
import { beginTransaction, raiseVersion, requireWritten, type Transaction } from './transaction.ts';
import { createWaits, onceMoreIfStalled } from './waits.ts';

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

const SESSION_MS = 5000;

/** On the first host that answers and accepts writes. */
export async function openSession(url: string, options: SessionOptions = {}): Promise<Session> {
  const hosts = hostsFor(url);
  const problems: string[] = [];
  for (;;) {
    const host = hosts.current();
    try {
      return await onceMoreIfStalled(options.timeoutMs ?? SESSION_MS, () => openSessionAt(url, host, options));
    } catch (error) {
      hosts.failed(host);
      if (hosts.all.length === 1) throw error;
      problems.push(error instanceof StandbyServer ? error.message : `${decodeURIComponent(host)}: ${(error as Error).message}`);
      if (problems.length >= hosts.all.length) throw new Unavailable(problems.join('; '), { cause: error });
    }
  }
}

async function openSessionAt(url: string, host: string, options: SessionOptions): Promise<Session> {
  const { timeoutMs = SESSION_MS, deadlineMs = 60_000, acceptsStandby = false } = options;
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
  /** Closed with this one. */
  log?: Database | null;
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

  const log = options.log ?? null;
  return withSpans({
    log,
    async inTenant(dataSet, access, work, finish = () => [{ dataSet, statement: raiseVersion(dataSet) }]) {
      const turn = queue.enter(requireUuid(dataSet));
      const release = turn instanceof Promise ? await timed(turn) : turn;
      try {
        const begin = access === 'read' ? BEGIN_READ : 'begin read write';
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
      await Promise.all([tenant.close(), platform.close(), log?.close()]);
    },
  });
}

const BEGIN_READ = 'begin isolation level repeatable read read only';

/** The connections to one standby, with the tenant role. */
export interface StandbyPool {
  /** One dealer, one transaction, in turns by account. The first batch of statements is answered soon, or the connection is given up. */
  read<T>(dataSet: string, work: (db: Db) => Promise<T>): Promise<T>;
  /** Reads that hold a connection or wait for one. */
  load(): number;
  close(): Promise<void>;
}

export interface StandbyOptions extends Pick<DatabaseOptions, 'watch'> {
  /** The address of a single host. */
  readonly url: string;
  readonly connections: number;
  /** For the first answer of a read; a frozen server costs its callers this time. */
  readonly firstAnswerMs: number;
}

/** Longer than the statement_timeout, and shorter than what a request has left for the primary. */
const STANDBY_DEADLINE_MS = 6000;

export function openStandbyPool({
  url,
  connections,
  firstAnswerMs,
  watch = (statement) => statement,
}: StandbyOptions): StandbyPool {
  const queue = createFairQueue({ connections });
  const settings = { default_transaction_read_only: 'on' };
  const isWanted = () => queue.waiting() > 0;
  const pool = createPool(url, { max: connections, settings, deadlineMs: STANDBY_DEADLINE_MS, isWanted, isStandby: true });
  const first = watchSilence(firstAnswerMs);
  let load = 0;
  const connect = (): Promise<pg.PoolClient> =>
    pool.connect().catch((error) => {
      throw new Unavailable(`no connection to the standby: ${error.message}`, { cause: error });
    });
  return {
    async read(dataSet, work) {
      load += 1;
      try {
        const release = await queue.enter(requireUuid(dataSet));
        try {
          const connections = { connect, silence: patientAfter(first, pool.silence), cut: pool.cut, failed: () => {} };
          return await transact(connections, { begin: BEGIN_READ, account: dataSet, access: 'read', watch }, work);
        } finally {
          release();
        }
      } finally {
        load -= 1;
      }
    },
    load: () => load,
    close: async () => {
      first.close();
      await pool.close();
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
  /** Of a standby, and not of the primary. */
  readonly isStandby?: boolean;
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

type HostClient = InstanceType<ReturnType<typeof clientFor>>;

const checkAndSet = (hosts: Hosts, wantsStandby: boolean, statements: string | null) => async (client: HostClient) => {
  if ((await isStandby(client)) !== wantsStandby) {
    hosts.failed(client.chosen);
    throw wantsStandby ? new PrimaryServer(client.chosen) : new StandbyServer(client.chosen);
  }
  if (statements !== null) await client.query(statements);
};

function createPool(url: string, { max, settings, deadlineMs, isWanted, isStandby: wantsStandby = false }: PoolOptions): Pool {
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
    onConnect: checkAndSet(hosts, wantsStandby, byStatement ? asStatements(all) : null),
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
        return await onceMoreIfStalled(MAX_WAIT_MS, () => pool.connect());
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
  let isCut = false;
  const giveUp = (): void => {
    isCut = true;
    cut(client);
  };
  const line = openLine({ submit, parserOf, silence, cut: giveUp });
  const open = beginTransaction(line, transaction, { endsWithLast: atEnd === null, toParameter });
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
    if (isUnavailable(error) && sqlState(error) !== CLOSED_FOR_MOVE) failed();
    // If the connection failed, so does the rollback, and no caller waits for it.
    await leave(client, error, open.giveUp());
    throw isCut ? new Unavailable('PostgreSQL did not answer in time', { cause: error }) : error;
  }
}

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

const parserOf = (type: number) => pg.types.getTypeParser(type, 'text') as (text: string) => unknown;
const toParameter = (value: unknown): unknown =>
  (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils.prepareValue(value);

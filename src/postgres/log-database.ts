// LOG_DATABASE_URL: the request log and usage in a database of their own. It has the whole schema, of which four tables are used, so
// that migrations, roles, row-level security and backups are those of every database of the service. Requests never wait for it.
import { databaseClock } from '../domain/clock/database-clock.ts';
import { makePartitionsAtStart } from '../domain/usage/log-retention.ts';
import { type Access, type Database, isUnavailable, sqlState, Unavailable } from '../kit/db.ts';
import { openDatabase, openSession } from './database.ts';
import { migrate } from './migrate.ts';
import { findServer, identityOf, refuseSharedSessions } from './pooler.ts';
import { checkRowSecurity, prepareRoles } from './roles.ts';

/** `reason` is absent if the database can be used again. */
export type ReportLog = (line: string, reason?: string) => void;

export interface LogDatabaseOptions {
  readonly url: string;
  /** The database of the dealers, which must be another one. */
  readonly mainUrl: string;
  /** From which the passwords of its roles are derived. */
  readonly roles: Buffer;
  /** Of the database of the dealers; the log gets half. */
  readonly connections: number;
  readonly report: ReportLog;
  /** Tests set it. */
  readonly retryMs?: number;
}

const SETTING = 'LOG_DATABASE_URL';
const RETRY_MS = 5000;
/** Screens do not wait for a server that has just failed to answer; the writer of the log keeps trying. */
const LOSS_REMEMBERED_MS = 1000;

/** Rejects what an operator has to correct. A server that does not answer is prepared later, so that a node starts without it. */
export async function openLogDatabase(options: LogDatabaseOptions): Promise<Database> {
  let opened: Database | null = null;
  let reason = '';
  let isClosed = false;
  let preparing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const tryAgain = async (): Promise<void> => {
    try {
      opened = await prepare(options);
      clearInterval(timer);
      if (!isClosed) options.report('the log database can be used');
    } catch (error) {
      const { message } = error as Error;
      if (message !== reason) options.report('the log database cannot be used', message);
      reason = message;
    }
    preparing = null;
  };
  try {
    opened = await prepare(options);
  } catch (error) {
    if (!isUnavailable((error as Error).cause)) throw error;
    reason = (error as Error).message;
    options.report('the log database does not answer; requests are answered, and their log waits in memory', reason);
    timer = setInterval(() => {
      preparing ??= tryAgain();
    }, options.retryMs ?? RETRY_MS).unref();
  }
  const current = (): Database => {
    if (opened === null) throw new Unavailable(reason);
    return opened;
  };
  const attempt = rememberLosses();
  return {
    log: null,
    inTenant: (dataSet, access, work, finish) => attempt(access, () => current().inTenant(dataSet, access, work, finish)),
    onPlatform: (access, work) => attempt(access, () => current().onPlatform(access, work)),
    // No dealer's data is here, so nothing has a version.
    onWritten: () => {},
    waiting: () => opened?.waiting() ?? 0,
    waits: () => opened?.waits() ?? { count: 0, seconds: 0 },
    isRefused: () => opened?.isRefused() ?? true,
    makesProgress: async () => opened?.makesProgress() ?? false,
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await preparing;
      await opened?.close();
    },
  };
}

function rememberLosses() {
  let lostAt = Number.NEGATIVE_INFINITY;
  return async <T>(access: Access, work: () => Promise<T>): Promise<T> => {
    if (access === 'read' && performance.now() - lostAt < LOSS_REMEMBERED_MS)
      throw new Unavailable('the log database has just failed to answer');
    try {
      return await work();
    } catch (error) {
      if (isLost(error)) lostAt = performance.now();
      throw error;
    }
  };
}

/** Not a slow statement of one dealer, nor a dealer whose turn did not come in time: others are answered. */
const isLost = (error: unknown): boolean =>
  isUnavailable(error) && sqlState(error) !== '57014' && !/connection became free/.test((error as Error).message);

async function prepare({ url, mainUrl, roles, connections, report }: LogDatabaseOptions): Promise<Database> {
  let database: Database | null = null;
  const adminUrl = await findServer(url, {}, SETTING);
  try {
    if ((await identityOf(adminUrl)) === (await identityOf(mainUrl)))
      throw new Error('this is the database of the dealers; the log needs a database of its own');
    await migrate(adminUrl);
    await refuseDealers(adminUrl);
    const urls = await prepareRoles(adminUrl, roles);
    await checkRowSecurity(urls);
    await refuseSharedSessions(urls, SETTING);
    database = openDatabase({ ...urls, connections: Math.max(2, Math.ceil(connections / 2)) });
    const clock = await databaseClock(database);
    await makePartitionsAtStart(database, clock.realNow(), report);
    return database;
  } catch (error) {
    await database?.close();
    const { message } = error as Error;
    throw new Error(message.startsWith(SETTING) ? message : `${SETTING}: ${message}`, { cause: error });
  }
}

/** Usage would be read from one database and written to another if an address of the same deployment, or of another one, is given. */
async function refuseDealers(adminUrl: string): Promise<void> {
  const session = await openSession(adminUrl);
  try {
    const [row] = await session.rows<{ has: boolean }>('select exists (select from accounts) as has');
    if (row!.has) throw new Error('this database has the data of dealers; the log needs a database of its own');
  } finally {
    await session.close();
  }
}

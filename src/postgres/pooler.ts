// What is between the service and its PostgreSQL. The service keeps state in sessions (locks, LISTEN, prepared statements), so a
// pooler must give each connection a session of its own.
import { hostsIn, settingsByStatement, withSettingsByStatement } from '../domain/net/database-url.ts';
import { openSession, type Session, type SessionOptions } from './database.ts';
import { StandbyServer } from './hosts.ts';
import type { ServiceUrls } from './roles.ts';
import { OPTIONS_IN_FORCE } from './settings.ts';

const UNSUPPORTED_OPTIONS = /unsupported startup parameter/;
const ROUNDS = 3;

export class SharedSessions extends Error {
  constructor(setting: string) {
    super(
      `${setting} leads through a pooler that shares sessions between connections (PgBouncer: pool_mode = transaction or statement); set pool_mode = session`,
    );
  }
}

/** The same address, or one that makes settings by statement if a pooler drops the options of connections. */
export async function findPooler(url: string, options: SessionOptions = {}, setting = 'DATABASE_URL'): Promise<string> {
  const used = (await passesOptions(url, options)) ? url : withSettingsByStatement(url);
  if (await sharesSessions(used, options)) throw new SharedSessions(setting);
  return used;
}

async function passesOptions(url: string, options: SessionOptions): Promise<boolean> {
  if (settingsByStatement(url)) return false;
  let session: Session;
  try {
    session = await openSession(url, options);
  } catch (error) {
    if (UNSUPPORTED_OPTIONS.test((error as Error).message)) return false;
    throw error;
  }
  try {
    const [row] = await session.rows<{ is: boolean | null }>(OPTIONS_IN_FORCE);
    return row!.is === true;
  } finally {
    await session.close();
  }
}

const PID = 'select pg_backend_pid() as pid';

/** While one session waits, another uses a transaction: with shared sessions it gets the same process of PostgreSQL, or the first another. */
export async function sharesSessions(url: string, options: SessionOptions = {}): Promise<boolean> {
  const waiting = await openSession(url, options);
  try {
    const other = await openSession(url, options);
    try {
      const pidOf = async (session: Session) => (await session.rows<{ pid: number }>(PID))[0]!.pid;
      const own = await pidOf(waiting);
      for (let round = 0; round < ROUNDS; round += 1) {
        await other.rows('begin');
        const [others, again] = [await pidOf(other), await pidOf(waiting)];
        await other.rows('commit');
        if (others === own || again !== own) return true;
      }
      return false;
    } finally {
      await other.close();
    }
  } catch (error) {
    // PgBouncer refuses BEGIN where it shares sessions by statement.
    if (/statement pooling/.test((error as Error).message)) return true;
    throw error;
  } finally {
    await waiting.close();
  }
}

/** The error names the setting without its password. */
export async function findServer(url: string, options: SessionOptions = {}, setting = 'DATABASE_URL'): Promise<string> {
  try {
    return await findPooler(url, options, setting);
  } catch (error) {
    if (error instanceof SharedSessions) throw error;
    const { pathname } = new URL(url);
    throw new Error(
      `the database at ${setting} (${hostsIn(url).map(decodeURIComponent).join()}${pathname}) cannot be used: ${reasonOf(error as Error)}`,
      { cause: error },
    );
  }
}

function reasonOf(error: Error): string {
  const reason = error.message || String(error);
  return error instanceof StandbyServer
    ? `${reason}; name its primary, or all hosts of the cluster (postgresql://user@db1,db2,db3/name?target_session_attrs=read-write)`
    : reason;
}

/** PgBouncer may have another mode for some users. */
export async function refuseSharedSessions({ tenantUrl, platformUrl }: ServiceUrls, setting = 'DATABASE_URL'): Promise<void> {
  for (const url of [tenantUrl, platformUrl]) if (await sharesSessions(url)) throw new SharedSessions(setting);
}

/** The identifier of the server and the name of the database; a standby that became the primary has the same. */
export async function readIdentity(session: Session): Promise<string> {
  const [row] = await session.rows<{ identity: string }>(
    `select system_identifier::text || '/' || current_database() as identity from pg_control_system()`,
  );
  return row!.identity;
}

export async function identityOf(url: string, options: SessionOptions = {}): Promise<string> {
  const session = await openSession(url, options);
  try {
    return await readIdentity(session);
  } finally {
    await session.close();
  }
}

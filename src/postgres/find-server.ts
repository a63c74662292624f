// Whether the server of a setting can be used at all, in one line if it cannot.
import { hostsIn } from '../domain/net/database-url.ts';
import type { SessionOptions } from './database.ts';
import { StandbyServer } from './hosts.ts';
import { findPooler, SharedSessions, sharesSessions } from './pooler.ts';
import type { ServiceUrls } from './roles.ts';

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

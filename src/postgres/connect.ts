// From settings to an open database: the embedded server or DATABASE_URL, migrated, through the service's own roles.
import type { Config } from '../config.ts';
import { hostsIn } from '../domain/net/database-url.ts';
import { readSecrets, type Secrets } from '../domain/vault/secrets.ts';
import type { Database } from '../kit/db.ts';
import { openDatabase, type SessionOptions } from './database.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded.ts';
import { StandbyServer } from './hosts.ts';
import { migrate } from './migrate.ts';
import { findPooler, SharedSessions, sharesSessions } from './pooler.ts';
import { checkRowSecurity, prepareRoles, type ServiceUrls } from './roles.ts';

export interface Connected {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly adminUrl: string;
  readonly urls: ServiceUrls;
  /** Null if DATABASE_URL is set. */
  readonly embedded: EmbeddedPostgres | null;
  readonly applied: string[];
  close(): Promise<void>;
}

export async function connect(config: Config, progress: (line: string) => void = () => {}): Promise<Connected> {
  const embedded = config.databaseUrl === null ? await openEmbeddedPostgres({ dataDir: config.dataDir, progress }) : null;
  try {
    const secrets = await readSecrets(config);
    const adminUrl = embedded?.url ?? (await findServer(config.databaseUrl!));
    const applied = await migrate(adminUrl, progress);
    const urls = await prepareRoles(adminUrl, secrets.roles);
    await checkRowSecurity(urls);
    if (embedded === null) await refuseSharedSessions(urls);
    const database = openDatabase({ ...urls, connections: config.databaseConnections });
    const close = async () => {
      await database.close();
      await embedded?.close();
    };
    return { database, secrets, adminUrl, urls, embedded, applied, close };
  } catch (error) {
    await embedded?.close();
    throw error;
  }
}

/** The error names the setting without its password. */
export async function findServer(url: string, options: SessionOptions = {}): Promise<string> {
  try {
    return await findPooler(url, options);
  } catch (error) {
    if (error instanceof SharedSessions) throw error;
    const { pathname } = new URL(url);
    throw new Error(
      `the database at DATABASE_URL (${hostsIn(url).map(decodeURIComponent).join()}${pathname}) cannot be used: ${reasonOf(error as Error)}`,
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
async function refuseSharedSessions({ tenantUrl, platformUrl }: ServiceUrls): Promise<void> {
  for (const url of [tenantUrl, platformUrl]) if (await sharesSessions(url)) throw new SharedSessions();
}

/** A commit that checks the sums of thousands of records takes seconds on a busy machine. */
const LOADING_DEADLINE_MS = 120_000;

/** For the demonstration, which loads the records of years in a few transactions: PostgreSQL may take longer than for a request. */
export async function whileLoading<T>({ urls }: Pick<Connected, 'urls'>, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ ...urls, connections: 2, deadlineMs: LOADING_DEADLINE_MS });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

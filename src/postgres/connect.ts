// From settings to an open database: the embedded server or DATABASE_URL, migrated, through the service's own roles.
import type { Config } from '../config.ts';
import { readSecrets, type Secrets } from '../domain/vault/secrets.ts';
import type { Database } from '../kit/db.ts';
import { openDatabase } from './database.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded.ts';
import { openLogDatabase, type ReportLog } from './log-database.ts';
import { migrate } from './migrate.ts';
import { findServer, refuseSharedSessions } from './pooler.ts';
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

export async function connect(
  config: Config,
  progress: (line: string) => void = () => {},
  reportLog: ReportLog = (line) => progress(line),
): Promise<Connected> {
  const embedded = config.databaseUrl === null ? await openEmbeddedPostgres({ dataDir: config.dataDir, progress }) : null;
  try {
    const secrets = await readSecrets(config);
    const adminUrl = embedded?.url ?? (await findServer(config.databaseUrl!));
    const applied = await migrate(adminUrl, progress);
    const urls = await prepareRoles(adminUrl, secrets.roles);
    await checkRowSecurity(urls);
    if (embedded === null) await refuseSharedSessions(urls);
    const log = await openLogs(config, secrets, adminUrl, reportLog);
    const database = openDatabase({ ...urls, connections: config.databaseConnections, log });
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

/** Null without LOG_DATABASE_URL. Each process opens its own. */
export const openLogs = async (config: Config, secrets: Secrets, mainUrl: string, report: ReportLog): Promise<Database | null> =>
  config.logDatabaseUrl === null
    ? null
    : openLogDatabase({
        url: config.logDatabaseUrl,
        mainUrl,
        roles: secrets.roles,
        connections: config.databaseConnections,
        report,
      });

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

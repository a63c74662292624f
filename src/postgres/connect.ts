// From settings to an open database: the embedded server or DATABASE_URL, migrated, through the service's own roles.
import type { Config } from '../config.ts';
import { readSecrets, type Secrets } from '../domain/vault/secrets.ts';
import type { Database } from '../kit/db.ts';
import { openDatabase, openSession } from './database.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded.ts';
import { migrate } from './migrate.ts';
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
    const adminUrl = config.databaseUrl ?? embedded!.url;
    const secrets = await readSecrets(config);
    if (embedded === null) await refuseUnreachable(adminUrl);
    const applied = await migrate(adminUrl, progress);
    const urls = await prepareRoles(adminUrl, secrets.roles);
    await checkRowSecurity(urls);
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
async function refuseUnreachable(url: string): Promise<void> {
  try {
    await (await openSession(url)).close();
  } catch (error) {
    const { host, pathname } = new URL(url);
    throw new Error(
      `the database at DATABASE_URL (${decodeURIComponent(host)}${pathname}) cannot be used: ${(error as Error).message || String(error)}`,
    );
  }
}

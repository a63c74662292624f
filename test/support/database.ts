// A separate database for a test file: a copy of the migrated template.
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { deriveSecrets, type Secrets } from '../../src/domain/vault/secrets.ts';
import type { Database } from '../../src/kit/db.ts';
import { type DatabaseOptions, openDatabase, openSession } from '../../src/postgres/database.ts';
import { prepareRoles, type ServiceUrls } from '../../src/postgres/roles.ts';
import { isInMemory } from './data-dir.ts';

export interface TestDatabase {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly adminUrl: string;
  readonly urls: ServiceUrls;
  close(): Promise<void>;
}

export const TEST_SECRET = 'a secret of at least thirty-two characters, for tests';

export async function testDatabase(options: Partial<DatabaseOptions> = {}): Promise<TestDatabase> {
  const serverUrl = inject('adminUrl');
  const name = `t_${randomBytes(6).toString('hex')}`;
  const server = await openSession(serverUrl);
  await createCopy(server, name);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const secrets = deriveSecrets(TEST_SECRET);
  const urls = await prepareRoles(url.href, secrets.roles);
  const database = openDatabase({ ...urls, ...options });
  return {
    database,
    secrets,
    adminUrl: url.href,
    urls,
    close: async () => {
      await database.close();
      await server.rows(`drop database ${name} with (force)`);
      await server.close();
    },
  };
}

/** A template allows one copy at a time; the others wait. */
async function createCopy(server: Awaited<ReturnType<typeof openSession>>, name: string): Promise<void> {
  await server.rows(`select pg_advisory_lock(hashtext('galeri.test.template'))`);
  try {
    // In memory, copying the files is fastest; on a disk the log avoids waiting for each of them.
    const strategy = isInMemory ? 'file_copy' : 'wal_log';
    await server.rows(`create database ${name} template ${inject('template')} strategy ${strategy}`);
  } finally {
    await server.rows(`select pg_advisory_unlock(hashtext('galeri.test.template'))`);
  }
}

/**
 * Cuts every connection of the database except those whose last statement was `but`, and admits none until the returned function
 * is called.
 */
export async function lockOut({ adminUrl }: { readonly adminUrl: string }, but = ''): Promise<() => Promise<void>> {
  const database = new URL(adminUrl).pathname.slice(1);
  const server = await openSession(inject('adminUrl'));
  const letIn = (isLetIn: boolean) => server.rows(`alter database "${database}" with allow_connections ${isLetIn}`);
  await letIn(false);
  await server.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and query <> $2 and backend_type = 'client backend'`,
    [database, but],
  );
  return async () => {
    await letIn(true);
    await server.close();
  };
}

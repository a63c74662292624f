// A service that cannot start because a port is taken leaves nothing open: no node entry, no connection, no port.
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startService } from '../../src/http/service.ts';
import { createLog } from '../../src/kit/log.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let base: TestDatabase;
let admin: Session;
let other: Server;
let taken: number;
beforeAll(async () => {
  base = await testDatabase();
  admin = await openSession(base.adminUrl);
  other = createServer();
  taken = await listenOn(other, 0);
});
afterAll(async () => {
  other?.close();
  await admin?.close();
  await base?.close();
});

async function listenOn(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

function startWith(env: Record<string, string>) {
  const config = readConfig({ LOG_LEVEL: 'silent', HOST: '127.0.0.1', ...env });
  const { database, secrets, urls } = base;
  return startService({ config, database, secrets, platformUrl: urls.platformUrl, log: createLog('silent') });
}

const nodes = async () => {
  const [row] = await admin.rows<{ count: number }>(`select count(*)::int as count from pg_locks
    where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`);
  return row!.count;
};

test("the API's port is taken", async () => {
  await expect(startWith({ PORT: String(taken) })).rejects.toThrow(/EADDRINUSE|in use|taken/);
  await expect.poll(nodes).toBe(0);
});

test('the metrics port is taken, after the service listens', async () => {
  const free = createServer();
  const port = await listenOn(free, 0);
  free.close();
  await once(free, 'close');
  await expect(startWith({ PORT: String(port), METRICS_PORT: String(taken) })).rejects.toThrow(/EADDRINUSE|in use|taken/);
  await expect.poll(nodes).toBe(0);
  const again = createServer();
  expect(await listenOn(again, port)).toBe(port);
  again.close();
});

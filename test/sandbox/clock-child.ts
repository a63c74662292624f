// Moves the clock of a world in a separate process, to be killed: after a number of writes and a few milliseconds more.
import { deriveSecrets } from '../../src/domain/vault/secrets.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { advanceClock } from '../../src/sandbox/world-clock.ts';
import { testWriter } from '../support/test-writer.ts';

export interface ChildConfig {
  readonly urls: { tenantUrl: string; platformUrl: string };
  readonly secret: string;
  readonly world: string;
  readonly to: string;
  /** Null: it lives. */
  readonly dies: { readonly afterWrites: number; readonly afterMs: number } | null;
}

process.once('message', async ({ urls, secret, world, to, dies }: ChildConfig) => {
  const database = openDatabase(urls);
  let writes = 0;
  database.onWritten(() => {
    writes += 1;
    if (writes === dies?.afterWrites) setTimeout(() => process.kill(process.pid, 'SIGKILL'), dies.afterMs);
  });
  const writer = testWriter({ database, secrets: deriveSecrets(secret) });
  const moved = await advanceClock({ writer }, { id: world }, new Date(to));
  process.send!({ ...moved, from: moved.from.toISOString(), to: moved.to.toISOString() }, () => process.exit());
});

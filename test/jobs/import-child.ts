// A worker in a separate process, to be killed: receives the database address, runs imports until then.
import { deriveSecrets } from '../../src/domain/vault/secrets.ts';
import { startImporter } from '../../src/jobs/run-imports.ts';
import { createClock } from '../../src/kit/clock.ts';
import { createLog } from '../../src/kit/log.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { testWriter } from '../support/test-writer.ts';

interface Config {
  readonly urls: { tenantUrl: string; platformUrl: string };
  readonly secret: string;
  /** How far the test has moved its clock. */
  readonly ahead: number;
  /**
   * Ends itself by SIGKILL this many milliseconds after its seventh write: a test that watched from outside could be too late.
   */
  readonly dieAfterMs: number;
}

process.once('message', ({ urls, secret, ahead, dieAfterMs }: Config) => {
  const clock = createClock();
  clock.advance(ahead);
  const database = openDatabase(urls);
  let writes = 0;
  database.onWritten(() => {
    writes += 1;
    if (writes === 7) setTimeout(() => process.kill(process.pid, 'SIGKILL'), dieAfterMs);
  });
  startImporter({
    writer: testWriter({ database, secrets: deriveSecrets(secret) }),
    clock,
    log: createLog('silent'),
    outbound: { loopback: true },
    pollMs: 20,
    batchRows: 5,
    pauseRatio: 1,
  });
});

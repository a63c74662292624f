// A worker in a separate process, to be killed: receives the database address, delivers until then.
import { deriveSecrets } from '../../src/domain/vault/secrets.ts';
import { startWebhookSender } from '../../src/jobs/deliver-webhooks.ts';
import { createClock } from '../../src/kit/clock.ts';
import { createLog } from '../../src/kit/log.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { testWriter } from '../support/test-writer.ts';

process.once('message', ({ urls, secret }: { urls: { tenantUrl: string; platformUrl: string }; secret: string }) => {
  startWebhookSender({
    writer: testWriter({ database: openDatabase(urls), secrets: deriveSecrets(secret) }),
    clock: createClock(),
    log: createLog('silent'),
    outbound: { loopback: true },
    pollMs: 50,
  });
});

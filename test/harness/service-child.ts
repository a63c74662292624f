// The child process of service-process.ts. PLANT names a bug to serve deliberately.
import { once } from 'node:events';
import { readConfig } from '../../src/config.ts';
import { loadDemo } from '../../src/demo/demo-data.ts';
import { createKey } from '../../src/domain/keys/keys.ts';
import { startService } from '../../src/http/service.ts';
import { rotateRequestLog } from '../../src/jobs/rotate-request-log.ts';
import type { Resource } from '../../src/kit/endpoint.ts';
import { createLog } from '../../src/kit/log.ts';
import { connect } from '../../src/postgres/connect.ts';
import { resources as real } from '../../src/resources/index.ts';

const config = readConfig(process.env);
const connected = await connect(config);
const { database, secrets, urls } = connected;
await rotateRequestLog(database, new Date());
const [dealer] = await loadDemo(database, secrets, { dealers: 2, vehicles: 60, customers: 40, now: new Date() });
const endpoints = real.flatMap((resource) => resource.endpoints).map((endpoint) => endpoint.id);
const { secret } = await database.onPlatform('write', (db) =>
  createKey(
    db,
    secrets.pepper,
    {
      accountId: dealer!.id,
      name: 'harness',
      environment: 'production',
      endpoints,
      expiresAt: null,
      limitPerMinute: 1_000_000,
      limitPerHour: null,
      limitPerDay: null,
      allowedIps: [],
      authorizations: [],
    },
    { type: 'system', name: 'harness' },
  ),
);

/** A body that fails on some input, like a forgotten case. */
const failing: Resource[] = real.map((resource) => ({
  ...resource,
  endpoints: resource.endpoints.map((endpoint) =>
    endpoint.id !== 'GET customers' || endpoint.body === null
      ? endpoint
      : ({ ...endpoint, body: { ...endpoint.body, run: () => Promise.reject(new Error('planted')) } } as typeof endpoint),
  ),
}));

const service = await startService({
  config,
  database,
  secrets,
  platformUrl: urls.platformUrl,
  log: createLog(config.logLevel),
  ...(process.env.PLANT === 'failing-row' ? { resources: failing } : {}),
});
process.send!({ port: Number(new URL(service.url).port), key: secret });
await Promise.race([once(process, 'message'), once(process, 'disconnect')]);
await service.close();
await connected.close();
process.exit(0);

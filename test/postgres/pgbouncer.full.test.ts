// DATABASE_URL through PgBouncer: every mode that shares sessions is refused, session mode keeps all settings of our connections.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createClock } from '../../src/kit/clock.ts';
import { sql } from '../../src/kit/sql.ts';
import { openChanges } from '../../src/postgres/changes.ts';
import { connect } from '../../src/postgres/connect.ts';
import { removeDataDir } from '../start/process.ts';
import { newDataDir } from '../support/data-dir.ts';
import { until } from '../support/patience.ts';
import { isPgBouncerMissing, startPgBouncer, type TestPooler } from '../support/pgbouncer.ts';
import { isPostgres15Missing, type OldServer, startPostgres15 } from '../support/postgres15.ts';
import { withoutDatabase } from './one-line.ts';

const DROPS_OPTIONS = 'ignore_startup_parameters = options';

describe.skipIf(isPostgres15Missing() || isPgBouncerMissing())('PgBouncer', () => {
  let server: OldServer;
  let dataDir: string;
  const poolers: TestPooler[] = [];
  beforeAll(async () => {
    server = await startPostgres15();
    dataDir = await newDataDir('pgbouncer');
  });
  afterEach(async () => {
    for (const pooler of poolers.splice(0)) await pooler.stop();
  });
  afterAll(async () => {
    await server?.stop();
    if (dataDir) await removeDataDir(dataDir);
  });

  async function configBehind(mode: 'session' | 'transaction' | 'statement', more: readonly string[] = []) {
    const pooler = await startPgBouncer(server, mode, more);
    poolers.push(pooler);
    const GALERI_SECRET = 'a secret of at least thirty-two characters';
    return readConfig({ DATABASE_URL: pooler.url, DATA_DIR: dataDir, GALERI_SECRET });
  }

  test.each([
    ['transaction', []],
    ['transaction', [DROPS_OPTIONS]],
    ['transaction', ['server_round_robin = 1']],
    ['statement', []],
  ] as const)('%s mode is refused in one line: %j', async (mode, more) => {
    const config = await configBehind(mode, more);
    const refusal = await withoutDatabase(() => connect(config));
    expect(refusal).toMatch(/^DATABASE_URL leads through a pooler that shares sessions.*set pool_mode = session$/);
  });

  test.each([[[]], [[DROPS_OPTIONS]]])(
    'in session mode connections have their settings, locks and notifications: %j',
    async (more) => {
      const connected = await connect(await configBehind('session', more));
      try {
        const { database, urls } = connected;
        const of = (name: string) =>
          database.inTenant('00000000-0000-0000-0000-000000000000', 'read', (db) =>
            db.one<{ value: string }>(sql`select current_setting(${name}) as value`),
          );
        expect(await of('statement_timeout')).toEqual({ value: '5s' });
        expect(await of('default_transaction_read_only')).toEqual({ value: 'on' });
        expect(await of('plan_cache_mode')).toEqual({ value: 'force_generic_plan' });
        const changes = await openChanges({ url: urls.platformUrl, clock: createClock(), alone: true, report: () => {} });
        try {
          const from = performance.now();
          await until(() => changes.heardUpTo() > from, 'notifications arrive');
          expect(changes.nodes()).toBe(1);
        } finally {
          await changes.close();
        }
      } finally {
        await connected.close();
      }
    },
  );
});

// The service on the operator's own PostgreSQL (Debian's 15, the oldest supported), alone and as one of several.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSession } from '../../src/postgres/database.ts';
import { newDataDir } from '../support/data-dir.ts';
import { deadline } from '../support/patience.ts';
import { isPostgres15Missing, type OldServer, startPostgres15 } from '../support/postgres15.ts';
import { isRedisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { finish, galeri, get, launch, removeDataDir, type Started, start, stop } from './process.ts';

const SERVE = ['bin/galeri', 'serve'];

describe.skipIf(isPostgres15Missing())('DATABASE_URL', () => {
  let server: OldServer;
  let redis: TestRedis | null = null;
  let env: Record<string, string>;
  let accountId: string;
  let key: string;
  const started: Started[] = [];

  const run = async (more: Record<string, string> = {}): Promise<Started> => {
    const one = await start(SERVE, { ...env, ...more });
    started.push(one);
    return one;
  };
  let keys = 0;
  const newKey = async (): Promise<string> => {
    const args = ['--account', accountId, '--name', `ERP ${++keys}`, '--template', 'read-only', '--per-minute', '20', '--json'];
    return (JSON.parse((await galeri(['key', 'create', ...args], env)).stdout) as { key: string }).key;
  };
  const stopAll = async () => {
    for (const one of started.splice(0)) await stop(one);
  };

  beforeAll(async () => {
    server = await startPostgres15();
    env = {
      DATABASE_URL: server.url,
      GALERI_SECRET: 'a secret of at least thirty-two characters',
      DATA_DIR: await newDataDir('external'),
    };
    const account = JSON.parse((await galeri(['account', 'create', '--name', 'Dış Sunucu', '--json'], env)).stdout) as {
      id: string;
    };
    accountId = account.id;
    key = await newKey();
  });

  afterAll(async () => {
    await stopAll();
    await redis?.stop();
    await server?.stop();
    if (env) await removeDataDir(env.DATA_DIR!);
  });

  it('serves without a demo, and refuses a second node without Redis', async () => {
    const { ready } = await run();
    expect(ready.demo_key).toBeUndefined();
    expect((await get(`${ready.api}account`, key)).status).toBe(200);
    const second = await finish(launch(SERVE, { ...env, PORT: '0' }));
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(/another service already runs on this database.*REDIS_URL/);
    await stopAll();
  });

  it('starts while neither old counts can be deleted nor the partitions of the coming days made', async () => {
    const other = await openSession(server.url);
    try {
      await other.rows(`begin; lock table usage_calls in access exclusive mode`);
      await other.rows(`select pg_advisory_xact_lock(hashtext('galeri.keep_request_log'))`);
      const { ready, output } = await run();
      expect((await get(`${ready.api}account`, key)).status).toBe(200);
      expect(output()).toContain('the partitions of the request log could not be made; the worker makes them');
    } finally {
      await other.close();
      await stopAll();
    }
  });

  it('reports in one line that a server cannot be reached', async () => {
    const gone = await finish(launch(SERVE, { ...env, DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }));
    expect(gone.code).toBe(1);
    expect(gone.stderr.trim().split('\n')).toHaveLength(1);
    expect(gone.stderr).toMatch(/DATABASE_URL/);
  });

  it.skipIf(isRedisMissing())('shares one limit over two nodes, one of them with two processes', async () => {
    redis = await startRedis();
    const shared = { REDIS_URL: redis.url };
    const [one, other] = [await run(shared), await run({ ...shared, WORKERS: '2' })];
    const losses = () => [one, other].map(({ output }) => output().split('Redis is unreachable').length).join();
    const rush = async (secret: string) => {
      const before = losses();
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, index) => get(`${(index % 2 ? one : other).ready.api}account`, secret)),
      );
      return { answers, isShared: losses() === before };
    };
    let { answers, isShared } = await rush(await newKey());
    // A pause of the machine makes Redis look lost; such a run proves nothing about the shared limit.
    for (const isOver = deadline(); !isShared && !isOver(); ) ({ answers, isShared } = await rush(await newKey()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
    await stopAll();
  });
});

// METRICS_PORT with several API processes covers all of them.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { isRedisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { preparedDataDir } from './prepared.ts';
import { eventually, launch, removeDataDir, type Started, start, stop } from './process.ts';

describe.skipIf(isRedisMissing())('two API processes', () => {
  let redis: TestRedis;
  let dataDir: string;
  let service: Started;
  let metricsUrl: string;
  beforeAll(async () => {
    redis = await startRedis();
    dataDir = await preparedDataDir('migrated', 'metrics');
    const METRICS_PORT = String(await freePort());
    metricsUrl = `http://127.0.0.1:${METRICS_PORT}/metrics`;
    const env = { DATA_DIR: dataDir, REDIS_URL: redis.url, WORKERS: '2', METRICS_PORT, FAILED_AUTH_LIMIT: '25' };
    service = await start(['bin/galeri', 'serve', '--no-demo'], env);
  });
  afterAll(async () => {
    if (service) await stop(service);
    await redis?.stop();
    if (dataDir) await removeDataDir(dataDir);
  });

  const readMetrics = async () => (await fetch(metricsUrl)).text();
  const valuesOf = (text: string, name: string): number[] =>
    [...text.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'gm'))].map(([, value]) => Number(value));

  test('are both in the metrics, and share the limit of failed authentications', async () => {
    // A separate connection each, so that both processes are reached.
    const ask = async () => (await fetch(`${service.ready.api}account`, { headers: { connection: 'close' } })).status;
    const statuses: number[] = [];
    for (let time = 0; time < 40; time += 1) statuses.push(await ask());
    expect(statuses.filter((status) => status === 401)).toHaveLength(25);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    const text = await readMetrics();
    expect(valuesOf(text, 'galeri_process_up')).toEqual([1, 1]);
    const answered = valuesOf(text, 'galeri_requests_total');
    expect(answered.reduce((sum, value) => sum + value, 0)).toBe(40);
    const busy = new Set([...text.matchAll(/^galeri_requests_total\{process="(\d)"/gm)].map(([, process]) => process));
    expect([...busy].sort()).toEqual(['1', '2']);
    expect(text.match(/^# TYPE galeri_resident_bytes gauge$/gm)).toHaveLength(1);
    expect(valuesOf(text, 'galeri_resident_bytes')).toHaveLength(2);
    expect(valuesOf(text, 'galeri_build_info')).toEqual([1, 1]);
    // Of the parent, which runs the jobs.
    expect(text).toMatch(/^galeri_job_age_seconds\{task="mails"\} \d/m);
  });

  test('one that ends is replaced with the same number', async () => {
    const pids = execFileSync('pgrep', ['-P', String(service.child.pid)], { encoding: 'utf8' });
    const worker = pids
      .split('\n')
      .map(Number)
      .find((pid) => pid > 0 && /galeri\.mjs|main\.ts/.test(readCommand(pid)));
    process.kill(worker!, 'SIGKILL');
    await eventually(async () => service.output().includes('an API process ended'));
    await eventually(async () => JSON.stringify(valuesOf(await readMetrics(), 'galeri_process_up')) === '[1,1]');
  });
});

const readCommand = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

test('a worker without an API has health, readiness, and figures of its jobs', async () => {
  const dataDir = await preparedDataDir('migrated', 'metrics-worker');
  const port = await freePort();
  const child = launch(['bin/galeri', 'serve', '--only', 'worker', '--no-demo'], {
    DATA_DIR: dataDir,
    METRICS_PORT: String(port),
    NODE_NAME: 'isci-1',
  });
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  const read = async (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  try {
    await eventually(async () => (await read('/readyz')).ok);
    expect((await read('/healthz')).status).toBe(200);
    const text = await (await read('/metrics')).text();
    expect(text).toMatch(/^galeri_build_info\{version="[\d.]+",node="isci-1"\} 1$/m);
    expect(text).toMatch(/^galeri_job_age_seconds\{task="mails"\} \d/m);
    expect(text).toMatch(/^galeri_job_failures_total\{task="mails"\} 0$/m);
    expect(text).toMatch(/^galeri_webhook_deliveries\{state="due"\} 0$/m);
    const lines = output.trim().split('\n');
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ node: 'isci-1', version: expect.stringMatching(/^\d/) });
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    await removeDataDir(dataDir);
  }
});

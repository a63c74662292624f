// Unexpected failures (docs/decisions/0024-what-ends-the-process.md). An exception: the service stops cleanly, and its exit code
// shows the failure. An unhandled rejection: it is logged. A closed log pipe: it is ignored.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { isRedisMissing, startRedis } from '../support/redis.ts';
import { preparedDataDir } from './prepared.ts';
import { eventually, postmasterPid, removeDataDir, start, stop } from './process.ts';

it('exits with 1, and leaves no PostgreSQL running', async () => {
  const dataDir = await preparedDataDir('migrated', 'unexpected');
  // Thrown outside any request, on the first SIGUSR2.
  const planted = `process.on('SIGUSR2',()=>setImmediate(()=>{throw(new(Error)('planted'))}))`;
  const { child, output } = await start(['bin/galeri', 'serve', '--no-demo'], {
    DATA_DIR: dataDir,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(planted)}`,
  });
  const ended = once(child, 'exit');
  child.kill('SIGUSR2');
  expect(await ended).toEqual([1, null]);
  expect(output()).toMatch(/an unexpected failure ends the service.*planted/);
  expect(await postmasterPid(dataDir)).toBeNull();
  await removeDataDir(dataDir);
});

/** Runs in the service before anything else; one statement without spaces, as NODE_OPTIONS requires. */
const plant = (code: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` });

it('continues after an unhandled rejection', async () => {
  const dataDir = await preparedDataDir('migrated', 'unheard');
  const started = await start(['bin/galeri', 'serve', '--no-demo'], {
    DATA_DIR: dataDir,
    ...plant(`process.on('SIGUSR2',()=>Promise.reject(new(Error)('planted')))`),
  });
  started.child.kill('SIGUSR2');
  await eventually(async () => /an unhandled error occurred.*planted/.test(started.output()));
  expect((await fetch(new URL('/readyz', started.ready.api))).status).toBe(200);
  expect(await stop(started)).toBe(0);
  await removeDataDir(dataDir);
});

it('exits even when stopping hangs', async () => {
  const dataDir = await preparedDataDir('migrated', 'hanging');
  // A server that never closes, and a minute that passes at once.
  const { child } = await start(['bin/galeri', 'serve', '--no-demo'], {
    DATA_DIR: dataDir,
    ...plant(
      `import{Server}from'node:http';const{setTimeout:real}=globalThis;Server.prototype.close=function(){return(this)};` +
        `globalThis.setTimeout=(act,ms,...more)=>real(act,ms===60000?100:ms,...more);` +
        `process.on('SIGUSR2',()=>setImmediate(()=>{throw(new(Error)('planted'))}))`,
    ),
  });
  const ended = once(child, 'exit');
  child.kill('SIGUSR2');
  expect(await ended).toEqual([1, null]);
  // As after a kill: the next start finds PostgreSQL running, and stops it when it ends.
  expect(await stop(await start(['bin/galeri', 'serve', '--no-demo'], { DATA_DIR: dataDir }))).toBe(0);
  expect(await postmasterPid(dataDir)).toBeNull();
  await removeDataDir(dataDir);
});

it.skipIf(isRedisMissing())('in one of several API processes ends that one, which is restarted', async () => {
  const dataDir = await preparedDataDir('migrated', 'several');
  const redis = await startRedis();
  const started = await start(['bin/galeri', 'serve', '--no-demo'], {
    DATA_DIR: dataDir,
    WORKERS: '2',
    REDIS_URL: redis.url,
    ...plant(`process.on('SIGUSR2',()=>setImmediate(()=>{throw(new(Error)('planted'))}))`),
  });
  const api = async () => (await apiProcesses(started.child.pid!)).join();
  const before = await api();
  const [first] = before.split(',');
  expect(first, 'a process of the API').toMatch(/^\d+$/);
  process.kill(Number(first), 'SIGUSR2');
  await eventually(async () => /an unexpected failure ends.*planted[\s\S]*an API process ended/.test(started.output()));
  await eventually(async () => (await api()) !== before && (await apiProcesses(started.child.pid!)).length === 2);
  expect((await fetch(new URL('/readyz', started.ready.api))).status).toBe(200);
  expect(await stop(started)).toBe(0);
  await redis.stop();
  await removeDataDir(dataDir);
});

/** The children of a service that are Node, too. */
async function apiProcesses(pid: number): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number);
  const names = await Promise.all(children.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')));
  return children.filter((_, index) => /\/(main\.ts|galeri\.mjs)\0/.test(names[index]!));
}

it('continues when its log is no longer read, and stops on request', async () => {
  const dataDir = await preparedDataDir('migrated', 'unread');
  const started = await start(['bin/galeri', 'serve', '--no-demo'], { DATA_DIR: dataDir });
  started.child.stdout!.destroy();
  started.child.stderr!.destroy();
  // It has something to log: PostgreSQL is down.
  process.kill((await postmasterPid(dataDir))!, 'SIGKILL');
  await eventually(async () => (await fetch(new URL('/readyz', started.ready.api)).catch(() => null))?.status === 503);
  await eventually(async () => (await fetch(new URL('/readyz', started.ready.api)).catch(() => null))?.status === 200);
  expect(await stop(started)).toBe(0);
  await removeDataDir(dataDir);
});

// A failure that nobody foresaw: the service stops cleanly, and whoever keeps it running sees that it failed. And one that is none:
// nobody listens.
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { newDataDir } from '../support/data-dir.ts';
import { eventually, postmasterPid, removeDataDir, start, stop } from './process.ts';

it('ends with 1, and leaves no PostgreSQL behind', async () => {
  const dataDir = await newDataDir('unexpected');
  // Thrown from outside any request, on the first SIGUSR2.
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

it('goes on when nobody reads its log any more, and stops when it is told to', async () => {
  const dataDir = await newDataDir('unread');
  const started = await start(['bin/galeri', 'serve', '--no-demo'], { DATA_DIR: dataDir });
  started.child.stdout!.destroy();
  started.child.stderr!.destroy();
  // It has something to say: PostgreSQL is away.
  process.kill((await postmasterPid(dataDir))!, 'SIGKILL');
  await eventually(async () => (await fetch(new URL('/readyz', started.ready.api)).catch(() => null))?.status === 503);
  await eventually(async () => (await fetch(new URL('/readyz', started.ready.api)).catch(() => null))?.status === 200);
  expect(await stop(started)).toBe(0);
  await removeDataDir(dataDir);
});

// A failure that nobody foresaw: the service stops cleanly, and whoever keeps it running sees that it failed.
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { newDataDir } from '../support/data-dir.ts';
import { postmasterPid, removeDataDir, start } from './process.ts';

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

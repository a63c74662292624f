// Services that a test starts and DATA_DIRs that it creates: both are removed after each test.
import { afterEach } from 'vitest';
import { alive as isAlive } from '../../src/postgres/embedded-install.ts';
import { newDataDir } from '../support/data-dir.ts';
import { type Prepared, preparedDataDir } from './prepared.ts';
import { postmasterPid, removeDataDir, type Started, start, stop } from './process.ts';

export const SERVE = ['bin/galeri', 'serve'];
const started: Started[] = [];
const dataDirs: string[] = [];

export async function dataDir(): Promise<string> {
  const made = await newDataDir('start');
  dataDirs.push(made);
  return made;
}

export async function dataDirThatWas(prepared: Prepared): Promise<string> {
  const made = await preparedDataDir(prepared, 'start');
  dataDirs.push(made);
  return made;
}

export async function run(command: string[], env: Record<string, string>): Promise<Started> {
  const one = await start(command, env);
  started.push(one);
  return one;
}

/** Called once by each test file that uses the functions above. */
export function stopAfterEach(): void {
  afterEach(async () => {
    for (const one of started.splice(0)) if (one.child.exitCode === null && one.child.signalCode === null) await stop(one);
    for (const directory of dataDirs.splice(0)) {
      const pid = await postmasterPid(directory);
      if (pid !== null && isAlive(pid)) process.kill(pid, 'SIGINT');
      await removeDataDir(directory);
    }
  });
}

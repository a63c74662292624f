// A service in a separate process, with its own PostgreSQL and DATA_DIR, a dealer and a key.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { migratedDataDir } from '../support/data-dir.ts';

export interface ServiceProcess {
  readonly pid: number;
  readonly port: number;
  readonly key: string;
  stop(): Promise<void>;
}

export type Plant = 'failing-row' | null;

export async function startServiceProcess({ plant }: { plant: Plant }): Promise<ServiceProcess> {
  const dataDir = await migratedDataDir('harness');
  const child: ChildProcess = fork(new URL('service-child.ts', import.meta.url), {
    // As bin/galeri starts it.
    execArgv: ['--max-semi-space-size=16', '--heap-growing-percent=100'],
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', PLANT: plant ?? '', MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [ready] = (await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [null])])) as [
    { port: number; key: string } | null,
  ];
  if (ready === null) throw new Error('the service under test did not start');
  return {
    pid: child.pid!,
    ...ready,
    stop: async () => {
      const ended = once(child, 'exit');
      child.send('stop');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

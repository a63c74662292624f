// A separate `galeri serve` with a test clock: real processes, moved by `galeri clock`.

import { resources } from '../../src/resources/index.ts';
import { preparedDataDir } from '../start/prepared.ts';
import type { Finished, Started } from '../start/process.ts';
import { galeri, removeDataDir, start, stop } from '../start/process.ts';
import { type Answer, type CallOptions, call } from './service.ts';

export interface ClockedService {
  readonly env: Readonly<Record<string, string>>;
  /** Its output since its last start. */
  output(): string;
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** A write with a key. */
  write(method: string, path: string, key: string, body?: unknown): Promise<Answer>;
  /** The output of a command with --json. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
  cli(...args: string[]): Promise<any>;
  /** A command that may fail. */
  run(...args: string[]): Promise<Finished>;
  /** An account, and a key of it that holds every endpoint. */
  dealer(name: string): Promise<{ id: string; key: string }>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  start(env?: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

const EVERY_ROW = resources.flatMap(({ endpoints }) => endpoints.flatMap((endpoint) => ['--endpoint', endpoint.id]));

/** `at`: business time at the first start, `2026-01-15T09:00:00Z`, or `on`. */
export async function clockedService(
  at: string,
  options: { env?: Record<string, string>; args?: string[] } = {},
): Promise<ClockedService> {
  const env = {
    DATA_DIR: await preparedDataDir('migrated', 'clock'),
    PORT: '0',
    TEST_CLOCK: at,
    ALLOW_LOOPBACK_TARGETS: 'on',
    RATES_TCMB_URL: '',
    RATES_KKTCMB_URL: '',
    ...options.env,
  };
  const command = ['bin/galeri', 'serve', ...(options.args ?? ['--no-demo', '--live', 'all'])];
  let served: Started | null = null;
  const run = (...args: string[]) => galeri(args, env);
  const service: ClockedService = {
    env,
    output: () => served?.output() ?? '',
    call: (path, input) => call(new URL(served!.ready.api).origin, path, input),
    write: (method, path, key, body) =>
      service.call(path, {
        method,
        key,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      }),
    run,
    cli: async (...args) => {
      const { code, stdout, stderr } = await run(...args, '--json');
      if (code !== 0) throw new Error(`galeri ${args.join(' ')} exited with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    dealer: async (name) => {
      const { id } = await service.cli('account', 'create', '--name', name);
      const { key } = await service.cli(
        'key',
        'create',
        '--account',
        id,
        '--name',
        'all',
        '--per-minute',
        '100000',
        ...EVERY_ROW,
      );
      return { id, key };
    },
    stop: async (signal = 'SIGTERM') => {
      if (served === null || served.child.exitCode !== null) return;
      await stop(served, signal);
      served = null;
    },
    start: async (more = {}) => {
      served = await start(command, { ...env, ...more });
    },
    close: async () => {
      await service.stop();
      await removeDataDir(env.DATA_DIR);
    },
  };
  await service.start();
  return service;
}

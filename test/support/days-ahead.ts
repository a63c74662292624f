// Shows whether tests pass on another day: `TEST_DAYS_AHEAD=45 npx vitest run …`. vitest.config.ts loads this file into every
// Node process of the run; there it moves dates and file times. PostgreSQL and interpreters use libfaketime; Node and Redis hang
// with it.
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { promisify } from 'node:util';

const DAYS = Number(process.env.TEST_DAYS_AHEAD ?? 0);
const AHEAD_MS = DAYS * 86_400_000;
const LIBRARY = '/usr/$LIB/faketime/libfaketime.so.1';
const PROGRAMS = new Set(['postgres', 'initdb', 'php', 'python3', 'python']);

/** What a Node process needs to be moved as well; empty in an ordinary run. */
export const daysAheadEnv = (): Record<string, string> =>
  DAYS === 0 ? {} : { TEST_DAYS_AHEAD: String(DAYS), NODE_OPTIONS: `--import=${import.meta.url}` };

/** The same for a page of the browser. */
export const daysAheadScript = `{
  const real = Date.now;
  Date.now = () => real() + ${AHEAD_MS};
  globalThis.Date = new Proxy(Date, {
    construct: (date, given, made) => Reflect.construct(date, given.length === 0 ? [Date.now()] : given, made),
    apply: () => new Date().toString(),
  });
  Date.prototype.constructor = Date;
}`;

type Spawn = (file: string, ...rest: unknown[]) => unknown;
type Stats = Record<string, number>;

function moveProcess(): void {
  new Function(daysAheadScript)();
  for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync'] as const) {
    const original = childProcess[name] as Spawn & { [promisify.custom]?: unknown };
    const moved: Spawn = (file, ...rest) => original(file, ...(PROGRAMS.has(basename(file)) ? withLibrary(rest) : rest));
    const asPromise = original[promisify.custom];
    Object.assign(childProcess, { [name]: Object.assign(moved, asPromise && { [promisify.custom]: asPromise }) });
  }
  const shift = (stats: Stats | undefined): Stats | undefined => {
    if (stats) for (const time of ['atimeMs', 'mtimeMs', 'ctimeMs', 'birthtimeMs']) stats[time]! += AHEAD_MS;
    return stats;
  };
  const { stat, lstat, utimes } = fs.promises;
  const { statSync, utimesSync } = fs;
  const back = (time: unknown) => (time instanceof Date ? new Date(time.getTime() - AHEAD_MS) : Number(time) - AHEAD_MS / 1000);
  Object.assign(fs.promises, {
    stat: async (...args: Parameters<typeof stat>) => shift((await stat(...args)) as unknown as Stats),
    lstat: async (...args: Parameters<typeof lstat>) => shift((await lstat(...args)) as unknown as Stats),
    utimes: (path: string, read: unknown, written: unknown) => utimes(path, back(read), back(written)),
  });
  Object.assign(fs, {
    statSync: (...args: Parameters<typeof statSync>) => shift(statSync(...args) as unknown as Stats),
    utimesSync: (path: string, read: unknown, written: unknown) => utimesSync(path, back(read), back(written)),
  });
  syncBuiltinESMExports();
}

/** The options are the first object that is not a list of arguments. */
function withLibrary(rest: unknown[]): unknown[] {
  const place = rest.findIndex((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
  const options = (rest[place] ?? {}) as { env?: Record<string, string> };
  const env = { ...(options.env ?? process.env), LD_PRELOAD: LIBRARY, FAKETIME: `+${DAYS}d` };
  return place < 0 ? [...rest, { ...options, env }] : rest.with(place, { ...options, env });
}

// Vitest loads the file a second time if a test imports it.
const MOVED = Symbol.for('galeri.test.days-ahead');
if (DAYS !== 0 && !(MOVED in globalThis)) {
  Object.assign(globalThis, { [MOVED]: true });
  moveProcess();
}

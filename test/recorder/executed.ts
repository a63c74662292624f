// Which sources of the project this process executed, from V8. Used only while tests are recorded (scripts/test-record.ts).
import { ChildProcess } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = join(import.meta.dirname, '../..');
const PRELOAD = `--import=${new URL('child.ts', import.meta.url).href}`;
/** Vitest wraps a module into a function that starts here; a module's own code is not one of its functions. */
const WRAPPER_START = 13;

export interface Called {
  readonly source: string;
  /** Empty for callbacks, and for the getters through which Vitest reads a module's exports. */
  readonly name: string;
  readonly start: number;
}

/** `again`: each take reports a function that was called since the last, otherwise only the first does. */
export function watchFunctions({ again }: { again: boolean }): () => Called[] {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  // Not with counts, which make programs several times slower: V8 reports a function once after each start.
  const start = () => session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false });
  start();
  return () => {
    let scripts: Profiler.ScriptCoverage[] = [];
    // Answered before `post` returns, because the session is connected to its own thread.
    session.post('Profiler.takePreciseCoverage', (_error, answer) => {
      scripts = answer?.result ?? [];
    });
    if (again) {
      session.post('Profiler.stopPreciseCoverage');
      start();
    }
    return scripts.flatMap(({ url, functions }) => {
      const source = sourceOf(url);
      if (source === null) return [];
      return functions
        .map(({ functionName: name, ranges: [range] }) => ({ source, name, start: range!.startOffset, count: range!.count }))
        .filter(({ name, start, count }) => count > 0 && (name !== '' || start > WRAPPER_START));
    });
  };
}

/** As a path of the project; null for packages, for code from the command line (`[eval1]`) and for other files. */
export function sourceOf(url: string): string | null {
  if (!url.startsWith('file://') && !url.startsWith('/')) return null;
  const path = relative(PROJECT, url.startsWith('/') ? url : fileURLToPath(url)).replace(/\?.*$/, '');
  return /^(\.\.|\[|dist\/)/.test(path) || path.includes('node_modules/') ? null : path;
}

/** Into a file of this process. */
export function writeLines(folder: string, lines: Iterable<string>): void {
  const text = [...new Set(lines)].map((line) => `${line}\n`).join('');
  if (text !== '') appendFileSync(join(folder, `${process.pid}.txt`), text);
}

/**
 * All processes that this one starts are recorded into the folder, also those with a clean environment: every way to start one
 * ends in this method. From the sources, because the build does not name them.
 */
export function recordChildren(folderNow: () => string): void {
  const prototype = ChildProcess.prototype as unknown as { spawn(options: { envPairs?: string[] }): unknown };
  const { spawn } = prototype;
  prototype.spawn = function (options) {
    const pairs = options.envPairs ?? [];
    const given = pairs.find((pair) => pair.startsWith('NODE_OPTIONS='))?.slice('NODE_OPTIONS='.length) ?? '';
    const nodeOptions = given.includes(PRELOAD) ? given : `${given} ${PRELOAD}`.trim();
    const ours = [`RECORD_INTO=${folderNow()}`, `NODE_OPTIONS=${nodeOptions}`, 'GALERI_FROM_SOURCES=1'];
    const names = ours.map((pair) => pair.slice(0, pair.indexOf('=') + 1));
    options.envPairs = [...pairs.filter((pair) => !names.some((name) => pair.startsWith(name))), ...ours];
    return spawn.call(this, options);
  };
}

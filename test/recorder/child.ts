// Loaded first by each Node process that a recorded test starts: writes which sources it executed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { recordChildren, watchFunctions, writeLines } from './executed.ts';
import { ON_IMPORT } from './recording.ts';

/** A killed process has written what it executed until shortly before. */
const EVERY_MS = 200;

const folder = process.env.RECORD_INTO;
if (folder !== undefined && isMainThread) {
  const take = watchFunctions({ again: false });
  const onImport = readOnImport(join(folder, '..', ON_IMPORT));
  const known = new Set<string>();
  const write = () => {
    const found = take()
      .filter(({ source, start }) => !onImport.has(`${source}:${start}`) && !known.has(source))
      .map(({ source }) => source);
    for (const source of found) known.add(source);
    writeLines(folder, found);
  };
  recordChildren(() => folder);
  setInterval(write, EVERY_MS).unref();
  process.on('exit', write);
}

/** Functions that modules call while they are imported: every process calls these, for any purpose. */
function readOnImport(path: string): ReadonlySet<string> {
  return new Set(existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []);
}

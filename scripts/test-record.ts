/**
 * `npm run test:record`: runs the tests and writes to test/test-map.json which sources each test file executed, in its own
 * process, in the processes it starts and in the browser. With file names it records these and keeps the rest of the map. A green
 * run of everything counts as a whole run, as that of `npm run test:all` does.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { bundleSources } from '../test/recorder/bundle.ts';
import { ON_IMPORT, type RecordedTest, TEST } from '../test/recorder/recording.ts';
import { readTestMap, writeTestMap } from '../test/support/test-map.ts';
import { buildPanel } from './build-panel.ts';
import { runTests } from './test-all.ts';

const PROJECT = join(import.meta.dirname, '..');
const FOLDER = join(PROJECT, 'node_modules/.cache/test-record');
/** The panel once more with source maps. Its scripts are the same byte for byte, so that tests use the usual build. */
const PANEL = join(FOLDER, 'panel');

async function prepare(): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  await buildPanel();
  const configFile = join(PROJECT, 'web/vite.config.ts');
  await build({ configFile, mode: 'production', logLevel: 'warn', build: { outDir: PANEL, sourcemap: 'hidden' } });
  spawnSync('node', ['test/recorder/on-import.ts', join(FOLDER, ON_IMPORT)], { cwd: PROJECT, stdio: 'inherit', env: RECORDING });
}

const RECORDING = { ...process.env, RECORD_TESTS: FOLDER };

function merge(): void {
  const functions = readLines(join(FOLDER, ON_IMPORT));
  const onImport = new Set(functions.map((line) => line.slice(0, line.lastIndexOf(':'))));
  const sourceIn = bundleSources(PANEL);
  const known = readTestMap();
  const tests = new Map([...known.tests].filter(([file]) => existsSync(join(PROJECT, file))));
  for (const path of globSync(join(FOLDER, '*', TEST))) {
    const { file, seconds, passed } = JSON.parse(readFileSync(path, 'utf8')) as RecordedTest;
    const executed = executedIn(join(path, '..'), onImport, sourceIn);
    const before = tests.get(file)?.executed;
    if (passed) tests.set(file, { seconds, executed });
    else if (before) tests.set(file, { seconds, executed: new Set([...executed, ...before]) });
    // A file that is not in the map is always chosen.
    if (!passed) console.warn(`${file} failed, so that it may not have executed all it usually does: record it again`);
  }
  writeTestMap({ onImport, tests });
}

function executedIn(folder: string, onImport: ReadonlySet<string>, sourceIn: ReturnType<typeof bundleSources>): Set<string> {
  const executed = new Set<string>();
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  for (const line of new Set(files.flatMap((name) => readLines(join(folder, name))))) {
    if (line.startsWith('@')) {
      const [script = '', offset] = line.slice(1).split(':');
      executed.add(sourceIn(script, Number(offset)) ?? '');
    } else if (!line.startsWith('?')) executed.add(line);
    else if (!onImport.has(line.slice(1))) executed.add(line.slice(1));
  }
  return new Set(
    [...executed].filter(
      (source) =>
        source !== '' && !source.startsWith('test/recorder/') && !source.includes('node_modules/') && !source.startsWith('..'),
    ),
  );
}

const readLines = (path: string): string[] => readFileSync(path, 'utf8').split('\n').filter(Boolean);

await prepare();
const status = runTests(process.argv.slice(2), RECORDING);
merge();
process.exit(status);

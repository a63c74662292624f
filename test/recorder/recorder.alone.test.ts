// What a test file executed is recorded wherever it ran: in a process shared with other files, in a process it started, in one
// that was killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ON_IMPORT, TEST } from './recording.ts';

const PROJECT = join(import.meta.dirname, '../..');
const PRELOAD = `--import=${join(import.meta.dirname, 'child.ts')}`;

let recording: string;
let folder: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  recording = mkdtempSync(join(tmpdir(), 'galeri-recorder-'));
  folder = join(recording, 'a-test');
  mkdirSync(folder);
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(recording, { recursive: true, force: true });
});

/** Not through the recorder of this run, if this run is recorded. */
function start(args: string[], env: Record<string, string>): ChildProcess {
  const clean = `env -u RECORD_INTO -u NODE_OPTIONS ${Object.entries(env)
    .map(([name, value]) => `${name}='${value}'`)
    .join(' ')}`;
  const child = spawn('sh', ['-c', `exec ${clean} "$@"`, 'sh', ...args], { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

const program = (code: string) =>
  start([process.execPath, '--input-type=module', '-e', code], { RECORD_INTO: folder, NODE_OPTIONS: PRELOAD });

const executed = (of = folder): string[] =>
  readdirSync(of)
    .filter((name) => name.endsWith('.txt'))
    .flatMap((name) => readFileSync(join(of, name), 'utf8').split('\n').filter(Boolean))
    .filter((line) => !line.startsWith('test/recorder/'));

const CSV = `import { csvHead } from '${PROJECT}/src/domain/formats/csv-write.ts'; import '${PROJECT}/src/domain/clock/days.ts';`;

test('a process has executed the sources of which it called a function, not those that it only imported', async () => {
  await once(program(`${CSV} csvHead(['a'], ';')`), 'close');
  expect(executed()).toEqual(['src/domain/formats/csv-write.ts']);
});

test('a function that modules call while they are imported does not count for a process', async () => {
  const source = readFileSync(join(PROJECT, 'src/domain/formats/csv-write.ts'), 'utf8');
  const start = source.indexOf('(columns: readonly string[], separator');
  writeFileSync(join(recording, ON_IMPORT), `src/domain/formats/csv-write.ts:${start}\n`);
  await once(program(`${CSV} csvHead(['a'], ';')`), 'close');
  expect(executed()).toEqual([]);
});

test('a killed process, and one that it started with an empty environment, have written what they executed', async () => {
  const inner = `import { addDays } from '${PROJECT}/src/domain/clock/days.ts'; addDays('2026-01-01', 1); setInterval(() => {}, 1000)`;
  const child = program(`${CSV} import { fork, spawn } from 'node:child_process';
    const inner = spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(inner)}], { env: {} });
    process.on('SIGUSR2', () => { inner.kill('SIGKILL'); process.kill(process.pid, 'SIGKILL'); });
    csvHead(['a'], ';'); setInterval(() => {}, 1000)`);
  const ended = once(child, 'exit');
  await expect.poll(() => executed().toSorted()).toEqual(['src/domain/clock/days.ts', 'src/domain/formats/csv-write.ts']);
  child.kill('SIGUSR2');
  expect(await ended).toEqual([null, 'SIGKILL']);
});

test('each of several files in one process has its calls and the constants that it read, also of what an earlier file loaded', async () => {
  const files = ['first', 'second', 'third'].map((name) => `test/recorder/fixtures/${name}.fixture.ts`);
  const vitest = ['node_modules/.bin/vitest', 'run', '--config', 'test/recorder/one-process.config.ts'];
  const [code] = await once(start(vitest, { RECORD_TESTS: recording }), 'close');
  expect(code).toBe(0);
  const of = (file: string) => executed(join(recording, file.replaceAll('/', '__'))).filter((line) => line.startsWith('src/'));
  const [first, second, third] = files.map(of);
  // `sales-states.ts` has constants only.
  expect(first!.toSorted()).toEqual(['src/domain/clock/days.ts', 'src/domain/installments/sales-states.ts']);
  expect(second!.toSorted()).toEqual(first!.toSorted());
  expect(third).toEqual(['src/domain/formats/csv-write.ts']);
  for (const file of files) expect(existsSync(join(recording, file.replaceAll('/', '__'), TEST))).toBe(true);
});

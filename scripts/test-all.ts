/**
 * `npm run test:all`: every test. A run of a clean checkout adds one line to docs/test-runs.md: the date, the commit, what ran, how
 * long it took, and which files failed. `npm run test:affected` and CI then compare with that commit, and always run those files.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { TEST_REPORT } from '../test/support/report-file.ts';

const PROJECT = join(import.meta.dirname, '..');
const TEST_RUNS = join(PROJECT, 'docs/test-runs.md');
/** A run in which more files failed says too little to compare with. */
const MAX_FAILED = 20;

export interface WholeRun {
  readonly commit: string;
  readonly failed: readonly string[];
}

/** The last complete run, or null where its commit is not in this checkout's history. */
export function lastWholeRun(): WholeRun | null {
  const run = lastRunIn(readFileSync(TEST_RUNS, 'utf8'));
  const isKnown = run && spawnSync('git', ['merge-base', '--is-ancestor', run.commit, 'HEAD']).status === 0;
  return isKnown ? run : null;
}

/** From the text of docs/test-runs.md. */
export function lastRunIn(text: string): WholeRun | null {
  const cells = text
    .match(/^\| \d{4}-.*$/gm)
    ?.at(-1)
    ?.split('|')
    .map((cell) => cell.trim());
  if (!cells?.[2]) return null;
  return { commit: cells[2], failed: (cells[6] ?? '').split(', ').filter((file) => file.endsWith('.test.ts')) };
}

/** Processor time of all programs that this process started and that have ended, in seconds (Linux). */
function processorSeconds(): number | null {
  if (!existsSync('/proc/self/stat')) return null;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

interface Report {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly { readonly name: string; readonly status: string }[];
}

/** Runs the tests with these names, or all of them, and returns the exit code. */
export function runTests(names: readonly string[], env: NodeJS.ProcessEnv = process.env): number {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const [commit, isClean] = [git('rev-parse', '--short=8', 'HEAD'), git('status', '--porcelain') === ''];
  const startedAt = performance.now();
  rmSync(TEST_REPORT, { force: true });
  const { status } = spawnSync(
    'vitest',
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${TEST_REPORT}`, ...names],
    { stdio: 'inherit', env },
  );
  if (isClean && names.length === 0 && existsSync(TEST_REPORT)) {
    const report = JSON.parse(readFileSync(TEST_REPORT, 'utf8')) as Report;
    const failed = report.testResults.filter((file) => file.status !== 'passed').map(({ name }) => relative(PROJECT, name));
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const took = `${Math.floor(seconds / 60)} min ${seconds % 60} s${env.RECORD_TESTS === undefined ? '' : ', recorded'}`;
    const counts = `${report.testResults.length} files, ${report.numPassedTests} passed, ${report.numPendingTests} skipped`;
    const when = new Date().toISOString().slice(0, 16).replace('T', ' ');
    const line = `| ${when} | ${commit} | ${counts} | ${took} | ${Math.round(processorSeconds() ?? 0)} s | ${failed.join(', ') || 'none'} |\n`;
    // An error outside of the tests fails the run without a failed file.
    if (failed.length <= MAX_FAILED && (status === 0) === (failed.length === 0)) appendFileSync(TEST_RUNS, line);
    // `npm run test:again` must not be led by a run without failures.
    if (failed.length === 0) rmSync(TEST_REPORT);
  }
  return status ?? 1;
}

if (import.meta.main) process.exit(runTests(process.argv.slice(2)));

/**
 * `npm run test:all`: every test. A green run of a clean checkout adds one line to docs/test-runs.md: the date, the commit, what
 * ran and how long it took. `npm run test:affected` and CI then compare with that commit.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TEST_REPORT } from '../test/support/report-file.ts';

const TEST_RUNS = join(import.meta.dirname, '../docs/test-runs.md');

/** The commit of the last complete green run, or null where it is not in this checkout's history. */
export function lastWholeRun(): string | null {
  const commit = readFileSync(TEST_RUNS, 'utf8')
    .match(/^\| \d{4}-.*$/gm)
    ?.at(-1)
    ?.split('|')[2]
    ?.trim();
  const isKnown = commit && spawnSync('git', ['merge-base', '--is-ancestor', commit, 'HEAD']).status === 0;
  return isKnown ? commit : null;
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
  readonly testResults: readonly unknown[];
}

/** Runs the tests with these names, or all of them, and returns the exit code. */
export function runTests(names: readonly string[], env: NodeJS.ProcessEnv = process.env): number {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const [commit, isClean] = [git('rev-parse', '--short=8', 'HEAD'), git('status', '--porcelain') === ''];
  const startedAt = performance.now();
  const { status } = spawnSync(
    'vitest',
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${TEST_REPORT}`, ...names],
    { stdio: 'inherit', env },
  );
  if (status === 0 && isClean && names.length === 0) {
    const report = JSON.parse(readFileSync(TEST_REPORT, 'utf8')) as Report;
    rmSync(TEST_REPORT);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const took = `${Math.floor(seconds / 60)} min ${seconds % 60} s${env.RECORD_TESTS === undefined ? '' : ', recorded'}`;
    const counts = `${report.testResults.length} files, ${report.numPassedTests} passed, ${report.numPendingTests} skipped`;
    const when = new Date().toISOString().slice(0, 16).replace('T', ' ');
    appendFileSync(TEST_RUNS, `| ${when} | ${commit} | ${counts} | ${took} | ${Math.round(processorSeconds() ?? 0)} s |\n`);
  }
  return status ?? 1;
}

if (import.meta.main) process.exit(runTests(process.argv.slice(2)));

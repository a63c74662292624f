/**
 * Runs the test files that failed in the previous run once more, one at a time: this distinguishes a test that only fails on a
 * loaded machine from one that fails. The failures are printed either way, so that a test that needs this is found and fixed.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { TEST_REPORT } from '../test/support/report-file.ts';

/** More failures than this have a common reason, and a second run would only take long. */
const MAX_FILES = 12;

interface Report {
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[];
}

function readReport(): Report {
  try {
    const report = JSON.parse(readFileSync(TEST_REPORT, 'utf8')) as Report;
    // The next run that ends without a report must not be judged by this one.
    rmSync(TEST_REPORT);
    return report;
  } catch {
    console.error('The tests ended without a report: there is nothing to run again.');
    process.exit(1);
  }
}

const failed = readReport().testResults.filter((file) => file.status !== 'passed');
if (failed.length === 0 || failed.length > MAX_FILES) {
  console.error(`${failed.length} files failed: they are not run again.`);
  process.exit(1);
}

console.log(`\nRun again, one at a time, because they failed beside the others:`);
for (const file of failed) {
  console.log(`  ${relative(process.cwd(), file.name)}`);
  for (const test of file.assertionResults) {
    if (test.status === 'failed') console.log(`    × ${test.fullName}`);
  }
}
const again = spawnSync('vitest', ['run', '--maxWorkers=1', ...failed.map((file) => file.name)], { stdio: 'inherit' });
process.exit(again.status ?? 1);

import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { daysAheadEnv } from './test/support/days-ahead.ts';
import { PATIENCE_MS, patience, slowness } from './test/support/patience.ts';
import { TEST_REPORT } from './test/support/report-file.ts';
import { secondsOf } from './test/support/test-map.ts';

/**
 * The name of a file decides how it runs: `x.alone.test.ts` has a process of its own, `x.full.test.ts` runs in `npm run test:all` and not
 * in `npm test` (TEST_TIER=quick). The folders `browser` and `looks` need a browser.
 */
const ALONE = ['test/**/*.alone.test.ts', 'test/**/*.alone.full.test.ts'];
const BROWSER = ['test/browser/**/*.test.ts', 'test/looks/**/*.test.ts'];

const LEFT_OUT = process.env.TEST_TIER === 'quick' ? ['**/*.full.test.ts'] : [];

/** Projects run one after the other, so that a shared process is reused; within a project the longest file starts first. */
const PROJECTS = ['alone', 'browser', 'together'];
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const project = ({ project: { name } }: TestSpecification) => PROJECTS.indexOf(name);
    return files.toSorted((a, b) => project(a) - project(b) || secondsOf(b.moduleId) - secondsOf(a.moduleId));
  }
}

// Each file has its own database. One worker more than a small machine's two cores, because many files wait for clocks and time-outs.
const maxWorkers = 3;

function project(
  name: string,
  include: string[],
  settings: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include,
      maxWorkers,
      // A test that hangs is noticed; a busy machine is not a failure. A test has time for several waits (`PATIENCE_MS`).
      testTimeout: patience(600_000),
      hookTimeout: patience(600_000),
      expect: { poll: { timeout: PATIENCE_MS, interval: 50 } },
      // Tests never call a real bank for exchange rates. Programs that tests start share one compile cache, as with `bin/galeri`.
      env: {
        RATES_TCMB_URL: '',
        RATES_KKTCMB_URL: '',
        NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/galeri'),
      },
      // Only `npm run test:record` sets it.
      setupFiles: process.env.RECORD_TESTS ? ['test/recorder/setup.ts'] : [],
      ...settings,
      exclude: ['**/node_modules/**', ...LEFT_OUT, ...(settings?.exclude ?? [])],
    },
  };
}

// Every worker uses the same measurement, and the same day.
Object.assign(process.env, { TEST_SLOWNESS: String(slowness) }, daysAheadEnv());

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    maxWorkers,
    // `scripts/test-again.ts` reads the report.
    reporters: process.env.CI ? ['default', ['json', { outputFile: TEST_REPORT }]] : ['default'],
    sequence: { sequencer: LongestFirst },
    projects: [
      project('alone', ALONE, {}),
      project('browser', BROWSER, { isolate: false, exclude: ALONE }),
      // One process loads the sources once and runs file after file.
      project('together', ['test/**/*.test.ts'], { isolate: false, exclude: [...ALONE, ...BROWSER] }),
    ],
  },
});

import { globSync, readFileSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By folder, what takes longest: a long file that begins last is waited for by a machine with nothing else to do. */
const SLOW = ['start', 'cluster', 'postgres', 'harness', 'hostile', 'commands', 'looks', 'browser', 'web', 'panel', 'jobs'];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = SLOW.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
      return at < 0 ? SLOW.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

/** Each in a process of its own: they change its environment or its clock, weigh its memory, or start and kill servers. */
const ALONE = [
  ...['start', 'cluster', 'postgres', 'harness', 'hostile', 'commands', 'limits', 'tenancy'].map((folder) => `test/${folder}/**/*.test.ts`),
  ...['import-file', 'import-rows', 'feed-source', 'photo-image'].map((name) => `test/domain/**/${name}.test.ts`),
];
/** A person clicks through a whole story there, and each wait has a limit of its own. */
const BROWSER = ['test/browser/**/*.test.ts', 'test/looks/**/*.test.ts', 'test/web/shell.test.ts'];

const opensNoDatabase = (file: string) => !/\btest(Database|Service)\b/.test(readFileSync(file, 'utf8'));
/** On another PostgreSQL only what asks it something can come out otherwise. */
const NO_DIFFERENT = process.env.TEST_ON ? globSync('test/**/*.test.ts').filter(opensNoDatabase) : [];

// Each file has a database of its own. One more than a small machine's two cores: many files wait for clocks and time-outs.
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
      // What hangs is noticed; a machine that is busy with five other things at once is still no failure.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // No test asks a real bank for its rates; those that ask one have their own.
      env: { RATES_TCMB_URL: '', RATES_KKTCMB_URL: '' },
      ...settings,
      exclude: [...(settings?.exclude ?? []), ...NO_DIFFERENT],
    },
  };
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    maxWorkers,
    sequence: { sequencer: SlowFirst },
    projects: [
      project('alone', ALONE, {}),
      project('browser', BROWSER, { isolate: false, testTimeout: 240_000 }),
      // One process reads the sources once and runs file after file.
      project('together', ['test/**/*.test.ts'], { isolate: false, exclude: [...ALONE, ...BROWSER] }),
    ],
  },
});

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TEST_REPORT } from './test/support/report-file.ts';

/**
 * A process that is shared is given the next file only where that is of the same project: so projects go one after the other. Of what
 * has processes of its own, what waits for clocks (`cluster`) begins beside what starts programs, and the long begin first: a long file that
 * begins last is waited for by a machine with nothing else to do.
 */
const PROJECTS = ['alone', 'browser', 'together'];
const FIRST = (
  'harness tenancy/isolation cluster/changes start/start start/demo start/test-clock cluster/cache postgres/backup commands/demo-remove ' +
  'cluster/limits postgres/embedded tenancy/network postgres/restore commands/listen http/slow-clients start postgres cluster hostile ' +
  'commands looks tools/openapi tools contract/rows domain/demo/demo-sales panel/matrix contract/writes contract panel jobs'
).split(' ');

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project: { name } }: TestSpecification) => {
      const at = FIRST.findIndex((path) => moduleId.includes(`/test/${path}`));
      return PROJECTS.indexOf(name) * 100 + (at < 0 ? FIRST.length : at);
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

const textOf = (file: string): string => readFileSync(file, 'utf8');
/** Each in a process of its own: they start and kill servers, or they change or weigh the process they run in. */
const OWN_SERVERS = ['start', 'cluster', 'postgres', 'harness', 'commands'];
const OWN_PROCESS =
  /process\.env\.\w+ = |process\.(on|once)\b|memoryUsage|heapUsed|cpuUsage|uncaught|EventLoop|useFakeTimers|spyOn|round trip|\bexplain\b/;
/** Not those of packages that are installed under test/tools. */
const testFiles = (): string[] => globSync('test/**/*.test.ts', { exclude: ['**/node_modules/**'] });
const ALONE = testFiles().filter(
  (file) =>
    OWN_SERVERS.some((folder) => file.startsWith(`test/${folder}/`)) ||
    (!file.startsWith('test/architecture/') && OWN_PROCESS.test(textOf(file))),
);
/** A person clicks through a whole story there, and each wait has a limit of its own. */
const BROWSER = ['test/browser/**/*.test.ts', 'test/looks/**/*.test.ts', 'test/web/shell.test.ts'];

/** A test and what it shares with the files beside it. */
const withNeighbours = (file: string): string[] => [
  file,
  ...[...textOf(file).matchAll(/^(?:import .*|} )from '(\.\/[\w-]+\.ts)'/gm)].map(([, path]) => join(dirname(file), path!)),
];
const opensNoDatabase = (file: string) => !withNeighbours(file).some((path) => /\btest(Database|Service)\b/.test(textOf(path)));
/** What asks in the words of what runs beside it: each write and its keys by `contract/rows` and `writes`, the demonstration by `demo-sales`. */
const SAME_STATEMENTS = ['test/contract/writes.test.ts', 'test/domain/demo/demo-sales-acts.test.ts'];
/** On another PostgreSQL only what asks it something of its own can come out otherwise. */
const NO_DIFFERENT = process.env.TEST_ON ? [...testFiles().filter(opensNoDatabase), ...SAME_STATEMENTS] : [];

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
      // No test asks a real bank for its rates; those that ask one have their own. Programs that tests start are compiled once, as
      // `bin/galeri` has it.
      env: {
        RATES_TCMB_URL: '',
        RATES_KKTCMB_URL: '',
        NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/galeri'),
      },
      ...settings,
      exclude: ['**/node_modules/**', ...(settings?.exclude ?? []), ...NO_DIFFERENT],
    },
  };
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    maxWorkers,
    // `scripts/test-again.ts` reads it.
    reporters: process.env.CI ? ['default', ['json', { outputFile: TEST_REPORT }]] : ['default'],
    sequence: { sequencer: SlowFirst },
    projects: [
      project('alone', ALONE, {}),
      project('browser', BROWSER, { isolate: false, testTimeout: 240_000, exclude: ALONE }),
      // One process reads the sources once and runs file after file.
      project('together', ['test/**/*.test.ts'], { isolate: false, exclude: [...ALONE, ...BROWSER] }),
    ],
  },
});

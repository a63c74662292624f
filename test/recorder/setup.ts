// Runs before each test file while tests are recorded: writes which sources the file executed, and its seconds.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, type RunnerTask } from 'vitest';
import { type Called, recordChildren, watchFunctions, writeLines } from './executed.ts';
import { RECORDING, type RecordedTest, recordedInto, recordInto, TEST } from './recording.ts';

const PROJECT = join(import.meta.dirname, '../..');
/** One for a process, which may run many files. */
const shared = globalThis as typeof globalThis & { takeCalls?: () => Called[] };

if (RECORDING) {
  const startedAt = performance.now();
  const file = relative(PROJECT, expect.getState().testPath!);
  const folder = join(RECORDING, file.replaceAll('/', '__'));
  mkdirSync(folder, { recursive: true });
  // Some tests start processes of another user.
  chmodSync(folder, 0o777);
  recordInto(folder);
  shared.takeCalls ??= startRecorder();
  const take = shared.takeCalls;
  // What ran since the last file ended belongs to no file.
  take();
  // While a file is imported, modules read each other's values. The first file of a process would have all of them, the next ones
  // none, so only calls of named functions count: test files call some where they describe their tests.
  beforeAll(() =>
    writeLines(
      folder,
      sourcesOf(
        take().filter(({ name }) => name !== ''),
        '?',
      ),
    ),
  );
  // Of all hooks, those that were registered first run last.
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what the hook wants
  afterAll(({}, suite) => {
    writeLines(folder, sourcesOf(take()));
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    writeFileSync(join(folder, TEST), JSON.stringify({ file, seconds, passed: !hasFailed(suite.tasks) } satisfies RecordedTest));
  });
}

/** With a mark for those that only count if no module calls them when it is imported. */
function sourcesOf(calls: readonly Called[], mark = ''): string[] {
  return calls.map(({ source }) => `${mark}${source}`);
}

function hasFailed(tasks: readonly RunnerTask[]): boolean {
  return tasks.some((task) => task.result?.state === 'fail' || (task.type === 'suite' && hasFailed(task.tasks)));
}

function startRecorder(): () => Called[] {
  recordChildren(() => recordedInto()!);
  return watchFunctions({ again: true });
}

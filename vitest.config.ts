import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By folder, what takes longest: a long file that begins last is waited for by a machine with nothing else to do. */
const SLOW = ['browser', 'web', 'start', 'cluster', 'postgres', 'harness', 'hostile', 'panel'];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = SLOW.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
      return at < 0 ? SLOW.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Far beyond what anything takes: a busy machine is not a failure.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // No test asks a real bank for its rates; those that ask one have their own.
    env: { RATES_TCMB_URL: '', RATES_KKTCMB_URL: '' },
    // Each file has a database of its own. One more than a small machine's two cores: many files wait for clocks and time-outs.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
  },
});

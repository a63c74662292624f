// For recorder.alone.test.ts: several test files in one process, as in the project's own configuration, without its database.
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: Vitest reads it
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    setupFiles: ['test/recorder/setup.ts'],
    include: ['test/recorder/fixtures/*.fixture.ts'],
    isolate: false,
    maxWorkers: 1,
  },
});

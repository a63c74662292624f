import { join } from 'node:path';

/** Where a run in CI says which files failed. */
export const TEST_REPORT = join(import.meta.dirname, '../../node_modules/.cache/galeri/tests.json');

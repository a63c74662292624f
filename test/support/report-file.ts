import { join } from 'node:path';

/** The file in which a run in CI lists the failed files. */
export const TEST_REPORT = join(import.meta.dirname, '../../node_modules/.cache/galeri/tests.json');

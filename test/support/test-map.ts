// What the last recorded `npm run test:all` observed: how long each test file ran, and which sources it executed.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const PROJECT = join(import.meta.dirname, '../..');
export const TEST_MAP = join(PROJECT, 'test/test-map.json');

export interface TestMap {
  /** Project paths of all sources that were executed, in the order of the bits of `executed`. */
  readonly sources: readonly string[];
  readonly tests: Readonly<Record<string, { readonly seconds: number; readonly executed: string }>>;
}

export function readTestMap(): TestMap {
  return existsSync(TEST_MAP) ? (JSON.parse(readFileSync(TEST_MAP, 'utf8')) as TestMap) : { sources: [], tests: {} };
}

let known: TestMap | undefined;

/** Wall time in the recorded run. A file that was not in it counts as long, so that it starts early. */
export function secondsOf(moduleId: string): number {
  known ??= readTestMap();
  return known.tests[relative(PROJECT, moduleId)]?.seconds ?? 60;
}

// What the last recorded run observed: how long each test file ran, and which sources it executed (scripts/test-record.ts writes
// it).
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const PROJECT = join(import.meta.dirname, '../..');
export const TEST_MAP = join(PROJECT, 'test/test-map.json');

export interface RecordedFile {
  readonly seconds: number;
  readonly executed: ReadonlySet<string>;
}

export interface TestMap {
  /** Sources with functions that modules call while they are imported. */
  readonly onImport: ReadonlySet<string>;
  readonly tests: ReadonlyMap<string, RecordedFile>;
}

interface StoredMap {
  readonly onImport: readonly string[];
  readonly sources: readonly string[];
  /** `executed`: bits in base64, in the order of `sources`. */
  readonly tests: Readonly<Record<string, { readonly seconds: number; readonly executed: string }>>;
}

export function readTestMap(path = TEST_MAP): TestMap {
  const stored = readStored(path);
  const tests = Object.entries(stored.tests).map(([file, { seconds, executed }]) => {
    const bits = Buffer.from(executed, 'base64');
    const isSet = (at: number) => ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
    return [file, { seconds, executed: new Set(stored.sources.filter((_, at) => isSet(at))) }] as const;
  });
  return { onImport: new Set(stored.onImport), tests: new Map(tests) };
}

const readStored = (path: string): StoredMap =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { onImport: [], sources: [], tests: {} };

/** In a fixed order, a line per test file, so that a diff is readable. */
export function writeTestMap({ onImport, tests }: TestMap, path = TEST_MAP): void {
  const sources = [...new Set([...tests.values()].flatMap(({ executed }) => [...executed]))].sort();
  const lines = [...tests]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, { seconds, executed }]) => {
      const bits = Buffer.alloc(Math.ceil(sources.length / 8));
      sources.forEach((source, at) => {
        if (executed.has(source)) bits[at >> 3]! |= 1 << (at & 7);
      });
      return `  ${JSON.stringify(file)}: ${JSON.stringify({ seconds, executed: bits.toString('base64') })}`;
    });
  const list = (paths: Iterable<string>) => `[\n${[...paths].map((one) => `  ${JSON.stringify(one)}`).join(',\n')}\n ]`;
  const fields = [
    ` "onImport": ${list([...onImport].sort())}`,
    ` "sources": ${list(sources)}`,
    ` "tests": {\n${lines.join(',\n')}\n }`,
  ];
  writeFileSync(path, `{\n${fields.join(',\n')}\n}\n`);
}

let known: StoredMap | undefined;

/** Wall time in the recorded run. A file that was not in it counts as long, so that it starts early. */
export function secondsOf(moduleId: string): number {
  known ??= readStored(TEST_MAP);
  return known.tests[relative(PROJECT, moduleId)]?.seconds ?? 60;
}

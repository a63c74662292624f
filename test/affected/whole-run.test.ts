// What `test:affected` reads of docs/test-runs.md.
import { expect, test } from 'vitest';
import { lastRunIn } from '../../scripts/test-all.ts';

const HEAD = '| When | Commit | What ran | Wall time | Processor time | Failed |\n|---|---|---|---|---|---|\n';
const run = (commit: string, failed: string) =>
  `| 2026-01-02 03:04 | ${commit} | 2 files, 9 passed, 0 skipped | 1 min 2 s | 90 s | ${failed} |\n`;

test('the last run is the one to compare with', () => {
  expect(lastRunIn(HEAD + run('aaaaaaaa', 'none') + run('bbbbbbbb', 'none'))).toEqual({ commit: 'bbbbbbbb', failed: [] });
});

test('files that failed in it are named', () => {
  expect(lastRunIn(HEAD + run('aaaaaaaa', 'test/a.full.test.ts, test/b.test.ts'))).toEqual({
    commit: 'aaaaaaaa',
    failed: ['test/a.full.test.ts', 'test/b.test.ts'],
  });
});

test('before the first run there is none', () => {
  expect(lastRunIn(HEAD)).toBeNull();
});

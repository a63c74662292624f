// No test fails without a bug: what would depend on load is found in the text of the tests, and each cause is shown to be found.
import { glob, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { deadline, PATIENCE_MS, patience, slowness } from '../support/patience.ts';
import type { SourceFile } from './rules.ts';
import { unsteadyIn } from './steady.ts';

async function tests(): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  const isOwn = (path: string) => !path.includes('node_modules') && !path.startsWith('test/architecture/');
  for await (const path of glob('test/**/*.ts')) if (isOwn(path)) files.push({ path, text: await readFile(path, 'utf8') });
  return files;
}

describe('the text of the tests', () => {
  it('has nothing that depends on the speed of the machine', async () => {
    const files = await tests();
    expect(files.length).toBeGreaterThan(300);
    expect(unsteadyIn(files)).toEqual([]);
  });

  it.each([
    ['}, 60_000);', /sets a time limit/],
    ["test('x', { timeout: 5000 }, act);", /fixed time limit/],
    ['for (const until = Date.now() + 20_000; !done; await wait(20)) {', /deadline/],
    ['for (const end = performance.now() + PATIENCE_MS; !done; await wait(20)) {', /deadline/],
    ['await page.waitForTimeout(500);', /a pause/],
    ["await eventually(async () => expect(await page.textContent('main')).toContain('x'));", /without an assertion/],
    ["server.listen(8080, '127.0.0.1');", /fixed port/],
    ["const env = { PORT: '3000' };", /fixed port/],
    ["expect(await page.getByLabel('x').inputValue()).toBe('y');", /read once/],
    ['for (const name of NAMES) expect(await page.getByText(name, { exact: true }).count()).toBe(0);', /read once/],
  ])('%s', (text, problem) => {
    expect(unsteadyIn([{ path: 'test/browser/thing.test.ts', text }])).toContainEqual(expect.stringMatching(problem));
  });
});

describe('a deadline', () => {
  it('is longer on a slower machine, and never shorter', () => {
    expect(slowness).toBeGreaterThanOrEqual(1);
    expect(patience(1000)).toBe(Math.ceil(1000 * slowness));
    expect(PATIENCE_MS).toBeGreaterThanOrEqual(120_000);
  });

  it('that has passed is over, unless the machine is slower than when the run started', () => {
    expect(deadline(60_000, () => 1)()).toBe(false);
    expect(deadline(-1, () => 1)()).toBe(true);
    const from = performance.now();
    const isOver = deadline(0.001 / slowness, () => 1e9);
    while (performance.now() - from < 1);
    expect(isOver()).toBe(false);
  });
});

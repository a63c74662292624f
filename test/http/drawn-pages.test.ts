import { expect, test } from 'vitest';
import { createDrawnPages } from '../../src/http/public/drawn-pages.ts';

test('a document is drawn once for all views, again after a failure, and again when others took its place', async () => {
  const pagesOf = createDrawnPages(250_000);
  let draws = 0;
  const draw = async () => {
    draws += 1;
    return ['<svg/>'.repeat(20_000)];
  };
  await Promise.all([pagesOf('a', draw), pagesOf('a', draw), pagesOf('a', draw)]);
  await pagesOf('a', draw);
  expect(draws).toBe(1);
  await expect(pagesOf('b', () => Promise.reject(new Error('no process')))).rejects.toThrow('no process');
  await pagesOf('b', draw);
  expect(draws).toBe(2);
  for (const other of ['c', 'd']) await pagesOf(other, draw);
  await pagesOf('a', draw);
  expect(draws).toBe(5);
});

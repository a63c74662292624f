// A run starts from a copy of the cluster that an earlier run created: never from an incomplete one, and never from one of other
// migrations.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newDataDir } from '../support/data-dir.ts';
import { fillFolder, hashOf } from '../support/kept-folder.ts';

let home: string;
let made: number;
beforeEach(async () => {
  home = await newDataDir('kept');
  made = 0;
});
afterEach(() => rm(home, { recursive: true, force: true }));

const cache = () => join(home, 'cache');

/** The content of the folder after it was filled. */
async function filled(name: string, key = 'a', during = async () => true): Promise<string> {
  const to = join(home, name);
  await mkdir(to);
  await fillFolder(to, cache(), key, async () => {
    made += 1;
    await writeFile(join(to, 'one'), `${key} by ${name}`);
    const isKept = await during();
    await writeFile(join(to, 'two'), `${key} by ${name}`);
    return isKept;
  });
  return `${await readFile(join(to, 'one'), 'utf8')}, ${await readFile(join(to, 'two'), 'utf8')}`;
}

test('is created once and copied afterwards, and created again for another key', async () => {
  expect(await filled('first')).toBe('a by first, a by first');
  expect(await filled('second')).toBe('a by first, a by first');
  expect(await filled('third', 'b')).toBe('b by third, b by third');
  expect(made).toBe(2);
  expect((await readdir(cache())).sort()).toEqual(['a', 'b']);
});

test('two concurrent runs both get all of it, and one of the two is kept', async () => {
  let second = '';
  const first = await filled('first', 'a', async () => {
    second = await filled('second');
    return true;
  });
  expect([first, second]).toEqual(['a by first, a by first', 'a by second, a by second']);
  expect(await readdir(cache())).toEqual(['a']);
  expect(await filled('third')).toBe('a by second, a by second');
});

test('an unfinished one, or one without a copy, is not kept', async () => {
  await expect(filled('first', 'a', () => Promise.reject(new Error('stopped')))).rejects.toThrow('stopped');
  await filled('second', 'a', async () => false);
  expect(await filled('third')).toBe('a by third, a by third');
});

test('one that was not used for a week is deleted', async () => {
  await filled('first');
  const longAgo = new Date(Date.now() - 8 * 86_400_000);
  await utimes(join(cache(), 'a'), longAgo, longAgo);
  await filled('second', 'b');
  expect(await readdir(cache())).toEqual(['b']);
  expect(existsSync(join(home, 'first', 'two'))).toBe(true);
});

test('the hash follows the files, their names and the words', async () => {
  const [one, two] = [join(home, 'one.sql'), join(home, 'two.sql')];
  await writeFile(one, 'select 1');
  await writeFile(two, 'select 1');
  const hashes = [await hashOf([one]), await hashOf([two]), await hashOf([one, two]), await hashOf([one], '18.4')];
  await writeFile(one, 'select 2');
  hashes.push(await hashOf([one]));
  expect(new Set(hashes).size).toBe(hashes.length);
});

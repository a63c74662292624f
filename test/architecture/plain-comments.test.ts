// Comments, names and messages of these folders use plain technical English: none of the refused words.
import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { refusedWords } from '../support/refused-words.ts';

const FOLDERS = ['src/http', 'src/panel', 'src/commands'];
const REFUSED = refusedWords(['tell', 'stood', 'by themselves']);

test.each(FOLDERS)('%s', async (folder) => {
  const found: string[] = [];
  for await (const path of glob(`${folder}/**/*.{ts,js,css}`)) {
    const lines = (await readFile(path, 'utf8')).split('\n');
    for (const [index, line] of lines.entries()) if (REFUSED.test(line)) found.push(`${path}:${index + 1}: ${line.trim()}`);
  }
  expect(found).toEqual([]);
});

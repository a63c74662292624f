// Comments, names and messages use plain technical English: none of the refused words (the style page in CONTRIBUTING).
import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { refusedWords } from '../support/refused-words.ts';

const REFUSED = refusedWords(['tell', 'stood', 'by themselves', 'likewise', 'goes on']);

/** The name of a user of Unix; the words that the other tests and this one look for. */
const EXEMPT = [
  'src/postgres/embedded-install.ts',
  'test/support/refused-words.ts',
  'test/web/words.test.ts',
  'test/docs/plain-english.test.ts',
  'test/architecture/plain-comments.test.ts',
];

async function refusedIn(pattern: string, textOf: (line: string) => string): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob(pattern, { exclude: ['**/node_modules/**', '**/dist/**'] })) {
    if (EXEMPT.includes(path)) continue;
    const lines = (await readFile(path, 'utf8')).split('\n');
    for (const [index, line] of lines.entries())
      if (REFUSED.test(textOf(line))) found.push(`${path}:${index + 1}: ${line.trim()}`);
  }
  return found;
}

/** A comment of its own line or after code, and the title of a test. */
function commentOrTitle(line: string): string {
  const comment = /^\s*(?:\/\/|\/\*|\*|#|<!--|\{\/\*)(.*)|(?:^|[^:'"`])\/\/ (.*)/.exec(line);
  const title = /^\s*(?:test|it|describe)\b[^(]*\((['"`])(.*?)\1/.exec(line);
  return [comment?.[1], comment?.[2], title?.[2]].join(' ');
}

test('every line of src', async () => {
  expect(await refusedIn('src/**/*.{ts,js,mjs,php,py,css}', (line) => line)).toEqual([]);
});

test.each(['web/src', 'test', 'bench', 'scripts', 'sdk'])('comments and titles of tests in %s', async (folder) => {
  expect(await refusedIn(`${folder}/**/*.{ts,tsx,js,mjs,php,py,css}`, commentOrTitle)).toEqual([]);
});

test('comments and titles are found, code is not', () => {
  const lines = ['  // anew', 'run(); // anew', "test('anew', run);", '  {/* anew */}', ' * anew', "say('anew');"];
  expect(lines.map((line) => REFUSED.test(commentOrTitle(line)))).toEqual([true, true, true, true, true, false]);
});

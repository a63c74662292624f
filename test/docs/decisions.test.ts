// The pages of docs/decisions: one form, one index, and every reference to a page leads to one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const FOLDER = 'docs/decisions';
const MAX_LINE = 160;
const INDEX = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const pages = readdirSync(FOLDER)
  .filter((name) => name !== 'README.md')
  .sort()
  .map((name) => ({ name, number: name.slice(0, 4), text: readFileSync(join(FOLDER, name), 'utf8') }));
const numbers = new Set(pages.map(({ number }) => number));

describe('docs/decisions', () => {
  test('every page has the heading "# NNNN. Title" with the number of its file, and a status', () => {
    const wrong = pages.filter(({ number, text }) => !new RegExp(`^# ${number}\\. \\S.*\\n\\nStatus: \\S.*\\n`).test(text));
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect(numbers.size).toBe(pages.length);
  });

  test('a status is "accepted" or names the page that supersedes it', () => {
    const wrong = pages.filter(({ text }) => {
      const status = statusOf(text);
      return status !== 'accepted' && !numbers.has(/^superseded by (\d{4})$/.exec(status)?.[1] ?? '');
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test('the index lists every page with its title and status, in order', () => {
    const listed = [...INDEX.matchAll(/^\| \[(\d{4})\]\((.+?)\) \| (.+) \| (.+) \|$/gm)].map(([, ...cells]) => cells);
    const expected = pages.map(({ name, number, text }) => [number, name, /^# \d{4}\. (.*)$/m.exec(text)![1], statusOf(text)]);
    expect(listed).toEqual(expected);
  });

  test(`no line is longer than ${MAX_LINE} characters`, () => {
    const long = [...pages, { name: 'README.md', text: INDEX }].flatMap(({ name, text }) =>
      text.split('\n').flatMap((line, index) => (line.length > MAX_LINE ? [`${name}:${index + 1}`] : [])),
    );
    expect(long).toEqual([]);
  });

  test('a number that is no longer used leads to a page, and no page has it', () => {
    const moved = [...INDEX.matchAll(/^\| (\d{4}) \| \[(\d{4})\]\((.+?)\) \|$/gm)];
    expect(moved.length).toBeGreaterThan(0);
    for (const [, from, to, file] of moved) {
      expect(numbers.has(from!), from).toBe(false);
      expect(file!.startsWith(to!), file).toBe(true);
      expect(pages.map(({ name }) => name)).toContain(file);
    }
  });
});

test('references to decisions name pages that exist; in landed migrations also numbers that the index leads on', () => {
  const moved = new Set([...INDEX.matchAll(/^\| (\d{4}) \| \[/gm)].map(([, number]) => number!));
  const names = new Set(pages.map(({ name }) => name));
  const wrong: string[] = [];
  for (const file of textFiles()) {
    const isLanded = file.startsWith('migrations/');
    for (const [whole, number, rest] of readFileSync(file, 'utf8').matchAll(
      /(?:ADR |decisions\/|\]\()(0\d{3})(-[a-z0-9-]+\.md)?(?![0-9])/g,
    )) {
      if (whole!.startsWith('](') && !file.startsWith(FOLDER)) continue;
      const isFound = rest === undefined || isLanded ? numbers.has(number!) : names.has(`${number}${rest}`);
      if (!isFound && !(isLanded && moved.has(number!))) wrong.push(`${file}: ${whole}`);
    }
  }
  expect(wrong).toEqual([]);
});

const statusOf = (text: string): string => /^Status: (.*)$/m.exec(text)?.[1] ?? '';

function textFiles(): string[] {
  const folders = ['src', 'test', 'bench', 'scripts', 'web', 'sdk', 'docs', 'migrations'];
  const inFolders = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const atRoot = readdirSync('.').filter((name) => name.endsWith('.md'));
  return [...atRoot, ...inFolders].filter((name) => /\.(ts|tsx|md|sql|c|php)$/.test(name) && !name.includes('node_modules'));
}

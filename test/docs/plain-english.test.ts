// Public texts and the documents of the repository use the usual words: these are not among them.
import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERRORS, PANEL_ERRORS } from '../../src/kit/errors.ts';
import { refusedWords } from '../support/refused-words.ts';
import { type TestService, testService } from '../support/service.ts';
import { openAll } from '../support/writer.ts';

const REFUSED = refusedWords(['unless said', 'as people do', 'what is due']);

let api: TestService;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
});
afterAll(() => api.close());

const refusedIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => {
    const found = REFUSED.exec(text);
    return found === null ? [] : [text.slice(Math.max(0, found.index - 60), found.index + 60)];
  });

/** Without code and scripts, which use the words of the wire. */
const wordsOf = (page: string): string =>
  page
    .replaceAll(/<(script|style|pre|code)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

test('error messages', () => {
  expect(refusedIn(Object.values({ ...ERRORS, ...PANEL_ERRORS }).map(({ en }) => en))).toEqual([]);
});

/** An English text after `en:`, of a field message, or of a refusal on the command line. */
const MESSAGE = /\b(?:en:|badField\([^,]+,\s*'\w+',|new UsageError\()\s*('[^'\n]*'|"[^"\n]*"|`[^`]*`)/g;

test('messages in the source', () => {
  const texts = globSync('src/**/*.ts').flatMap((name) =>
    [...readFileSync(name, 'utf8').matchAll(MESSAGE)].map(([, text]) => text!.replaceAll(/\$\{[^}]*\}/g, '')),
  );
  expect(texts.length).toBeGreaterThan(600);
  expect(refusedIn(texts)).toEqual([]);
});

test('descriptions and summaries in /openapi.json', async () => {
  const texts: string[] = [];
  JSON.parse((await api.call('/openapi.json')).text, (name, value) => {
    if ((name === 'description' || name === 'summary') && typeof value === 'string') texts.push(value);
    return value;
  });
  expect(texts.length).toBeGreaterThan(1000);
  expect(refusedIn(texts)).toEqual([]);
});

test('guides and reference pages', async () => {
  const first = (await api.call('/docs?lang=en')).text;
  const pages = new Set([...first.matchAll(/href="(\/docs\/[a-z-]+)/g)].map(([, path]) => path!));
  expect(pages.size).toBeGreaterThan(25);
  for (const path of ['/docs', ...pages])
    expect(refusedIn([wordsOf((await api.call(`${path}?lang=en`)).text)]), path).toEqual([]);
});

/** Without code, addresses of links, and the section that shows what not to write. "Behind a proxy" is the usual term. */
const proseOf = (document: string): string =>
  document
    .replaceAll(/^## Style$.*?(?=^## )/gms, '')
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/`[^`\n]*`/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/\bbehind (a|the) (reverse )?proxy\b/gi, '');

// docs/spec.md is the specification as it was given, docs/test-runs.md is written by a command.
const DOCUMENTS = globSync([
  ...['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...['docs/*.md', 'docs/decisions/*.md', 'sdk/*/README.md', 'web/README.md', 'test/tools/README.md'],
]).filter((name) => name !== 'docs/spec.md' && name !== 'docs/test-runs.md');

test('documents of the repository', () => {
  expect(DOCUMENTS.length).toBeGreaterThan(60);
  const found = DOCUMENTS.flatMap((name) =>
    proseOf(readFileSync(name, 'utf8'))
      .split('\n')
      .flatMap((line) => refusedIn([line]).map((part) => `${name}: ${part}`)),
  );
  expect(found).toEqual([]);
});

test('documents have lines of at most 160 characters, outside tables', () => {
  const long = DOCUMENTS.flatMap((name) =>
    readFileSync(name, 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.length > 160 && !line.startsWith('|') ? [`${name}:${index + 1}`] : [])),
  );
  expect(long).toEqual([]);
});

test('the section on style is not part of the prose, everything else is', () => {
  expect(refusedIn([proseOf('# A\n\nIt stands.\n')])).toHaveLength(1);
  expect(refusedIn([proseOf('# A\n\n## Style\n\nstands\n\n## B\n\nOnce told.\n')])).toEqual(['# A\n\n## B\n\nOnce told.\n']);
});

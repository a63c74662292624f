// Public texts use the usual words: these are not among them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERRORS, PANEL_ERRORS } from '../../src/kit/errors.ts';
import { type TestService, testService } from '../support/service.ts';
import { openAll } from '../support/writer.ts';

const REFUSED =
  /\b(whoever|nobody|somebody|whatever|meanwhile|anew|told|tells|stands?|said|goes on|by itself|is meant|unless said|as people do|behind|of a thing)\b/i;

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
  pages.delete('/docs/changelog');
  expect(pages.size).toBeGreaterThan(25);
  for (const path of ['/docs', ...pages])
    expect(refusedIn([wordsOf((await api.call(`${path}?lang=en`)).text)]), path).toEqual([]);
});

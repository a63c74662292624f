// Which endpoint a path names: exact paths, `.php`, percent-encoding, static before parameter, against a naive matcher of the
// catalog.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildCatalog } from '../../src/domain/catalog/catalog.ts';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { resources } from '../../src/resources/index.ts';
import { filled, specEndpoints } from '../spec/spec-text.ts';
import { type TestService, testService } from '../support/service.ts';
import { refusalFault } from './expect.ts';
import { each, encodedLetters, sendPatiently } from './wire.ts';

const paths = [...new Set(specEndpoints.map((endpoint) => endpoint.path))];
const isParam = (segment: string): boolean => segment.startsWith('{');

/** The catalog path of a text: of all that match, the one whose leftmost difference is a static segment; null for none. */
function naiveMatch(text: string, among: readonly string[] = paths): string | null {
  let decoded: string[];
  try {
    decoded = text.split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
  decoded = decoded.with(-1, decoded.at(-1)!.replace(/\.php$/, ''));
  if (decoded.some((segment) => segment === '')) return null;
  const fitting = among.filter((path) => {
    const segments = path.split('/');
    return segments.length === decoded.length && segments.every((segment, at) => isParam(segment) || segment === decoded[at]);
  });
  const rank = (path: string) =>
    path
      .split('/')
      .map((segment) => (isParam(segment) ? '1' : '0'))
      .join('');
  return fitting.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))[0] ?? null;
}

describe('matching agrees with the naive matcher', () => {
  const catalog = buildCatalog(apiEndpoints(resources));
  const nameOf = (text: string): string | null => {
    const match = catalog.match(text);
    return match === null ? null : [...match.methods.values()][0]!.path;
  };
  const words = [...new Set(paths.flatMap((path) => path.split('/')).filter((segment) => !isParam(segment)))];
  const segment = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...words) },
    { weight: 3, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 8 }).map(encodeURIComponent) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '.', '..', '%', '%2F', '%2f..', 'Vehicles', '{vehicle_id}', '__proto__', '.php'),
    },
  );
  const written = fc
    .tuple(
      fc.array(segment, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('', '', '.php', '.PHP', '/', '%2Ephp'),
      fc.boolean(),
    )
    .map(([segments, ending, encode]) => (encode ? encodedLetters(segments.join('/')) : segments.join('/')) + ending);
  const nearby = fc
    .tuple(
      fc.constantFrom(...paths),
      fc.array(fc.constantFrom(...words, 'x1'), { minLength: 4, maxLength: 4 }),
      fc.constantFrom('', '.php', '/'),
    )
    .map(([path, fills, ending]) => {
      let next = 0;
      return path.replace(/\{\w+\}/g, () => fills[next++ % fills.length]!) + ending;
    });

  test('for any text', () => {
    fc.assert(
      fc.property(fc.oneof(written, nearby), (text) => nameOf(text) === naiveMatch(text)),
      { numRuns: 3000 },
    );
  });

  test('for every endpoint with its ids filled in, and returns the ids unchanged', () => {
    for (const path of paths) {
      const id = randomUUID();
      const match = catalog.match(filled(path, id))!;
      expect([...match.methods.values()].map((endpoint) => endpoint.path)).toEqual(
        specEndpoints.filter((endpoint) => endpoint.path === path).map(() => path),
      );
      const names = [...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!);
      expect(match.params).toEqual(Object.fromEntries(names.map((name) => [name, id])));
    }
  });
});

describe('over HTTP', () => {
  let api: TestService;
  let key: string;
  beforeAll(async () => {
    api = await testService();
    key = (await api.key(await api.account(), { endpoints: specEndpoints.map((endpoint) => endpoint.id) })).secret;
  });
  afterAll(() => api.close());

  test('a path that is not spelled exactly returns 404', async () => {
    const id = randomUUID();
    const twisted = paths.flatMap((path) => {
      const exact = filled(path, id);
      return [`${exact}/`, `/${exact}`, exact[0]!.toUpperCase() + exact.slice(1), `${exact}.PHP`, `${exact}/.php`, `${exact}%20`]
        .concat(exact.includes('/') ? exact.replace('/', '//') : [], `x${exact}`, `${exact}%2F`, `./${exact}`, `${exact}%`)
        .filter((text) => naiveMatch(text) === null);
    });
    expect(twisted.length).toBeGreaterThan(paths.length * 7);
    const wrong: string[] = [];
    await each(twisted, async (text) => {
      const fault = refusalFault(await sendPatiently(api.service.url, { target: `/api/v1/${text}`, key }), 'not_found');
      if (fault !== null) wrong.push(`${text}: ${fault}`);
    });
    expect(wrong).toEqual([]);
  });

  test('where a static path exists beside a parameter, only its own methods are known there', async () => {
    const pairs = paths.flatMap((fixed) =>
      paths
        .filter((open) => open !== fixed && naiveMatch(fixed, [open]) !== null && naiveMatch(fixed) === fixed)
        .map((open) => ({ fixed, open })),
    );
    expect(pairs.map(({ fixed }) => fixed)).toEqual(expect.arrayContaining(['vehicles/export', 'installments/overdue']));
    for (const { fixed, open } of pairs) {
      const own = specEndpoints.filter((endpoint) => endpoint.path === fixed).map((endpoint) => endpoint.method);
      const others = specEndpoints.filter((endpoint) => endpoint.path === open && !own.includes(endpoint.method));
      for (const { method } of others) {
        const answer = await sendPatiently(api.service.url, { method, target: `/api/v1/${filled(fixed, randomUUID())}`, key });
        expect(refusalFault(answer, 'method_not_allowed'), `${method} ${fixed}`).toBeNull();
        expect(answer.headers.get('allow'), `${method} ${fixed}`).toBe(own.join(', '));
      }
    }
  });

  test('a method that no endpoint has returns 405 on a known path and 404 on an unknown one', async () => {
    for (const method of ['PUT', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'REPORT']) {
      const known = await sendPatiently(api.service.url, { method, target: '/api/v1/sales', key });
      expect(refusalFault(known, 'method_not_allowed', { method }), method).toBeNull();
      expect(known.headers.get('allow')).toBe('GET, POST');
      const unknown = await sendPatiently(api.service.url, { method, target: '/api/v1/no-such-path', key });
      expect(refusalFault(unknown, 'not_found', { method }), method).toBeNull();
    }
  });
});

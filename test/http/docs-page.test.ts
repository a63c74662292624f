import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { categorySlugOf } from '../../src/domain/catalog/catalog.ts';
import { answerOf, bodySchemaOf, resolve } from '../../src/domain/catalog/json-schema.ts';
import { createBody } from '../../src/domain/records/body.ts';
import { oneOfField, required } from '../../src/domain/records/fields.ts';
import { EVENT_KINDS } from '../../src/domain/writes/event-kinds.ts';
import { type ApiEndpoint, apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { refusalsOf } from '../../src/http/docs/openapi/endpoint-refusals.ts';
import { readChangelog } from '../../src/http/docs/pages/docs-changelog.ts';
import { DOCS_CSS, DOCS_JS, docsPaths, renderDocs, renderSearch } from '../../src/http/docs/pages/docs-page.ts';
import { endpointAnchor } from '../../src/http/docs/parts/docs-endpoint.ts';
import { escapeHtml } from '../../src/http/wire/html.ts';
import { get, post, resource } from '../../src/kit/endpoint.ts';
import { ERRORS, type Locale } from '../../src/kit/errors.ts';
import type { Param } from '../../src/kit/params.ts';
import { object, text } from '../../src/kit/schema.ts';
import { resources } from '../../src/resources/index.ts';

const endpoints = apiEndpoints(resources);
const built = endpoints.filter(({ body }) => body !== null);
const shipped = (id: string): boolean => endpoints.find((endpoint) => endpoint.id === id)?.status === 'Aktif';
const options = (locale: Locale, isLive = shipped) => ({ publicUrl: 'https://galeri.test', isLive, locale, today: '2026-10-02' });
const render = (path: string, locale: Locale, isLive = shipped): string => renderDocs(endpoints, options(locale, isLive), path)!;
const PATHS = docsPaths(endpoints, options('en'));
const pageOf = ({ category }: ApiEndpoint): string => `/${categorySlugOf(category)}`;

const VOID = new Set(['meta', 'link', 'input', 'wbr', 'path', 'circle', 'use', 'br']);
/** Block elements that end a paragraph: browsers silently repair one inside it. */
const PHRASING_ONLY = new Set(['p', 'h1', 'h2', 'h3', 'code', 'a', 'span']);
const BLOCKS = new Set(['p', 'div', 'ul', 'table', 'section', 'figure', 'dl', 'h1', 'h2', 'h3', 'pre', 'nav', 'main', 'details']);

interface Tag {
  readonly name: string;
  readonly attributes: string;
}

/** Reads the tags in order; throws when a tag is closed that is not open, or is in the wrong place. */
function readTags(page: string): Tag[] {
  const open: string[] = [];
  const tags: Tag[] = [];
  for (const [whole, closing, name, attributes] of page.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:\s+[\w-]+(?:="[^"<>]*")?)*)\s*\/?>/g,
  )) {
    if (closing === '/') {
      if (open.pop() !== name) throw new Error(`${whole} closes what is not open`);
      continue;
    }
    if (BLOCKS.has(name!) && PHRASING_ONLY.has(open.at(-1) ?? '')) throw new Error(`<${name}> inside <${open.at(-1)}>`);
    tags.push({ name: name!, attributes: attributes! });
    if (!VOID.has(name!)) open.push(name!);
  }
  if (open.length > 0) throw new Error(`never closed: ${open.join(', ')}`);
  return tags;
}

const attribute = ({ attributes }: Tag, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
const textOf = (page: string): string =>
  page
    .replace(/<wbr>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
const sectionOf = (page: string, endpoint: ApiEndpoint): string => {
  const from = page.indexOf(`id="${endpointAnchor(endpoint)}" aria`);
  return page.slice(from, page.indexOf('</section>', from)).replaceAll('<wbr>', '');
};

describe.each(['en', 'tr'] as const)('the reference in %s', (locale) => {
  const pages = new Map(PATHS.map((path) => [path, render(path, locale)]));
  const tagsOf = new Map([...pages].map(([path, page]) => [path, readTags(page)]));
  const idsOf = new Map(
    [...tagsOf].map(([path, tags]) => [
      path,
      new Set(tags.flatMap((tag) => attribute(tag, 'id')?.replaceAll('&#39;', "'") ?? [])),
    ]),
  );

  it('has a section for every endpoint with its name, path, scope, risk and state', () => {
    for (const endpoint of endpoints) {
      const own = sectionOf(pages.get(pageOf(endpoint))!, endpoint);
      expect(own, endpoint.id).toContain(escapeHtml(endpoint.name[locale]));
      expect(own).toContain(`<code>${endpoint.scope}</code>`);
      expect(own).toContain(`risk-${endpoint.risk}`);
      expect(own).toContain(shipped(endpoint.id) ? 'is-live' : 'is-soon');
      expect(own.replace(/<\/?span[^>]*>/g, '')).toContain(`<code class="path">${endpoint.path}</code>`);
      expect(pages.get('')).toContain(`<li id="${endpointAnchor(endpoint)}"`);
    }
    expect([...pages.values()].flatMap((page) => page.match(/<section class="row/g) ?? [])).toHaveLength(185);
  });

  it('states what every built endpoint does, emits, accepts, returns and refuses', () => {
    for (const endpoint of built) {
      const own = sectionOf(pages.get(pageOf(endpoint))!, endpoint);
      const words = textOf(own);
      expect(words, endpoint.id).toContain(
        textOf(escapeHtml(endpoint.body!.about![locale === 'en' ? 0 : 1]).replaceAll('`', ' '))
          .trim()
          .slice(0, 40),
      );
      for (const kind of endpoint.body!.emits ?? []) expect(own).toContain(`/docs/events?lang=${locale}#${kind}"`);
      const { wire } = answerOf(endpoint.body!);
      const names = [
        ...Object.keys(endpoint.params),
        ...Object.keys((endpoint.body!.bodySchema ? bodySchemaOf(endpoint.body!.bodySchema).root.properties : {}) as object),
        ...Object.keys(resolve(wire.root, wire).properties as object),
      ];
      for (const name of names) expect(own, endpoint.id).toContain(`id="${endpointAnchor(endpoint)}.${name}"`);
      for (const code of [...refusalsOf(endpoint, endpoints, { live: shipped(endpoint.id), shut: false }).values()].flat()) {
        expect(own, endpoint.id).toContain(`/docs/errors?lang=${locale}#error-${code}"`);
        expect(own, endpoint.id).toContain(escapeHtml(ERRORS[code][locale]));
      }
      expect(own.match(/<figure class="code lang in-/g)!.length % 4, endpoint.id).toBe(0);
    }
  });

  it('gives lengths, ranges, defaults and sets of values', () => {
    const own = textOf(sectionOf(pages.get('/vehicles')!, endpoints.find(({ id }) => id === 'POST vehicles')!));
    const list = textOf(sectionOf(pages.get('/vehicles')!, endpoints.find(({ id }) => id === 'GET vehicles')!));
    if (locale === 'en') {
      expect(own).toContain('brand required string, 1–80 characters');
      expect(own).toContain('km required integer, 0–2,000,000');
      expect(own).toContain('stock_date date Default: today.');
      expect(list).toContain('limit integer, 1–100 · default 25');
    }
    expect(own).toContain('Benzin Dizel LPG');
    expect(textOf(sectionOf(pages.get('/customers')!, endpoints.find(({ id }) => id === 'POST customers')!))).toContain(
      locale === 'en' ? 'Default: medium' : 'Varsayılan: medium',
    );
  });

  it('lists every error with its status and both messages, and every kind of event with a payload', () => {
    for (const [code, { status, en, tr }] of Object.entries(ERRORS)) {
      const page = pages.get('/errors')!;
      const from = page.indexOf(`id="error-${code}"`);
      const line = page.slice(from, page.indexOf('</tr>', from));
      expect(line).toContain(`>${status}<`);
      expect(line).toContain(`<td role="cell" lang="en">${escapeHtml(en)}</td>`);
      expect(line).toContain(`<td role="cell" lang="tr">${escapeHtml(tr)}</td>`);
    }
    const events = pages.get('/events')!;
    for (const kind of EVENT_KINDS) {
      const from = events.indexOf(`<li id="${kind}"`);
      expect(events.slice(from, events.indexOf('</li>', from)), kind).toContain(`&quot;${kind}&quot;`);
    }
  });

  it('has guides for everything an integrator needs first', () => {
    const guides = [
      'first-request',
      'synchronising',
      'idempotent-retries',
      'webhooks',
      'files',
      'errors',
      'limits',
      'cors',
      'versioning',
    ];
    for (const id of guides) expect(pages.get('')).toContain(`<section class="guide" id="${id}"`);
    for (const name of ['mirror', 'retry', 'receiver'])
      for (const ending of ['mjs', 'php', 'py']) expect(pages.get('')).toContain(`<figcaption>${name}.${ending}</figcaption>`);
    expect(pages.get('')).not.toContain('galeri.example/');
  });

  it('is in its language and links to the other, on the same page', () => {
    const other = locale === 'en' ? 'tr' : 'en';
    for (const [path, page] of pages) {
      expect(page).toMatch(new RegExp(`^<!doctype html>\\n<html lang="${locale}">`));
      expect(page).toContain(`href="/docs${path}?lang=${other}" hreflang="${other}" lang="${other}"`);
      const words = textOf(page.replace(/<figure[\s\S]*?<\/figure>/g, ''));
      expect(/.{20}(undefined|\[object|NaN|\*\*|\]\().{20}/.exec(words)?.[0], path).toBeUndefined();
    }
    const words = textOf(pages.get('')!);
    expect(words).toContain(locale === 'en' ? 'Authentication' : 'Kimlik doğrulama');
    expect(words).not.toContain(locale === 'en' ? 'Kimlik doğrulama' : 'Authentication');
    expect(words).toContain(locale === 'en' ? '6 of 185' : '6 / 185');
  });

  it('has no inline style, script or handler, and loads nothing external', () => {
    for (const [path, tags] of tagsOf) {
      expect(tags.filter(({ name }) => name === 'style')).toEqual([]);
      expect(tags.filter(({ name }) => name === 'script').map((tag) => attribute(tag, 'src'))).toEqual(['/docs/docs.js']);
      const foreign = tags.filter((tag) => {
        const address = attribute(tag, 'href') ?? attribute(tag, 'src');
        return /\s(style|on\w+)=/.test(tag.attributes) || (address && !/^(#|\/(?!\/)|data:image\/svg\+xml,)/.test(address));
      });
      expect(foreign, path).toEqual([]);
    }
  });

  it('is valid HTML: unique ids, working links, headings in order, a skip target', () => {
    for (const [path, tags] of tagsOf) {
      const ids = idsOf.get(path)!;
      expect(ids.size, path).toBe(tags.filter((tag) => attribute(tag, 'id') !== undefined).length);
      const lost = tags.filter((tag) => {
        const label = attribute(tag, 'aria-labelledby');
        const target = attribute(tag, 'href') ?? '';
        const [, page = path, anchor] = /^(?:\/docs([^?#]*)\?lang=\w+)?(?:#(.*))?$/.exec(target) ?? [];
        const isLost = tag.name === 'a' && (!idsOf.has(page) || (anchor !== undefined && !idsOf.get(page)!.has(anchor)));
        return isLost || (label !== undefined && !ids.has(label));
      });
      expect(lost, path).toEqual([]);
      const levels = tags.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []));
      expect(levels[0]).toBe(1);
      expect(levels.filter((level) => level === 1)).toHaveLength(1);
      for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
      expect(tags.find(({ name }) => name === 'a')!.attributes).toContain('href="#content"');
      for (const name of ['main', 'nav']) expect(tags.filter((tag) => tag.name === name)).toHaveLength(1);
    }
  });

  it('links to the panel and is small', () => {
    for (const [path, page] of pages) {
      expect(page).toContain('<a href="/panel">');
      expect(gzipSync(page).length, path).toBeLessThan(40_000);
    }
    expect(gzipSync(DOCS_CSS + DOCS_JS).length).toBeLessThan(10_000);
  });

  it('searches guides, endpoints, fields with their values, errors and events', () => {
    const { entries } = JSON.parse(renderSearch(endpoints, options(locale)));
    const places = new Set(entries.map(({ at }: { at: string }) => at));
    expect(places.size).toBe(entries.length);
    const lost = entries.flatMap(({ at, fields = [] }: { at: string; fields?: string[] }) => {
      const [, path = '', anchor] = /^\/docs([^?]*)\?lang=\w+#(.*)$/.exec(at) ?? [];
      const anchors = [anchor!, ...fields.map((field) => `${anchor}.${field.split(' ')[0]}`)];
      return anchors.filter((one) => !idsOf.get(path)?.has(one)).map((one) => `${path}#${one}`);
    });
    expect(lost).toEqual([]);
    const list = entries.find(({ sub }: { sub: string }) => sub === 'GET vehicles');
    expect(list.fields.find((field: string) => field.startsWith('status '))).toContain('Satıldı');
  });
});

describe('the pages of an endpoint', () => {
  it('follow the release', () => {
    const only = (id: string) => id === 'GET sales';
    expect(sectionOf(render('/sales', 'en', only), endpoints.find(({ id }) => id === 'GET sales')!)).toContain('is-live');
    expect(sectionOf(render('/vehicles', 'en', only), endpoints.find(({ id }) => id === 'GET vehicles')!)).toContain('is-soon');
    expect(textOf(render('', 'en', only))).toContain('1 of 185');
    expect(textOf(render('', 'en', () => true))).toContain('185 of 185');
  });

  it('state 405 for a coming endpoint whose path is open for GET, 501 for others', () => {
    const note = (path: string, id: string) =>
      /<p class="note">(.*?)<\/p>/.exec(sectionOf(render(path, 'en'), endpoints.find((endpoint) => endpoint.id === id)!))![1];
    expect(note('/vehicles', 'POST vehicles')).toContain('405');
    expect(note('/sales', 'POST sales')).toContain('501');
  });

  it('return 404 for an unknown page', () => {
    for (const path of ['/', '/nothing', '/__proto__', '/vehicles/', '/Vehicles'])
      expect(renderDocs(endpoints, options('en'), path)).toBeNull();
  });
});

describe('the changelog', () => {
  it('is parsed release by release, with multi-line items as one', () => {
    const { lead, releases } = readChangelog(
      '# Changelog\n\nWhat it is.\n\n## Unreleased\n\n- One\n  and more.\n- Two\n\n## 0.1.0\n\n- First\n',
    );
    expect(lead).toBe('What it is.');
    expect(releases).toEqual([
      { title: 'Unreleased', changes: ['One and more.', 'Two'] },
      { title: '0.1.0', changes: ['First'] },
    ]);
  });

  it('leaves out a release without changes', () => {
    expect(render('/changelog', 'en')).not.toMatch(/<ul[^>]*><\/ul>/);
  });

  it('of the project is complete', () => {
    const page = textOf(render('/changelog', 'en'));
    expect(page).toContain('0.1.0 - 2026-11-15');
    expect(page).not.toMatch(/&lt;{7}|={7}|&gt;{7}/);
  });
});

describe('escaping', () => {
  const notRun = (): Promise<never> => Promise.reject(new Error('not run'));
  const evil = `"><script>alert(1)</script><b a='`;
  const odd: Param<string> = {
    allowed: { en: evil, tr: evil },
    schema: { type: 'string', pattern: '.' },
    read: (input) => input,
    fallback: evil,
  };
  const hostile = apiEndpoints([
    resource(evil, evil, [
      get('evil/{a_id}', 'vehicles:read', 'read', 'Aktif', [evil, evil], {
        about: [evil, evil],
        emits: [evil],
        query: { [evil]: odd },
        returns: object({ plain: text(evil), [evil]: text() }),
        run: notRun,
      }),
      post('evil', 'vehicles:write', 'write', 'Yakında', [evil, evil], {
        bodySchema: createBody({ [evil]: required(oneOfField([evil])) }),
        returns: object({ ok: text("it's") }),
        run: notRun,
      }),
    ]),
  ]);

  it('escapes markup from any source', () => {
    for (const locale of ['en', 'tr'] as const) {
      const body = { publicUrl: `https://galeri.test/${evil}`, isLive: () => true, locale, today: '2026-10-02' };
      for (const path of docsPaths(hostile, body)) {
        const page = renderDocs(hostile, body, path)!;
        expect(page).not.toContain('<script>');
        expect(page).not.toContain('<b a=');
        expect(readTags(page).filter(({ name }) => name === 'script')).toHaveLength(1);
      }
      expect(renderDocs(hostile, body, `/${categorySlugOf(evil)}`)).toContain('&quot;&gt;&lt;script&gt;');
    }
  });
});

describe('the assets of the pages', () => {
  it('load nothing external and run no text as code', () => {
    expect(DOCS_CSS).not.toMatch(/url\(|@import|https?:/);
    expect(DOCS_JS).not.toMatch(/innerHTML|eval\(|new Function|https?:|document\.write/);
  });

  it('define every colour in both schemes', () => {
    const [, defined] = /:root \{([^}]*)\}/.exec(DOCS_CSS)!;
    expect(defined).toContain('color-scheme: light dark');
    expect(defined!.match(/#/g)).toHaveLength(2 * defined!.match(/light-dark\(#\w+, #\w+\)/g)!.length);
    for (const theme of ['light', 'dark'])
      expect(DOCS_CSS).toContain(`:root[data-theme="${theme}"] {\n  color-scheme: ${theme};`);
    const used = [...DOCS_CSS.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name!);
    for (const name of used) expect(defined, name).toContain(`${name}:`);
  });
});

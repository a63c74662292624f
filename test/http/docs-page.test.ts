import { describe, expect, it } from 'vitest';
import { answerOf, resolve, wireSchemaOf } from '../../src/domain/catalog/json-schema.ts';
import { sampleOf } from '../../src/domain/catalog/sample.ts';
import { createBody } from '../../src/domain/records/body.ts';
import { oneOfField, required } from '../../src/domain/records/fields.ts';
import { type ApiRow, apiRows, isList } from '../../src/http/api/api-rows.ts';
import { DOCS_CSS, DOCS_JS, renderDocs } from '../../src/http/docs/docs-page.ts';
import { rowAnchor } from '../../src/http/docs/docs-row.ts';
import { escapeHtml } from '../../src/http/wire/html.ts';
import { get, post, resource } from '../../src/kit/endpoint.ts';
import { ERRORS, type Locale } from '../../src/kit/errors.ts';
import type { Param } from '../../src/kit/params.ts';
import { object, text } from '../../src/kit/schema.ts';
import { resources } from '../../src/resources/index.ts';

const rows = apiRows(resources);
const shipped = (id: string): boolean => rows.find((row) => row.id === id)?.status === 'Aktif';
const render = (of: readonly ApiRow[], locale: Locale, isLive = shipped, publicUrl = 'https://galeri.test'): string =>
  renderDocs(of, { publicUrl, isLive, locale });

const VOID = new Set(['meta', 'link', 'input', 'wbr', 'path', 'circle', 'use', 'br']);
/** What a paragraph ends at: inside one of these a block is a mistake that browsers mend in their own way. */
const PHRASING_ONLY = new Set(['p', 'h1', 'h2', 'h3', 'code', 'a', 'span']);
const BLOCKS = new Set(['p', 'div', 'ul', 'table', 'section', 'figure', 'dl', 'h1', 'h2', 'h3', 'pre', 'nav', 'main']);

interface Tag {
  readonly name: string;
  readonly attributes: string;
}

/** Reads the tags one after another; throws where one is closed that is not open, or stands where it may not. */
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

describe.each(['en', 'tr'] as const)('the reference in %s', (locale) => {
  const page = render(rows, locale);
  const tags = readTags(page);
  const words = textOf(page);

  it('has every row with its path, name, scope and a request', () => {
    for (const row of rows) {
      const from = page.indexOf(`id="${rowAnchor(row)}"`);
      expect(from, row.id).toBeGreaterThan(0);
      const own = page.slice(from, page.indexOf('</details>\n', from));
      expect(own).toContain(escapeHtml(row.name[locale]));
      expect(own).toContain(`<code class="scope">${row.scope}</code>`);
      expect(own).toContain(`risk-${row.risk}`);
      expect(own).toContain(shipped(row.id) ? 'is-live' : 'is-soon');
      expect(own).toContain(`${row.method === 'GET' ? 'curl ' : `curl -X ${row.method} `}&quot;https://galeri.test/api/v1/`);
      expect(own.replace(/<wbr>|<\/?span[^>]*>/g, '')).toContain(`<code class="path">${row.path}</code>`);
    }
    expect(page.match(/<details class="row/g)).toHaveLength(185);
  });

  it('shows parameters and reply fields of the rows that are built', () => {
    for (const row of rows.filter(({ body }) => body !== null)) {
      const from = page.indexOf(`id="${rowAnchor(row)}"`);
      const own = page.slice(from, page.indexOf('</details>\n', from)).replaceAll('<wbr>', '');
      const { wire } = answerOf(row.body!);
      const shape = resolve(wire.root, wire);
      for (const name of [...Object.keys(row.params), ...Object.keys(shape.properties as object)]) {
        expect(own, row.id).toContain(`<code>${name}</code></th>`);
      }
    }
  });

  it('lists every error with its status and both messages', () => {
    for (const [code, { status, en, tr }] of Object.entries(ERRORS)) {
      const from = page.indexOf(`id="error-${code}"`);
      const line = page.slice(from, page.indexOf('</tr>', from));
      expect(line).toContain(`>${status}<`);
      expect(line).toContain(`<td role="cell" lang="en">${escapeHtml(en)}</td>`);
      expect(line).toContain(`<td role="cell" lang="tr">${escapeHtml(tr)}</td>`);
    }
  });

  it('is in its language and links to the other', () => {
    const other = locale === 'en' ? 'tr' : 'en';
    expect(page).toMatch(new RegExp(`^<!doctype html>\\n<html lang="${locale}">`));
    expect(page).toContain(`href="/docs?lang=${other}" hreflang="${other}" lang="${other}"`);
    expect(words).toContain(locale === 'en' ? 'Authentication' : 'Kimlik doğrulama');
    expect(words).not.toContain(locale === 'en' ? 'Kimlik doğrulama' : 'Authentication');
    expect(words).toContain(locale === 'en' ? '6 of 185' : '6 / 185');
    expect(words).not.toMatch(/undefined|\[object|NaN/);
  });

  it('has no inline style, script or handler, and fetches nothing from elsewhere', () => {
    expect(tags.filter(({ name }) => name === 'style')).toEqual([]);
    expect(tags.filter(({ name }) => name === 'script').map((tag) => attribute(tag, 'src'))).toEqual(['/docs/docs.js']);
    expect(page).toContain('<script src="/docs/docs.js" defer></script>');
    for (const tag of tags) {
      expect(tag.attributes).not.toMatch(/\s(style|on\w+)=/);
      for (const name of ['href', 'src']) {
        const address = attribute(tag, name);
        if (address !== undefined) expect(address).toMatch(/^(#|\/(?!\/)|data:image\/svg\+xml,)/);
      }
    }
  });

  it('is one document: ids once, links that lead somewhere, headings in order, a place to skip to', () => {
    const ids = tags.flatMap((tag) => attribute(tag, 'id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const tag of tags) {
      const target = attribute(tag, 'href');
      if (target?.startsWith('#')) expect(ids, target).toContain(target.slice(1));
      const label = attribute(tag, 'aria-labelledby');
      if (label !== undefined) expect(ids).toContain(label);
    }
    const levels = tags.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []));
    expect(levels[0]).toBe(1);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    expect(tags.find(({ name }) => name === 'a')!.attributes).toContain('href="#content"');
    for (const name of ['header', 'main', 'nav']) expect(tags.filter((tag) => tag.name === name)).toHaveLength(1);
  });
});

describe('what the page says of a row', () => {
  it('follows the release', () => {
    const page = render(rows, 'en', (id) => id === 'GET sales');
    const own = (id: string) => {
      const from = page.indexOf(`id="${id}"`);
      return page.slice(from, page.indexOf('</summary>', from));
    };
    expect(own('get-sales')).toContain('is-live');
    expect(own('get-vehicles')).toContain('is-soon');
    expect(textOf(page)).toContain('1 of 185');
    expect(textOf(render(rows, 'en', () => true))).toContain('185 of 185');
    expect(textOf(render(rows, 'en'))).toContain('6 of 185');
  });

  it('shows replies that the row itself would accept', () => {
    for (const { id, body } of rows) {
      if (body === null) continue;
      const schema = isList(body) ? body.lists : body.returns;
      expect(schema.safeParse(sampleOf(wireSchemaOf(schema))), id).toMatchObject({ success: true });
    }
  });

  it('says 405 for a coming row whose path is open for GET, 501 for others', () => {
    const note = (page: string, id: string) => /<p class="note">(.*?)<\/p>/.exec(page.slice(page.indexOf(`id="${id}"`)))![1];
    expect(note(render(rows, 'en'), 'post-vehicles')).toContain('405');
    expect(note(render(rows, 'en'), 'post-sales')).toContain('501');
  });
});

describe('escaping', () => {
  const notRun = (): Promise<never> => Promise.reject(new Error('not run'));
  const evil = `"><script>alert(1)</script><b a='`;
  const odd: Param<string> = {
    allowed: { en: evil, tr: evil },
    schema: { type: 'string' },
    read: (given) => given,
    fallback: evil,
  };
  const hostile = apiRows([
    resource(evil, evil, [
      get('evil/{a_id}', 'vehicles:read', 'read', 'Aktif', [evil, evil], {
        query: { [evil]: odd },
        returns: object({ plain: text(evil), [evil]: text() }),
        run: notRun,
      }),
      post('evil', 'vehicles:write', 'write', 'Yakında', [evil, evil], {
        takes: createBody({ [evil]: required(oneOfField([evil])) }),
        returns: object({ ok: text("it's") }),
        run: notRun,
      }),
    ]),
  ]);

  it('lets nothing through as markup, wherever it comes from', () => {
    for (const locale of ['en', 'tr'] as const) {
      const page = render(hostile, locale, () => true, `https://galeri.test/${evil}`);
      expect(page).not.toContain('<script>');
      expect(page).not.toContain('<b a=');
      expect(page).toContain('&quot;&gt;&lt;script&gt;');
      const tags = readTags(page);
      expect(tags.filter(({ name }) => name === 'script')).toHaveLength(1);
    }
  });
});

describe('what comes with the page', () => {
  it('asks for nothing from elsewhere and runs no text as code', () => {
    expect(DOCS_CSS).not.toMatch(/url\(|@import|https?:/);
    expect(DOCS_CSS).toContain('prefers-color-scheme: dark');
    expect(DOCS_JS).not.toMatch(/innerHTML|eval\(|new Function|https?:|document\.write/);
  });

  it('gives both schemes every colour', () => {
    const schemes = [...DOCS_CSS.matchAll(/:root \{([^}]*)\}/g)].map(([, body]) => body!);
    const colours = schemes.map((body) => [...body.matchAll(/(--[\w-]+): #/g)].map(([, name]) => name));
    expect(colours[0]).toEqual(colours[1]);
    const used = [...DOCS_CSS.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name!);
    for (const name of used) expect(schemes[0], name).toContain(`${name}:`);
  });
});

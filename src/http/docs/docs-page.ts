// The reference page at /docs: rendered on the server from the catalog's rows, complete without JavaScript.
import { readFileSync } from 'node:fs';
import type { Locale } from '../../kit/errors.ts';
import type { ApiRow } from '../api/api-rows.ts';
import { type Html, html } from '../wire/html.ts';
import { categoryWords } from './category-words.ts';
import { GUIDE, guideSections } from './docs-intro.ts';
import { SPRITE } from './docs-parts.ts';
import { rowDetails } from './docs-row.ts';
import { LANGUAGES, WORDS } from './docs-words.ts';
import { keptPerRelease } from './per-release-cache.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

export const DOCS_CSS: string = ['./docs-base.css', './docs-frame.css', './docs-rows.css'].map(read).join('');
export const DOCS_JS: string = read('./docs.js');

export interface DocsOptions {
  readonly publicUrl: string;
  /** The row's status on this deployment. */
  readonly isLive: (rowId: string) => boolean;
  readonly locale: Locale;
}

interface Category {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly rows: readonly ApiRow[];
  readonly liveCount: number;
}

/** While few endpoints are live, their details are shown expanded; with many the page would be endless. */
const MAX_SHOWN_OPEN = 12;

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#1d4ed8"/><path d="M11 5.6A3.6 3.6 0 1 0 11.4 9H8.4" fill="none" stroke="#fff" stroke-width="1.6"/></svg>',
)}`;

export function renderDocs(rows: readonly ApiRow[], options: DocsOptions): string {
  const name = `docs ${options.locale} ${options.publicUrl}`;
  return keptPerRelease(rows, options.isLive, name, () => `<!doctype html>\n${page(rows, options).text}\n`);
}

function page(rows: readonly ApiRow[], options: DocsOptions): Html {
  const { locale } = options;
  const api = `${options.publicUrl.replace(/(?<!\/)\/+$/, '')}/api/v1`;
  const categories = categoriesOf(rows, options);
  return html`<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Galeri ${WORDS.title[locale]}</title>
<meta name="description" content="${WORDS.lead[locale]}">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/docs.js" defer></script>
</head>
<body id="top" data-copy="${WORDS.copy[locale]}" data-copied="${WORDS.copied[locale]}">
<a class="skip" href="#content">${WORDS.skip[locale]}</a>
${SPRITE}
${topBar(locale)}
<div class="frame">
${contents(categories, locale)}
<main id="content" tabindex="-1">
${opening(rows, categories, api, locale)}
${guideSections({ rows, api, locale })}
${categories.map((category) => categorySection(category, rows, api, options))}
<p class="none" hidden>${WORDS.none[locale]}</p>
</main>
</div>
</body>
</html>`;
}

function categoriesOf(rows: readonly ApiRow[], { isLive, locale }: DocsOptions): Category[] {
  return [...Map.groupBy(rows, ({ category }) => category)].map(([category, own]) => {
    const { name, note } = categoryWords(category);
    const liveCount = own.filter(({ id }) => isLive(id)).length;
    const id = category.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    return { id, name: name[locale], note: note[locale], rows: own, liveCount };
  });
}

function topBar(locale: Locale): Html {
  const other: Locale = locale === 'en' ? 'tr' : 'en';
  return html`<header class="top">
<a class="brand" href="#top"><strong>Galeri</strong> <span>${WORDS.title[locale]}</span></a>
<div class="filter" role="search" hidden><input id="filter" type="search" autocomplete="off" spellcheck="false" aria-label="${WORDS.filter[locale]}" placeholder="${WORDS.filterHint[locale]}"><kbd aria-hidden="true">/</kbd><span id="found" class="quiet" role="status" data-words="${WORDS.found[locale]}"></span></div>
<div class="links"><a class="open-contents" href="#contents">${WORDS.contents[locale]}</a> <a href="/openapi.json">OpenAPI</a> <a href="/docs?lang=${other}" hreflang="${other}" lang="${other}">${LANGUAGES[other]}</a></div>
</header>`;
}

function contents(categories: readonly Category[], locale: Locale): Html {
  const guide = GUIDE.map(({ id, title }) => html`<li><a href="#${id}">${title[locale]}</a></li>`);
  const endpoints = categories.map(
    ({ id, name, rows, liveCount }) =>
      html`<li><a href="#${id}"><span>${name}</span> <span class="counts">${liveCount > 0 && html`<span class="live">${liveCount} ${WORDS.liveCount[locale]}</span> `}${rows.length}</span></a></li>`,
  );
  return html`<nav class="contents" id="contents" aria-label="${WORDS.contents[locale]}">
<a class="close" href="#content">${WORDS.close[locale]}</a>
<p class="group">${WORDS.guide[locale]}</p>
<ul>${guide}</ul>
<p class="group">${WORDS.endpoints[locale]}</p>
<ul>${endpoints}</ul>
</nav>`;
}

function opening(rows: readonly ApiRow[], categories: readonly Category[], api: string, locale: Locale): Html {
  const live = categories.reduce((sum, { liveCount }) => sum + liveCount, 0);
  return html`<div class="opening guide">
<h1>Galeri ${WORDS.title[locale]}</h1>
<p class="lead">${WORDS.lead[locale]}</p>
<dl class="facts-strip">
<div><dt>${WORDS.baseAddress[locale]}</dt><dd><code>${api}/</code></dd></div>
<div><dt>${WORDS.openNow[locale]}</dt><dd>${live} ${WORDS.of[locale]} ${rows.length}</dd></div>
<div><dt>${WORDS.version[locale]}</dt><dd>v1</dd></div>
<div><dt>${WORDS.description[locale]}</dt><dd><a href="/openapi.json">OpenAPI 3.1</a></dd></div>
</dl>
</div>`;
}

function categorySection(category: Category, all: readonly ApiRow[], api: string, { isLive, locale }: DocsOptions): Html {
  const openGets = new Set(all.filter(({ id, method }) => method === 'GET' && isLive(id)).map(({ path }) => path));
  const fewOpen = all.filter(({ id }) => isLive(id)).length <= MAX_SHOWN_OPEN;
  const lines = category.rows.map((row) => {
    const live = isLive(row.id);
    const shut = !live && row.method !== 'GET' && openGets.has(row.path);
    return rowDetails(row, { api, locale, live, shut, open: live && fewOpen });
  });
  return html`<section class="category" id="${category.id}" aria-labelledby="${category.id}-title">
<h2 id="${category.id}-title">${category.name} <span class="count">${category.rows.length}</span></h2>
<p>${category.note}</p>
<div class="rows">${lines}</div>
</section>
`;
}

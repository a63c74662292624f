// What is round every page of the reference: head, bar with search and languages, contents.
import type { Locale } from '../../../kit/errors.ts';
import { type Html, type HtmlValue, html } from '../../wire/html.ts';
import type { DocsView } from '../docs-view.ts';
import { guideOf } from '../guide/docs-guide.ts';
import { endpointAnchor } from '../parts/docs-endpoint.ts';
import { localised, SPRITE } from '../parts/docs-parts.ts';
import { LANGUAGE_NAMES, WORDS } from '../parts/docs-words.ts';
import { LANGUAGES } from '../samples/sample-languages.ts';
import { type Category, categoriesOf } from './docs-categories.ts';

export interface PageParts {
  /** The path after /docs: '' or '/vehicles'. */
  readonly path: string;
  readonly title: string;
  readonly content: HtmlValue;
}

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#1d4ed8"/><path d="M11 5.6A3.6 3.6 0 1 0 11.4 9H8.4" fill="none" stroke="#fff" stroke-width="1.6"/></svg>',
)}`;

export function framed({ path, title, content }: PageParts, view: DocsView): Html {
  const { locale } = view;
  const whole = path === '' ? `Galeri ${WORDS.title[locale]}` : `${title} · Galeri ${WORDS.title[locale]}`;
  return html`<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${whole}</title>
<meta name="description" content="${WORDS.lead[locale]}">
<link rel="icon" href="${ICON}">
<link rel="alternate" type="text/markdown" href="/docs${path}.md?lang=${locale}">
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/docs.js" defer></script>
</head>
<body id="top" data-copy="${WORDS.copy[locale]}" data-copied="${WORDS.copied[locale]}">
<a class="skip" href="#content">${WORDS.skip[locale]}</a>
${SPRITE}
${topBar(path, locale)}
<div class="frame">
${contents(path, view)}
<main id="content" tabindex="-1">
${content}
</main>
</div>
</body>
</html>`;
}

function topBar(path: string, locale: Locale): Html {
  const other: Locale = locale === 'en' ? 'tr' : 'en';
  return html`<header class="top">
<a class="brand" href="${localised('/docs', locale)}"><strong>Galeri</strong> <span>${WORDS.title[locale]}</span></a>
<div class="search" role="search" hidden><input id="search" type="search" autocomplete="off" spellcheck="false" aria-label="${WORDS.search[locale]}" aria-controls="found" placeholder="${WORDS.searchHint[locale]}" data-index="/docs/search.json?lang=${locale}"><kbd aria-hidden="true">/</kbd><p id="count" class="quiet" role="status" data-words="${WORDS.found[locale]}" data-none="${WORDS.none[locale]}"></p><div id="found" class="found" hidden></div></div>
<fieldset class="languages"><legend class="quiet">${WORDS.samplesIn[locale]}</legend>${LANGUAGES.map(
    ({ id, name }, index) =>
      html`<label><input type="radio" name="language" id="in-${id}" value="${id}"${index === 0 && html` checked`}> <span>${name}</span></label>`,
  )}</fieldset>
<div class="links"><a class="open-contents" href="#contents">${WORDS.contents[locale]}</a> <a href="/panel">${WORDS.panel[locale]}</a> ${themeChoice(locale)} <a href="${`/docs${path}?lang=${other}`}" hreflang="${other}" lang="${other}">${LANGUAGE_NAMES[other]}</a></div>
</header>`;
}

/** Shown by the script, because it does nothing without one. */
const themeChoice = (locale: Locale): Html =>
  html`<select id="theme" aria-label="${WORDS.theme[locale]}" hidden><option value="">${WORDS.systemTheme[locale]}</option><option value="light">${WORDS.lightTheme[locale]}</option><option value="dark">${WORDS.darkTheme[locale]}</option></select>`;

function contents(path: string, view: DocsView): Html {
  const { locale } = view;
  const link = (address: string, text: HtmlValue, current = false) =>
    html`<li><a href="${localised(address, locale)}"${current && html` aria-current="page"`}>${text}</a></li>`;
  const guide = guideOf(view).map(({ id, title }) => link(`/docs#${id}`, title[locale]));
  const more = OTHER_PAGES.map(({ slug, title }) => link(`/docs/${slug}`, title[locale], path === `/${slug}`));
  return html`<nav class="contents" id="contents" aria-label="${WORDS.contents[locale]}">
<a class="close" href="#content">${WORDS.close[locale]}</a>
<p class="group">${WORDS.guide[locale]}</p>
<ul>${guide}</ul>
<p class="group">${WORDS.lists[locale]}</p>
<ul>${more}<li><a href="/openapi.json">OpenAPI 3.1</a></li></ul>
<p class="group">${WORDS.endpoints[locale]}</p>
<ul>${categoriesOf(view).map((category) => categoryLink(category, path, locale))}</ul>
</nav>`;
}

/** The page that is open also shows its endpoints. */
function categoryLink({ id, name, endpoints, liveCount }: Category, path: string, locale: Locale): Html {
  const current = path === `/${id}`;
  const counts = html`<span class="counts">${liveCount > 0 && html`<span class="live">${liveCount} ${WORDS.liveCount[locale]}</span> `}${endpoints.length}</span>`;
  const own =
    current &&
    html`<ul>${endpoints.map((endpoint) => html`<li><a href="#${endpointAnchor(endpoint)}"><span>${endpoint.name[locale]}</span> <span class="counts">${endpoint.method}</span></a></li>`)}</ul>`;
  return html`<li><a href="${localised(`/docs/${id}`, locale)}"${current && html` aria-current="page"`}><span>${name}</span> ${counts}</a>${own}</li>`;
}

/** Pages beside the guide and the categories. */
export const OTHER_PAGES = [
  { slug: 'errors', title: WORDS.errors },
  { slug: 'events', title: WORDS.events },
  { slug: 'changelog', title: WORDS.changelog },
] as const;

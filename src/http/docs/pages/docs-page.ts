// The reference at /docs: a page for the guide, one for each category and a few lists, rendered on the server from the catalog's
// endpoints and complete without JavaScript.
import { readFileSync } from 'node:fs';
import type { Locale } from '../../../kit/errors.ts';
import type { ApiEndpoint } from '../../api/api-endpoints.ts';
import { type Html, html } from '../../wire/html.ts';
import type { DocsView, SandboxRuleShown } from '../docs-view.ts';
import { guideSections } from '../guide/docs-guide.ts';
import { WORDS } from '../parts/docs-words.ts';
import { allEndpoints, type Category, categoriesOf, categoryContent } from './docs-categories.ts';
import { changelogContent } from './docs-changelog.ts';
import { errorContent, errorOfPath, errorPaths } from './docs-error.ts';
import { errorsContent } from './docs-errors.ts';
import { eventsContent } from './docs-events.ts';
import { framed, type PageParts } from './docs-frame.ts';
import { searchIndex } from './docs-search.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

export const DOCS_CSS: string = ['./docs-base.css', './docs-frame.css', './docs-endpoints.css'].map(read).join('');
export const DOCS_JS: string = ['./docs-find.js', './docs.js'].map(read).join('');

export interface DocsOptions {
  readonly publicUrl: string;
  /** The endpoint's status on this deployment. */
  readonly isLive: (endpointId: string) => boolean;
  readonly locale: Locale;
  readonly today: string;
  /** Null or absent unless SANDBOX=isolated. */
  readonly sandboxRules?: readonly SandboxRuleShown[] | null;
}

export function viewOf(endpoints: readonly ApiEndpoint[], { publicUrl, ...rest }: DocsOptions): DocsView {
  const base = publicUrl.replace(/(?<!\/)\/+$/, '');
  return { endpoints, base, api: `${base}/api/v1`, ...rest };
}

/** `path` is what follows /docs: '' or '/vehicles'. Null where there is no such page. */
export function renderDocs(endpoints: readonly ApiEndpoint[], options: DocsOptions, path = ''): string | null {
  const view = viewOf(endpoints, options);
  const parts = partsOf(path, view);
  return parts === null ? null : `<!doctype html>\n${framed(parts, view).text}\n`;
}

export const docsPaths = (endpoints: readonly ApiEndpoint[], options: DocsOptions): string[] => [
  '',
  ...Object.keys(LISTS),
  ...errorPaths(),
  ...categoriesOf(viewOf(endpoints, options)).map(({ id }) => `/${id}`),
];

export const renderSearch = (endpoints: readonly ApiEndpoint[], options: DocsOptions): string =>
  JSON.stringify(searchIndex(viewOf(endpoints, options)));

function partsOf(path: string, view: DocsView): PageParts | null {
  if (path === '')
    return { path, title: WORDS.title[view.locale], content: [opening(view), guideSections(view), allEndpoints(view)] };
  const list = Object.hasOwn(LISTS, path) ? LISTS[path] : undefined;
  if (list !== undefined) return { path, title: list.title[view.locale], content: list.content(view) };
  const code = errorOfPath(path);
  if (code !== null) return { path, title: code, content: errorContent(code, view) };
  const category: Category | undefined = categoriesOf(view).find(({ id }) => path === `/${id}`);
  return category === undefined ? null : { path, title: category.name, content: categoryContent(category, view) };
}

const LISTS: Readonly<Record<string, { title: Readonly<Record<Locale, string>>; content: (view: DocsView) => Html }>> = {
  '/errors': { title: WORDS.errors, content: errorsContent },
  '/events': { title: WORDS.events, content: eventsContent },
  '/changelog': { title: WORDS.changelog, content: changelogContent },
};

function opening({ endpoints, isLive, api, locale }: DocsView): Html {
  const live = endpoints.filter(({ id }) => isLive(id)).length;
  return html`<div class="opening">
<h1>Galeri ${WORDS.title[locale]}</h1>
<p class="lead">${WORDS.lead[locale]}</p>
<dl class="facts-strip">
<div><dt>${WORDS.baseAddress[locale]}</dt><dd><code>${api}/</code></dd></div>
<div><dt>${WORDS.openNow[locale]}</dt><dd>${live} ${WORDS.of[locale]} ${endpoints.length}</dd></div>
<div><dt>${WORDS.version[locale]}</dt><dd>v1</dd></div>
<div><dt>${WORDS.description[locale]}</dt><dd><a href="/openapi.json">OpenAPI 3.1</a>, <a href="/llms.txt">llms.txt</a>, <a href="/docs.md">Markdown</a></dd></div>
</dl>
</div>`;
}

// The pages of the categories, and the list of all endpoints.
import { categorySlugOf, referenceOf } from '../../../domain/catalog/catalog.ts';
import type { ApiRow } from '../../api/api-rows.ts';
import { type Html, html } from '../../wire/html.ts';
import type { DocsView } from '../docs-view.ts';
import { categoryWords } from '../openapi/category-words.ts';
import { localised, methodChip, pathCode, prose, statusBadge } from '../parts/docs-parts.ts';
import { rowAnchor, rowSection } from '../parts/docs-row.ts';
import { WORDS } from '../parts/docs-words.ts';

export interface Category {
  /** In addresses: `vehicle-photos`. */
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly rows: readonly ApiRow[];
  readonly liveCount: number;
}

export function categoriesOf({ rows, isLive, locale }: DocsView): Category[] {
  return [...Map.groupBy(rows, ({ category }) => category)].map(([category, own]) => {
    const { name, note } = categoryWords(category);
    const liveCount = own.filter(({ id }) => isLive(id)).length;
    return { id: categorySlugOf(category), name: name[locale], note: note[locale], rows: own, liveCount };
  });
}

export function categoryContent({ name, note, rows }: Category, view: DocsView): Html {
  return html`<div class="opening"><h1>${name}</h1><p class="lead">${prose(note, view.locale)}</p></div>
${rows.map((row) => rowSection(row, view))}`;
}

/** Every endpoint in a line; each has the anchor it had when the reference was one page. */
export function allEndpoints(view: DocsView): Html {
  const { locale } = view;
  return html`<section class="guide" id="endpoints" aria-labelledby="endpoints-title"><h2 id="endpoints-title">${WORDS.allEndpoints[locale]}</h2>
${categoriesOf(view).map(({ id, name, rows }) => {
  const lines = rows.map((row) => {
    const anchor = rowAnchor(row);
    const live = view.isLive(row.id);
    return html`<li id="${anchor}"${!live && html` class="soon"`}><a href="${localised(referenceOf(row), locale)}">${methodChip(row.method)} ${pathCode(row.path)}</a> <span class="name">${row.name[locale]}</span> ${live && statusBadge(live, locale)}</li>`;
  });
  return html`<h3><a href="${localised(`/docs/${id}`, locale)}">${name}</a></h3><ul class="index">${lines}</ul>`;
})}</section>`;
}

// The pages of the categories, and the list of all endpoints.
import { categorySlugOf, referenceOf } from '../../../domain/catalog/catalog.ts';
import type { ApiEndpoint } from '../../api/api-endpoints.ts';
import { type Html, html } from '../../wire/html.ts';
import type { DocsView } from '../docs-view.ts';
import { categoryWords } from '../openapi/category-words.ts';
import { endpointAnchor, endpointSection } from '../parts/docs-endpoint.ts';
import { localised, methodChip, pathCode, prose, statusBadge } from '../parts/docs-parts.ts';
import { WORDS } from '../parts/docs-words.ts';

export interface Category {
  /** In addresses: `vehicle-photos`. */
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly endpoints: readonly ApiEndpoint[];
  readonly liveCount: number;
}

export function categoriesOf({ endpoints, isLive, locale }: DocsView): Category[] {
  return [...Map.groupBy(endpoints, ({ category }) => category)].map(([category, own]) => {
    const { name, note } = categoryWords(category);
    const liveCount = own.filter(({ id }) => isLive(id)).length;
    return { id: categorySlugOf(category), name: name[locale], note: note[locale], endpoints: own, liveCount };
  });
}

export function categoryContent({ name, note, endpoints }: Category, view: DocsView): Html {
  return html`<div class="opening"><h1>${name}</h1><p class="lead">${prose(note, view.locale)}</p></div>
${endpoints.map((endpoint) => endpointSection(endpoint, view))}`;
}

/** Every endpoint in a line; each has the anchor it had when the reference was one page. */
export function allEndpoints(view: DocsView): Html {
  const { locale } = view;
  return html`<section class="guide" id="endpoints" aria-labelledby="endpoints-title"><h2 id="endpoints-title">${WORDS.allEndpoints[locale]}</h2>
${categoriesOf(view).map(({ id, name, endpoints }) => {
  const lines = endpoints.map((endpoint) => {
    const anchor = endpointAnchor(endpoint);
    const live = view.isLive(endpoint.id);
    return html`<li id="${anchor}"${!live && html` class="soon"`}><a href="${localised(referenceOf(endpoint), locale)}">${methodChip(endpoint.method)} ${pathCode(endpoint.path)}</a> <span class="name">${endpoint.name[locale]}</span> ${live && statusBadge(live, locale)}</li>`;
  });
  return html`<h3><a href="${localised(`/docs/${id}`, locale)}">${name}</a></h3><ul class="index">${lines}</ul>`;
})}</section>`;
}

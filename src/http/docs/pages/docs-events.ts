// Every kind of event with the body that is sent for it.
import { referenceOf } from '../../../domain/catalog/catalog.ts';
import { EVENT_KINDS } from '../../../domain/writes/event-kinds.ts';
import { type Html, html } from '../../wire/html.ts';
import type { DocsView } from '../docs-view.ts';
import { isPersonal, payloadOf } from '../openapi/openapi-webhooks.ts';
import { breakable, jsonBlock, localised, prose } from '../parts/docs-parts.ts';
import { WORDS } from '../parts/docs-words.ts';

const LEAD = {
  en: 'What a webhook or the event stream can send. Ask for one by its name, for all of a resource (`vehicle.*`) or for everything (`*`). How they are sent, signed and repeated: [webhooks in the guide](/docs#webhooks).',
  tr: 'Bir webhook’un ya da olay akışının gönderebilecekleri. Adıyla tek bir türü, bir kaynağın tümünü (`vehicle.*`) ya da hepsini (`*`) isteyin. Nasıl gönderildikleri, imzalandıkları ve yeniden denendikleri: [rehberde webhook’lar](/docs#webhooks).',
};
const IDS_ONLY = {
  en: 'Carries ids only, because it is about a person.',
  tr: 'Bir kişiyle ilgili olduğundan yalnızca kimlik taşır.',
};
const BY = { en: 'From', tr: 'Kaynağı:' };
const BY_ITSELF = {
  en: 'Not emitted by a live endpoint, or emitted by the service without a request.',
  tr: 'Yayındaki bir uç nokta üretmez ya da bir istek olmadan, hizmetin kendisinden doğar.',
};
const PAYLOAD = { en: 'Payload', tr: 'Gövde' };

export function eventsContent(view: DocsView): Html {
  const { locale } = view;
  const resources = [...Map.groupBy(EVENT_KINDS, (kind) => kind.split('.')[0]!)];
  return html`<div class="opening"><h1>${WORDS.events[locale]} <span class="count">${EVENT_KINDS.length}</span></h1><p class="lead">${prose(LEAD[locale], locale)}</p></div>
${resources.map(([resource, kinds]) => html`<section class="kinds" id="${resource}" aria-labelledby="${resource}-title"><h2 id="${resource}-title"><code>${resource}.*</code></h2>${isPersonal(resource) && html`<p>${IDS_ONLY[locale]}</p>`}<ul>${kinds.map((kind) => kindLine(kind, view))}</ul></section>`)}`;
}

function kindLine(kind: string, { endpoints, locale }: DocsView): Html {
  const from = endpoints.filter(({ body }) => body?.emits?.includes(kind));
  const links = from.map(
    (endpoint, index) =>
      html`${index > 0 && ', '}<a href="${localised(referenceOf(endpoint), locale)}"><code>${endpoint.id}</code></a>`,
  );
  const source = from.length === 0 ? BY_ITSELF[locale] : html`${BY[locale]} ${links}`;
  return html`<li id="${kind}"><details class="fold"><summary><code>${breakable(kind)}</code></summary><p>${source}</p>${jsonBlock(PAYLOAD[locale], payloadOf(kind, EVENT_KINDS.indexOf(kind) + 1))}</details></li>`;
}

// One endpoint of the reference: what it does, takes, answers and refuses, and beside it requests that run as they are printed.
import { slugOf } from '../../../domain/catalog/catalog.ts';
import { deprecationWords } from '../../../domain/catalog/deprecation.ts';
import { answerOf, bodySchemaOf, type FieldLine, fieldsOf, formSchemaOf } from '../../../domain/catalog/json-schema.ts';
import { ERRORS, type ErrorCode, type Locale } from '../../../kit/errors.ts';
import type { ApiEndpoint } from '../../api/api-endpoints.ts';
import { type Html, type HtmlValue, html } from '../../wire/html.ts';
import type { DocsView } from '../docs-view.ts';
import { headersOf, isCommon, isShut, refusalsOf } from '../openapi/endpoint-refusals.ts';
import { exampleOf } from '../openapi/examples.ts';
import { pathWords } from '../openapi/param-words.ts';
import { refusalExample } from '../openapi/refusal-examples.ts';
import { LANGUAGES } from '../samples/sample-languages.ts';
import { type SampleRequest, samplesOf } from '../samples/sample-request.ts';
import { type Anchors, anchorsOf, fieldLine, fieldTable, paramLine, pathLine } from './docs-fields.ts';
import {
  breakable,
  codeBlock,
  jsonBlock,
  localised,
  methodChip,
  pathCode,
  prose,
  riskBadge,
  statusBadge,
  statusChip,
} from './docs-parts.ts';
import { WORDS } from './docs-words.ts';

export const endpointAnchor = (endpoint: ApiEndpoint): string => slugOf(endpoint.id);

export function endpointSection(endpoint: ApiEndpoint, view: DocsView): Html {
  const { locale } = view;
  const anchor = endpointAnchor(endpoint);
  const live = view.isLive(endpoint.id);
  return html`<section class="row${!live && ' soon'}" id="${anchor}" aria-labelledby="${anchor}-title">
<header><h2 id="${anchor}-title"><a href="#${anchor}">${endpoint.name[locale]}</a></h2>
<p class="address">${methodChip(endpoint.method)} ${pathCode(endpoint.path)} <span class="marks">${riskBadge(endpoint.risk, locale)} ${statusBadge(live, locale)}</span></p></header>
<div class="about">${words(endpoint, view)}${endpoint.body !== null && details(endpoint, view)}</div>
${endpoint.body !== null && html`<div class="codes">${samples(endpoint, view)}</div>`}
</section>
`;
}

function words(endpoint: ApiEndpoint, view: DocsView): HtmlValue {
  const { locale } = view;
  const live = view.isLive(endpoint.id);
  const about = endpoint.body?.about?.[locale === 'en' ? 0 : 1];
  const { emits = [], deprecated } = endpoint.body ?? {};
  const soon = isShut(endpoint, view) ? WORDS.soonShut : WORDS.soon;
  return [
    about !== undefined && html`<p>${prose(about, locale)}</p>`,
    deprecated !== undefined && html`<p class="note">${prose(deprecationWords(deprecated)[locale], locale)}</p>`,
    emits.length > 0 &&
      html`<p>${WORDS.emits[locale]} ${emits.map((kind, index) => html`${index > 0 && ', '}${kindLink(kind, locale)}`)}.</p>`,
    !live && html`<p class="note">${prose(soon[locale], locale)}</p>`,
    facts(endpoint, view),
  ];
}

const kindLink = (kind: string, locale: Locale): Html =>
  html`<a href="${localised(`/docs/events#${kind}`, locale)}"><code>${breakable(kind)}</code></a>`;

function facts(endpoint: ApiEndpoint, { locale, endpoints, isLive }: DocsView): Html {
  const { takes, answers } = headersOf(endpoint, endpoints);
  const named = (list: readonly string[]) =>
    list.map(
      (name, index) =>
        html`${index > 0 && ', '}<a href="${localised(`/docs#${HEADER_GUIDES[name]}`, locale)}"><code>${name}</code></a>`,
    );
  const panel = html`<a href="/panel/katalog/${endpointAnchor(endpoint)}">${(isLive(endpoint.id) ? WORDS.tryIt : WORDS.vote)[locale]}</a>`;
  return html`<dl class="facts"><div><dt>${WORDS.scope[locale]}</dt><dd><code>${endpoint.scope}</code></dd></div>${
    takes.length > 0 && html`<div><dt>${WORDS.takesHeaders[locale]}</dt><dd>${named(takes)}</dd></div>`
  }${answers.length > 0 && html`<div><dt>${WORDS.givesHeaders[locale]}</dt><dd>${named(answers)}</dd></div>`}<div><dt>${WORDS.panel[locale]}</dt><dd>${panel}</dd></div></dl>`;
}

/** Where the guide says what a header does. */
const HEADER_GUIDES: Readonly<Record<string, string>> = {
  'If-None-Match': 'conditional-requests',
  'If-Match': 'conditional-requests',
  ETag: 'conditional-requests',
  'Idempotency-Key': 'idempotent-retries',
  'Idempotent-Replayed': 'idempotent-retries',
  'X-Dry-Run': 'writing',
  'Dry-Run': 'writing',
  Location: 'writing',
  Link: 'paging',
  Deprecation: 'versioning',
  Sunset: 'versioning',
};

function details(endpoint: ApiEndpoint, view: DocsView): HtmlValue {
  const anchors = anchorsOf(endpointAnchor(endpoint));
  return [
    takenTables(endpoint, view.locale, anchors),
    answeredTable(endpoint, view.locale, anchors),
    errorTables(endpoint, view),
  ];
}

function takenTables(endpoint: ApiEndpoint, locale: Locale, anchors: Anchors): HtmlValue {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
    pathLine(name!, pathWords(name!)?.[locale] ?? '', anchors, locale),
  );
  const inQuery = Object.entries(endpoint.params).map(([name, param]) => paramLine(name, param, anchors, locale));
  const { bodySchema, upload } = endpoint.body ?? {};
  const lines = (fields: readonly FieldLine[]) => fields.map((field) => fieldLine(field, anchors, locale, 'taken'));
  return [
    fieldTable(WORDS.pathParams[locale], inPath, locale),
    fieldTable(WORDS.queryParams[locale], inQuery, locale),
    bodySchema && fieldTable(WORDS.bodyFields[locale], lines(fieldsOf(bodySchemaOf(bodySchema))), locale),
    upload &&
      fieldTable(
        (bodySchema === undefined ? WORDS.formParts : WORDS.orForm)[locale],
        lines(fieldsOf(formSchemaOf(upload))),
        locale,
      ),
  ];
}

function answeredTable({ body }: ApiEndpoint, locale: Locale, anchors: Anchors): Html {
  const { wire, list } = answerOf(body!);
  const fields = fieldsOf(wire);
  const lines = fields.map((field) => fieldLine(field, anchors, locale, 'answered'));
  const caption = (list ? WORDS.itemFields : WORDS.dataFields)[locale];
  return html`<details class="fold"><summary>${WORDS.replyFields[locale]} <span class="count">${fields.length}</span></summary>${fieldTable(caption, lines, locale)}</details>`;
}

/** Shows the errors specific to this endpoint; errors that every request of its kind can get are collapsed. */
function errorTables(endpoint: ApiEndpoint, view: DocsView): HtmlValue {
  const { locale } = view;
  const state = { live: view.isLive(endpoint.id), shut: isShut(endpoint, view) };
  const codes = [...refusalsOf(endpoint, view.endpoints, state).values()].flat();
  const [common, own] = [codes.filter(isCommon), codes.filter((code) => !isCommon(code))];
  const table = (caption: string, list: readonly ErrorCode[]) =>
    list.length > 0 &&
    html`<table class="refusals"><caption>${caption}</caption><thead><tr><th scope="col">HTTP</th><th scope="col">${WORDS.code[locale]}</th><th scope="col">${WORDS.message[locale]}</th></tr></thead><tbody>${list.map((code) => errorLine(code, locale))}</tbody></table>`;
  return [
    table(WORDS.refusals[locale], own),
    html`<details class="fold"><summary>${WORDS.commonRefusals[locale]} <span class="count">${common.length}</span></summary>${table(WORDS.commonRefusals[locale], common)}</details>`,
  ];
}

const errorLine = (code: ErrorCode, locale: Locale): Html =>
  html`<tr><td>${statusChip(ERRORS[code].status)}</td><th scope="row"><a href="${localised(`/docs/errors#error-${code}`, locale)}"><code>${breakable(code)}</code></a></th><td>${ERRORS[code][locale]}</td></tr>`;

function samples(endpoint: ApiEndpoint, view: DocsView): HtmlValue {
  const example = exampleOf(endpoint.id);
  const { locale } = view;
  const found = samplesOf(endpoint, view);
  if (example === null || found === null) return null;
  const { plain, form } = found;
  const reply = `${WORDS.reply[locale]} ${example.status}`;
  return [
    plain && requestBlocks(plain, WORDS.request[locale]),
    form && requestBlocks(form, (plain === null ? WORDS.request : WORDS.requestWithFile)[locale]),
    jsonBlock(reply, example.reply),
    ...refusedReads(endpoint).map((code) => jsonBlock(`${WORDS.reply[locale]} ${ERRORS[code].status}`, refusalExample(code))),
  ];
}

/** Whether a correct read is refused depends on the deployment's data, so running the sample may return it. */
const refusedReads = ({ method, body }: ApiEndpoint): readonly ErrorCode[] => (method === 'GET' ? (body?.refuses ?? []) : []);

/** One block for each language, of which the chosen one is shown. */
export const requestBlocks = (request: SampleRequest, label: string): Html[] =>
  LANGUAGES.map(({ id, name, write }) => codeBlock(`${label} · ${name}`, write(request), [id]));

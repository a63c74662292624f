// What the search of the reference looks through: sections of the guide, endpoints with their fields, error codes, kinds of event.
import { referenceOf } from '../../../domain/catalog/catalog.ts';
import { answerOf, bodySchemaOf, type FieldLine, fieldsOf, formSchemaOf } from '../../../domain/catalog/json-schema.ts';
import { EVENT_KINDS } from '../../../domain/writes/event-kinds.ts';
import { ERRORS, type ErrorCode, type Locale, type Text } from '../../../kit/errors.ts';
import { listParams } from '../../../kit/params.ts';
import { type ApiEndpoint, isList } from '../../api/api-endpoints.ts';
import type { DocsView } from '../docs-view.ts';
import { guideOf } from '../guide/docs-guide.ts';
import { pathWords, queryWords } from '../openapi/param-words.ts';
import { localised } from '../parts/docs-parts.ts';
import { WORDS } from '../parts/docs-words.ts';
import { categoriesOf } from './docs-categories.ts';
import { FILLERS, SECTION_WORDS, SYNONYMS } from './search-words.ts';

interface Entry {
  /** The address, without the language and the anchor of a field. */
  readonly at: string;
  readonly title: string;
  /** Shown beneath the title, and searched like it. */
  readonly sub: string;
  /** Searched only. */
  readonly text: string;
  /** Searched only, and counts as much as the title. */
  readonly also?: string;
  /** Which kind of entry comes first where several fit alike. */
  readonly rank?: number;
  /** Names of parameters and fields, each with its values and description; each is a result of its own. */
  readonly fields?: readonly string[];
}

interface SearchIndex {
  readonly entries: readonly Entry[];
  readonly synonyms: typeof SYNONYMS;
  readonly fillers: typeof FILLERS;
}

export function searchIndex(view: DocsView): SearchIndex {
  const { locale } = view;
  const endpoints = categoriesOf(view).flatMap(({ name, endpoints }) =>
    endpoints.map((endpoint) => endpointEntry(endpoint, name, view)),
  );
  const guide = guideOf(view).map(({ id, title, text }) => ({
    at: localised(`/docs#${id}`, locale),
    title: title[locale],
    sub: WORDS.guide[locale],
    also: SECTION_WORDS[id] ?? '',
    rank: 3,
    text: text
      .flat()
      .map((part) => (part as Text)[locale])
      .join(' '),
  }));
  const errors = (Object.keys(ERRORS) as ErrorCode[]).map((code) => ({
    at: localised(`/docs/errors#error-${code}`, locale),
    title: code,
    sub: `${ERRORS[code].status} ${WORDS.error[locale]}`,
    text: `${ERRORS[code].en} ${ERRORS[code].tr}`,
  }));
  const events = EVENT_KINDS.map((kind) => ({
    at: localised(`/docs/events#${kind}`, locale),
    title: kind,
    sub: WORDS.event[locale],
    text: '',
  }));
  return { entries: [...guide, ...endpoints, ...errors, ...events], synonyms: SYNONYMS, fillers: FILLERS };
}

/** What one does with a list. */
const LIST_WORDS = ' search find filter ara filtre';

function endpointEntry(endpoint: ApiEndpoint, category: string, { locale }: DocsView): Entry {
  const about = endpoint.body?.about?.[locale === 'en' ? 0 : 1] ?? '';
  return {
    at: localised(referenceOf(endpoint), locale),
    title: endpoint.name[locale],
    sub: endpoint.id,
    also: `${endpoint.name[locale === 'en' ? 'tr' : 'en']} ${category}${isList(endpoint.body) ? LIST_WORDS : ''}`,
    rank: 1,
    text: [category, endpoint.scope, about, ...(endpoint.body?.emits ?? []), ...(endpoint.body?.refuses ?? [])].join(' '),
    fields: fieldTexts(endpoint, locale),
  };
}

/** Each name once, in the order in which the page gives them anchors. */
function fieldTexts({ path, params, body }: ApiEndpoint, locale: Locale): string[] {
  if (body === null) return [];
  const texts = new Map<string, string>();
  const put = (name: string, values: unknown, words = '') => {
    const shown = Array.isArray(values) ? values.filter(Boolean) : [];
    if (!texts.has(name)) texts.set(name, [name, ...shown, words].filter(Boolean).join(' '));
  };
  for (const [, name] of path.matchAll(/\{(\w+)\}/g)) put(name!, null, pathWords(name!)?.[locale]);
  for (const [name, { schema }] of Object.entries(params)) {
    put(name, schema.enum, Object.hasOwn(listParams, name) ? '' : queryWords(name)?.[locale]);
  }
  const lines: FieldLine[] = [
    ...(body.bodySchema === undefined ? [] : fieldsOf(bodySchemaOf(body.bodySchema))),
    ...(body.upload === undefined ? [] : fieldsOf(formSchemaOf(body.upload))),
    ...fieldsOf(answerOf(body).wire),
  ];
  for (const line of lines) put(line.path, line.schema.enum);
  return [...texts.values()];
}

// The OpenAPI 3.1 document, derived from the same endpoints that serve requests, so that it is always accurate.

import { LICENSE, VERSION } from '../../../config.ts';
import { deprecationMarks, deprecationWords } from '../../../domain/catalog/deprecation.ts';
import type { Locale, Text } from '../../../kit/errors.ts';
import { type ApiEndpoint, isList } from '../../api/api-endpoints.ts';
import { categoryWords } from './category-words.ts';
import { hasEtag, headersOf, isShut, readerOf, refusalsOf, takesBody } from './endpoint-refusals.ts';
import { type Example, exampleOf } from './examples.ts';
import { componentsFor, parameterRef, refusalResponse, replyHeaders, unexpectedResponse } from './openapi-components.ts';
import { operationIdOf } from './openapi-names.ts';
import { type EndpointSchemas, type Part, schemasOf } from './openapi-schemas.ts';
import { webhooksOf } from './openapi-webhooks.ts';
import { pathWords, queryWords } from './param-words.ts';

export interface OpenApiOptions {
  readonly publicUrl: string;
  /** The endpoint's status on this deployment. */
  readonly isLive: (endpointId: string) => boolean;
  /** For examples that name a day to come. */
  readonly today: string;
  /** Limits the document to these endpoints. */
  readonly only?: (endpoint: ApiEndpoint) => boolean;
}

export function buildOpenApi(endpoints: readonly ApiEndpoint[], options: OpenApiOptions): Record<string, unknown> {
  const base = options.publicUrl.replace(/(?<!\/)\/+$/, '');
  const described = options.only === undefined ? endpoints : endpoints.filter(options.only);
  const { components } = schemasOf(endpoints);
  const paths: Record<string, Record<string, Part>> = {};
  for (const endpoint of described) {
    const path = `/${endpoint.path}`;
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = keptOperationOf(endpoints, endpoint, options);
  }
  const webhooks = webhooksOf(described, components);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Galeri API',
      version: VERSION,
      summary: 'Stock, customers, installment sales and collections of a vehicle dealer.',
      description: introduction(base),
      license: { name: LICENSE, identifier: LICENSE },
      contact: { name: 'Galeri', url: `${base}/docs` },
    },
    externalDocs: { description: 'Reference in English and Turkish', url: `${base}/docs` },
    servers: [{ url: `${base}/api/v1` }],
    security: [{ apiKey: [] }],
    tags: [...new Set(described.map(({ category }) => category))].map(tagOf),
    paths,
    ...(webhooks === null ? {} : { webhooks }),
    components: {
      ...componentsFor([...Object.values(paths).flatMap(Object.values<Part>), webhooks ?? {}], components),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of the dealer account: `Authorization: Bearer <API_KEY>`.',
        },
      },
    },
  };
}

function tagOf(category: string): Part {
  const { name, note } = categoryWords(category);
  return { name: category, description: note.en, 'x-name-tr': name.tr, 'x-description-tr': note.tr };
}

const kept = new WeakMap<readonly ApiEndpoint[], { readonly today: string; readonly operations: Map<string, Part> }>();

/** Descriptions for different keys share their operations, which take most of the work. They change with the release and the day. */
export function keptOperationOf(
  endpoints: readonly ApiEndpoint[],
  endpoint: ApiEndpoint,
  { isLive, today }: OpenApiOptions,
): Part {
  const ofDay = kept.get(endpoints);
  const operations = ofDay?.today === today ? ofDay.operations : new Map<string, Part>();
  if (ofDay?.operations !== operations) kept.set(endpoints, { today, operations });
  const [live, shut] = [isLive(endpoint.id), isShut(endpoint, { endpoints, isLive })];
  const key = `${endpoint.id} ${live} ${shut}`;
  const found = operations.get(key);
  if (found !== undefined) return found;
  const made = operationOf({ endpoint, endpoints, live, shut, schemas: schemasOf(endpoints).of.get(endpoint.id), today });
  operations.set(key, made);
  return made;
}

interface Described {
  readonly endpoint: ApiEndpoint;
  readonly endpoints: readonly ApiEndpoint[];
  readonly live: boolean;
  /** The endpoint answers 405 for now, because it is not live and the GET of its path is. */
  readonly shut: boolean;
  readonly schemas: EndpointSchemas | undefined;
  readonly today: string;
}

function operationOf(described: Described): Part {
  const { endpoint, live, shut, schemas, today } = described;
  const example = exampleOf(endpoint.id, today);
  return {
    operationId: operationIdOf(endpoint),
    tags: [endpoint.category],
    ...(endpoint.body?.deprecated && deprecationMarks(endpoint.body.deprecated)),
    summary: endpoint.name.en,
    ...descriptionsOf(endpoint, live, shut),
    'x-name-tr': endpoint.name.tr,
    'x-scope': endpoint.scope,
    'x-risk': endpoint.risk,
    'x-status': live ? 'Aktif' : 'Yakında',
    ...(endpoint.body?.emits === undefined ? {} : { 'x-emits': endpoint.body.emits }),
    parameters: parametersOf(described, example),
    ...(schemas !== undefined && takesBody(endpoint) ? { requestBody: requestBodyOf(endpoint, schemas, example) } : {}),
    responses: responsesOf(described, example),
  };
}

function descriptionsOf({ name, body }: ApiEndpoint, live: boolean, shut: boolean): Part {
  const [en, tr] = body?.about ?? [`${name.en}.`, `${name.tr}.`];
  const kinds = (body?.emits ?? []).map((kind) => `\`${kind}\``).join(', ');
  const gone = body?.deprecated && deprecationWords(body.deprecated);
  const english = [en, gone?.en, kinds && `Emits ${kinds}.`, live ? '' : comingSoon(shut)];
  const turkish = [tr, gone?.tr, kinds && `Olaylar: ${kinds}.`];
  return { description: english.filter(Boolean).join('\n\n'), 'x-description-tr': turkish.filter(Boolean).join('\n\n') };
}

const comingSoon = (shut: boolean): string =>
  `Coming soon (Yakında). The endpoint can be assigned to keys now; until it is opened it answers ${
    shut ? '405 `method_not_allowed`, as only GET is open on this path' : '501 `endpoint_not_active`'
  }.`;

function parametersOf({ endpoint, endpoints, schemas }: Described, example: Example | null): Part[] {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    ...wordsOf(pathWords(name!), null),
    schema: name!.endsWith('_id') ? { type: 'string', format: 'uuid' } : { type: 'string' },
    ...exampled(example?.params?.[name!]),
  }));
  const inQuery = Object.entries(endpoint.params).map(([name, { allowed, schema, required }]) => ({
    name,
    in: 'query',
    ...(required ? { required } : {}),
    // A long set of values is only in the schema, to keep the description readable.
    ...wordsOf(queryWords(name), [schema.enum ?? []].flat().length > 12 ? null : allowed),
    schema: schemas?.params[name] ?? schema,
    ...(required ? exampled(example?.query?.[name]) : {}),
  }));
  const conditional = hasEtag(endpoint) ? ['IfNoneMatch'] : endpoint.method === 'GET' ? [] : writeHeaders(endpoint, endpoints);
  return [...inPath, ...inQuery, ...[...conditional, 'AcceptLanguage'].map(parameterRef)];
}

const exampled = (example: unknown): Part => (example === undefined ? {} : { example });

/** What it is for, then what is allowed. */
function wordsOf(words: Text | null, allowed: Text | null): Part {
  const textIn = (locale: Locale) => [words?.[locale], allowed && sentence(allowed[locale], locale)].filter(Boolean).join(' ');
  return textIn('en') === '' ? {} : { description: textIn('en'), 'x-description-tr': textIn('tr') };
}

const sentence = (text: string, locale: Locale): string => `${text.charAt(0).toLocaleUpperCase(locale)}${text.slice(1)}.`;

const writeHeaders = (endpoint: ApiEndpoint, endpoints: readonly ApiEndpoint[]): string[] => [
  endpoint.body?.idempotency === 'required' ? 'RequiredIdempotencyKey' : 'IdempotencyKey',
  'DryRun',
  ...(readerOf(endpoint, endpoints) === undefined ? [] : ['IfMatch']),
];

function requestBodyOf(endpoint: ApiEndpoint, { json, form }: EndpointSchemas, example: Example | null): Part {
  const { bodySchema } = endpoint.body!;
  const inJson = json && { 'application/json': { schema: json, ...exampled(example?.body) } };
  const sent = example?.form && { 'x-example': { file: example.form.file, ...example.form.fields } };
  const inForm = form && { 'multipart/form-data': { schema: form, ...sent } };
  const required = bodySchema === undefined || endpoint.method === 'PATCH' || 'required' in bodySchema.schema;
  return { required, content: { ...inJson, ...inForm } };
}

function responsesOf({ endpoint, endpoints, live, shut, schemas }: Described, example: Example | null): Part {
  const found: Record<string, Part> = {};
  if (endpoint.body !== null && schemas !== undefined) {
    found[String(endpoint.body.successStatus ?? 200)] = replyOf(endpoint, endpoints, schemas, example);
    if (hasEtag(endpoint))
      found['304'] = { description: 'Nothing has changed since that `ETag`.', headers: replyHeaders('ETag') };
  }
  // An endpoint that is not implemented has no schema, only a description of its response.
  if (endpoint.body === null) found['200'] = { description: 'The answer; its shape is published with the endpoint.' };
  for (const [status, codes] of refusalsOf(endpoint, endpoints, { live, shut }))
    found[String(status)] = refusalResponse(status, codes);
  return { ...found, default: unexpectedResponse };
}

function replyOf(
  endpoint: ApiEndpoint,
  endpoints: readonly ApiEndpoint[],
  { reply }: EndpointSchemas,
  example: Example | null,
): Part {
  return {
    description: isList(endpoint.body) ? 'A page of the list.' : 'The answer.',
    headers: replyHeaders(...headersOf(endpoint, endpoints).answers),
    content: { 'application/json': { schema: reply, ...exampled(example?.reply) } },
  };
}

const introduction = (
  base: string,
): string => `HTTP and JSON over a vehicle dealer's own data. The reference with samples is at [/docs](${base}/docs).

**Authentication.** Every request carries \`Authorization: Bearer <API_KEY>\`. A key belongs to one dealer account and sees that
account's data only. It holds a set of endpoints, picked in the panel; an endpoint it does not hold answers 403 \`insufficient_scope\`.

**Status.** \`x-status\` is what is in force on this deployment: \`Aktif\` works; \`Yakında\` is catalogued, can be assigned to keys, and
answers 501 \`endpoint_not_active\` until it is opened.

**Limits.** 60 requests per minute and key unless agreed otherwise, counted over the trailing minute. Replies say what is left in
\`RateLimit\` and \`X-RateLimit-*\`; past the limit the answer is 429 with \`Retry-After\`. Hourly and daily limits are shown, not enforced.

**Errors.** One envelope: \`success\` false, \`error.code\` for programs, \`error.message\` for people (English, or Turkish under
\`Accept-Language: tr\`), \`meta.request_id\` for support, \`error.doc_url\` for what to do.
Codes may be added: for one that you do not know, decide by the HTTP status.

**Writing.** \`Idempotency-Key\` makes a write safe to repeat: the first reply comes again, byte for byte (its \`meta.request_id\` too), with
\`Idempotent-Replayed: true\`. \`X-Dry-Run: true\` runs every check and changes nothing; the reply carries \`Dry-Run: true\`.

**Versioning.** Fields, parameters and endpoints may be added at any time; ignore what you do not know. Breaking changes only come under
\`/api/v2\`. What will be removed is \`deprecated\` at least 12 months before, and replies that concern it have \`Deprecation\` and \`Sunset\`.
Every path is also reachable with the suffix \`.php\`.
`;

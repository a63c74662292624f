// The OpenAPI 3.1 document, derived from the same rows that serve requests, so that it is always accurate.
import { readFileSync } from 'node:fs';
import { answerOf, bodySchemaOf, formSchemaOf, type JsonSchema } from '../../domain/catalog/json-schema.ts';
import type { Body } from '../../kit/endpoint.ts';
import { type ApiRow, isList } from '../api/api-rows.ts';
import { categoryWords } from './category-words.ts';
import {
  componentsFor,
  createSchemaRegistry,
  ERROR_STATUSES,
  type Part,
  parameterRef,
  replyHeaders,
  responseRef,
  type SchemaRegistry,
  schemaRef,
} from './openapi-components.ts';
import { operationIdOf, schemaNameOf } from './openapi-names.ts';
import { keptPerRelease } from './per-release-cache.ts';

export interface OpenApiOptions {
  readonly publicUrl: string;
  /** The row's status on this deployment. */
  readonly isLive: (rowId: string) => boolean;
  /** Limits the document to these rows. */
  readonly only?: (row: ApiRow) => boolean;
}

const about = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
  license: string;
};

export function buildOpenApi(rows: readonly ApiRow[], options: OpenApiOptions): Record<string, unknown> {
  if (options.only !== undefined) return describe(rows, options);
  return keptPerRelease(rows, options.isLive, `openapi ${options.publicUrl}`, () => describe(rows, options));
}

function describe(rows: readonly ApiRow[], options: OpenApiOptions): Record<string, unknown> {
  const base = options.publicUrl.replace(/(?<!\/)\/+$/, '');
  const described = options.only === undefined ? rows : rows.filter(options.only);
  const registry = createSchemaRegistry();
  const openGets = new Set(rows.filter(({ id, method }) => method === 'GET' && options.isLive(id)).map(({ path }) => path));
  const paths: Record<string, Record<string, Part>> = {};
  for (const row of described) {
    const live = options.isLive(row.id);
    const operation = operationOf(row, live, !live && row.method !== 'GET' && openGets.has(row.path), registry);
    paths[`/${row.path}`] = { ...paths[`/${row.path}`], [row.method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Galeri API',
      version: about.version,
      summary: 'Stock, customers, installment sales and collections of a vehicle dealer.',
      description: introduction(base),
      license: { name: about.license, identifier: about.license },
    },
    externalDocs: { description: 'Reference in English and Turkish', url: `${base}/docs` },
    servers: [{ url: `${base}/api/v1` }],
    security: [{ apiKey: [] }],
    tags: [...new Set(described.map(({ category }) => category))].map(tagOf),
    paths,
    components: {
      ...componentsFor(paths, registry.schemas),
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

/** `shut`: the row answers 405 for now, because it is not live and the GET of its path is. */
function operationOf(row: ApiRow, live: boolean, shut: boolean, registry: SchemaRegistry): Part {
  const parameters = parametersOf(row);
  return {
    operationId: operationIdOf(row),
    tags: [row.category],
    summary: row.name.en,
    ...(live ? {} : { description: comingSoon(shut) }),
    'x-name-tr': row.name.tr,
    'x-scope': row.scope,
    'x-risk': row.risk,
    'x-status': live ? 'Aktif' : 'Yakında',
    parameters,
    ...(takesBody(row) ? { requestBody: requestBodyOf(row, registry) } : {}),
    responses: responsesOf(row, live, shut, registry),
  };
}

const comingSoon = (shut: boolean): string =>
  `Coming soon (Yakında). The endpoint can be assigned to keys now; until it is opened it answers ${
    shut ? '405 `method_not_allowed`, as only GET is open on this path' : '501 `endpoint_not_active`'
  }.`;

function parametersOf(row: ApiRow): Part[] {
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name!.endsWith('_id') ? { type: 'string', format: 'uuid' } : { type: 'string' },
  }));
  const inQuery = Object.entries(row.params).map(([name, { allowed, schema, required }]) => ({
    name,
    in: 'query',
    ...(required ? { required } : {}),
    description: allowed.en,
    schema,
  }));
  const conditional = hasEtag(row) ? ['IfNoneMatch'] : row.method === 'GET' ? [] : writeHeaders(row);
  return [...inPath, ...inQuery, ...[...conditional, 'AcceptLanguage'].map(parameterRef)];
}

const writeHeaders = ({ path, body }: ApiRow): string[] => [
  body?.idempotency === 'required' ? 'RequiredIdempotencyKey' : 'IdempotencyKey',
  'DryRun',
  ...(path.includes('{') ? ['IfMatch'] : []),
];

const hasEtag = ({ body, method }: ApiRow): boolean => body !== null && method === 'GET' && body.fresh !== true;

const takesBody = ({ body }: ApiRow): boolean => (body?.takes ?? body?.upload) !== undefined;

function requestBodyOf(row: ApiRow, registry: SchemaRegistry): Part {
  const id = operationIdOf(row);
  const { takes, upload } = row.body!;
  const name = `${id[0]!.toUpperCase()}${id.slice(1)}`;
  const json = takes && { 'application/json': { schema: registry.put(bodySchemaOf(takes), `${name}Request`) } };
  const form = upload && { 'multipart/form-data': { schema: registry.put(formSchemaOf(upload), `${name}Form`) } };
  return { required: takes === undefined || 'required' in takes.schema, content: { ...json, ...form } };
}

function responsesOf(row: ApiRow, live: boolean, shut: boolean, registry: SchemaRegistry): Part {
  const found: Record<string, Part> = {};
  if (row.body !== null) {
    found[String(row.body.answers ?? 200)] = replyOf(row, row.body, registry);
    if (hasEtag(row)) found['304'] = { description: 'Nothing has changed since that `ETag`.', headers: replyHeaders('ETag') };
  }
  for (const status of refusalsOf(row, live, shut)) found[String(status)] = responseRef(status);
  return { ...found, default: responseRef('default') };
}

/** The error statuses of this row. A row without a body refuses before it reads parameters. */
function refusalsOf(row: ApiRow, live: boolean, shut: boolean): number[] {
  const { body, method, path } = row;
  const always = [401, 403, 429, 503, ...(live ? [] : [501]), ...(shut ? [405] : [])];
  if (body === null) return always;
  const read = [400, ...(path.includes('{') ? [404] : [])];
  return [...always, ...read, ...(method === 'GET' ? [] : WRITE_REFUSALS), ...(takesBody(row) ? [413, 415] : [])];
}

const WRITE_REFUSALS = ERROR_STATUSES.filter((status) => [402, 409, 412, 422].includes(status));

function replyOf(row: ApiRow, body: Body, registry: SchemaRegistry): Part {
  const { wire, list } = answerOf(body);
  const item = registry.put(wire, schemaNameOf(row, list));
  const properties: Record<string, JsonSchema> = {
    success: { type: 'boolean', const: true },
    data: list ? { type: 'array', items: item } : item,
    meta: schemaRef(list ? 'ListMeta' : 'Meta'),
  };
  const schema = { type: 'object', required: Object.keys(properties), properties };
  return {
    description: isList(body) ? 'A page of the list.' : 'The answer.',
    headers: replyHeaders(...(hasEtag(row) ? ['ETag'] : []), ...(isList(body) ? ['Link'] : [])),
    content: { 'application/json': { schema } },
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
\`Accept-Language: tr\`), \`meta.request_id\` for support. The list of codes is closed.

**Versioning.** Fields, parameters and endpoints may be added at any time; ignore what you do not know. Breaking changes only come under
\`/api/v2\`. Every path is also reachable with the suffix \`.php\`.
`;

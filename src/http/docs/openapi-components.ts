// The components that all operations share: headers, the envelope, one response for each error status.
import { type JsonSchema, SCHEMAS, type WireSchema } from '../../domain/catalog/json-schema.ts';
import { ERRORS, type ErrorCode } from '../../kit/errors.ts';

export type Part = Readonly<Record<string, unknown>>;

const text: Part = { type: 'string' };
const integer: Part = { type: 'integer' };
const ref = (kind: string, name: string): Part => ({ $ref: `#/components/${kind}/${name}` });

export const responseRef = (status: number | 'default'): Part => ref('responses', nameOfStatus(status));
export const schemaRef = (name: string): Part => ref('schemas', name);
export const parameterRef = (name: string): Part => ref('parameters', name);

const headerRefs = (...names: string[]): Part => Object.fromEntries(names.map((name) => [name, ref('headers', keyOf(name))]));
const keyOf = (header: string): string => header.replaceAll('-', '');

const LIMIT_HEADERS = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

/** Headers of every reply to a valid key within its limit. */
export const replyHeaders = (...more: string[]): Part => headerRefs('X-Request-Id', ...LIMIT_HEADERS, ...more);

const HEADERS: Readonly<Record<string, { description: string; schema: Part; example?: unknown }>> = {
  'X-Request-Id': { description: 'Names this request in the request log and in support.', schema: text },
  'RateLimit-Policy': {
    description: 'The limit in force: `q` requests in `w` seconds.',
    schema: text,
    example: '"minute";q=60;w=60',
  },
  RateLimit: {
    description: 'What is left: `r` requests, and `t` seconds until the oldest counted request leaves the window.',
    schema: text,
    example: '"minute";r=41;t=23',
  },
  'X-RateLimit-Limit': { description: 'Requests per minute this key may make.', schema: integer, example: 60 },
  'X-RateLimit-Remaining': { description: 'Requests left in the trailing minute.', schema: integer, example: 41 },
  'X-RateLimit-Reset': { description: 'When the oldest counted request leaves the window, in epoch seconds.', schema: integer },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: { ...integer, minimum: 1 }, example: 12 },
  ETag: { description: 'Version of the answer; send it back in `If-None-Match`.', schema: text },
  Link: { description: 'Addresses of the next and the previous page (RFC 8288); absent where there is none.', schema: text },
  Allow: { description: 'The methods that are open on this path.', schema: text, example: 'GET' },
  'WWW-Authenticate': { description: 'Always `Bearer`.', schema: text, example: 'Bearer' },
};

function idempotencyKey(required: boolean): Part {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required,
    description:
      'A value of your own for this operation. Sent again within 30 days, it answers the first reply with `Idempotent-Replayed: true` instead of doing it twice.',
    schema: { ...text, minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  };
}

const PARAMETERS: Readonly<Record<string, Part>> = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier answer; where it still holds, the reply is 304 without a body.',
    schema: text,
  },
  IdempotencyKey: idempotencyKey(false),
  RequiredIdempotencyKey: idempotencyKey(true),
  DryRun: {
    name: 'X-Dry-Run',
    in: 'header',
    description: 'Runs every check and answers what would be, then undoes it; the reply carries `Dry-Run: true`.',
    schema: { ...text, enum: ['true'] },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` of the record as you read it; if it has changed since, nothing is done and the reply is 412.',
    schema: text,
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    description: 'Language of error messages. Codes never change.',
    schema: { ...text, examples: ['tr'], default: 'en' },
  },
};

/** Statuses of the closed list, in order. */
export const ERROR_STATUSES = [...new Set(Object.values(ERRORS).map(({ status }) => status as number))].sort((a, b) => a - b);
/** Errors that any request may get; they are described once, as `default`. */
const BELOW_ROUTING = [414, 431, 500];

const STATUS_WORDS: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ['BadRequest', 'A parameter or the request itself is not acceptable; nothing is clamped or guessed.'],
  401: ['Unauthorized', 'No key, or one that cannot be used.'],
  402: ['PaymentRequired', 'The balance does not cover this.'],
  403: ['Forbidden', 'The key may not do this.'],
  404: ['NotFound', 'No such record in this account.'],
  405: ['MethodNotAllowed', 'This method is not open on this path.'],
  409: ['Conflict', 'The present state does not allow this.'],
  412: ['PreconditionFailed', 'The record has changed since it was read.'],
  413: ['PayloadTooLarge', 'The request body is too large.'],
  415: ['UnsupportedMediaType', 'The request body is not of a type this endpoint takes.'],
  422: ['UnprocessableContent', 'Some fields are not valid; `error.details` names each.'],
  429: ['TooManyRequests', 'Too many requests in the trailing minute; wait as long as `Retry-After` says.'],
  501: ['ComingSoon', 'The endpoint is coming soon (Yakında): it can be assigned to keys, but does not work yet.'],
  503: ['ServiceUnavailable', 'The service cannot answer right now; retry shortly.'],
};

const nameOfStatus = (status: number | 'default'): string =>
  status === 'default' ? 'Unexpected' : (STATUS_WORDS[status]?.[0] ?? `Status${status}`);

const codesOf = (...statuses: number[]): ErrorCode[] =>
  (Object.keys(ERRORS) as ErrorCode[]).filter((code) => statuses.includes(ERRORS[code].status));

const HEADERS_OF: Readonly<Record<number, Part>> = {
  401: headerRefs('X-Request-Id', 'WWW-Authenticate'),
  405: replyHeaders('Allow'),
  429: replyHeaders('Retry-After'),
  503: replyHeaders('Retry-After'),
};

function errorResponse(description: string, codes: readonly ErrorCode[], headers: Part): Part {
  const error = {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'string', enum: codes },
      message: { type: 'string', description: 'For people, in the language asked for.' },
      param: { type: 'string', description: 'The parameter at fault.' },
      required_scope: { type: 'string', description: 'The scope the key lacks.' },
      details: { type: 'array', items: schemaRef('ErrorDetail') },
    },
  };
  const schema = {
    type: 'object',
    required: ['success', 'error', 'meta'],
    properties: { success: { type: 'boolean', const: false }, error, meta: schemaRef('Meta') },
  };
  return { description, headers, content: { 'application/json': { schema } } };
}

function errorResponses(): Record<string, Part> {
  const made: Record<string, Part> = {};
  for (const status of ERROR_STATUSES.filter((each) => !BELOW_ROUTING.includes(each))) {
    const description = STATUS_WORDS[status]?.[1] ?? `Refused with ${status}.`;
    made[nameOfStatus(status)] = errorResponse(description, codesOf(status), HEADERS_OF[status] ?? replyHeaders());
  }
  made[nameOfStatus('default')] = errorResponse(
    'A refusal that any request can meet, whatever the endpoint: an address or headers that are too long, or a fault on our side.',
    codesOf(...BELOW_ROUTING),
    headerRefs('X-Request-Id'),
  );
  return made;
}

const ENVELOPE: Readonly<Record<string, JsonSchema>> = {
  Meta: {
    type: 'object',
    required: ['request_id', 'timestamp', 'api_version'],
    properties: {
      request_id: { type: 'string', pattern: '^req_', description: 'Same as the header `X-Request-Id`.' },
      timestamp: { type: 'string', format: 'date-time', description: 'ISO 8601 with an explicit offset.' },
      api_version: { type: 'string', const: 'v1' },
    },
  },
  ListMeta: {
    type: 'object',
    required: ['limit', 'offset', 'count'],
    properties: {
      limit: { type: 'integer' },
      offset: { type: 'integer' },
      count: { type: 'integer', description: 'Records in this reply.' },
    },
  },
  ErrorDetail: {
    type: 'object',
    required: ['field', 'code', 'message'],
    properties: { field: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
  },
};

export interface SchemaRegistry {
  /** The reference to a row's shape; equal shapes share one component. */
  put(wire: WireSchema, name: string): Part;
  readonly schemas: Record<string, JsonSchema>;
}

export function createSchemaRegistry(): SchemaRegistry {
  const schemas: Record<string, JsonSchema> = { ...ENVELOPE };
  const byText = new Map<string, string>();
  const register = (schema: JsonSchema, wanted: string): Part => {
    const shape = JSON.stringify(schema);
    const held = byText.get(shape);
    if (held !== undefined) return schemaRef(held);
    let name = wanted;
    for (let number = 2; Object.hasOwn(schemas, name); number += 1) name = `${wanted}${number}`;
    schemas[name] = schema;
    byText.set(shape, name);
    return schemaRef(name);
  };
  return {
    schemas,
    put: ({ root, named }, name) => {
      // Named schemas keep their own name, because references use it, even where another shape wanted the same name.
      for (const [own, schema] of Object.entries(named)) {
        if (schemas[own] !== undefined && JSON.stringify(schemas[own]) !== JSON.stringify(schema)) {
          throw new Error(`two different schemas are called ${own}`);
        }
        schemas[own] = schema;
        byText.set(JSON.stringify(schema), own);
      }
      return typeof root.$ref === 'string' ? schemaRef(root.$ref.slice(SCHEMAS.length)) : register(root, name);
    },
  };
}

/** The shared components that the paths refer to, directly or not. */
export function componentsFor(paths: unknown, schemas: Readonly<Record<string, JsonSchema>>): Part {
  const headers = Object.fromEntries(Object.entries(HEADERS).map(([name, part]) => [keyOf(name), part]));
  const all: Record<string, Readonly<Record<string, unknown>>> = {
    schemas,
    responses: errorResponses(),
    parameters: PARAMETERS,
    headers,
  };
  const used: Record<string, Record<string, unknown>> = {};
  const follow = (node: unknown): void => {
    for (const [, kind, name] of JSON.stringify(node).matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)) {
      if (used[kind!]?.[name!] !== undefined) continue;
      used[kind!] = { ...used[kind!], [name!]: all[kind!]![name!] };
      follow(all[kind!]![name!]);
    }
  };
  follow(paths);
  const sorted = Object.keys(all).map((kind) => {
    return [
      kind,
      Object.fromEntries(Object.keys(all[kind]!).flatMap((name) => (used[kind]?.[name] ? [[name, used[kind][name]]] : []))),
    ];
  });
  return Object.fromEntries(sorted);
}

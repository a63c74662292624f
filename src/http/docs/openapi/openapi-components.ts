// The components that all operations share: headers, header parameters, error responses.
import type { JsonSchema } from '../../../domain/catalog/json-schema.ts';
import { ERRORS, type ErrorCode } from '../../../kit/errors.ts';
import { EVERYWHERE } from './endpoint-refusals.ts';
import { type Part, schemaRef } from './openapi-schemas.ts';
import { refusalExample } from './refusal-examples.ts';

const text: Part = { type: 'string' };
const integer: Part = { type: 'integer' };
const ref = (kind: string, name: string): Part => ({ $ref: `#/components/${kind}/${name}` });

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

/** Headers of every response to a valid key within its limit. */
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
  ETag: { description: 'Version of the response; send it back in `If-None-Match`, or in `If-Match` of a write.', schema: text },
  Link: { description: 'Addresses of the next and the previous page (RFC 8288); absent where there is none.', schema: text },
  Deprecation: {
    description: 'The date since which the endpoint, or a field of the request or response, is deprecated (RFC 9745).',
    schema: text,
    example: '@1793491200',
  },
  Sunset: {
    description: 'The earliest date on which it can be removed (RFC 8594).',
    schema: text,
    example: 'Mon, 01 Nov 2027 00:00:00 GMT',
  },
  Location: { description: 'URL of the new record.', schema: text },
  Allow: { description: 'The methods that are open on this path.', schema: text, example: 'GET' },
  'WWW-Authenticate': { description: 'Always `Bearer`.', schema: text, example: 'Bearer' },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored first response to the same `Idempotency-Key`, byte for byte; otherwise absent.',
    schema: text,
  },
  'Dry-Run': {
    description: '`true` if nothing was changed because the request had `X-Dry-Run: true`; otherwise absent.',
    schema: text,
  },
};

function idempotencyKey(required: boolean): Part {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required,
    description:
      'A unique value that you choose for this operation. A repeated request with the same value within 30 days returns the first response with `Idempotent-Replayed: true`; the operation is not repeated.',
    schema: { ...text, minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    ...(required ? { example: 'collection-2026-10-02-0001' } : {}),
  };
}

/** An optional one has no default and no example, because tools that generate requests would send it. */
const PARAMETERS: Readonly<Record<string, Part>> = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body.',
    schema: text,
  },
  IdempotencyKey: idempotencyKey(false),
  RequiredIdempotencyKey: idempotencyKey(true),
  DryRun: {
    name: 'X-Dry-Run',
    in: 'header',
    description:
      '`true` runs all checks, returns what the real request would return, and changes nothing; the response has `Dry-Run: true`. `false` has the same effect as no header. Other values are rejected.',
    schema: { ...text, pattern: '^(true|false)$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the record as you read it. If the record has changed since, nothing is written and the response is 412.',
    schema: text,
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    description: 'Language of error messages: English, or Turkish with `tr`. Codes never change.',
    schema: text,
  },
};

const STATUS_WORDS: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ['BadRequest', 'A parameter or the request is not valid. Values are never clamped or guessed.'],
  401: ['Unauthorized', 'The key is missing or cannot be used.'],
  402: ['PaymentRequired', 'The balance is too low.'],
  403: ['Forbidden', 'The key or the account is not allowed to do this.'],
  404: ['NotFound', 'The record does not exist in this account.'],
  405: ['MethodNotAllowed', 'This method is not available on this path.'],
  409: ['Conflict', 'The current state does not allow this.'],
  412: ['PreconditionFailed', 'The record has changed since it was read.'],
  413: ['PayloadTooLarge', 'The request body is too large.'],
  415: ['UnsupportedMediaType', 'The endpoint does not accept this content type.'],
  422: ['UnprocessableContent', 'The request is not valid; `error.details` lists the invalid fields.'],
  429: ['TooManyRequests', 'Too many requests in the last 60 seconds; wait for the number of seconds in `Retry-After`.'],
  501: ['ComingSoon', 'The endpoint is coming soon (Yakında): it can be assigned to keys but is not available yet.'],
  503: ['ServiceUnavailable', 'The service is temporarily unavailable; retry shortly.'],
};

const HEADERS_OF: Readonly<Record<number, Part>> = {
  401: headerRefs('X-Request-Id', 'WWW-Authenticate'),
  405: replyHeaders('Allow'),
  429: replyHeaders('Retry-After'),
  503: replyHeaders('Retry-After'),
};

/** The codes are in the description for people and in `x-error-codes` for programs. */
function errorResponse(description: string, codes: readonly ErrorCode[], headers: Part): Part {
  const list = codes.map((code) => `- \`${code}\`: ${ERRORS[code].en}`).join('\n');
  return {
    description: `${description}\n\n${list}`,
    headers,
    content: { 'application/json': { schema: schemaRef('ErrorResponse'), examples: examplesOf(codes) } },
    'x-error-codes': codes,
  };
}

const examplesOf = (codes: readonly ErrorCode[]): Part =>
  Object.fromEntries(codes.map((code) => [code, { value: refusalExample(code) }]));

const responseOf = (status: number, codes: readonly ErrorCode[]): Part =>
  errorResponse(STATUS_WORDS[status]?.[1] ?? `Error ${status}.`, codes, headersOfRefusal(status, codes));

/** State-based errors of a write are replayed for its key; a write that is still running returns Retry-After. */
function headersOfRefusal(status: number, codes: readonly ErrorCode[]): Part {
  const replayed = REPLAYED.has(status) && codes.some((code) => OF_WRITES.has(code));
  const running = codes.includes('idempotency_in_progress');
  const more = [...(running ? ['Retry-After'] : []), ...(replayed ? ['Idempotent-Replayed'] : [])];
  return more.length > 0 ? replyHeaders(...more) : (HEADERS_OF[status] ?? replyHeaders());
}

const REPLAYED: ReadonlySet<number> = new Set([402, 403, 409, 422]);
const OF_WRITES: ReadonlySet<ErrorCode> = new Set(['account_suspended', 'idempotency_in_progress', 'idempotency_key_reused']);

/** Sets of codes that many endpoints share are components; other responses are inline. */
const SHARED: Readonly<Record<string, readonly ErrorCode[]>> = {
  Unauthorized: ['key_missing', 'key_malformed', 'key_invalid', 'key_revoked', 'key_expired'],
  Forbidden: ['ip_not_allowed', 'insufficient_scope'],
  ForbiddenWrite: ['ip_not_allowed', 'insufficient_scope', 'account_suspended', 'sandbox_read_only'],
  UnknownParameter: ['unknown_parameter'],
  BadRequest: ['unknown_parameter', 'invalid_parameter'],
  BadWriteRequest: ['unknown_parameter', 'invalid_parameter', 'idempotency_key_invalid'],
  BadBodyRequest: ['unknown_parameter', 'invalid_parameter', 'invalid_json', 'idempotency_key_invalid'],
  NotFound: ['not_found'],
  MethodNotAllowed: ['method_not_allowed'],
  Conflict: ['idempotency_in_progress'],
  PreconditionFailed: ['precondition_failed'],
  PayloadTooLarge: ['payload_too_large'],
  UnsupportedMediaType: ['unsupported_media_type'],
  IdempotencyKeyReused: ['idempotency_key_reused'],
  UnprocessableContent: ['validation_failed', 'idempotency_key_reused'],
  TooManyRequests: ['rate_limit_exceeded', 'too_many_failed_attempts'],
  ComingSoon: ['endpoint_not_active'],
  ServiceUnavailable: ['service_unavailable'],
};

const SHARED_NAMES = new Map(Object.entries(SHARED).map(([name, codes]) => [codes.join(), name]));

/** The response for a status with these error codes. */
export function refusalResponse(status: number, codes: readonly ErrorCode[]): Part {
  const shared = SHARED_NAMES.get(codes.join());
  return shared === undefined ? responseOf(status, codes) : ref('responses', shared);
}

export const unexpectedResponse: Part = ref('responses', 'Unexpected');

const RESPONSES: Readonly<Record<string, Part>> = {
  ...Object.fromEntries(Object.entries(SHARED).map(([name, codes]) => [name, responseOf(ERRORS[codes[0]!].status, codes)])),
  Unexpected: errorResponse(
    'Errors that any request can return: a URL or headers that are too long, or an internal error.',
    EVERYWHERE,
    headerRefs('X-Request-Id'),
  ),
};

const references = new WeakMap<object, readonly (readonly [kind: string, name: string])[]>();

/** The components that a part refers to. Kept, because descriptions for different keys share their parts. */
function referencesOf(part: object): readonly (readonly [kind: string, name: string])[] {
  const known = references.get(part);
  if (known !== undefined) return known;
  const found = [...JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)].map(
    ([, kind, name]) => [kind!, name!] as const,
  );
  references.set(part, found);
  return found;
}

/** The shared components that the paths refer to, directly or not. */
export function componentsFor(roots: readonly object[], schemas: Readonly<Record<string, JsonSchema>>): Part {
  const headers = Object.fromEntries(Object.entries(HEADERS).map(([name, part]) => [keyOf(name), part]));
  const all: Record<string, Readonly<Record<string, unknown>>> = {
    schemas,
    responses: RESPONSES,
    parameters: PARAMETERS,
    headers,
  };
  const used: Record<string, Record<string, unknown>> = {};
  const follow = (node: object): void => {
    for (const [kind, name] of referencesOf(node)) {
      used[kind] ??= {};
      if (used[kind][name] !== undefined) continue;
      used[kind][name] = all[kind]![name];
      follow(all[kind]![name] as object);
    }
  };
  roots.forEach(follow);
  const sorted = Object.keys(all).map((kind) => {
    return [
      kind,
      Object.fromEntries(Object.keys(all[kind]!).flatMap((name) => (used[kind]?.[name] ? [[name, used[kind][name]]] : []))),
    ];
  });
  return Object.fromEntries(sorted);
}

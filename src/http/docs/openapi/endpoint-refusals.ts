// The refusals an endpoint can make, by status: those of every endpoint from where they are made, those of its own work as the endpoint says.
import { deprecatedFieldsOf } from '../../../domain/catalog/deprecation.ts';
import { needsAuthorization } from '../../../domain/keys/key-policy.ts';
import type { Body } from '../../../kit/endpoint.ts';
import { ERRORS, type ErrorCode } from '../../../kit/errors.ts';
import { type ApiEndpoint, isList } from '../../api/api-endpoints.ts';
import { readerOfAnswer } from '../../api/path-record.ts';

export interface EndpointState {
  readonly live: boolean;
  /** The endpoint answers 405 for now, because it is not live and the GET of its path is. */
  readonly shut: boolean;
}

/** Errors that any request may get; they are described once, as `default`. */
export const EVERYWHERE: readonly ErrorCode[] = ['account_moved', 'uri_too_long', 'headers_too_large', 'internal_error'];

/** Errors in the form of a request, common to all endpoints; other errors get a line of their own. */
const COMMON: ReadonlySet<ErrorCode> = new Set([
  ...(['key_missing', 'key_malformed', 'key_invalid', 'key_revoked', 'key_expired', 'ip_not_allowed'] as const),
  ...(['insufficient_scope', 'account_suspended', 'sandbox_read_only', 'rate_limit_exceeded'] as const),
  ...(['too_many_failed_attempts', 'service_unavailable', 'unknown_parameter', 'invalid_json', 'payload_too_large'] as const),
  ...(['unsupported_media_type', 'idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_in_progress'] as const),
]);
export const isCommon = (code: ErrorCode): boolean => COMMON.has(code);

/** The endpoint answers 405 for now, because it is not live and the GET of its path is. */
export const isShut = (
  { id, method, path }: ApiEndpoint,
  { endpoints, isLive }: { readonly endpoints: readonly ApiEndpoint[]; readonly isLive: (endpointId: string) => boolean },
): boolean =>
  !isLive(id) && method !== 'GET' && endpoints.some((other) => other.method === 'GET' && other.path === path && isLive(other.id));

/** The headers of its own that an endpoint takes and answers with; those of every reply (limits, request id) are not among them. */
export function headersOf(endpoint: ApiEndpoint, endpoints: readonly ApiEndpoint[]): { takes: string[]; answers: string[] } {
  if (endpoint.body === null) return { takes: [], answers: [] };
  if (endpoint.method === 'GET') {
    const tagged = hasEtag(endpoint);
    return {
      takes: tagged ? ['If-None-Match'] : [],
      answers: [...(tagged ? ['ETag'] : []), ...(isList(endpoint.body) ? ['Link'] : []), ...ofDeprecation(endpoint.body)],
    };
  }
  const reader = readerOfAnswer(endpoints, endpoint);
  return {
    takes: ['Idempotency-Key', 'X-Dry-Run', ...(readerOf(endpoint, endpoints) === undefined ? [] : ['If-Match'])],
    answers: [
      ...(reader !== undefined && hasEtag(reader) ? ['ETag'] : []),
      ...(endpoint.body.successStatus === 201 ? ['Location'] : []),
      'Idempotent-Replayed',
      'Dry-Run',
      ...ofDeprecation(endpoint.body),
    ],
  };
}

function ofDeprecation(body: Body): string[] {
  const { taken, answered } = deprecatedFieldsOf(body);
  return body.deprecated === undefined && taken.length + answered.length === 0 ? [] : ['Deprecation', 'Sunset'];
}

export const takesBody = ({ body }: ApiEndpoint): boolean => (body?.bodySchema ?? body?.upload) !== undefined;

/** Its replies to GET carry an ETag. */
export const hasEtag = ({ body, method }: ApiEndpoint): boolean => body !== null && method === 'GET' && body.fresh !== true;

/** The read whose ETag `If-Match` is compared with: the one of the same path, or of the record that an action belongs to. */
export function readerOf(endpoint: ApiEndpoint, endpoints: readonly ApiEndpoint[]): ApiEndpoint | undefined {
  if (endpoint.method === 'GET' || !endpoint.path.includes('{')) return undefined;
  const paths = [endpoint.path, endpoint.path.slice(0, endpoint.path.lastIndexOf('/'))];
  return paths
    .map((path) => endpoints.find((other) => other.method === 'GET' && other.path === path))
    .find((reader) => reader !== undefined && hasEtag(reader) && !isList(reader.body));
}

export function refusalsOf(
  endpoint: ApiEndpoint,
  endpoints: readonly ApiEndpoint[],
  state: EndpointState,
): Map<number, ErrorCode[]> {
  const codes = [...outside(endpoint, state), ...(endpoint.body === null ? [] : inside(endpoint, endpoints))];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const status = endpoint.body?.refusesAs?.[code] ?? ERRORS[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/** Before the endpoint is reached: key, address, limit, policy, release. */
function outside({ id, method }: ApiEndpoint, { live, shut }: EndpointState): ErrorCode[] {
  return [
    'key_missing',
    'key_malformed',
    'key_invalid',
    'key_revoked',
    'key_expired',
    'ip_not_allowed',
    'insufficient_scope',
    ...(method === 'GET' ? [] : (['account_suspended', 'sandbox_read_only'] as const)),
    ...(needsAuthorization(id) ? (['special_authorization_required'] as const) : []),
    ...(shut ? (['method_not_allowed'] as const) : []),
    'rate_limit_exceeded',
    'too_many_failed_attempts',
    ...(live ? [] : (['endpoint_not_active'] as const)),
    'service_unavailable',
  ];
}

/** From the form of the request to the endpoint's own work. */
function inside(endpoint: ApiEndpoint, endpoints: readonly ApiEndpoint[]): ErrorCode[] {
  const { body, method, path, params } = endpoint;
  const found: ErrorCode[] = ['unknown_parameter'];
  if (Object.keys(params).length > 0 || method !== 'GET') found.push('invalid_parameter');
  if (path.includes('{')) found.push('not_found');
  if (takesBody(endpoint)) found.push('payload_too_large', 'unsupported_media_type', 'validation_failed');
  if (body?.bodySchema !== undefined) found.push('invalid_json');
  if (method !== 'GET') {
    if (body?.idempotency === 'required') found.push('idempotency_key_required');
    found.push('idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_in_progress');
    if (readerOf(endpoint, endpoints) !== undefined) found.push('precondition_failed');
  }
  return [...found, ...(body?.refuses ?? [])];
}

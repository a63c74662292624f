// The refusals a row can make, by status: those of every row from where they are made, those of its own work as the row says.
import { needsAuthorization } from '../../../domain/keys/key-policy.ts';
import { ERRORS, type ErrorCode } from '../../../kit/errors.ts';
import { type ApiRow, isList } from '../../api/api-rows.ts';
import { readerOfAnswer } from '../../api/path-record.ts';

export interface RowState {
  readonly live: boolean;
  /** The row answers 405 for now, because it is not live and the GET of its path is. */
  readonly shut: boolean;
}

/** Errors that any request may get; they are described once, as `default`. */
export const EVERYWHERE: readonly ErrorCode[] = ['uri_too_long', 'headers_too_large', 'internal_error'];

/** Errors that follow from how a request is made, whatever the endpoint; the others are worth a line of their own. */
const COMMON: ReadonlySet<ErrorCode> = new Set([
  ...(['key_missing', 'key_malformed', 'key_invalid', 'key_revoked', 'key_expired', 'ip_not_allowed'] as const),
  ...(['insufficient_scope', 'account_suspended', 'sandbox_read_only', 'rate_limit_exceeded'] as const),
  ...(['too_many_failed_attempts', 'service_unavailable', 'unknown_parameter', 'invalid_json', 'payload_too_large'] as const),
  ...(['unsupported_media_type', 'idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_in_progress'] as const),
]);
export const isCommon = (code: ErrorCode): boolean => COMMON.has(code);

/** The row answers 405 for now, because it is not live and the GET of its path is. */
export const isShut = (
  { id, method, path }: ApiRow,
  { rows, isLive }: { readonly rows: readonly ApiRow[]; readonly isLive: (rowId: string) => boolean },
): boolean =>
  !isLive(id) && method !== 'GET' && rows.some((other) => other.method === 'GET' && other.path === path && isLive(other.id));

/** The headers of its own that a row takes and answers with; those of every reply (limits, request id) are not among them. */
export function headersOf(row: ApiRow, rows: readonly ApiRow[]): { takes: string[]; answers: string[] } {
  if (row.body === null) return { takes: [], answers: [] };
  if (row.method === 'GET') {
    const tagged = hasEtag(row);
    return {
      takes: tagged ? ['If-None-Match'] : [],
      answers: [...(tagged ? ['ETag'] : []), ...(isList(row.body) ? ['Link'] : [])],
    };
  }
  const reader = readerOfAnswer(rows, row);
  return {
    takes: ['Idempotency-Key', 'X-Dry-Run', ...(readerOf(row, rows) === undefined ? [] : ['If-Match'])],
    answers: [
      ...(reader !== undefined && hasEtag(reader) ? ['ETag'] : []),
      ...(row.body.answers === 201 ? ['Location'] : []),
      'Idempotent-Replayed',
      'Dry-Run',
    ],
  };
}

export const takesBody = ({ body }: ApiRow): boolean => (body?.takes ?? body?.upload) !== undefined;

/** Its replies to GET carry an ETag. */
export const hasEtag = ({ body, method }: ApiRow): boolean => body !== null && method === 'GET' && body.fresh !== true;

/** The read whose ETag `If-Match` is compared with: of the same path, or of the record that an action stands under. */
export function readerOf(row: ApiRow, rows: readonly ApiRow[]): ApiRow | undefined {
  if (row.method === 'GET' || !row.path.includes('{')) return undefined;
  const paths = [row.path, row.path.slice(0, row.path.lastIndexOf('/'))];
  return paths
    .map((path) => rows.find((other) => other.method === 'GET' && other.path === path))
    .find((reader) => reader !== undefined && hasEtag(reader) && !isList(reader.body));
}

export function refusalsOf(row: ApiRow, rows: readonly ApiRow[], state: RowState): Map<number, ErrorCode[]> {
  const codes = [...outside(row, state), ...(row.body === null ? [] : inside(row, rows))];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const status = row.body?.refusesAs?.[code] ?? ERRORS[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/** Before the row is reached: key, address, limit, policy, release. */
function outside({ id, method }: ApiRow, { live, shut }: RowState): ErrorCode[] {
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

/** From the form of the request to the row's own work. */
function inside(row: ApiRow, rows: readonly ApiRow[]): ErrorCode[] {
  const { body, method, path, params } = row;
  const found: ErrorCode[] = ['unknown_parameter'];
  if (Object.keys(params).length > 0 || method !== 'GET') found.push('invalid_parameter');
  if (path.includes('{')) found.push('not_found');
  if (takesBody(row)) found.push('payload_too_large', 'unsupported_media_type', 'validation_failed');
  if (body?.takes !== undefined) found.push('invalid_json');
  if (method !== 'GET') {
    if (body?.idempotency === 'required') found.push('idempotency_key_required');
    found.push('idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_in_progress');
    if (readerOf(row, rows) !== undefined) found.push('precondition_failed');
  }
  return [...found, ...(body?.refuses ?? [])];
}

// Errors of the client: replies that refuse a request, replies that are not the API's, and requests without a reply.
import type { KnownErrorCode } from './generated.ts';

/** Nothing was answered; of a write it is not known whether it happened: send it again with the same idempotency key. */
export class ConnectionFailed extends Error {}

/** Codes may be added at any time: for one that you do not know, decide by the status. */
export type ErrorCode = KnownErrorCode | 'unreadable_reply' | (string & {});

export interface ErrorDetail {
  readonly field: string;
  readonly code: string;
  readonly message: string;
  /** The probable correct name of a misspelt field. */
  readonly suggestion?: string;
  /** The other record that has this value, if the key may read it. */
  readonly record_id?: string;
}

interface WireError {
  readonly code?: string;
  readonly message?: string;
  readonly param?: string;
  readonly details?: readonly ErrorDetail[];
  readonly required_scope?: string;
  readonly doc_url?: string;
}

/** `code` never changes; the message is for people. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  /** The parameter or header at fault. */
  readonly param: string | null;
  readonly details: readonly ErrorDetail[];
  /** The scope that the key lacks. */
  readonly requiredScope: string | null;
  /** Seconds to wait before the same request is sent again. */
  readonly retryAfter: number | null;
  /** The page about this code: what it means and what to do. */
  readonly docUrl: string | null;
  /** To be named when you ask for help. */
  readonly requestId: string | null;

  constructor(response: Response, error: WireError) {
    super(`${response.status} ${error.code}: ${error.message}${inBrackets(error.details)}`);
    this.name = new.target.name;
    this.status = response.status;
    this.code = error.code ?? 'unreadable_reply';
    this.param = error.param ?? null;
    this.details = error.details ?? [];
    this.requiredScope = error.required_scope ?? null;
    this.retryAfter = secondsOf(response.headers.get('retry-after'));
    this.docUrl = error.doc_url ?? null;
    this.requestId = response.headers.get('x-request-id');
  }
}
/** What is wrong with the first fields, so that a log shows it. */
function inBrackets(details: readonly ErrorDetail[] = []): string {
  const texts = details.slice(0, 5).map(({ field, message }) => (message.includes(field) ? message : `${field}: ${message}`));
  return texts.length === 0 ? '' : ` (${texts.join('; ')}${details.length > 5 ? '; …' : ''})`;
}

export class Unauthorized extends ApiError {}
export class NotAllowed extends ApiError {}
export class NotFound extends ApiError {}
export class Conflict extends ApiError {}
export class InvalidRequest extends ApiError {}
export class TooManyRequests extends ApiError {}
/** The reply is not the API's: a page of a proxy, of a login, of another server. */
export class NotTheApi extends ApiError {}

const KINDS = new Map<number, typeof ApiError>([
  ...[400, 413, 415, 422].map((status) => [status, InvalidRequest] as const),
  ...[402, 403].map((status) => [status, NotAllowed] as const),
  ...[409, 412].map((status) => [status, Conflict] as const),
  [401, Unauthorized],
  [404, NotFound],
  [429, TooManyRequests],
]);

export function errorOf(response: Response, envelope: unknown): ApiError {
  const { error } = (envelope ?? {}) as { error?: WireError };
  if (error === undefined) return notTheApi(response, '');
  const Kind = KINDS.get(response.status) ?? ApiError;
  return new Kind(response, error);
}

/** Names what was received instead of JSON, so that it is not taken for a fault of the API. */
export function notTheApi(response: Response, text: string): NotTheApi {
  const type = response.headers.get('content-type')?.split(';')[0] ?? 'no content type';
  const title = /<title>([^<]{1,100})/i.exec(text)?.[1]?.trim();
  const location = response.headers.get('location');
  const what = [type, title && `"${title}"`, location && `to ${location}`].filter(Boolean).join(', ');
  const message = `the reply is not the API's (${what}); it probably comes from a proxy in between, or the address is wrong`;
  return new NotTheApi(response, { code: 'unreadable_reply', message });
}

/** Seconds, or a date. */
function secondsOf(header: string | null): number | null {
  if (header === null || header.trim() === '') return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

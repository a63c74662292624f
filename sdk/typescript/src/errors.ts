// Errors of the client: replies that refuse a request, and requests without a reply.

/** Nothing was answered; of a write it is not known whether it happened: send it again with the same idempotency key. */
export class ConnectionFailed extends Error {}

export interface ErrorDetail {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** `code` never changes; the message is for people. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly details: readonly ErrorDetail[];
  /** To be named when you ask for help. */
  readonly requestId: string | null;

  constructor(status: number, error: Partial<ApiError>, requestId: string | null) {
    super(`${status} ${error.code}: ${error.message}`);
    this.name = new.target.name;
    this.status = status;
    this.code = error.code ?? 'unreadable_reply';
    this.param = error.param ?? null;
    this.details = error.details ?? [];
    this.requestId = requestId;
  }
}
export class Unauthorized extends ApiError {}
export class NotAllowed extends ApiError {}
export class NotFound extends ApiError {}
export class Conflict extends ApiError {}
export class InvalidRequest extends ApiError {}
export class TooManyRequests extends ApiError {}

const KINDS = new Map<number, typeof ApiError>([
  ...[400, 413, 415, 422].map((status) => [status, InvalidRequest] as const),
  ...[402, 403].map((status) => [status, NotAllowed] as const),
  ...[409, 412].map((status) => [status, Conflict] as const),
  [401, Unauthorized],
  [404, NotFound],
  [429, TooManyRequests],
]);

export function errorOf(response: Response, envelope: unknown): ApiError {
  const { error = {} } = (envelope ?? {}) as { error?: Partial<ApiError> };
  const Kind = KINDS.get(response.status) ?? ApiError;
  return new Kind(response.status, error, response.headers.get('x-request-id'));
}

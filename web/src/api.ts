// The panel's own door: JSON on /panel/api, one envelope. A call gives its data or throws an ApiError; nothing else.
import { preferences } from './preferences.ts';

export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly FieldProblem[];
  readonly requestId: string | null;

  constructor(status: number, code: string, message: string, details: readonly FieldProblem[], requestId: string | null) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }

  /** What is wrong with one field of a form, as the server says it. */
  of(field: string): string | undefined {
    return this.details.find((problem) => problem.field === field)?.message;
  }
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  /** Null where the server does not count. */
  readonly total: number | null;
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface Reply {
  readonly data: unknown;
  readonly meta: { readonly limit?: number; readonly offset?: number; readonly total?: number; readonly has_more?: boolean };
  /** Catalog rows say in the Link header whether more follows, the panel's own in `meta`. */
  readonly linksNext: boolean;
  readonly etag: string | null;
}

/** A record and the tag of the state it was read in: a write that carries it as If-Match is refused once the record is another. */
export interface Tagged<T> {
  readonly data: T;
  readonly etag: string | null;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Set by the session when it is read; every change of state carries it. */
let csrfToken = '';
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** Asks for the password again; true once it was right. The dialog in the shell puts itself here. */
let askPassword: () => Promise<boolean> = async () => false;
export function onReauthentication(ask: () => Promise<boolean>): void {
  askPassword = ask;
}

export function get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  return dataOf<T>(send({ method: 'GET', path, query, signal }));
}

export async function getTagged<T>(path: string, signal?: AbortSignal): Promise<Tagged<T>> {
  const { data, etag } = await send({ method: 'GET', path, signal });
  return { data: data as T, etag };
}

/** A list with limit and offset. */
export async function getPage<T>(path: string, query?: Query, signal?: AbortSignal): Promise<Page<T>> {
  const { data, meta, linksNext } = await send({ method: 'GET', path, query, signal });
  const { limit = 0, offset = 0, total = null, has_more: hasMore = linksNext } = meta;
  return { items: data as T[], limit, offset, hasMore, total };
}

export function post<T>(path: string, body: unknown = {}, headers?: Readonly<Record<string, string>>): Promise<T> {
  return dataOf<T>(send({ method: 'POST', path, body, headers }));
}

export function patch<T>(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<T> {
  return dataOf<T>(send({ method: 'PATCH', path, body, headers }));
}

export function del<T>(path: string, body: unknown = {}, headers?: Readonly<Record<string, string>>): Promise<T> {
  return dataOf<T>(send({ method: 'DELETE', path, body, headers }));
}

async function dataOf<T>(reply: Promise<Reply>): Promise<T> {
  return (await reply).data as T;
}

async function send(call: Call): Promise<Reply> {
  try {
    return await once(call);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) return signIn();
    if (error.code === 'reauthentication_required' && (await askPassword())) return once(call);
    throw error;
  }
}

async function once({ method, path, query, body, headers, signal }: Call): Promise<Reply> {
  const changes = method !== 'GET';
  const response = await fetch(`/panel/api/${path}${queryText(query)}`, {
    method,
    credentials: 'same-origin',
    headers: {
      ...(changes ? { 'Content-Type': 'application/json', ...changeHeaders() } : { 'Accept-Language': preferences().locale }),
      ...headers,
    },
    ...(changes ? { body: JSON.stringify(body) } : {}),
    ...(signal ? { signal } : {}),
  });
  const text = response.status === 204 ? '' : await response.text();
  const requestId = response.headers.get('X-Request-Id');
  const envelope = envelopeOf(text);
  if (!response.ok) throw refusal(response.status, envelope, requestId);
  const linksNext = /rel="?next"?/.test(response.headers.get('Link') ?? '');
  return { data: envelope.data, meta: envelope.meta ?? {}, linksNext, etag: response.headers.get('ETag') };
}

interface Envelope {
  readonly data?: unknown;
  readonly meta?: Reply['meta'] & { readonly request_id?: string };
  readonly error?: { readonly code?: string; readonly message?: string; readonly details?: readonly FieldProblem[] };
}

/** What every change of state carries, whatever it is made of. */
export const changeHeaders = (): Readonly<Record<string, string>> => ({
  'Accept-Language': preferences().locale,
  'X-CSRF-Token': csrfToken,
});

export const envelopeOf = (text: string): Envelope => (text.startsWith('{') ? JSON.parse(text) : {});

export function refusal(status: number, { error, meta }: Envelope, requestId: string | null): ApiError {
  const { code = 'internal_error', message = `HTTP ${status}`, details = [] } = error ?? {};
  return new ApiError(status, code, message, details, meta?.request_id ?? requestId);
}

/** The query as text with its question mark; what is empty is left out. */
export function queryText(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

let leavesToSignIn = false;
/** A form that keeps what was typed does not hold the page back then. */
export const isLeavingToSignIn = (): boolean => leavesToSignIn;

/** The session has ended: sign in, then come back here. The promise stays open while the page is left. */
export function signIn(): Promise<never> {
  leavesToSignIn = true;
  location.assign(`/panel/giris?next=${encodeURIComponent(location.pathname + location.search)}`);
  return new Promise(() => {});
}

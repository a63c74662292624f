// Calls to /panel/api, or /panel/api/sandbox in the sandbox: JSON in one envelope. A call names its endpoint and returns its data or throws an ApiError.
import { notReached, reached } from './connection.ts';
import type {
  BodyOf,
  DataEndpoint,
  DataOf,
  EndpointName,
  GetEndpoint,
  ItemOf,
  ListEndpoint,
  Only,
  ParamsOf,
  QueryOf,
  RawBody,
} from './endpoints.ts';
import { apiPath } from './environment.ts';
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

  /** The server's message for one field of a form. */
  of(field: string): string | undefined {
    return this.details.find((problem) => problem.field === field)?.message;
  }
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  /** Null where the server does not count the whole list. */
  readonly total: number | null;
}

interface Reply {
  readonly data: unknown;
  readonly meta: { readonly limit?: number; readonly offset?: number; readonly total?: number; readonly has_more?: boolean };
  /** Catalog endpoints say in the Link header whether more follows, the panel's own in `meta`. */
  readonly linksNext: boolean;
  readonly etag: string | null;
}

/** A record and its ETag: a write that sends it as If-Match is refused if the record has changed since. */
export interface Tagged<T> {
  readonly data: T;
  readonly etag: string | null;
}

type Values = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A call without its types, after they have been checked. */
interface Call {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Values;
  readonly body?: unknown;
  readonly rawBody?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Params<Id extends EndpointName> = [keyof ParamsOf<Id>] extends [never]
  ? { readonly params?: never }
  : { readonly params: ParamsOf<Id> };
type Query<Id extends EndpointName, Q> =
  Record<never, never> extends QueryOf<Id>
    ? { readonly query?: (Q & Only<Q, QueryOf<Id>>) | undefined }
    : { readonly query: Q & Only<Q, QueryOf<Id>> };
/** `body` has the endpoint's types; `rawBody` has its names, and values that the server validates. */
type Body<Id extends EndpointName, B, R> = [BodyOf<Id>] extends [undefined]
  ? { readonly body?: never; readonly rawBody?: never }
  :
      | { readonly rawBody: R & Only<R, RawBody<Id>>; readonly body?: never }
      | (Record<never, never> extends BodyOf<Id>
          ? { readonly body?: B & Only<B, BodyOf<Id>>; readonly rawBody?: never }
          : { readonly body: B & Only<B, BodyOf<Id>>; readonly rawBody?: never });

type Options<Id extends EndpointName, Q, B, R> = Params<Id> & Query<Id, Q> & Body<Id, B, R> & Pick<Call, 'headers' | 'signal'>;

/** Endpoints that can be called by their name alone. */
type Bare<Id extends EndpointName> = Record<never, never> extends Options<Id, QueryOf<Id>, BodyOf<Id>, RawBody<Id>> ? Id : never;

/** Set when the session is read; every request that is not a GET sends it. */
let csrfToken = '';
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** Asks for the password again; true once it was right. The dialog in the shell registers itself here. */
type AskPassword = () => Promise<boolean>;
let register: (ask: AskPassword) => void;
// A screen may need the password before the dialog's code is fetched.
let dialog = new Promise<AskPassword>((resolve) => {
  register = resolve;
});
export function onReauthentication(ask: AskPassword): void {
  register(ask);
  dialog = Promise.resolve(ask);
}

let asked: Promise<boolean> | null = null;
/** Requests that need it at the same time wait for one answer. */
export function passwordAgain(): Promise<boolean> {
  asked ??= dialog
    .then((ask) => ask())
    .finally(() => {
      asked = null;
    });
  return asked;
}

/** `call('GET v1/vehicles/{vehicle_id}', { params: { vehicle_id }, signal })`: the reply's data. */
export function call<Id extends DataEndpoint>(endpoint: Bare<Id>): Promise<DataOf<Id>>;
export function call<Id extends DataEndpoint, Q extends QueryOf<Id>, B extends BodyOf<Id>, R extends RawBody<Id>>(
  endpoint: Id,
  options: Options<Id, Q, B, R>,
): Promise<DataOf<Id>>;
export async function call(endpoint: DataEndpoint, options: Call = {}): Promise<unknown> {
  return (await send(endpoint, options)).data;
}

/** The same with the ETag for `If-Match`. */
export async function callTagged<Id extends Extract<DataEndpoint, GetEndpoint>, Q extends QueryOf<Id>, B extends BodyOf<Id>>(
  endpoint: Id,
  options: Options<Id, Q, B, never>,
): Promise<Tagged<DataOf<Id>>> {
  const { data, etag } = await send(endpoint, options as Call);
  return { data: data as DataOf<Id>, etag };
}

/** A page of a list. */
export async function callPage<Id extends ListEndpoint, Q extends QueryOf<Id>, B extends BodyOf<Id>>(
  endpoint: Id,
  options: Options<Id, Q, B, never>,
): Promise<Page<ItemOf<Id>>> {
  const { data, meta, linksNext } = await send(endpoint, options as Call);
  const { limit = 0, offset = 0, total = null, has_more: hasMore = linksNext } = meta;
  return { items: data as ItemOf<Id>[], limit, offset, hasMore, total };
}

/** The address of an endpoint, for a download, a stream or an upload. */
export function addressOf<Id extends EndpointName, Q extends QueryOf<Id>>(
  endpoint: Id,
  options: Params<Id> & Query<Id, Q>,
): string {
  return addressed(endpoint, options as Call)[1];
}

/** Method and address of a call whose types were checked before. */
export const addressed = (endpoint: EndpointName, { params = {}, query }: Call): readonly [method: string, address: string] => {
  const [method = '', path = ''] = endpoint.split(' ');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
  return [method, `${apiPath()}/${filled}${queryText(query)}`];
};

async function send(endpoint: EndpointName, call: Call): Promise<Reply> {
  try {
    return await once(endpoint, call);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) return signIn();
    if (error.code === 'reauthentication_required' && (await passwordAgain())) return once(endpoint, call);
    throw error;
  }
}

/** Requested by `start.js`, by address, while this code was still being fetched. */
const early = (globalThis as { galeriReplies?: Map<string, Promise<Response | null>> }).galeriReplies;

/** Each reply is used once. */
function takeEarly(address: string): Promise<Response | null> | null {
  const reply = early?.get(address) ?? null;
  early?.delete(address);
  return reply;
}

async function once(endpoint: EndpointName, call: Call): Promise<Reply> {
  const { body = call.rawBody ?? {}, headers, signal } = call;
  const [method, address] = addressed(endpoint, call);
  const changes = method !== 'GET';
  // After a write, replies to earlier requests may be out of date.
  if (changes) early?.clear();
  const ready = changes ? null : await takeEarly(address);
  const request = ready
    ? Promise.resolve(ready)
    : fetch(address, {
        method,
        credentials: 'same-origin',
        headers: {
          ...(changes ? { 'Content-Type': 'application/json', ...changeHeaders() } : { 'Accept-Language': preferences().locale }),
          ...headers,
        },
        ...(changes ? { body: JSON.stringify(body) } : {}),
        ...(signal ? { signal } : {}),
      });
  const response = await request.catch((error: unknown) => {
    notReached(error);
    throw error;
  });
  reached();
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

/** Headers of every request that is not a GET. */
export const changeHeaders = (): Readonly<Record<string, string>> => ({
  'Accept-Language': preferences().locale,
  'X-CSRF-Token': csrfToken,
});

export const envelopeOf = (text: string): Envelope => (text.startsWith('{') ? JSON.parse(text) : {});

export function refusal(status: number, { error, meta }: Envelope, requestId: string | null): ApiError {
  const { code = 'internal_error', message = `HTTP ${status}`, details = [] } = error ?? {};
  return new ApiError(status, code, message, details, meta?.request_id ?? requestId);
}

/** The query as text with its question mark, without empty values. */
function queryText(query: Values = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}

let leavesToSignIn = false;
const keepers = new Set<() => void>();
/** Forms without a draft store their values now, because the page is left without asking. */
export function beforeSignIn(keep: () => void): () => void {
  keepers.add(keep);
  return () => keepers.delete(keep);
}

/** Forms keep a draft then and do not ask before the page is left. */
export const isLeavingToSignIn = (): boolean => leavesToSignIn;

/** The session has ended: goes to the sign-in page, which comes back here. The promise never settles, because the page is left. */
export function signIn(): Promise<never> {
  leaveToSignIn(`/panel/giris?bitti=1&next=${encodeURIComponent(location.pathname + location.search)}`);
  return new Promise(() => {});
}

/** Once: several requests may find at the same time that the session has ended, and a second navigation would cut off the first. */
export function leaveToSignIn(path: string): void {
  if (leavesToSignIn) return;
  leavesToSignIn = true;
  for (const keep of keepers) keep();
  location.assign(path);
}

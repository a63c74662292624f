// Client of the Galeri API. Paths, parameters, bodies and replies are typed by `schema.d.ts`, which is generated from /openapi.json.
import { ApiError, ConnectionFailed, errorOf } from './errors.ts';
import { Sandbox } from './sandbox.ts';
import type { paths } from './schema.d.ts';

export interface GaleriOptions {
  readonly key: string;
  /** `https://galeri.example` */
  readonly url: string;
  readonly language?: 'en' | 'tr';
  /** How often a request is sent again after a 429, a 503 or a broken connection (4). */
  readonly maxRetries?: number;
  readonly timeoutMs?: number;
}

type Method = 'get' | 'post' | 'patch' | 'delete';
/** The paths that have the method. */
export type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];
type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;

type PathParams<O> = O extends { parameters: { path: infer Given } } ? Given : never;
type Query<O> = O extends { parameters: { query?: infer Given } } ? Given : never;
type Body<O> = O extends { requestBody?: { content: { 'application/json': infer Given } } } ? Given : never;
type Success<O> = O extends { responses: infer Replies } ? Replies[keyof Replies & (200 | 201 | 202)] : never;
/** What an endpoint answers, without the envelope. */
export type Data<P extends keyof paths, M extends Method> =
  Success<Operation<P, M>> extends { content: { 'application/json': { data: infer Given } } } ? Given : never;
type Item<T> = T extends readonly (infer One)[] ? One : never;
type Named<K extends string, T> = [T] extends [never] ? { readonly [Name in K]?: undefined } : { readonly [Name in K]: T };
type Optional<K extends string, T> = [T] extends [never] ? { readonly [Name in K]?: undefined } : { readonly [Name in K]?: T };

export type ReadInput<O> = Named<'params', PathParams<O>> & Optional<'query', Query<O>> & { readonly signal?: AbortSignal };
export type WriteInput<O> = Named<'params', PathParams<O>> & Optional<'body', Body<O>> & WriteOptions;
export interface WriteOptions {
  /** Your own name for the operation, where it must survive the end of your program; otherwise one is made up for each call. */
  readonly idempotencyKey?: string;
  /** Every check is made and the would-be result answered; nothing is written. */
  readonly dryRun?: boolean;
  /** The ETag of the record as it was read: a record that has changed since is refused with 412. */
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
}

export interface Reply<T> {
  readonly status: number;
  readonly data: T;
  readonly headers: Headers;
  readonly etag: string | null;
  /** True where the key had been answered before. */
  readonly isReplayed: boolean;
}

interface Sent {
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

const API = '/api/v1';
const SANDBOX = '/sandbox/v1';
/** A move of the clock returns when everything that was due on the way is done. */
const SANDBOX_TIMEOUT_MS = 180_000;

const RETRIED = [429, 502, 503, 504];

export class Galeri {
  readonly #options: Required<GaleriOptions>;
  /** The isolated sandbox of the account: reset, clock, rules, messages. Only with a sandbox key, on services that have it. */
  readonly sandbox: Sandbox;

  constructor(options: GaleriOptions) {
    if (options.key === '') throw new TypeError('the key is empty');
    const url = new URL(options.url).href.replace(/\/$/, '');
    this.#options = { language: 'en', maxRetries: 4, timeoutMs: 30_000, ...options, url };
    this.sandbox = new Sandbox((path, { query, body } = {}) => {
      const timeoutMs = Math.max(this.#options.timeoutMs, SANDBOX_TIMEOUT_MS);
      const sent = { query, body, timeoutMs };
      const headers = { 'Idempotency-Key': crypto.randomUUID() };
      return body === undefined
        ? this.#send('GET', `${SANDBOX}${path}`, sent)
        : this.#send('POST', `${SANDBOX}${path}`, { ...sent, headers });
    });
  }

  get<P extends PathsWith<'get'>>(path: P, ...[input]: Argument<ReadInput<Operation<P, 'get'>>>): Promise<Reply<Data<P, 'get'>>> {
    return this.#send('GET', `${API}${path}`, input as Sent);
  }

  /**
   * Every record of a list, by a cursor: records that exist during the whole walk come exactly once. With `updated_since`: every record that
   * changed since, oldest change first, at least once.
   */
  async *each<P extends PathsWith<'get'>>(
    path: P,
    ...[input]: Argument<ReadInput<Operation<P, 'get'>>>
  ): AsyncGenerator<Item<Data<P, 'get'>>, void, undefined> {
    const { query = {}, ...rest } = (input ?? {}) as Sent;
    let cursor: string | null = 'start';
    while (cursor !== null) {
      const reply: Reply<Data<P, 'get'>> = await this.#send('GET', `${API}${path}`, {
        ...rest,
        query: { limit: 100, ...query, cursor },
      });
      yield* reply.data as Item<Data<P, 'get'>>[];
      cursor = nextCursor(reply.headers);
    }
  }

  post<P extends PathsWith<'post'>>(
    path: P,
    ...[input]: Argument<WriteInput<Operation<P, 'post'>>>
  ): Promise<Reply<Data<P, 'post'>>> {
    return this.#write('POST', path, input);
  }

  patch<P extends PathsWith<'patch'>>(
    path: P,
    ...[input]: Argument<WriteInput<Operation<P, 'patch'>>>
  ): Promise<Reply<Data<P, 'patch'>>> {
    return this.#write('PATCH', path, input);
  }

  delete<P extends PathsWith<'delete'>>(
    path: P,
    ...[input]: Argument<WriteInput<Operation<P, 'delete'>>>
  ): Promise<Reply<Data<P, 'delete'>>> {
    return this.#write('DELETE', path, input);
  }

  #write<T>(method: string, path: string, input: object = {}): Promise<Reply<T>> {
    const { idempotencyKey = crypto.randomUUID(), dryRun = false, ifMatch, ...rest } = input as WriteOptions;
    const headers: Record<string, string> = { 'Idempotency-Key': idempotencyKey };
    if (dryRun) headers['X-Dry-Run'] = 'true';
    if (ifMatch !== undefined) headers['If-Match'] = ifMatch;
    return this.#send(method, `${API}${path}`, { ...(rest as Sent), headers });
  }

  /** The same request until it is answered: a write carries one key for all tries, so that it happens once. */
  async #send<T>(method: string, path: string, sent: Sent = {}): Promise<Reply<T>> {
    for (let tries = 0; ; tries += 1) {
      let failure: Error;
      let waitMs = 2 ** tries * (50 + Math.random() * 50);
      try {
        const { response, envelope } = await this.#sendOnce(method, path, sent);
        if (response.ok) return toReply(response, envelope as { data: T });
        failure = errorOf(response, envelope);
        const mayRetry = RETRIED.includes(response.status) || (failure as ApiError).code === 'idempotency_in_progress';
        if (!mayRetry) throw failure;
        const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
        if (Number.isFinite(retryAfter)) waitMs = Math.min(60, Math.max(1, retryAfter)) * 1000;
      } catch (error) {
        if (error instanceof ApiError || sent.signal?.aborted) throw error;
        failure = new ConnectionFailed(`no answer from ${this.#options.url}`, { cause: error });
      }
      if (tries >= this.#options.maxRetries) throw failure;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  async #sendOnce(method: string, path: string, { params, query, body, headers, signal, timeoutMs }: Sent) {
    const { key, url, language } = this.#options;
    const limit = AbortSignal.timeout(timeoutMs ?? this.#options.timeoutMs);
    const response = await fetch(`${url}${filled(path, params)}${search(query)}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        Accept: 'application/json',
        'Accept-Language': language,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'manual',
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    // A truncated reply counts as no reply.
    return { response, envelope: (await response.json()) as unknown };
  }
}

type Argument<T> = Record<never, never> extends T ? [given?: T] : [given: T];

function filled(path: string, params: object = {}): string {
  const values = params as Record<string, unknown>;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (values[name] === undefined) throw new TypeError(`${name} of ${path} is missing`);
    return encodeURIComponent(String(values[name]));
  });
}

function search(query: object = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

function nextCursor(headers: Headers): string | null {
  const found = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '');
  return found === null ? null : new URL(found[1]!, 'http://x').searchParams.get('cursor');
}

const toReply = <T>({ status, headers }: Response, { data }: { data: T }): Reply<T> => ({
  status,
  data,
  headers,
  etag: headers.get('etag'),
  isReplayed: headers.get('idempotent-replayed') === 'true',
});

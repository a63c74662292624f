// Client of the Galeri API. Paths, parameters, bodies and replies are typed by `schema.d.ts`, which is generated from /openapi.json.
import { type ApiError, ConnectionFailed, errorOf, notTheApi } from './errors.ts';
import { Sandbox } from './sandbox.ts';
import type {
  Argument,
  CallOptions,
  Data,
  FileInput,
  Item,
  ListPaths,
  Operation,
  PathsWith,
  ReadInput,
  Reply,
  WalkInput,
  WriteInput,
  WriteOptions,
} from './types.ts';
import { VERSION } from './version.ts';

export interface GaleriOptions {
  readonly key: string;
  /** `https://galeri.example`, with or without `/api/v1`. */
  readonly url: string;
  readonly language?: 'en' | 'tr';
  /** How often a request is sent again after a 429, a 500, 502, 503 or 504, or a broken connection (4). */
  readonly maxRetries?: number;
  /** For each attempt (30,000). */
  readonly timeoutMs?: number;
  /** Instead of the global one: with a proxy, with a pool of connections, in a test. */
  readonly fetch?: typeof globalThis.fetch;
  /** Named in the User-Agent before the client itself: `our-erp/4.2`. */
  readonly userAgent?: string;
  readonly hooks?: Hooks;
}

/** Called for each attempt, for logs and measurements. The key is in none of them. */
export interface Hooks {
  readonly onRequest?: (attempt: Attempt) => void;
  readonly onReply?: (
    attempt: Attempt & { readonly status: number; readonly requestId: string | null; readonly ms: number },
  ) => void;
  readonly onRetry?: (attempt: Attempt & { readonly failure: Error; readonly waitMs: number }) => void;
}

export interface Attempt {
  readonly method: string;
  readonly url: string;
  /** From 1. */
  readonly attempt: number;
}

interface Sent extends CallOptions {
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Record<string, string>;
}

const API = '/api/v1';
const SANDBOX = '/sandbox/v1';
/** A move of the clock returns when everything that was due on the way is done. */
const SANDBOX_TIMEOUT_MS = 180_000;

const RETRIED = [429, 500, 502, 503, 504];
const MAX_WAIT_MS = 60_000;

export class Galeri {
  readonly #options: Required<GaleriOptions>;
  /** The isolated sandbox of the account: reset, clock, rules, messages. Only with a sandbox key, on services that have it. */
  readonly sandbox: Sandbox;

  constructor(options: GaleriOptions) {
    if (!options.key) throw new TypeError('the key is empty');
    if (!/^https?:\/\//.test(options.url)) throw new TypeError('url begins with http:// or https://');
    // The documentation shows the base URL with the path of the API.
    const url = new URL(options.url).href.replace(/\/$/, '').replace(/\/api\/v1$/, '');
    const presets = { language: 'en', maxRetries: 4, timeoutMs: 30_000, userAgent: '', hooks: {} } as const;
    this.#options = { ...presets, fetch: (...args) => globalThis.fetch(...args), ...options, url };
    this.sandbox = new Sandbox((path, { query, body } = {}) => {
      const timeoutMs = Math.max(this.#options.timeoutMs, SANDBOX_TIMEOUT_MS);
      const sent = { query, body, timeoutMs };
      const headers = { 'Idempotency-Key': crypto.randomUUID() };
      return body === undefined
        ? this.#answer('GET', `${SANDBOX}${path}`, sent)
        : this.#answer('POST', `${SANDBOX}${path}`, { ...sent, headers });
    });
  }

  get<P extends PathsWith<'get'>>(path: P, ...[input]: Argument<ReadInput<Operation<P, 'get'>>>): Promise<Reply<Data<P, 'get'>>> {
    return this.#answer('GET', `${API}${path}`, input as Sent);
  }

  /** A conditional read: null while the reply still has this ETag. */
  async getIfChanged<P extends PathsWith<'get'>>(
    path: P,
    etag: string | null,
    ...[input]: Argument<ReadInput<Operation<P, 'get'>>>
  ): Promise<Reply<Data<P, 'get'>> | null> {
    const headers: Record<string, string> = etag === null ? {} : { 'If-None-Match': etag };
    return this.#send('GET', `${API}${path}`, { ...(input as Sent), headers });
  }

  /**
   * Every record of a list, by a cursor: records that exist during the whole walk come exactly once. With `updated_since`: every record that
   * changed since, oldest change first, at least once.
   */
  async *each<P extends ListPaths>(
    path: P,
    ...[input]: Argument<WalkInput<Operation<P, 'get'>>>
  ): AsyncGenerator<Item<Data<P, 'get'>>, void, undefined> {
    const { query = {}, ...rest } = (input ?? {}) as Sent;
    let cursor: string | null = 'start';
    while (cursor !== null) {
      const reply: Reply<Data<P, 'get'>> = await this.#answer('GET', `${API}${path}`, {
        ...rest,
        // Records with others in them come on shorter pages.
        query: { limit: 'include' in query ? 50 : 100, ...query, cursor },
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
    return this.#answer(method, `${API}${path}`, { ...(rest as Sent), headers });
  }

  async #answer<T>(method: string, path: string, sent?: Sent): Promise<Reply<T>> {
    return (await this.#send<T>(method, path, sent))!;
  }

  /** The same request until it is answered: a write carries one key for all tries, so that it happens once. Null: not modified. */
  async #send<T>(method: string, path: string, sent: Sent = {}): Promise<Reply<T> | null> {
    const { hooks, maxRetries } = this.#options;
    const url = `${this.#options.url}${filled(path, sent.params)}${search(sent.query)}`;
    for (let attempt = 1; ; attempt += 1) {
      const about = { method, url, attempt };
      let failure: Error;
      let waitMs = 2 ** (attempt - 1) * (50 + Math.random() * 50);
      try {
        const { response, envelope } = await this.#sendOnce(about, sent);
        if (response.status === 304) return null;
        if (envelope instanceof Error) failure = envelope;
        else if (response.ok) return toReply(response, envelope as { data: T });
        else failure = errorOf(response, envelope);
        const { code, retryAfter } = failure as ApiError;
        if (!RETRIED.includes(response.status) && code !== 'idempotency_in_progress') throw failure;
        if (retryAfter !== null) waitMs = Math.min(MAX_WAIT_MS, Math.max(1, retryAfter) * 1000);
      } catch (error) {
        // What a hook throws, or the caller's own signal, ends the call.
        if (!(error instanceof ConnectionFailed)) throw error;
        failure = error;
      }
      if (attempt > maxRetries) throw failure;
      hooks.onRetry?.({ ...about, failure, waitMs });
      await pause(waitMs, sent.signal);
    }
  }

  async #sendOnce(about: Attempt, { body, form, headers, signal, timeoutMs }: Sent) {
    const { key, language, hooks, fetch } = this.#options;
    const limit = AbortSignal.timeout(timeoutMs ?? this.#options.timeoutMs);
    hooks.onRequest?.(about);
    const began = performance.now();
    const sending = fetch(about.url, {
      method: about.method,
      headers: {
        Authorization: `Bearer ${key}`,
        Accept: 'application/json',
        'Accept-Language': language,
        'User-Agent': this.#userAgent(),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: form !== undefined ? toForm(form) : body === undefined ? null : JSON.stringify(body),
      redirect: 'manual',
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    const { response, text } = await sending
      .then(async (answered) => ({ response: answered, text: await answered.text() }))
      .catch((cause) => {
        throw signal?.aborted ? cause : new ConnectionFailed(`no answer from ${this.#options.url}`, { cause });
      });
    const ms = performance.now() - began;
    hooks.onReply?.({ ...about, status: response.status, requestId: response.headers.get('x-request-id'), ms });
    return { response, envelope: readEnvelope(response, text) };
  }

  #userAgent(): string {
    return [this.#options.userAgent, `galeri-typescript/${VERSION}`].filter(Boolean).join(' ');
  }
}

/** A truncated reply counts as no reply; another server's reply is a refusal of its own. */
function readEnvelope(response: Response, text: string): unknown {
  if (response.status === 304) return null;
  if (!/^application\/json\b/i.test(response.headers.get('content-type') ?? '')) return notTheApi(response, text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectionFailed('the reply is cut off', { cause });
  }
}

function toForm(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    if (name !== 'file') form.set(name, String(value));
    else addFile(form, value as FileInput);
  }
  return form;
}

function addFile(form: FormData, file: FileInput): void {
  if (file instanceof Blob) {
    form.set('file', file, 'name' in file ? String(file.name) : 'file');
    return;
  }
  form.set('file', new Blob([file.data], file.type === undefined ? {} : { type: file.type }), file.name);
}

/** Ends early where the caller gives up. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

function filled(path: string, params: object = {}): string {
  const values = params as Record<string, unknown>;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (values[name] === undefined) throw new TypeError(`${name} of ${path} is missing`);
    return encodeURIComponent(String(values[name]));
  });
}

function search(query: object = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(entries.map(([name, value]): [string, string] => [name, toText(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** Times in UTC; a list is separated by commas. */
const toText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

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
  requestId: headers.get('x-request-id'),
});

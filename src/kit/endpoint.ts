// An endpoint of the catalog: method, path, scope, risk and names describe it; its body defines its input, its output and its work.
import type { Db, InLog } from './db.ts';
import type { ErrorCode, Locale } from './errors.ts';
import type { NewFile, UploadedFile } from './file.ts';
import type { JsonPieces } from './json-pieces.ts';
import type { Page, Paging } from './page.ts';
import type { listParams, Params, ParamValues } from './params.ts';
import type { Of, Schema, Shape } from './schema.ts';
import type { CallingAccount, Work } from './work.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Risk = 'read' | 'write' | 'destructive' | 'sensitive';
export type Status = 'Aktif' | 'Yakında';

// biome-ignore format: one list, as the specification gives it
export const SCOPE_RESOURCES = [
  'account', 'vehicles', 'customers', 'guarantors', 'sales', 'installments', 'collections', 'documents', 'payment-promises',
  'promissory-notes', 'tasks', 'network-offers', 'trade-requests', 'network-auctions', 'marketplace', 'auction-requests',
  'live-auctions', 'membership', 'wallet', 'boost', 'notifications', 'exchange-rates', 'reports', 'import', 'webhooks', 'developer',
] as const;
export type Scope = `${(typeof SCOPE_RESOURCES)[number]}:${'read' | 'write'}`;

/** The names of a path's parameters, from its own text: 'vehicles/{vehicle_id}' → 'vehicle_id'. */
export type PathParam<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParam<Rest> : never;

export type GrantedEndpoint = Readonly<{ method: Method; path: string; live: boolean }>;

/** The key of a request, as far as a body may know it. */
export interface CallingKey {
  readonly id: string;
  readonly name: string;
  readonly environment: 'production' | 'sandbox';
  readonly prefix: string;
  readonly expires_at: string | null;
  readonly limit_per_minute: number;
  readonly limit_per_hour: number | null;
  readonly limit_per_day: number | null;
  readonly endpoint_count: number;
  readonly allowed_ip_count: number;
  /** A function, because most endpoints never need it. */
  grants(): { readonly scopes: readonly Scope[]; readonly special_authorizations: readonly string[] };
  endpoints(): readonly GrantedEndpoint[];
}

/** How an endpoint reads its JSON body: the values to store, or an error that names every fault (domain/records/fields.ts). */
export interface BodyReader<In> {
  read(input: Readonly<Record<string, unknown>>, moment: { readonly today: string; readonly timeZone: string }): In;
  /** The JSON value of a text part of a form. */
  fromText(name: string, text: string): unknown;
  /** JSON Schema, for the reference. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A form with one part `file` and these text parts, instead of JSON. */
export interface Upload<In> {
  readonly maxBytes: number;
  readonly bodySchema: BodyReader<In>;
  /**
   * Creates the files to store, before the transaction begins. They are stored before it ends, and deleted if it does not keep
   * them.
   */
  readonly stores?: (file: UploadedFile, accountId: string) => Promise<readonly NewFile[]>;
}

export type FileLink = Readonly<{ url: string; expires_at: string }>;

export interface Context<Path extends string = string, Q extends Params = Params, In = unknown> {
  /** One transaction on this dealer's data; read only for GET. */
  readonly db: Db;
  /** The write in progress; a read that uses it fails. */
  readonly work: Work;
  readonly account: CallingAccount;
  readonly key: CallingKey;
  readonly params: Readonly<Record<PathParam<Path>, string>>;
  readonly query: ParamValues<Q>;
  readonly body: In;
  /** For a write with a form: the uploaded file, and the files that the endpoint's `stores` made of it. */
  readonly file: UploadedFile | null;
  readonly files: readonly NewFile[];
  /** A signed link to a stored file, of this dealer or `owner`. It is valid for a quarter of an hour, so it must not be stored. */
  readonly linkTo: (fileId: string, owner?: string) => FileLink;
  /** SMTP_URL is set. */
  readonly canMail: boolean;
  readonly page: Paging;
  /** Business time, of dealers' data; real time, of calls, keys and deliveries (clock.ts). */
  readonly now: Date;
  readonly realNow: Date;
  /** The language of errors inside a reply, as in bulk writes. */
  readonly locale: Locale;
  /** Requests of this key in the trailing minute, this one included. */
  readonly used: number;
  /** This caller sees phones and e-mail addresses masked; a search must then not match them, or it would reveal them. */
  readonly masked: boolean;
  /** A person's role in the panel; null for a key. Only for `fresh` endpoints: roles share the cached replies of the others. */
  readonly role: string | null;
  /** A dry run: data that only the real write would reveal to the caller must not be shown. */
  readonly isDry: boolean;
}

/** An endpoint that will be removed: the day since when, the day until when it works at least, and the id of the endpoint to use instead. */
export type Deprecation = Readonly<{ since: string; sunset: string; successor?: string }>;

/** For endpoints that accept many records at once. */
export const BULK_BYTES: number = 2 * 1024 * 1024;

export type ReplyRecord = Readonly<Record<string, unknown>>;

/** What `include` adds to each record of a reply. */
export interface Include {
  /** The id of the endpoint that returns it otherwise; the caller needs the right to it. */
  readonly of: string;
  readonly schema: Schema;
  /** It changes without the account's data changing, as in a body. */
  readonly fresh?: true;
  /** The value for each record, in their order, with one statement. */
  readonly read: (context: Context, records: readonly ReplyRecord[]) => Promise<readonly unknown[]>;
}

export type Includes = Readonly<Record<string, Include>>;

interface BodyBase<Path extends string, Q extends Params, In, Out> {
  /** One or two sentences in each language: what it does and what it refuses. Every catalog endpoint has it. */
  readonly about?: Names;
  /** The error codes of its own work; those of every endpoint (keys, limits, parameters, forms) are not listed. */
  readonly refuses?: readonly ErrorCode[];
  /** Their status, if it differs from the code's usual one. */
  readonly refusesAs?: Readonly<Partial<Record<ErrorCode, number>>>;
  readonly deprecated?: Deprecation;
  /** The kinds of event that it can emit. */
  readonly emits?: readonly string[];
  /** For a read: the values of `include`. */
  readonly includes?: Includes;
  /** Query parameters besides limit, offset and cursor, which every list has. */
  readonly query?: Q;
  /** The JSON body. It may be left out if none of its fields is required. */
  readonly bodySchema?: BodyReader<In>;
  readonly upload?: Upload<In>;
  /**
   * For a write: status of a success (default 200), whether Idempotency-Key is required, maximum size of its JSON (default 256
   * kB).
   */
  readonly successStatus?: 201 | 202;
  /** For an action that creates another record of the same kind: the member of the reply with the new one. */
  readonly creates?: string;
  readonly idempotency?: 'required';
  readonly maxBytes?: number;
  /** The reply has no ETag and is never cached, because it changes without the account's data changing. */
  readonly fresh?: true;
  /**
   * For a read of something that may have to be generated first, such as a paper that was not drawn yet. It gets a `Preparation`
   * (domain/files).
   */
  readonly prepares?: (preparation: never) => Promise<void>;
  /** For a write on a record with many concurrent writes: the path parameter that names the record. */
  readonly serializedBy?: string;
  readonly run: (context: Context<Path, Q, In>) => Promise<Out | InLog<Out>>;
}

/** A list: `data` is an array, `meta` is limit, offset, count. */
export interface ListBody<Path extends string = string, Q extends Params = Params, In = unknown>
  extends BodyBase<Path, Q, In, Page> {
  readonly lists: Shape;
  /** Takes `updated_since`: the records' `updated_at` rises with every change, in the order of commits (`work.updatedAt()`). */
  readonly synced?: true;
  /** Takes `sort`: indexes serve its orders. The list is one of `listPage`. */
  readonly sorts?: true;
}

/** One object. */
export interface ObjectBody<Path extends string = string, Q extends Params = Params, In = unknown, S extends Schema = Schema>
  extends BodyBase<Path, Q, In, Of<S> | JsonPieces> {
  readonly returns: S;
}

export type Body = ListBody | ObjectBody;

export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  /** `GET vehicles`: the name of an endpoint in policies, releases, logs and commands. */
  readonly id: string;
  readonly scope: Scope;
  readonly risk: Risk;
  /** The initial status in a new deployment. */
  readonly status: Status;
  readonly name: Readonly<{ en: string; tr: string }>;
  /** Absent until the endpoint is built; an endpoint without a body cannot be activated. */
  readonly body: Body | null;
}

/**
 * The types of an endpoint's request and reply, for typed callers (web/src/endpoints.ts). They exist for the type checker only: at run time
 * no endpoint has a `call`.
 */
export interface Callable<Id extends string, Q extends Params, In, Out> {
  readonly id: Id;
  readonly call?: { readonly query: Q; readonly takes: In; readonly gives: Out };
}

/** `gives` of a list: one of its items. */
export interface Listed<Item> {
  readonly item: Item;
}

export interface Resource<R extends Endpoint = Endpoint> {
  readonly category: Readonly<{ en: string; tr: string }>;
  readonly endpoints: readonly R[];
}

export function resource<R extends Endpoint>(en: string, tr: string, endpoints: readonly R[]): Resource<R> {
  return { category: { en, tr }, endpoints };
}

type None = Record<never, never>;

type Names = readonly [en: string, tr: string];

function define<const M extends Method>(method: M) {
  function endpoint<const P extends string, const Q extends Params = None, In = undefined, S extends Shape = Shape>(
    path: P,
    scope: Scope,
    risk: Risk,
    status: Status,
    names: Names,
    body: ListBody<P, Q, In> & { readonly lists: S },
  ): Endpoint & Callable<`${M} ${P}`, Q & typeof listParams, In, Listed<Of<S>>>;
  function endpoint<const P extends string, const Q extends Params = None, In = undefined, S extends Schema = Schema>(
    path: P,
    scope: Scope,
    risk: Risk,
    status: Status,
    names: Names,
    body: ObjectBody<P, Q, In, S>,
  ): Endpoint & Callable<`${M} ${P}`, Q, In, Of<S>>;
  function endpoint<const P extends string>(
    path: P,
    scope: Scope,
    risk: Risk,
    status: Status,
    names: Names,
  ): Endpoint & Callable<`${M} ${P}`, None, undefined, never>;
  function endpoint(path: string, scope: Scope, risk: Risk, status: Status, [en, tr]: Names, body?: unknown): Endpoint {
    const id = `${method} ${path}`;
    return { method, path, id, scope, risk, status, name: { en, tr }, body: (body as Body | undefined) ?? null };
  }
  return endpoint;
}

export const get = define('GET');
export const post = define('POST');
export const patch = define('PATCH');
export const del = define('DELETE');

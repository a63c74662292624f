// The types of calls, computed from `schema.d.ts`: what a path takes and what it answers.
import type { paths } from './schema.d.ts';

export type Method = 'get' | 'post' | 'patch' | 'delete';
/** The paths that have the method. */
export type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];
export type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;

type PathParams<O> = O extends { parameters: { path: infer Given } } ? Given : never;
export type Query<O> = O extends { parameters: { query?: infer Given } } ? NonNullable<Given> : never;
type Content<O> = O extends { requestBody?: infer Given } ? (NonNullable<Given> extends { content: infer C } ? C : never) : never;
type Json<C> = C extends { 'application/json': infer Given } ? Given : never;
type Form<C> = C extends { 'multipart/form-data': infer Given } ? Given : never;
type Success<O> = O extends { responses: infer Replies } ? Replies[keyof Replies & (200 | 201 | 202)] : never;

/** What an endpoint answers, without the envelope. */
export type Data<P extends keyof paths, M extends Method> =
  Success<Operation<P, M>> extends { content: { 'application/json': { data: infer Given } } } ? Given : never;
export type Item<T> = T extends readonly (infer One)[] ? One : never;

/** The paths of lists: those that can be walked by a cursor. */
export type ListPaths = {
  [P in PathsWith<'get'>]: Query<Operation<P, 'get'>> extends infer Q
    ? [Q] extends [never]
      ? never
      : 'cursor' extends keyof Q
        ? P
        : never
    : never;
}[PathsWith<'get'>];

/** A file with its name, where a Blob has none. */
export interface NamedFile {
  readonly data: Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string;
  readonly name: string;
  /** The media type; the service also looks at the content. */
  readonly type?: string;
}
export type FileInput = Blob | NamedFile;
type FormInput<F> = { readonly [K in keyof F]: K extends 'file' ? FileInput : F[K] };

type ParamsPart<O> = [PathParams<O>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: Readonly<PathParams<O>> };
type QueryPart<O, Left extends string = never> = [Query<O>] extends [never]
  ? { readonly query?: undefined }
  : O extends { parameters: { query: unknown } }
    ? { readonly query: Readonly<Omit<Query<O>, Left>> }
    : { readonly query?: Readonly<Omit<Query<O>, Left>> };

interface NoBody {
  readonly body?: undefined;
  readonly form?: undefined;
}
type GivenBody<C> =
  | ([Json<C>] extends [never] ? never : { readonly body: Json<C>; readonly form?: undefined })
  | ([Form<C>] extends [never] ? never : { readonly form: FormInput<Form<C>>; readonly body?: undefined });
type BodyPart<O> = [Content<O>] extends [never]
  ? NoBody
  : O extends { requestBody: unknown }
    ? GivenBody<Content<O>>
    : GivenBody<Content<O>> | NoBody;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** For each attempt of this call. */
  readonly timeoutMs?: number;
}

export interface WriteOptions extends CallOptions {
  /** Your own name for the operation, where it must survive the end of your program; otherwise one is made up for each call. */
  readonly idempotencyKey?: string;
  /** Every check is made and the would-be result answered; nothing is written. */
  readonly dryRun?: boolean;
  /** The ETag of the record as it was read: a record that has changed since is refused with 412. */
  readonly ifMatch?: string;
}

export type ReadInput<O> = ParamsPart<O> & QueryPart<O> & CallOptions;
export type WalkInput<O> = ParamsPart<O> & QueryPart<O, 'cursor' | 'offset'> & CallOptions;
export type WriteInput<O> = ParamsPart<O> & QueryPart<O> & BodyPart<O> & WriteOptions;
/** Optional where nothing in it is required. */
export type Argument<T> = Record<never, never> extends T ? [given?: T] : [given: T];

export interface Reply<T> {
  readonly status: number;
  readonly data: T;
  readonly headers: Headers;
  readonly etag: string | null;
  /** True where the key had been answered before. */
  readonly isReplayed: boolean;
  readonly requestId: string | null;
}

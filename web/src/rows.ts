// Every row the panel can call, by its name: 'GET v1/vehicles/{vehicle_id}' of the catalog, 'GET keys/{key_id}' of the panel's own.
// All of it is types, taken from the tables that the server runs: nothing of them reaches the browser.
import type { Callable, Listed, PathParam } from '../../src/kit/endpoint.ts';
import type { Param, Params } from '../../src/kit/params.ts';
import type { PanelRows } from '../../src/panel/index.ts';
import type { CatalogRows } from '../../src/resources/index.ts';

type CallOf<R> = R extends Callable<string, infer Q, infer In, infer Out> ? { query: Q; takes: In; gives: Out } : never;
type AtV1<Id extends string> = Id extends `${infer Method} ${infer Path}` ? `${Method} v1/${Path}` : never;

interface Calls extends CatalogCalls, PanelCalls {}
type CatalogCalls = { [R in CatalogRows as AtV1<R['id']>]: CallOf<R> };
type PanelCalls = { [R in PanelRows as R['id']]: CallOf<R> };

/** Of a row that is built; one that is downloaded or streamed has an address and no data. */
type Answering = { [Id in keyof Calls]: [Calls[Id]['gives']] extends [never] ? never : Id }[keyof Calls];
export type ListRow = { [Id in Answering]: Calls[Id]['gives'] extends Listed<unknown> ? Id : never }[Answering];
export type DataRow = Exclude<Answering, ListRow>;
export type RowName = Extract<keyof Calls, string>;
export type GetRow = Extract<RowName, `GET ${string}`>;

export type DataOf<Id extends Answering> = Sent<Calls[Id]['gives']>;
export type ItemOf<Id extends ListRow> = Calls[Id]['gives'] extends Listed<infer Item> ? Sent<Item> : never;

/** As JSON brings it. */
type Sent<T> = T extends Date ? string : T;

export type ParamsOf<Id extends RowName> = Readonly<Record<PathParam<Id>, string>>;

/** Filters live in the address, as text; '' and undefined are left out. */
type QueryText<P> = P extends Param<infer T> ? string | (T extends number | boolean ? T : never) | undefined : never;
type Required<Q extends Params> = { [K in keyof Q]: Q[K] extends { required: true } ? K : never }[keyof Q];
type QueryFor<Q extends Params> = { readonly [K in Exclude<keyof Q, Required<Q>>]?: QueryText<Q[K]> } & {
  readonly [K in Required<Q>]: QueryText<Q[K]>;
};
export type QueryOf<Id extends RowName> = QueryFor<Calls[Id]['query']>;

/** Amounts, points in time and bytes go out as text; lists may be read-only. */
type Wire<T> = T extends bigint
  ? string | number
  : T extends Date | Uint8Array
    ? string
    : T extends readonly (infer Item)[]
      ? readonly Wire<Item>[]
      : T extends object
        ? { readonly [K in keyof T]: Wire<T[K]> }
        : T;
export type BodyOf<Id extends RowName> = Wire<Calls[Id]['takes']>;

/** The same as it was typed into a form: the row's own fields, whose values the server judges and answers for one by one. */
export type TypedBody<Id extends RowName> = { readonly [K in keyof BodyOf<Id>]?: unknown };

/** No name that the row does not know, also where the object was put together elsewhere. */
export type Only<Given, Known> = { readonly [K in Exclude<keyof Given, keyof Known>]: never };

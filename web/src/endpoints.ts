// Every endpoint that the panel can call, by its name: 'GET v1/vehicles/{vehicle_id}' of the catalog, 'GET keys/{key_id}' of the panel's own.
// These are only types, derived from the server's own endpoints; nothing of them is in the browser's bundle.
import type { Callable, Listed, PathParam } from '../../src/kit/endpoint.ts';
import type { Param, Params } from '../../src/kit/params.ts';
import type { PanelEndpoints } from '../../src/panel/index.ts';
import type { CatalogEndpoints } from '../../src/resources/index.ts';

type CallOf<R> = R extends Callable<string, infer Q, infer In, infer Out> ? { query: Q; takes: In; gives: Out } : never;
type AtV1<Id extends string> = Id extends `${infer Method} ${infer Path}` ? `${Method} v1/${Path}` : never;

interface Calls extends CatalogCalls, PanelCalls {}
type CatalogCalls = { [R in CatalogEndpoints as AtV1<R['id']>]: CallOf<R> };
type PanelCalls = { [R in PanelEndpoints as R['id']]: CallOf<R> };

/** Endpoints that return data: they are implemented and are neither downloads nor streams. */
type Answering = { [Id in keyof Calls]: [Calls[Id]['gives']] extends [never] ? never : Id }[keyof Calls];
export type ListEndpoint = { [Id in Answering]: Calls[Id]['gives'] extends Listed<unknown> ? Id : never }[Answering];
export type DataEndpoint = Exclude<Answering, ListEndpoint>;
export type EndpointName = Extract<keyof Calls, string>;
export type GetEndpoint = Extract<EndpointName, `GET ${string}`>;

export type DataOf<Id extends Answering> = Sent<Calls[Id]['gives']>;
export type ItemOf<Id extends ListEndpoint> = Calls[Id]['gives'] extends Listed<infer Item> ? Sent<Item> : never;

/** The type after JSON. */
type Sent<T> = T extends Date ? string : T;

export type ParamsOf<Id extends EndpointName> = Readonly<Record<PathParam<Id>, string>>;

/** Query values come from the address as text; '' and undefined are left out. */
type QueryText<P> = P extends Param<infer T> ? string | (T extends number | boolean ? T : never) | undefined : never;
type Required<Q extends Params> = { [K in keyof Q]: Q[K] extends { required: true } ? K : never }[keyof Q];
type QueryFor<Q extends Params> = { readonly [K in Exclude<keyof Q, Required<Q>>]?: QueryText<Q[K]> } & {
  readonly [K in Required<Q>]: QueryText<Q[K]>;
};
export type QueryOf<Id extends EndpointName> = QueryFor<Calls[Id]['query']>;

/** Amounts, times and bytes are sent as text; lists may be read-only. */
type Wire<T> = T extends bigint
  ? string | number
  : T extends Date | Uint8Array
    ? string
    : T extends readonly (infer Item)[]
      ? readonly Wire<Item>[]
      : T extends object
        ? { readonly [K in keyof T]: Wire<T[K]> }
        : T;
export type BodyOf<Id extends EndpointName> = Wire<Calls[Id]['takes']>;

/**
 * A body with the endpoint's fields and the values of a form, which the server validates: fields may be missing, and a number or a
 * choice may be any text. Names are checked at every depth.
 */
export type RawBody<Id extends EndpointName> = Raw<BodyOf<Id>>;
type Raw<T> = unknown extends T
  ? unknown
  : T extends string
    ? string
    : T extends number
      ? number | string
      : T extends readonly (infer Item)[]
        ? readonly Raw<Item>[]
        : T extends object
          ? RawObject<T>
          : T;
type RawObject<T> = string extends keyof T
  ? { readonly [K in keyof T]: Raw<T[K]> }
  : { readonly [K in keyof T]?: Raw<T[K]> | undefined };

/** Forbids fields that are not known, in objects that were built elsewhere too: `Record<string, unknown>` could have any field. */
export type Only<Given, Known> = Given extends object ? { readonly [K in Exclude<keyof Given, KeyOf<Known>>]: never } : unknown;
type KeyOf<T> = T extends unknown ? keyof T : never;

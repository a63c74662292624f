// The record that a write is about, as its GET returns it.
import type { Catalog } from '../../domain/catalog/catalog.ts';
import { own, sql } from '../../kit/sql.ts';
import { type ApiEndpoint, isList } from './api-endpoints.ts';
import { contextOf, type EndpointWrite, type PathParams, type WriteRunner } from './endpoint-call.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { weakEtag } from './response-cache.ts';

/** The endpoints that GET the record; for an action (`vehicles/{id}/reserve`) that is the endpoint of its parent path. */
export function readersOf(catalog: Catalog<ApiEndpoint>, path: string): ApiEndpoint[] {
  const paths = [path, path.slice(0, path.lastIndexOf('/'))];
  return (
    paths
      .map((one) => catalog.match(one)?.methods.get('GET'))
      .filter((endpoint) => endpoint !== undefined)
      // A list below a single record of the account (`wallet/topup-requests`) is not an action on that record.
      .filter(({ body, path: own }) => body !== null && !isList(body) && own.endsWith('}'))
  );
}

/**
 * Called before a large body is read, which is pointless if the record does not exist. If the Idempotency-Key was answered
 * before, that reply is returned even if the record is gone, and the body is needed to compare the requests.
 */
export async function requireRecord(runner: WriteRunner, call: EndpointWrite, params: PathParams): Promise<void> {
  const [reader] = Object.keys(params).length === 0 ? [] : readersOf(runner.catalog, call.path);
  if (reader === undefined) return;
  const key = readIdempotencyKey(call.request.headersDistinct['idempotency-key'], false);
  await runner.database.inTenant(call.caller.dataSetId, 'read', async (db) => {
    const known = key === null ? [] : await db.rows(sql`select key from ${own('idempotency')} where key = ${key}`);
    if (known.length > 0) return;
    await reader.body!.run(contextOf(runner, call, { db, params }));
  });
}

type Data = Readonly<Record<string, unknown>>;

/** The endpoint that reads the record which this endpoint returns: it has the same shape. */
export function readerOfAnswer(endpoints: readonly ApiEndpoint[], endpoint: ApiEndpoint): ApiEndpoint | undefined {
  const shape = shapeOf(endpoint);
  return endpoints.find((one) => one.method === 'GET' && one.path.endsWith('}') && shape !== undefined && shapeOf(one) === shape);
}

/** Found once for each endpoint, because every write needs it. */
function knownReader(endpoints: readonly ApiEndpoint[], endpoint: ApiEndpoint): ApiEndpoint | undefined {
  if (!readers.has(endpoint)) readers.set(endpoint, readerOfAnswer(endpoints, endpoint));
  return readers.get(endpoint);
}

const readers = new WeakMap<ApiEndpoint, ApiEndpoint | undefined>();

const shapeOf = ({ body }: ApiEndpoint) => (body === null || isList(body) ? undefined : body.returns);

/** Headers of a successful write: Location of the record that it created, and the ETag that its GET now returns. */
export function recordHeaders(
  runner: WriteRunner,
  call: EndpointWrite,
  endpoint: ApiEndpoint,
  params: Data,
  { data, json }: { readonly data: unknown; readonly json: string },
): string[] {
  if (data === null || typeof data !== 'object') return [];
  const { creates } = endpoint.body!;
  if (creates !== undefined) {
    const { id } = (data as Record<string, Data>)[creates]!;
    return [
      'Location',
      runner.publicUrl() + call.prefix + filled(endpoint.path.slice(0, endpoint.path.lastIndexOf('/')), {}, id),
    ];
  }
  if (!('id' in data)) return [];
  const reader = knownReader(runner.catalog.endpoints, endpoint);
  const headers: string[] = [];
  if (reader !== undefined && !reader.body!.fresh) headers.push('ETag', weakEtag(json));
  if (endpoint.body!.successStatus === 201) {
    const path =
      reader === undefined
        ? placeOf(runner.catalog, endpoint, params, data.id)
        : `${filled(reader.path.slice(0, reader.path.lastIndexOf('/')), params, data.id)}/${data.id}`;
    headers.push('Location', runner.publicUrl() + call.prefix + path);
  }
  return headers;
}

/** In the list that it was added to, or that list itself if no endpoint reads a single record. An action's list is its record's list. */
function placeOf(catalog: Catalog<ApiEndpoint>, endpoint: ApiEndpoint, params: Data, id: unknown): string {
  const list = filled(endpoint.path, params, id);
  const found = catalog.match(`${list}/${id}`)?.methods.get('GET');
  if (found !== undefined && !isList(found.body)) return `${list}/${id}`;
  if (catalog.match(list)?.methods.has('GET')) return list;
  const parent = list.slice(0, list.lastIndexOf('/'));
  // An action on a record that creates another record of the same kind (a counter-offer).
  return endpoint.path.slice(0, endpoint.path.lastIndexOf('/')).endsWith('}')
    ? `${parent.slice(0, parent.lastIndexOf('/'))}/${id}`
    : parent;
}

/** Fills in the path's names: from the request's parameters, or with the record's id. */
const filled = (path: string, params: Data, id: unknown): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? id));

// The panel's endpoints, its own and the catalog's, in one form: permissions, a valid request, and the ids in it.
import { type ApiEndpoint, apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { newId, newRequestId } from '../../src/kit/ids.ts';
import type { Params } from '../../src/kit/params.ts';
import { panelEndpoints } from '../../src/panel/index.ts';
import type { PanelEndpoint } from '../../src/panel/kit/endpoint.ts';
import { resources } from '../../src/resources/index.ts';
import { REQUESTS, type World } from '../contract/requests.ts';
import type { Answer } from '../support/service.ts';
import { CATALOG_TABLE, type Knocker, PANEL_TABLE } from './access-table.ts';
import { cancelUnpaid, makeOwnSale, PANEL_REQUESTS, type PanelRequest } from './endpoint-requests.ts';
import type { TestPerson } from './people.ts';

export const catalogEndpoints = apiEndpoints(resources);
export const builtEndpoints = catalogEndpoints.filter(({ body }) => body !== null);

type JsonSchema = Readonly<Record<string, unknown>>;

export interface ListedEndpoint {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly prefix: '' | 'v1/';
  readonly allowed: ReadonlySet<Knocker>;
  /** The status of a success; null where the endpoint has no body yet. */
  readonly answers: number | null;
  readonly stream: boolean;
  readonly query: Params;
  /** Of the JSON body. */
  readonly takes: JsonSchema;
  readonly build: ((world: World, sender: TestPerson) => PanelRequest | Promise<PanelRequest>) | null;
}

const ofPanel = ({ id, method, path, query, bodySchema: takes, stream }: PanelEndpoint): ListedEndpoint => ({
  id,
  method,
  path,
  query,
  prefix: '',
  answers: 200,
  stream: stream !== null,
  allowed: PANEL_TABLE.get(id) ?? new Set(),
  takes: { properties: Object.fromEntries(Object.entries(takes ?? {}).map(([name, { schema }]) => [name, schema])) },
  build: PANEL_REQUESTS[id] ?? null,
});

const ofCatalog = ({ id, method, path, params, body }: ApiEndpoint): ListedEndpoint => ({
  id: `v1 ${id}`,
  method,
  path,
  query: params,
  prefix: 'v1/',
  stream: false,
  allowed: CATALOG_TABLE.get(id) ?? new Set(),
  answers: body === null ? null : (body.successStatus ?? 200),
  takes: (body?.bodySchema ?? body?.upload?.bodySchema)?.schema ?? {},
  build: body === null ? null : (world, sender) => catalogRequest(id, world, sender),
});

async function catalogRequest(id: string, world: World, sender: TestPerson): Promise<PanelRequest> {
  if (id === 'POST sales/{sale_id}/cancel') return cancelUnpaid(world, 'cancel');
  const { path, query, body, form } = await REQUESTS[id]!(world);
  if (id === 'POST collections') await makeOwnSale(world, sender, body as { readonly sale_id: string });
  const pathAndQuery = query === undefined ? path : `${path}?${query}`;
  if (form !== undefined) return { path: pathAndQuery, form };
  return body === undefined ? { path: pathAndQuery } : { path: pathAndQuery, body: body as Record<string, unknown> };
}

export const listedEndpoints: readonly ListedEndpoint[] = [...panelEndpoints.map(ofPanel), ...catalogEndpoints.map(ofCatalog)];

/** Administrators' endpoints reach every dealer: no record is another dealer's to them. */
export const isAdminEndpoint = ({ path }: ListedEndpoint): boolean => path.startsWith('admin/') || path === 'session/look';

/** Path parameters that do not name a record. */
const WORDS = ['slug', 'currency_pair', 'lane'];
const isRecord = (segment: string): boolean => /^\{\w+\}$/.test(segment) && !WORDS.includes(segment.slice(1, -1));
/** The path parameters that name a record. */
export const recordPlaces = ({ path }: ListedEndpoint): number[] =>
  path.split('/').flatMap((segment, place) => (isRecord(segment) ? [place] : []));

/** The request with other ids in its path. */
export function withIds(
  request: PanelRequest,
  places: readonly number[],
  idAt: (old: string, place: number) => string,
): PanelRequest {
  const [path, query] = request.path.split('?') as [string, string?];
  const segments = path.split('/').map((segment, place) => (places.includes(place) ? idAt(segment, place) : segment));
  return { ...request, path: query === undefined ? segments.join('/') : `${segments.join('/')}?${query}` };
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const isUuid = (value: unknown): value is string => typeof value === 'string' && new RegExp(`^${UUID.source}$`).test(value);
/** An id of the same form that names nothing. */
export const absentFor = (id: string): string => (id.startsWith('req_') ? newRequestId(Date.now()) : newId());

/** The same request for records that never existed. */
export function absent(endpoint: ListedEndpoint, request: PanelRequest): PanelRequest {
  const gone = withIds(request, recordPlaces(endpoint), absentFor);
  const others = <T>(input: T): T => JSON.parse(JSON.stringify(input), (_, value) => (isUuid(value) ? newId() : value));
  if (request.form !== undefined) return { ...gone, form: others(request.form) };
  return request.body === undefined ? gone : { ...gone, body: others(request.body) };
}

export const namesRecords = (endpoint: ListedEndpoint, { body, form }: PanelRequest): boolean => {
  let found = recordPlaces(endpoint).length > 0;
  JSON.stringify(body ?? form ?? null, (_, value) => {
    found ||= isUuid(value);
    return value;
  });
  return found;
};

export const isIdSchema = (schema: JsonSchema): boolean =>
  schema.format === 'uuid' || ((schema.anyOf as JsonSchema[] | undefined) ?? []).some(isIdSchema);

/** Every id field of a body, whether or not the body has it: its name, and the body with an id there. */
export function idFields(schema: JsonSchema, body: unknown): { name: string; put: (id: string) => unknown }[] {
  const { properties = {}, items } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema };
  if (Array.isArray(body) && items !== undefined)
    return body.slice(0, 1).flatMap((first) => idFields(items, first).map(inside((id) => [id, ...body.slice(1)])));
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(properties).flatMap(([name, field]) => {
    const held = (body as Record<string, unknown>)[name];
    const withField = (value: unknown) => ({ ...body, [name]: value });
    if (isIdSchema(field)) return [{ name, put: withField }];
    if (isIdSchema((field.items as JsonSchema | undefined) ?? {})) return [{ name, put: (id: string) => withField([id]) }];
    return idFields(field, held).map(inside(withField));
  });
}

const inside =
  (around: (value: unknown) => unknown) =>
  ({ name, put }: { name: string; put: (id: string) => unknown }) => ({ name, put: (id: string) => around(put(id)) });

const CHANGING = new RegExp(
  `${UUID.source}|req_\\w+|\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(?:Z|[+-]\\d\\d:\\d\\d)|\\d+\\.\\d+:\\d+:[\\d,]*`,
  'g',
);

/** A reply without the parts that always differ: ids, times, and the position of the log. */
export function essence({ status, headers, text }: Answer): unknown {
  // The log position varies in length; of a refusal every byte counts.
  const changing = ['date', 'x-request-id', 'etag', ...(status < 400 ? ['content-length'] : [])];
  const kept = [...headers].filter(([name]) => !changing.includes(name));
  return { status, headers: Object.fromEntries(kept), text: text.replace(CHANGING, '…') };
}

/** More concurrent requests than connections would wait for each other. */
const LANES = 4;

/**
 * Endpoints of one subject in sequence, because some records are the dealer's only one of their kind while they are created;
 * subjects in parallel.
 */
export async function eachEndpoint(run: (endpoint: ListedEndpoint) => Promise<void>): Promise<void> {
  const subjects = [...Map.groupBy(listedEndpoints, ({ path }) => path.split('/')[0]!).values()];
  subjects.sort((one, next) => next.length - one.length);
  const lane = async () => {
    for (let endpoints = subjects.shift(); endpoints !== undefined; endpoints = subjects.shift())
      for (const endpoint of endpoints) await run(endpoint);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

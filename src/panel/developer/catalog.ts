// The catalog in the panel: every endpoint with its current status and votes, and the details of one endpoint.
import { type CatalogEndpoint, referenceOf, slugOf } from '../../domain/catalog/catalog.ts';
import { categoryNote } from '../../domain/catalog/category-notes.ts';
import { answerOf, bodySchemaOf, fieldsOf, type JsonSchema, kindsOf, type WireSchema } from '../../domain/catalog/json-schema.ts';
import { sampleOf } from '../../domain/catalog/sample.ts';
import { mayUse } from '../../domain/identity/roles.ts';
import type { Release } from '../../domain/keys/key-policy.ts';
import { byDemand, countVotes } from '../../domain/releases/demand.ts';
import type { Vote } from '../../domain/releases/votes.ts';
import type { Db } from '../../kit/db.ts';
import { fail, type Text } from '../../kit/errors.ts';
import { listParams, type Params } from '../../kit/params.ts';
import { sql } from '../../kit/sql.ts';
import { resources } from '../../resources/index.ts';
import { type PanelAccount, panelGet } from '../kit/endpoint.ts';
import type { PanelServices, ServedEndpoint } from '../kit/services.ts';
import { type DeprecationView, readDeprecation } from './deprecation.ts';

/** `status` is the endpoint's status on this deployment. */
export interface CatalogLine extends CatalogEndpoint {
  readonly name: Text;
  /** The endpoint has a body, so it can be opened to keys and works in the panel. */
  readonly built: boolean;
  readonly deprecated: boolean;
}

export interface CatalogView {
  /** In the specification's order; endpoints refer to a category by `id`. */
  readonly categories: readonly { readonly id: string; readonly name: Text; readonly note: Text }[];
  readonly rows: readonly CatalogLine[];
}

export interface VotesView {
  /** The number of accounts that ask for an endpoint; endpoints without votes are left out. */
  readonly counts: Readonly<Record<string, number>>;
  /** The current account's votes. */
  readonly mine: Readonly<Record<string, Vote>>;
}

export interface ParamLine {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly allowed: Text;
  readonly kind: string;
  readonly values: readonly string[] | null;
  readonly preset: string | null;
}

export interface FieldView {
  readonly path: string;
  readonly kinds: readonly string[];
  readonly values: readonly string[] | null;
  readonly required: boolean;
  readonly deprecated: boolean;
}

/** Why an endpoint can or cannot be tried here. */
export type Playground = 'open' | 'soon' | 'write' | 'needs_key' | 'no_account' | 'role';

export interface EndpointDetail extends CatalogLine {
  readonly note: Text;
  /** The URL for keys. */
  readonly api: string;
  /** Its section of the reference, without the language. */
  readonly reference: string;
  readonly params: readonly ParamLine[];
  readonly takes: readonly FieldView[];
  /** A sample body; null where the endpoint takes none. */
  readonly example: unknown;
  readonly reply: { readonly list: boolean; readonly fields: readonly FieldView[]; readonly sample: unknown } | null;
  readonly votes: number;
  /** The rank among endpoints that are not open, by votes; null without votes. */
  readonly rank: number | null;
  readonly my_vote: Vote | null;
  /** The current account's keys that hold the endpoint and are not revoked. */
  readonly keys: readonly { readonly id: string; readonly name: string; readonly environment: string }[];
  readonly playground: Playground;
  /** Null unless the endpoint or one of its fields is deprecated. */
  readonly deprecation: DeprecationView | null;
}

export const catalogEndpoints = [
  panelGet('catalog', {
    who: 'person',
    databaseRole: 'platform',
    run: async ({ services }): Promise<CatalogView> => {
      const release = await services.release();
      const endpoints = services.catalog.endpoints.map((endpoint) => lineOf(endpoint, release));
      return { categories: [...new Set(endpoints.map((endpoint) => endpoint.category))].map(categoryOf), rows: endpoints };
    },
  }),
  panelGet('catalog/votes', {
    who: 'person',
    databaseRole: 'platform',
    run: async ({ db, account }): Promise<VotesView> => {
      const counts = [...(await countVotes(db))].map(([endpoint, { votes }]) => [endpoint, votes]);
      return { counts: Object.fromEntries(counts), mine: account === null ? {} : await votesOf(db, account.id) };
    },
  }),
  panelGet('catalog/{slug}', {
    who: 'person',
    databaseRole: 'none',
    ofOwner: true,
    run: async ({ account, params, services, realNow }): Promise<EndpointDetail> => {
      const endpoint = endpointBySlug(services, params.slug);
      const detail = await services.database.onPlatform('read', (db) => readDetail(db, endpoint, account, services));
      return { ...detail, deprecation: await readDeprecation(services.database, endpoint, account?.id ?? null, realNow) };
    },
  }),
];

async function readDetail(
  db: Db,
  endpoint: ServedEndpoint,
  account: PanelAccount | null,
  services: PanelServices,
): Promise<Omit<EndpointDetail, 'deprecation'>> {
  const release = await services.release();
  const counts = await countVotes(db);
  const ranked = [...counts.keys()].filter((id) => !release.isLive(id)).sort(byDemand(counts));
  return {
    ...lineOf(endpoint, release),
    note: categoryNote(endpoint.category),
    api: `${services.publicUrl()}/api/v1`,
    reference: referenceOf(endpoint),
    ...shapesOf(endpoint),
    votes: counts.get(endpoint.id)?.votes ?? 0,
    rank: ranked.includes(endpoint.id) ? ranked.indexOf(endpoint.id) + 1 : null,
    my_vote: account === null ? null : ((await votesOf(db, account.id))[endpoint.id] ?? null),
    keys: account === null ? [] : await keysWith(db, account.id, endpoint.id),
    playground: playgroundOf(endpoint, release, account),
  };
}

export function endpointBySlug(services: PanelServices, slug: string): ServedEndpoint {
  return services.catalog.endpoints.find((endpoint) => slugOf(endpoint.id) === slug) ?? fail('not_found');
}

export function lineOf(endpoint: ServedEndpoint, release: Release): CatalogLine {
  const { id, method, path, scope, risk, category, name, body } = endpoint;
  const status = release.isLive(id) ? 'Aktif' : 'Yakında';
  return {
    id,
    method,
    path,
    scope,
    risk,
    status,
    category,
    name,
    built: body !== null,
    deprecated: body?.deprecated !== undefined,
  };
}

const TURKISH: ReadonlyMap<string, string> = new Map(resources.map(({ category }) => [category.en, category.tr]));

const categoryOf = (category: string): CatalogView['categories'][number] => ({
  id: category,
  name: { en: category, tr: TURKISH.get(category) ?? category },
  note: categoryNote(category),
});

async function votesOf(db: Db, accountId: string): Promise<Record<string, Vote>> {
  const rows = await db.rows<Vote & { endpoint: string }>(
    sql`select endpoint, use_case, blocks_go_live from endpoint_votes where account_id = ${accountId}`,
  );
  return Object.fromEntries(rows.map(({ endpoint, ...vote }) => [endpoint, vote]));
}

const keysWith = (db: Db, accountId: string, endpoint: string): Promise<EndpointDetail['keys'][number][]> =>
  db.rows(sql`select k.id, k.name, k.environment from key_endpoints e
    join api_keys k on k.account_id = e.account_id and k.id = e.key_id and k.revoked_at is null
    where e.account_id = ${accountId} and e.endpoint = ${endpoint} order by k.name, k.id`);

/** Parameters, body and reply, from the same shapes that serve requests and make the reference. */
function shapesOf({ path, body }: ServedEndpoint): Pick<EndpointDetail, 'params' | 'takes' | 'example' | 'reply'> {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => pathParam(name!));
  if (body === null) return { params: inPath, takes: [], example: null, reply: null };
  const { wire, list } = answerOf(body);
  const query: Params = { ...('lists' in body ? listParams : {}), ...body.query };
  const sample = sampleOf(wire);
  return {
    params: [...inPath, ...Object.entries(query).map(([name, param]) => queryParam(name, param))],
    takes: body.bodySchema === undefined ? [] : fieldViews(bodySchemaOf(body.bodySchema)),
    example: body.bodySchema === undefined ? null : sampleOf(bodySchemaOf(body.bodySchema)),
    reply: { list, fields: fieldViews(wire), sample: list ? [sample] : sample },
  };
}

function pathParam(name: string): ParamLine {
  const kind = name.endsWith('_id') ? 'uuid' : 'string';
  return { name, in: 'path', required: true, allowed: { en: kind, tr: kind }, kind, values: null, preset: null };
}

function queryParam(name: string, { allowed, schema, fallback, required }: Params[string]): ParamLine {
  const kind = kindsOf(schema)[0] ?? 'string';
  const only = schema.const === undefined ? (kind === 'boolean' ? ['true', 'false'] : null) : [String(schema.const)];
  const values = (schema.enum as readonly string[] | undefined) ?? only;
  return {
    name,
    in: 'query',
    required: required === true,
    allowed,
    kind,
    values,
    preset: fallback === undefined ? null : String(fallback),
  };
}

const fieldViews = (wire: WireSchema): FieldView[] =>
  fieldsOf(wire).map(({ path, schema, required }) => ({
    path,
    kinds: kindsOf(schema),
    values: valuesOf(schema),
    required,
    deprecated: schema.deprecated === true,
  }));

const valuesOf = (schema: JsonSchema): string[] | null =>
  (schema.enum as readonly unknown[] | undefined)?.filter((value) => value !== null).map(String) ?? null;

/** Endpoints about the calling key cannot be tried by a person. */
function playgroundOf(endpoint: ServedEndpoint, release: Release, account: PanelAccount | null): Playground {
  if (endpoint.method !== 'GET') return release.isLive(endpoint.id) ? 'write' : 'soon';
  if (!release.isLive(endpoint.id)) return 'soon';
  if (endpoint.scope.startsWith('developer:')) return 'needs_key';
  if (account === null) return 'no_account';
  return mayUse(account.role, endpoint) ? 'open' : 'role';
}

// The catalog as a map from paths to endpoints: how `vehicles/export`, `vehicles.php` or an unknown path finds its endpoint.
import type { GrantedEndpoint, Method, Risk, Scope, Status } from '../../kit/endpoint.ts';

/** The properties of an endpoint that routing needs. */
export interface Routable {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** The properties of an endpoint that the access decision needs: plain data, so that the panel's preview can load it as JSON. */
export interface CatalogEndpoint extends Routable {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly scope: Scope;
  readonly risk: Risk;
  readonly status: Status;
  readonly category: string;
}

export interface PathMatch<R extends Routable> {
  readonly methods: ReadonlyMap<string, R>;
  readonly params: Readonly<Record<string, string>>;
}

export interface Catalog<R extends Routable = CatalogEndpoint> {
  readonly endpoints: readonly R[];
  readonly byId: ReadonlyMap<string, R>;
  /** The path after /api/v1/ as in the request line, without the query. */
  match(path: string): PathMatch<R> | null;
}

/** The scopes of these endpoints, each once, in alphabetical order. */
export const scopesOf = (rows: readonly { readonly scope: Scope }[]): Scope[] =>
  [...new Set(rows.map(({ scope }) => scope))].sort();

/** The endpoints as a key sees its own. */
export const grantedOf = (
  rows: readonly CatalogEndpoint[],
  { isLive }: { isLive(endpointId: string): boolean },
): GrantedEndpoint[] => rows.map(({ id, method, path }) => ({ method, path, live: isLive(id) }));

/** An endpoint's name in URLs: `GET vehicles/{vehicle_id}` → `get-vehicles-vehicle_id`. */
export const slugOf = (endpointId: string): string =>
  endpointId
    .toLowerCase()
    .replace(/[^\w]+/g, '-')
    .replace(/-$/, '');

/** A category's name in URLs: `Vehicle photos` → `vehicle-photos`. */
export const categorySlugOf = (category: string): string => category.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** The endpoint's address in the reference. */
export const referenceOf = ({ id, category }: { readonly id: string; readonly category: string }): string =>
  `/docs/${categorySlugOf(category)}#${slugOf(id)}`;

interface PathNode<R> {
  statics: Map<string, PathNode<R>>;
  param: { name: string; node: PathNode<R> } | null;
  methods: Map<string, R>;
}

const NO_PARAMS = Object.freeze({});

export function buildCatalog<R extends Routable>(endpoints: readonly R[]): Catalog<R> {
  const root: PathNode<R> = newNode();
  const whole = new Map<string, PathMatch<R>>();
  for (const endpoint of endpoints) {
    const node = nodeOf(root, endpoint.path);
    if (node.methods.has(endpoint.method)) throw new Error(`${endpoint.id} is in the catalog twice`);
    node.methods.set(endpoint.method, endpoint);
    if (!endpoint.path.includes('{')) whole.set(endpoint.path, { methods: node.methods, params: NO_PARAMS });
  }
  return {
    endpoints,
    byId: new Map(endpoints.map((endpoint) => [endpoint.id, endpoint])),
    match: (path) => {
      // Most calls are plain static paths: one look-up, no decoding.
      const plain = whole.get(path);
      if (plain) return plain;
      const segments = decodeSegments(path);
      return segments === null ? null : walk(root, segments, 0, {});
    },
  };
}

function newNode<R>(): PathNode<R> {
  return { statics: new Map(), param: null, methods: new Map() };
}

function nodeOf<R>(root: PathNode<R>, path: string): PathNode<R> {
  let node = root;
  for (const segment of path.split('/')) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) {
      if (!node.statics.has(segment)) node.statics.set(segment, newNode());
      node = node.statics.get(segment)!;
    } else {
      node.param ??= { name, node: newNode() };
      if (node.param.name !== name) throw new Error(`{${name}} and {${node.param.name}} are at the same position in the catalog`);
      node = node.param.node;
    }
  }
  return node;
}

/** Exact paths: another case, a doubled or a trailing slash match nothing. `.php` is a permanent alias. */
function decodeSegments(path: string): string[] | null {
  const segments = path.split('/');
  try {
    for (let index = 0; index < segments.length; index += 1) {
      if (segments[index]!.includes('%')) segments[index] = decodeURIComponent(segments[index]!);
    }
  } catch {
    return null;
  }
  const last = segments.at(-1)!;
  if (last.endsWith('.php')) segments[segments.length - 1] = last.slice(0, -4);
  return segments.includes('') ? null : segments;
}

/** A whole static path wins over one with a parameter, for every method. */
function walk<R extends Routable>(
  node: PathNode<R>,
  segments: string[],
  index: number,
  params: Record<string, string>,
): PathMatch<R> | null {
  if (index === segments.length) return node.methods.size > 0 ? { methods: node.methods, params } : null;
  const segment = segments[index]!;
  const next = node.statics.get(segment);
  const found = next ? walk(next, segments, index + 1, params) : null;
  if (found !== null || node.param === null) return found;
  return walk(node.param.node, segments, index + 1, { ...params, [node.param.name]: segment });
}

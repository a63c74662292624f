// What a key may call, as pure functions that the API uses on every request and the panel in its preview. Which endpoints a
// person may give to a key is decided by `mayGive` in identity/roles.ts.
import type { ErrorCode, FailureFacts, Text } from '../../kit/errors.ts';
import type { Catalog, CatalogEndpoint } from '../catalog/catalog.ts';
import { inRanges, parseAddress, type Range } from '../net/address.ts';

export const AUTHORIZATIONS = ['network_auction_bid', 'live_auction_bid', 'live_auction_operate'] as const;
export type Authorization = (typeof AUTHORIZATIONS)[number];

/** "Placing a bid needs a specially authorized integration"; so do the auctioneer's start and end. */
const NEEDS_AUTHORIZATION: Readonly<Record<string, Authorization>> = {
  'POST network-auctions/{auction_id}/bid': 'network_auction_bid',
  'POST live-auctions/lots/{lot_id}/start': 'live_auction_operate',
  'POST live-auctions/lots/{lot_id}/bid': 'live_auction_bid',
  'POST live-auctions/lots/{lot_id}/end': 'live_auction_operate',
};

export const needsAuthorization = (endpointId: string): boolean => Object.hasOwn(NEEDS_AUTHORIZATION, endpointId);

export const TEMPLATES = ['read-only', 'vehicle', 'accounting', 'full', 'marketplace'] as const;
export type Template = (typeof TEMPLATES)[number];

const ACCOUNTING = ['Sales', 'Installment plans', 'Collections', 'Payment promises', 'Documents', 'Promissory notes'];

const TEMPLATE_RULES: Readonly<Record<Template, (endpoint: CatalogEndpoint) => boolean>> = {
  'read-only': (endpoint) => endpoint.scope.endsWith(':read'),
  vehicle: (endpoint) => ['Vehicles', 'Vehicle photos', 'Vehicle videos'].includes(endpoint.category),
  accounting: (endpoint) => ACCOUNTING.includes(endpoint.category),
  full: (endpoint) => endpoint.risk !== 'sensitive',
  marketplace: (endpoint) =>
    ['Marketplace', 'Auction requests'].includes(endpoint.category) || endpoint.scope === 'vehicles:read',
};

export function templateEndpoints<R extends CatalogEndpoint>(template: Template, endpoints: readonly R[]): R[] {
  return endpoints.filter(TEMPLATE_RULES[template]);
}

/** The properties of a key on which decisions depend. */
export interface KeyPolicy {
  readonly revoked: boolean;
  /** In milliseconds: the expiry of the key or of this secret, whichever is earlier. */
  readonly expiresAt: number | null;
  readonly allowedIps: readonly Range[];
  readonly endpoints: ReadonlySet<string>;
  readonly environment: 'production' | 'sandbox';
  readonly authorizations: readonly string[];
  readonly accountSuspended: boolean;
  /** Set if the account is in another deployment now: its address, or null if it is not known. */
  readonly moved?: { readonly to: string | null };
}

export interface Refusal {
  readonly code: ErrorCode;
  readonly facts: FailureFacts;
}

const refuse = (code: ErrorCode, facts: FailureFacts = {}): Refusal => ({ code, facts });

const ADDRESS_UNKNOWN: Text = { en: 'ask the platform for its address', tr: 'adresini platforma sorun' };

/** Checked before the rate limit: whether the key may be used now, from this address. */
export function admit(key: KeyPolicy, ip: string, realNow: number): Refusal | null {
  if (key.moved !== undefined) return refuse('account_moved', { words: { address: key.moved.to ?? ADDRESS_UNKNOWN } });
  if (key.revoked) return refuse('key_revoked');
  if (key.expiresAt !== null && key.expiresAt <= realNow) {
    return refuse('key_expired', { words: { expires_at: new Date(key.expiresAt).toISOString() } });
  }
  if (key.allowedIps.length > 0) {
    const address = parseAddress(ip);
    if (address === null || !inRanges(address, key.allowedIps)) return refuse('ip_not_allowed', { words: { address: ip } });
  }
  return null;
}

export interface Routed<R extends CatalogEndpoint> {
  /** The catalog endpoint of the request, also if it is refused; null if no endpoint matched. */
  readonly endpoint: R | null;
  readonly params: Readonly<Record<string, string>>;
  readonly refusal: Refusal | null;
}

export interface Release {
  isLive(endpointId: string): boolean;
  /** True while sandbox keys read the production data set, as specified. */
  readonly sandboxShared: boolean;
}

const NOTHING = Object.freeze({});

/** Checked after the rate limit: known path, open method, endpoint granted to the key, live endpoint, and whether a write is allowed. */
export function route<R extends CatalogEndpoint>(
  catalog: Catalog<R>,
  release: Release,
  key: KeyPolicy,
  method: string,
  path: string,
): Routed<R> {
  const match = catalog.match(path);
  if (match === null) return { endpoint: null, params: NOTHING, refusal: refuse('not_found') };
  const endpoint = match.methods.get(method) ?? null;
  const routed = (refusal: Refusal | null): Routed<R> => ({ endpoint, params: match.params, refusal });
  const live = endpoint !== null && release.isLive(endpoint.id);
  const readable = match.methods.get('GET');
  if (endpoint === null || (method !== 'GET' && !live && readable !== undefined && release.isLive(readable.id))) {
    return routed(methodNotAllowed(method, match.methods, release));
  }
  if (!key.endpoints.has(endpoint.id)) {
    const words = { endpoint: endpoint.id, scope: endpoint.scope };
    return routed(refuse('insufficient_scope', { required_scope: endpoint.scope, words }));
  }
  if (!live) return routed(refuse('endpoint_not_active', { words: { endpoint: endpoint.id } }));
  return routed(method === 'GET' ? null : refuseWrite(endpoint, release, key));
}

/** `Allow` lists the methods that are live on this path, or all catalogued ones where none is live. */
function methodNotAllowed(method: string, methods: ReadonlyMap<string, CatalogEndpoint>, release: Release): Refusal {
  const catalogued = [...methods.values()];
  const open = catalogued.filter((endpoint) => release.isLive(endpoint.id));
  const allowed = (open.length > 0 ? open : catalogued).map((endpoint) => endpoint.method).join(', ');
  return refuse('method_not_allowed', { headers: { Allow: allowed }, words: { method, allowed } });
}

function refuseWrite(endpoint: CatalogEndpoint, release: Release, key: KeyPolicy): Refusal | null {
  if (key.accountSuspended) return refuse('account_suspended');
  if (key.environment === 'sandbox' && release.sandboxShared) return refuse('sandbox_read_only');
  const needed = NEEDS_AUTHORIZATION[endpoint.id];
  return needed !== undefined && !key.authorizations.includes(needed) ? refuse('special_authorization_required') : null;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly ip: string;
  readonly realNow: number;
  /** Whether the per-minute window has room. */
  readonly withinLimit: boolean;
}

/** The whole decision at once, for the preview of a key. Null if the request reaches the endpoint. */
export function decide<R extends CatalogEndpoint>(
  catalog: Catalog<R>,
  release: Release,
  key: KeyPolicy,
  call: Call,
): Refusal | null {
  const refused = admit(key, call.ip, call.realNow);
  if (refused !== null) return refused;
  if (!call.withinLimit) return refuse('rate_limit_exceeded');
  return route(catalog, release, key, call.method, call.path).refusal;
}

// Previews what a key can do, with the API's own decision functions.
import type { Catalog, CatalogEndpoint } from '../../../../src/domain/catalog/catalog.ts';
import { decide, type KeyPolicy, type Refusal, type Release, route } from '../../../../src/domain/keys/key-policy.ts';
import { parseRange, type Range } from '../../../../src/domain/net/address.ts';
import { type Locale, messageOf, statusOf } from '../../../../src/kit/errors.ts';

/** The properties of a key that decide. */
export interface PreviewedKey {
  readonly environment: 'production' | 'sandbox';
  readonly endpoints: ReadonlySet<string>;
  /** Ranges as text; unreadable ones are ignored (the form reports them). */
  readonly allowedIps: readonly string[];
  readonly expiresAt: number | null;
  readonly revoked: boolean;
  readonly authorizations: readonly string[];
  readonly accountSuspended: boolean;
}

export interface Probe {
  readonly method: string;
  /** As typed: `vehicles`, `/api/v1/vehicles?limit=5`, or a whole address. */
  readonly path: string;
  readonly ip: string;
  readonly now: number;
  readonly withinLimit?: boolean;
}

export interface Verdict {
  /** The status of the API's answer; 200 means that the request reaches the endpoint. */
  readonly status: number;
  readonly code: string | null;
  readonly refusal: Refusal | null;
  /** The requested catalog endpoint, even where it is refused. */
  readonly row: string | null;
}

export function policyOf(key: PreviewedKey): KeyPolicy {
  return {
    revoked: key.revoked,
    expiresAt: key.expiresAt,
    allowedIps: key.allowedIps.map(parseRange).filter((range): range is Range => range !== null),
    endpoints: key.endpoints,
    environment: key.environment,
    authorizations: key.authorizations,
    accountSuspended: key.accountSuspended,
  };
}

/** The path after /api/v1/, as the API reads it. */
export function catalogPath(text: string): string {
  const path = text.trim().replace(/^https?:\/\/[^/]+/i, '');
  return path.replace(/[?#].*/s, '').replace(/^\/?(api\/v1\/)?/, '');
}

export function verdictOf<R extends CatalogEndpoint>(
  catalog: Catalog<R>,
  release: Release,
  key: PreviewedKey,
  probe: Probe,
): Verdict {
  const policy = policyOf(key);
  const path = catalogPath(probe.path);
  const refusal = decide(catalog, release, policy, {
    ...probe,
    realNow: probe.now,
    path,
    withinLimit: probe.withinLimit ?? true,
  });
  return {
    status: refusal === null ? 200 : statusOf(refusal.code),
    code: refusal?.code ?? null,
    refusal,
    row: route(catalog, release, policy, probe.method, path).endpoint?.id ?? null,
  };
}

export const reasonOf = (refusal: Refusal, locale: Locale): string => messageOf(refusal.code, refusal.facts, locale);

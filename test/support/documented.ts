// Compares every API reply that any test gets with the description: a refusal that an endpoint does not name fails.
import { buildCatalog } from '../../src/domain/catalog/catalog.ts';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { EVERYWHERE, refusalsOf } from '../../src/http/docs/openapi/endpoint-refusals.ts';
import type { ErrorCode } from '../../src/kit/errors.ts';
import { resources } from '../../src/resources/index.ts';

const endpoints = apiEndpoints(resources);
const catalog = buildCatalog(endpoints);

/** Any write in an isolated sandbox may get these (SANDBOX=isolated). */
const IN_WORLDS = ['gone', 'sandbox_full', 'sandbox_reset', 'clock_moving'];

/** Addresses of services with endpoints defined by a test. */
export const MADE_UP_ROWS = new Set<string>();

/** `target` is the request's, complete or relative to /api/v1/; other requests are ignored. */
export function requireDescribed(url: string, method: string, target: string, status: number, text: string): void {
  const path = target.startsWith('/') ? /^\/api\/v1\/(.*)$/.exec(target)?.[1] : target;
  if (path === undefined || MADE_UP_ROWS.has(url)) return;
  const code = status < 400 ? undefined : /^\{"success":false,"error":\{"code":"(\w+)"/.exec(text)?.[1];
  const fault = undocumented(method, path, status, code);
  if (fault !== null) throw new Error(`${fault}: ${text.slice(0, 300)}`);
}

/**
 * Why a reply differs from the description; null when it does not, or when no endpoint answered. `path` is relative to /api/v1/.
 */
function undocumented(method: string, path: string, status: number, code: string | undefined): string | null {
  const endpoint = catalog.match(path.split('?')[0]!)?.methods.get(method);
  if (endpoint === undefined || endpoint.body === null) return null;
  if (status < 300)
    return status === (endpoint.body.successStatus ?? 200)
      ? null
      : `${endpoint.id} answers ${status}, which it does not document`;
  if (status === 304 || code === undefined || IN_WORLDS.includes(code)) return null;
  const documented = refusalsOf(endpoint, endpoints, { live: false, shut: true }).get(status) ?? [];
  const known = documented.includes(code as ErrorCode) || EVERYWHERE.includes(code as ErrorCode);
  return known ? null : `${endpoint.id} answers ${status} ${code}, which it does not document (\`refuses\` of the row)`;
}

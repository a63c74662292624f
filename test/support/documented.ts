// Every reply that any test gets through the API is held against the description: a refusal that a row makes and does not name fails.
import { buildCatalog } from '../../src/domain/catalog/catalog.ts';
import { apiRows } from '../../src/http/api/api-rows.ts';
import { EVERYWHERE, refusalsOf } from '../../src/http/docs/openapi/row-refusals.ts';
import type { ErrorCode } from '../../src/kit/errors.ts';
import { resources } from '../../src/resources/index.ts';

const rows = apiRows(resources);
const catalog = buildCatalog(rows);

/** Addresses of services that run rows made up by a test. */
export const MADE_UP_ROWS = new Set<string>();

/** `target` is the request's, whole or behind /api/v1/; what did not go to the API is nobody's matter here. */
export function requireDescribed(url: string, method: string, target: string, status: number, text: string): void {
  const path = target.startsWith('/') ? /^\/api\/v1\/(.*)$/.exec(target)?.[1] : target;
  if (path === undefined || MADE_UP_ROWS.has(url)) return;
  const code = status < 400 ? undefined : /^\{"success":false,"error":\{"code":"(\w+)"/.exec(text)?.[1];
  const fault = undocumented(method, path, status, code);
  if (fault !== null) throw new Error(`${fault}: ${text.slice(0, 300)}`);
}

/** Why a reply is not as described; null when it is, or when no row answered. `path` is behind /api/v1/. */
function undocumented(method: string, path: string, status: number, code: string | undefined): string | null {
  const row = catalog.match(path.split('?')[0]!)?.methods.get(method);
  if (row === undefined || row.body === null) return null;
  if (status < 300) return status === (row.body.answers ?? 200) ? null : `${row.id} answers ${status}, which it does not say`;
  if (status === 304 || code === undefined) return null;
  const said = refusalsOf(row, rows, { live: false, shut: true }).get(status) ?? [];
  const known = said.includes(code as ErrorCode) || EVERYWHERE.includes(code as ErrorCode);
  return known ? null : `${row.id} answers ${status} ${code}, which it does not say (\`refuses\` of the row)`;
}

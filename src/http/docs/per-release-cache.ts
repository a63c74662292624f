// The reference page and OpenAPI change only with the release status, and anyone may request them, so they are made once per release.
import type { ApiRow } from '../api/api-rows.ts';

const kept = new WeakMap<readonly ApiRow[], Map<string, unknown>>();

/** The page in two languages and OpenAPI; twice that while the release status is changing. */
const MAX_KEPT = 6;

export function keptPerRelease<T>(rows: readonly ApiRow[], isLive: (rowId: string) => boolean, name: string, make: () => T): T {
  const ofRows = kept.get(rows) ?? new Map<string, unknown>();
  kept.set(rows, ofRows);
  const key = `${name} ${rows.map(({ id }) => (isLive(id) ? '1' : '0')).join('')}`;
  if (!ofRows.has(key)) {
    if (ofRows.size >= MAX_KEPT) ofRows.clear();
    ofRows.set(key, make());
  }
  return ofRows.get(key) as T;
}

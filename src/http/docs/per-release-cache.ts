// The reference and the description change only when a row is opened or shut, and anyone may ask for them: made once per release.
import type { ApiRow } from '../api/api-rows.ts';

const kept = new WeakMap<readonly ApiRow[], Map<string, unknown>>();

/** Two languages and the description; twice that while a release is being changed. */
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

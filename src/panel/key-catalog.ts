// The catalog as the picker and the preview load it: every row in both languages, and which are open right now.
import type { Method, Risk, Scope } from '../kit/endpoint.ts';
import { resources } from '../resources/index.ts';
import { panelGet } from './endpoint.ts';
import type { House } from './house.ts';

export interface PickerRow {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly scope: Scope;
  readonly risk: Risk;
  /** The English name of its category. */
  readonly category: string;
  readonly name: Readonly<{ en: string; tr: string }>;
  readonly live: boolean;
}

export interface KeyCatalog {
  readonly categories: readonly Readonly<{ en: string; tr: string }>[];
  readonly rows: readonly PickerRow[];
  /** Whether sandbox keys read the production data, and therefore cannot write. */
  readonly sandbox_shared: boolean;
  /** From where this person's requests come, as the service sees it. */
  readonly your_address: string;
}

export async function keyCatalog(house: House, address: string): Promise<KeyCatalog> {
  const release = await house.release();
  const rows = house.catalog.rows.map(({ id, method, path, scope, risk, category, name }) => ({
    id,
    method,
    path,
    scope,
    risk,
    category,
    name,
    live: release.isLive(id),
  }));
  const used = new Set(rows.map((row) => row.category));
  const categories = resources.map((resource) => resource.category).filter(({ en }) => used.has(en));
  return { categories, rows, sandbox_shared: release.sandboxShared, your_address: address };
}

export const keyCatalogRow = panelGet('key-catalog', {
  who: 'member',
  door: 'none',
  run: ({ house, session }) => keyCatalog(house, session.ip),
});

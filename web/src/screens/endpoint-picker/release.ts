// The release status in the form that the decision functions use.
import type { Catalog } from '../../../../src/domain/catalog/catalog.ts';
import type { Release } from '../../../../src/domain/keys/key-policy.ts';
import type { CatalogLine } from '../../../../src/panel/developer/catalog.ts';

export function releaseOf(catalog: Catalog<CatalogLine>, sandboxShared: boolean): Release {
  return { isLive: (id) => catalog.byId.get(id)?.status === 'Aktif', sandboxShared };
}

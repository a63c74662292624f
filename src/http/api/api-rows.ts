// The catalog's rows prepared for serving: each with its category, its index and its query parameters.
import type { CatalogRow } from '../../domain/catalog/catalog.ts';
import type { Body, Resource } from '../../kit/endpoint.ts';
import { listParams, type Params } from '../../kit/params.ts';

export interface ApiRow extends CatalogRow {
  readonly name: Readonly<{ en: string; tr: string }>;
  readonly body: Body | null;
  /** Every query parameter it takes, limit, offset and cursor included where it is a list. */
  readonly params: Params;
}

export function apiRows(resources: readonly Resource[]): ApiRow[] {
  return resources.flatMap(({ category, rows }) =>
    rows.map((row) => ({
      ...row,
      category: category.en,
      params: { ...(isList(row.body) ? listParams : {}), ...row.body?.query },
    })),
  );
}

export const isList = (body: Body | null): body is Extract<Body, { lists: unknown }> => body !== null && 'lists' in body;

// The catalog's endpoints prepared for serving: each with its category, its index and its query parameters.
import type { CatalogEndpoint } from '../../domain/catalog/catalog.ts';
import { deprecationFault } from '../../domain/catalog/deprecation.ts';
import type { Body, Resource } from '../../kit/endpoint.ts';
import { sortParam } from '../../kit/page.ts';
import { listParams, momentParam, type Params } from '../../kit/params.ts';
import { fieldsParam, includeParam } from './include-param.ts';

export interface ApiEndpoint extends CatalogEndpoint {
  readonly name: Readonly<{ en: string; tr: string }>;
  readonly body: Body | null;
  /** Every query parameter it takes, limit, offset and cursor included where it is a list. */
  readonly params: Params;
}

export function apiEndpoints(resources: readonly Resource[]): ApiEndpoint[] {
  const endpoints = preparedOf(resources);
  const ids = new Set(endpoints.map(({ id }) => id));
  for (const endpoint of endpoints) {
    const deprecated = endpoint.body?.deprecated;
    const fault = deprecated && deprecationFault(endpoint.id, deprecated, (id) => ids.has(id));
    if (fault) throw new Error(fault);
  }
  return endpoints;
}

function preparedOf(resources: readonly Resource[]): ApiEndpoint[] {
  return resources.flatMap(({ category, endpoints }) =>
    endpoints.map((endpoint) => ({
      ...endpoint,
      category: category.en,
      params: { ...listParamsOf(endpoint.body), ...endpoint.body?.query, ...includeOf(endpoint.body) },
    })),
  );
}

const includeOf = (body: Body | null): Params => (body?.includes ? { include: includeParam(body.includes) } : {});

const listParamsOf = (body: Body | null): Params =>
  isList(body)
    ? {
        ...listParams,
        ...(body.synced ? { updated_since: momentParam, fields: fieldsParam(Object.keys(body.lists.shape)) } : {}),
        ...(body.sorts ? { sort: sortParam } : {}),
      }
    : {};

export const isList = (body: Body | null): body is Extract<Body, { lists: unknown }> => body !== null && 'lists' in body;

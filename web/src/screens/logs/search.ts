// The log's address: filters, page, live view, and the open request.

import type { QueryOf } from '../../endpoints.ts';
import { periodOf } from '../../parts/input/range.tsx';

export const LOG_FILTERS = ['key', 'method', 'path', 'status', 'error', 'via', 'request_id', 'range', 'from', 'to'] as const;
export const LOG_SEARCH = [...LOG_FILTERS, 'before', 'live', 'line'] as const;
export type LogSearch = { readonly [Name in (typeof LOG_SEARCH)[number]]?: string | undefined };

/** The filters without the period. */
export function filterOf({ key, method, path, status, error, via }: LogSearch) {
  return { key, method, path, status, error, via };
}

export const isFiltered = (search: LogSearch): boolean => LOG_FILTERS.some((name) => search[name]);

/** The query for the server, computed each time because a usual period ends now. */
export function questionOf(search: LogSearch): QueryOf<'GET logs'> {
  if (search.request_id) return { request_id: search.request_id };
  return { ...filterOf(search), ...periodOf(search, '24h'), before: search.before };
}

/** The live view is available on the first page of a period that ends now. */
export const canRun = ({ to, before, request_id }: LogSearch): boolean =>
  to === undefined && before === undefined && request_id === undefined;

/** For the router, without empty values. */
export function addressOf(search: LogSearch): { [Name in (typeof LOG_SEARCH)[number]]?: string } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value));
}

// What the log's address holds: the filters, the page, whether it runs live, and the line that is open beside it.
import { periodOf } from '../../parts/range.tsx';
import type { QueryOf } from '../../rows.ts';

export const LOG_FILTERS = ['key', 'method', 'path', 'status', 'error', 'request_id', 'range', 'from', 'to'] as const;
export const LOG_SEARCH = [...LOG_FILTERS, 'before', 'live', 'line'] as const;
export type LogSearch = { readonly [Name in (typeof LOG_SEARCH)[number]]?: string | undefined };

/** What narrows, without the time range. */
export function filterOf({ key, method, path, status, error }: LogSearch) {
  return { key, method, path, status, error };
}

export const isFiltered = (search: LogSearch): boolean => LOG_FILTERS.some((name) => search[name]);

/** The question the server is asked, made anew each time: a usual span ends now. */
export function questionOf(search: LogSearch): QueryOf<'GET logs'> {
  if (search.request_id) return { request_id: search.request_id };
  return { ...filterOf(search), ...periodOf(search, '24h'), before: search.before };
}

/** Live makes sense for what ends now, on its first page. */
export const canRun = ({ to, before, request_id }: LogSearch): boolean =>
  to === undefined && before === undefined && request_id === undefined;

/** As the router takes it: what is empty is not there. */
export function addressOf(search: LogSearch): { [Name in (typeof LOG_SEARCH)[number]]?: string } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value));
}

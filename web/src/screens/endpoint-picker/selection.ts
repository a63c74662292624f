// The logic of picking endpoints without a screen: filters, category checkboxes, ranges, and the difference that a template makes.
import type { Method, Risk, Status } from '../../../../src/kit/endpoint.ts';
import type { CatalogLine } from '../../../../src/panel/developer/catalog.ts';
import { matches } from '../../fold.ts';

export type Selection = ReadonlySet<string>;

export interface PickerFilter {
  readonly q?: string | undefined;
  readonly category?: string | undefined;
  readonly risk?: Risk | undefined;
  readonly status?: Status | undefined;
  readonly method?: Method | undefined;
  /** Only picked endpoints. */
  readonly picked?: boolean | undefined;
}

type Named = Pick<CatalogLine, 'id' | 'method' | 'path' | 'scope' | 'category' | 'name'>;

/** `words`: the names of its category in both languages, because the search works in either. */
export const found = (endpoint: Named, typed: string, words: readonly string[] = []): boolean =>
  matches(typed, endpoint.id, endpoint.name.tr, endpoint.name.en, endpoint.scope, ...words);

export function filtered<R extends CatalogLine>(
  endpoints: readonly R[],
  filter: PickerFilter,
  selection: Selection,
  wordsOf: (category: string) => readonly string[],
): R[] {
  const { q = '', category, risk, status, method, picked } = filter;
  return endpoints.filter(
    (endpoint) =>
      (category === undefined || endpoint.category === category) &&
      (risk === undefined || endpoint.risk === risk) &&
      (status === undefined || endpoint.status === status) &&
      (method === undefined || endpoint.method === method) &&
      (!picked || selection.has(endpoint.id)) &&
      (q.trim() === '' || found(endpoint, q, wordsOf(endpoint.category))),
  );
}

export const isFiltered = ({ q, category, risk, status, method, picked }: PickerFilter): boolean =>
  Boolean(q?.trim() || category || risk || status || method || picked);

/** The state of a checkbox over several endpoints. */
export function boxOf(ids: readonly string[], selection: Selection): boolean | 'mixed' {
  const held = ids.filter((id) => selection.has(id)).length;
  return held === 0 ? false : held === ids.length ? true : 'mixed';
}

export function withEndpoints(selection: Selection, ids: readonly string[], picked: boolean): Set<string> {
  const next = new Set(selection);
  for (const id of ids) {
    if (picked) next.add(id);
    else next.delete(id);
  }
  return next;
}

/** All shown endpoints from one to the other, both included. */
export function rangeOf(shown: readonly string[], from: string, to: string): string[] {
  const [start, end] = [shown.indexOf(from), shown.indexOf(to)];
  return start < 0 || end < 0 ? [to] : shown.slice(Math.min(start, end), Math.max(start, end) + 1);
}

export interface Difference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly same: readonly string[];
}

export function differenceOf(selection: Iterable<string>, target: Iterable<string>): Difference {
  const [before, after] = [new Set(selection), new Set(target)];
  return {
    added: [...after].filter((id) => !before.has(id)),
    removed: [...before].filter((id) => !after.has(id)),
    same: [...after].filter((id) => before.has(id)),
  };
}

export interface Counts {
  readonly all: number;
  readonly live: number;
  readonly soon: number;
  readonly risks: Readonly<Record<Risk, number>>;
}

export function countsOf(endpoints: readonly CatalogLine[], selection: Selection): Counts {
  const held = endpoints.filter((endpoint) => selection.has(endpoint.id));
  const risk = (of: Risk) => held.filter((endpoint) => endpoint.risk === of).length;
  const live = held.filter((endpoint) => endpoint.status === 'Aktif').length;
  return {
    all: held.length,
    live,
    soon: held.length - live,
    risks: { read: risk('read'), write: risk('write'), destructive: risk('destructive'), sensitive: risk('sensitive') },
  };
}

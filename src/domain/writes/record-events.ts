// The change in an event: the record as it is now, the names of the changed fields, and their previous values.
import type { Work } from '../../kit/work.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Compared as they are sent, so that values that look the same to a receiver are not a change. `updated_at` does not count. */
export function changedFields(before: Fields, after: Fields): { changed: string[]; previous: Record<string, unknown> } {
  const changed = Object.keys(after).filter(
    (name) => name !== 'updated_at' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return { changed, previous: Object.fromEntries(changed.map((name) => [name, before[name]])) };
}

/** `resource`: the prefix of its event kinds, and the path of its GET. Without `before` no field counts as changed. */
export function emitChange(
  work: Work,
  resource: { readonly kind: string; readonly path: string },
  verb: string,
  after: { readonly id: string },
  before: { readonly id: string } = after,
): void {
  const { kind, path } = resource;
  work.emit({ kind: `${kind}.${verb}`, id: after.id, path, object: after, ...changedFields({ ...before }, { ...after }) });
}

// What an event says of a change: the record as it is now, the names of what became another value, and what it was.
import type { Work } from '../../kit/work.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Compared as they are sent, so that what looks the same to a receiver is no change. When it was changed is not what was changed. */
export function changedFields(before: Fields, after: Fields): { changed: string[]; previous: Record<string, unknown> } {
  const changed = Object.keys(after).filter(
    (name) => name !== 'updated_at' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return { changed, previous: Object.fromEntries(changed.map((name) => [name, before[name]])) };
}

/** `resource`: the kind that its events begin with, and where its GET is. Without `before` nothing is said to have changed. */
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

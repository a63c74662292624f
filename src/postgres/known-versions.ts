// The newest version of each data set that this node knows: of what was written since it began to listen.
import type { Database } from '../kit/db.ts';
import type { Changes } from './changes.ts';

export interface KnownVersions {
  /** 0 if it was not written since. */
  of(dataSet: string): bigint;
  /** Called when all were forgotten, because they became too many. */
  onForgotten(listener: () => void): void;
  /** When they were (in `performance.now()`). */
  forgottenAt(): number;
}

const MAX_VERSIONS = 200_000;

export function watchVersions(
  database: Pick<Database, 'onWritten'>,
  changes: Pick<Changes, 'onChange'>,
  max = MAX_VERSIONS,
): KnownVersions {
  const versions = new Map<string, bigint>();
  const listeners: (() => void)[] = [];
  let forgottenAt = Number.NEGATIVE_INFINITY;
  const note = (dataSet: string, version: bigint) => {
    if (version <= (versions.get(dataSet) ?? 0n)) return;
    if (versions.size >= max) {
      versions.clear();
      forgottenAt = performance.now();
      for (const listener of listeners) listener();
    }
    versions.set(dataSet, version);
  };
  // Other nodes' writes arrive on the change channel; this node's own are known before they are acknowledged.
  database.onWritten((dataSet, { version }) => note(dataSet, version));
  changes.onChange(({ topic, id, version }) => {
    if (topic === 'data' && version !== null) note(id, version);
  });
  return {
    of: (dataSet) => versions.get(dataSet) ?? 0n,
    onForgotten: (listener) => listeners.push(listener),
    forgottenAt: () => forgottenAt,
  };
}

// A cache of which endpoints are open. It is used while the change channel is current; otherwise the database is read.
import type { Release } from '../../domain/keys/key-policy.ts';
import { liveEndpoints } from '../../domain/releases/releases.ts';
import type { Database } from '../../kit/db.ts';
import type { Endpoint } from '../../kit/endpoint.ts';
import type { Changes } from '../../postgres/changes.ts';

export interface ReleaseCache {
  /** The current release status. */
  now(): Release | Promise<Release>;
}

export async function createReleaseCache(
  database: Database,
  changes: Changes,
  endpoints: readonly Endpoint[],
  sandboxShared: boolean,
): Promise<ReleaseCache> {
  let current: Release | null = null;
  let generation = 0;
  const read = async (): Promise<Release> => {
    const before = generation;
    const live = await database.onPlatform('read', (db) => liveEndpoints(db, endpoints));
    const release = { isLive: (id: string) => live.has(id), sandboxShared };
    if (generation === before) current = release;
    return release;
  };
  const forget = () => {
    generation += 1;
    current = null;
  };
  changes.onRestored(forget);
  changes.onChange(({ topic }) => {
    if (topic === 'release') forget();
  });
  await read();
  return { now: () => (current !== null && changes.isCurrent() ? current : read()) };
}

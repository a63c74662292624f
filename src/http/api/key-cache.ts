// A cache of API keys. It is used while the change channel is current; otherwise keys are read from the database.
import { createSecretKey, hash } from 'node:crypto';
import { digestOf, sameDigest } from '../../domain/keys/key-secret.ts';
import { findKey, type LiveKey } from '../../domain/keys/keys.ts';
import type { Database } from '../../kit/db.ts';
import type { Changes } from '../../postgres/changes.ts';
import { createLru } from '../wire/lru.ts';

export interface KeyCache {
  /** A cached key, or null. */
  known(secret: string): LiveKey | null;
  /** Null where there is no such key. */
  find(secret: string): LiveKey | null | Promise<LiveKey | null>;
  /** Look-ups that reached the database. */
  reads(): number;
}

/**
 * Secrets are not kept in memory either: entries are named by a plain hash. The peppered hash, which only the database needs,
 * costs several times as much and is computed on a miss.
 */
const nameOf = (secret: string): string => hash('sha256', secret, 'base64');

/** About 1 kB each; the least recently used are dropped first. */
const MAX_KEYS = 50_000;
const MAX_UNKNOWN = 10_000;
const MAX_CHANGED = 100_000;
/**
 * A running look-up also serves requests that ask within this time, which is well under the second in which a change must be in
 * force.
 */
const JOIN_MS = 200;

export function createKeyCache(database: Database, changes: Changes, secret: Buffer): KeyCache {
  // Prepared once, because turning bytes into a key object costs as much as the hash itself.
  const pepper = createSecretKey(secret);
  const known = createLru<{ key: LiveKey; generation: number }>(MAX_KEYS);
  // Digests of unknown keys, so that an invented key with a good checksum is looked up only once.
  const unknown = createLru<true>(MAX_UNKNOWN);
  const reading = new Map<string, { reply: Promise<LiveKey | null>; generation: number; since: number }>();
  // When a change of a key or an account was last received; results that were read before it are not used.
  const changed = new Map<string, number>();
  let generation = 0;
  let reads = 0;

  const forgetAll = () => {
    generation += 1;
    known.clear();
    unknown.clear();
    changed.clear();
  };
  changes.onRestored(forgetAll);
  changes.onChange(({ topic, id }) => {
    if (topic !== 'key' && topic !== 'account') return;
    generation += 1;
    unknown.clear();
    if (changed.size >= MAX_CHANGED) forgetAll();
    changed.set(id, generation);
  });
  const isNewer = (id: string, than: number) => (changed.get(id) ?? -1) > than;

  async function read(secret: string, name: string): Promise<LiveKey | null> {
    const before = generation;
    const digest = digestOf(secret, pepper);
    reads += 1;
    const key = await database.onPlatform('read', (db) => findKey(db, digest));
    if (key !== null && !sameDigest(key.digest, digest)) return null;
    // A change received during the read may be newer than its result, so the result is used once and not cached.
    if (generation === before) {
      if (key === null) unknown.set(name, true);
      else known.set(name, { key, generation });
    }
    return key;
  }

  const knownBy = (name: string): LiveKey | null => {
    const entry = changes.isCurrent() ? known.get(name) : undefined;
    if (entry === undefined || isNewer(entry.key.id, entry.generation) || isNewer(entry.key.accountId, entry.generation))
      return null;
    return entry.key;
  };

  return {
    known: (secret) => knownBy(nameOf(secret)),
    find(secret) {
      const name = nameOf(secret);
      const key = knownBy(name);
      if (key !== null) return key;
      if (changes.isCurrent() && unknown.get(name) !== undefined) return null;
      const running = reading.get(name);
      // Joined only while it cannot have missed a change that must already be in force.
      if (running !== undefined && running.generation === generation && performance.now() - running.since < JOIN_MS)
        return running.reply;
      const reply = read(secret, name).finally(() => {
        if (reading.get(name)?.reply === reply) reading.delete(name);
      });
      reading.set(name, { reply, generation, since: performance.now() });
      return reply;
    },
    reads: () => reads,
  };
}

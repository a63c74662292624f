// Caches replies of lists while the account's data does not change. An entry has the version of the data set that it was read
// at (from the same snapshot); a notification of a newer version invalidates it.
import { hash } from 'node:crypto';
import type { Database } from '../../kit/db.ts';
import type { WalkPosition } from '../../kit/page.ts';
import type { Changes } from '../../postgres/changes.ts';
import { createLru } from '../wire/lru.ts';

export interface CachedReply {
  readonly dataSet: string;
  readonly version: bigint;
  readonly body: Buffer;
  readonly etag: string;
  readonly links: readonly PageLink[];
}

/** Without the prefix, because API and panel share cached replies. */
export interface PageLink {
  readonly rel: 'next' | 'prev';
  readonly target: string;
  /** For a walk: what the cursor is signed over. It is signed for each reply, which may be long after the page was read. */
  readonly walk?: { readonly list: string; readonly after: WalkPosition };
}

export interface ResponseCache {
  get(key: string): CachedReply | undefined;
  /** Called before a read: its result may be cached only if the change channel was not lost during the read. */
  epoch(): number;
  set(key: string, reply: CachedReply, epoch: number): void;
  bytes(): number;
}

const MAX_BYTES = 48 * 1024 * 1024;
const MAX_VERSIONS = 200_000;

export function createResponseCache(database: Database, changes: Changes, maxBytes = MAX_BYTES): ResponseCache {
  const replies = createLru<CachedReply>(maxBytes);
  // The newest known version of each data set that changed since this node began to listen.
  const versions = new Map<string, bigint>();
  const note = (dataSet: string, version: bigint) => {
    if (version <= (versions.get(dataSet) ?? 0n)) return;
    if (versions.size >= MAX_VERSIONS) {
      versions.clear();
      replies.clear();
    }
    versions.set(dataSet, version);
  };
  // Other nodes' writes arrive on the change channel; this node's own are known before they are acknowledged.
  database.onWritten((dataSet, { version }) => note(dataSet, version));
  changes.onChange(({ topic, id, version }) => {
    if (topic === 'data' && version !== null) note(id, version);
  });
  // Changes may have been missed while the channel was lost, so the whole cache is invalid.
  let epoch = 0;
  changes.onRestored(() => {
    epoch += 1;
    replies.clear();
  });
  const isOld = (reply: CachedReply) => reply.version < (versions.get(reply.dataSet) ?? 0n);
  return {
    get: (key) => {
      if (!changes.isCurrent()) return undefined;
      const reply = replies.get(key);
      if (reply === undefined || !isOld(reply)) return reply;
      replies.remove(key);
      return undefined;
    },
    epoch: () => epoch,
    set: (key, reply, since) => {
      if (since === epoch && changes.isCurrent() && !isOld(reply)) replies.set(key, reply, reply.body.length + key.length + 300);
    },
    bytes: () => replies.weight(),
  };
}

/** A hash of the bytes, so it is valid across nodes, restarts, versions of the service and restored backups. */
export const strongEtag = (body: Buffer): string => `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
export const weakEtag = (json: string): string => `W/"${hash('sha256', json, 'base64url').slice(0, 27)}"`;

/** RFC 9110: compared weakly, `*` matches anything. */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  const bare = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag.replace(/^W\//, '') === bare;
  });
}

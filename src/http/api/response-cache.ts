// Whole replies of lists, kept for as long as the account's data has not changed. An entry carries the version of the data set
// it was read at (from the same snapshot); hearing of a newer version ends it.
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

/** Without the door it is reached through: what is kept is given out at every door. */
export interface PageLink {
  readonly rel: 'next' | 'prev';
  readonly target: string;
  /** Of a walk: what its cursor is signed over when the link is given out, which may be long after the page was read. */
  readonly walk?: { readonly list: string; readonly after: WalkPosition };
}

export interface ResponseCache {
  get(key: string): CachedReply | undefined;
  /** Before a read: what it gives may be kept only if the change channel was not lost meanwhile. */
  epoch(): number;
  set(key: string, reply: CachedReply, epoch: number): void;
  bytes(): number;
}

const MAX_BYTES = 48 * 1024 * 1024;
const MAX_VERSIONS = 200_000;

export function createResponseCache(database: Database, changes: Changes, maxBytes = MAX_BYTES): ResponseCache {
  const replies = createLru<CachedReply>(maxBytes);
  // The newest version heard of each data set that changed since this node began to listen.
  const versions = new Map<string, bigint>();
  const note = (dataSet: string, version: bigint) => {
    if (version <= (versions.get(dataSet) ?? 0n)) return;
    if (versions.size >= MAX_VERSIONS) {
      versions.clear();
      replies.clear();
    }
    versions.set(dataSet, version);
  };
  // Other nodes' writes are heard of; this node's own are known before they are acknowledged.
  database.onWritten((dataSet, { version }) => note(dataSet, version));
  changes.onChange(({ topic, id, version }) => {
    if (topic === 'data' && version !== null) note(id, version);
  });
  // What was missed while the channel was lost is not known, so nothing kept can be trusted.
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

/** From the bytes themselves, so that it is right across nodes, restarts, versions of the service and restored backups. */
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

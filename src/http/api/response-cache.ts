// Caches replies of lists while the account's data does not change. An entry has the version of the data set that it was read
// at (from the same snapshot); a notification of a newer version invalidates it.
import { hash } from 'node:crypto';
import type { WalkPosition } from '../../kit/page.ts';
import type { Changes } from '../../postgres/changes.ts';
import type { KnownVersions } from '../../postgres/known-versions.ts';
import { createLru } from '../wire/lru.ts';

/** What was read from a data set, with the version that it had. */
export interface CachedRead {
  readonly dataSet: string;
  readonly version: bigint;
  readonly body: Buffer;
}

export interface CachedReply extends CachedRead {
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

export interface ResponseCache<R extends CachedRead = CachedReply> {
  get(key: string): R | undefined;
  /** Called before a read: its result may be cached only if the change channel was not lost during the read. */
  epoch(): number;
  set(key: string, reply: R, epoch: number): void;
  bytes(): number;
}

const MAX_BYTES = 48 * 1024 * 1024;

/** `ofAccounts`: replies that depend on accounts as the platform changes them, which does not raise a version. */
export function createResponseCache<R extends CachedRead = CachedReply>(
  versions: KnownVersions,
  changes: Changes,
  { maxBytes = MAX_BYTES, ofAccounts = false }: { readonly maxBytes?: number; readonly ofAccounts?: boolean } = {},
): ResponseCache<R> {
  const replies = createLru<R>(maxBytes);
  versions.onForgotten(() => replies.clear());
  // Changes may have been missed while the channel was lost, so the whole cache is invalid.
  let epoch = 0;
  const dropAll = () => {
    epoch += 1;
    replies.clear();
  };
  changes.onRestored(dropAll);
  if (ofAccounts)
    changes.onChange(({ topic }) => {
      if (topic === 'account') dropAll();
    });
  const isOld = (reply: R) => reply.version < versions.of(reply.dataSet);
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

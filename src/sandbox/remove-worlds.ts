// Removes worlds: first those without requests for a long time, after a notice to their owner; then the rows and files of every removed
// world, in small steps. It can be interrupted anywhere; several processes may do it at once.
import type { FileStore } from '../domain/files/file-store.ts';
import { addNotification } from '../domain/notifications/notification.ts';
import { SYSTEM, type Writer } from '../domain/writes/write.ts';
import type { Times } from '../kit/clock.ts';
import type { Database } from '../kit/db.ts';
import { sql } from '../kit/sql.ts';

const DAY_MS = 86_400_000;
const [IDLE_DAYS, NOTICE_DAYS] = [90, 14];
/** A notice whose removal is two days late was given before sandboxes were closed (SANDBOX=shared): another one is needed. */
const NOTICE_LASTS_DAYS = NOTICE_DAYS + 2;
/** Requests that began before the removal have ended by then. */
const REMOVED_MS = 60_000;
/** Longer than making a world takes: one that was not opened by then was abandoned. */
const ABANDONED_MS = 3_600_000;
/** Worlds in one round, files and rows in one step. */
const [WORLDS, FILES, ROWS] = [200, 100, 2000];

export interface Removal {
  readonly removedMs: number;
  readonly abandonedMs: number;
}

/** Returns how many worlds are gone. */
export async function clearRemovedWorlds(
  database: Database,
  openStore: () => Promise<FileStore>,
  realNow: Date,
  ages: Removal = { removedMs: REMOVED_MS, abandonedMs: ABANDONED_MS },
  signal?: AbortSignal,
): Promise<number> {
  const before = (ms: number) => new Date(realNow.getTime() - ms);
  const due = await database.onPlatform('read', (db) =>
    db.rows<{ id: string }>(sql`select id from worlds where removed_at <= ${before(ages.removedMs)}
      and (opened_at is not null or removed_at <= ${before(ages.abandonedMs)}) order by removed_at limit ${WORLDS}`),
  );
  let gone = 0;
  for (const { id } of due) {
    if (signal?.aborted) break;
    if (await clearWorld(database, openStore, id, signal)) gone += 1;
  }
  return gone;
}

async function clearWorld(
  database: Database,
  openStore: () => Promise<FileStore>,
  id: string,
  signal?: AbortSignal,
): Promise<boolean> {
  while (!signal?.aborted) {
    const { deleted, is_gone: isGone } = await database.onPlatform('write', (db) =>
      db.one<{ deleted: bigint; is_gone: boolean }>(sql`select deleted, is_gone from clear_world(${id}, ${ROWS})`),
    );
    if (isGone) return true;
    // Files after the records that name them, and before their own rows, which name what has to be deleted.
    if (deleted === 0n && (await deleteFiles(database, openStore, id)) === 0) return false;
  }
  return false;
}

async function deleteFiles(database: Database, openStore: () => Promise<FileStore>, world: string): Promise<number> {
  const files = await database.onPlatform('read', (db) =>
    db.rows<{ account_id: string; id: string; name: string }>(sql`select account_id, id, name from stored_files
      where account_id in (select dealer from dealers_of_world(${world}) dealer) limit ${FILES}`),
  );
  if (files.length === 0) return 0;
  const store = await openStore();
  for (const { name } of files) await store.delete(name);
  const [accounts, ids] = [files.map(({ account_id }) => account_id), files.map(({ id }) => id)];
  return database.onPlatform('write', (db) =>
    db.exec(sql`delete from stored_files where (account_id, id) in (select * from unnest(${accounts}::uuid[], ${ids}::uuid[]))`),
  );
}

interface IdleWorld {
  readonly id: string;
  readonly owner_id: string;
  readonly timezone: string;
}

/** Notifies owners two weeks before, and removes worlds that were not used since. Returns how many were removed. */
export async function retireIdleWorlds(writer: Writer, { now, realNow }: Times): Promise<number> {
  const { database } = writer;
  const ago = (days: number) => new Date(realNow.getTime() - days * DAY_MS);
  const lacksNotice = sql`(noticed_at is null or noticed_at < last_used_at or noticed_at <= ${ago(NOTICE_LASTS_DAYS)})`;
  const idle = await database.onPlatform('read', (db) =>
    db.rows<IdleWorld>(sql`select worlds.id, owner_id, timezone from worlds join accounts on accounts.id = owner_id
      where removed_at is null and last_used_at <= ${ago(IDLE_DAYS - NOTICE_DAYS)} and ${lacksNotice}
      order by last_used_at limit ${WORLDS}`),
  );
  for (const { id, owner_id: owner, timezone } of idle) {
    // The mark first: after a crash between the two, an owner has no notice rather than one every minute.
    const isMarked = await database.onPlatform('write', (db) =>
      db.exec(sql`update worlds set noticed_at = ${realNow} where id = ${id} and removed_at is null and ${lacksNotice}`),
    );
    if (isMarked === 0) continue;
    const call = { dataSet: owner, account: { id: owner, timezone }, actor: SYSTEM, now };
    await writer.write(call, (work) => addNotification(work, NOTICE));
  }
  return database.onPlatform('write', (db) =>
    db.exec(sql`update worlds set removed_at = ${realNow} where removed_at is null and last_used_at <= ${ago(IDLE_DAYS)}
      and noticed_at <= ${ago(NOTICE_DAYS)} and not ${lacksNotice}`),
  );
}

const NOTICE = {
  kind: 'notification.created',
  title: { en: 'Your sandbox will be removed', tr: 'Sandbox ortamınız silinecek' },
  body: {
    en: `Your sandbox has not been used for ${IDLE_DAYS - NOTICE_DAYS} days. It will be removed in ${NOTICE_DAYS} days unless it is used again; the next request then creates a new one.`,
    tr: `Sandbox ortamınız ${IDLE_DAYS - NOTICE_DAYS} gündür kullanılmadı. Kullanılmazsa ${NOTICE_DAYS} gün sonra silinecek; sonraki istek yeni bir ortam oluşturur.`,
  },
} as const;

// Queues today's reminders by mail. It queries due reminders instead of waiting for a moment, so that a rule, a sale or an
// address of the same day counts too; reminders that are queued or sent are not queued again by any process. A dealer is looked at
// on a new day, and when data or settings have changed since the last look.
import { queueReminders as queueMails } from '../domain/mail/mail-queue.ts';
import { mailIdOf, readDueMails } from '../domain/reminders/reminder-mail.ts';
import { END_HOUR, FIRST_HOUR } from '../domain/reminders/reminders-states.ts';
import { vaultKeys } from '../domain/vault/vault.ts';
import type { Writer } from '../domain/writes/write.ts';
import type { Times } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { sql } from '../kit/sql.ts';

/** Returns how many were queued. */
export async function queueReminders(
  { database, secrets }: Pick<Writer, 'database' | 'secrets'>,
  { now, realNow }: Times,
  stopping?: AbortSignal,
): Promise<number> {
  const dealers = await database.onPlatform('read', (db) => dealersToLookAt(db, now));
  let queued = 0;
  for (const { id: dataSet, seen } of dealers) {
    if (stopping?.aborted) break;
    const due = await database.inTenant(dataSet, 'read', (db) => readDueMails(db, now));
    const mails = due.map(({ key, mail }) => ({ id: mailIdOf(dataSet, key), dataSet, reminder: JSON.stringify(key), mail }));
    queued += await database.onPlatform('write', async (db) => {
      db.send(sql`update data_sets set reminders_seen = ${seen} where id = ${dataSet}`);
      return mails.length === 0 ? 0 : queueMails(db, vaultKeys(secrets), mails, realNow);
    });
  }
  return queued;
}

interface Dealer {
  readonly id: string;
  readonly seen: string;
}

/** By the index of dealers with such rules, within their hours, and only what differs from the last look. */
export const dealersToLookAt = (db: Db, now: Date): Promise<Dealer[]> =>
  db.rows<Dealer>(sql`select id, seen from (
      select a.id, d.reminders_seen, concat_ws(' ', d.version, local.at::date, extract(epoch from a.updated_at)) as seen
      from accounts a join data_sets d on d.id = a.id cross join lateral (select ${now}::timestamptz at time zone a.timezone as at) local
      where a.status = 'Aktif' and not a.is_demo and not is_closed(a.id) and a.reminders::jsonb @> '[{"channel": "E-posta", "active": true}]'
        and extract(hour from local.at) >= ${FIRST_HOUR}::int and extract(hour from local.at) < ${END_HOUR}::int) dealers
    where reminders_seen is distinct from seen order by id`);

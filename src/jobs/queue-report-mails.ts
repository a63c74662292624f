// Queues today's reports. It queries due reports instead of waiting for a moment, so that a service that was down makes up for
// the last one; reports that are queued or sent are not queued again by any process. Only dealers with a due report are visited.
import { mailId, queueReminders as queueMails } from '../domain/mail/mail-queue.ts';
import { readDueReports } from '../domain/reports/report-mail.ts';
import { MAIL_HOUR } from '../domain/reports/shapes-states.ts';
import { vaultKeys } from '../domain/vault/vault.ts';
import type { Writer } from '../domain/writes/write.ts';
import type { Times } from '../kit/clock.ts';
import { sql } from '../kit/sql.ts';

/** Returns how many were queued. */
export async function queueReportMails(
  { database, secrets }: Pick<Writer, 'database' | 'secrets'>,
  { now, realNow }: Times,
  stopping?: AbortSignal,
): Promise<number> {
  const dealers = await database.onPlatform('read', (db) =>
    // The join leaves out worlds, whose accounts this connection does not see.
    db.rows<{ id: string }>(sql`select distinct a.id from report_schedules s join accounts a on a.id = s.account_id
      where a.status = 'Aktif' and not a.is_demo and not is_closed(a.id) and s.sent_on < date_trunc(case s.frequency when 'Aylık' then 'month' else 'week' end,
        (${now}::timestamptz - make_interval(hours => ${MAIL_HOUR}::int)) at time zone a.timezone)::date order by 1`),
  );
  let queued = 0;
  for (const { id: dataSet } of dealers) {
    if (stopping?.aborted) break;
    const due = await database.inTenant(dataSet, 'read', (db) => readDueReports(db, now));
    const mails = due.map(({ key, mail }) => ({
      id: mailId([dataSet, key.schedule_id, key.day]),
      dataSet,
      reminder: JSON.stringify(key),
      mail,
    }));
    if (mails.length > 0)
      queued += await database.onPlatform('write', (db) => queueMails(db, vaultKeys(secrets), mails, realNow));
  }
  return queued;
}

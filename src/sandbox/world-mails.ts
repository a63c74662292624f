// The mails that fall due in a world at a given time: payment reminders and scheduled reports. They are kept in the world.
import { addDays } from '../domain/clock/days.ts';
import { dropReminder } from '../domain/reminders/reminder-log.ts';
import { readDueMails } from '../domain/reminders/reminder-mail.ts';
import { FIRST_HOUR } from '../domain/reminders/reminders-states.ts';
import { logReportSent, makeReportMail, readDueReports } from '../domain/reports/report-mail.ts';
import { MAIL_HOUR } from '../domain/reports/shapes-states.ts';
import { dropMessage } from '../domain/worlds/messages.ts';
import type { WriteCall, Writer } from '../domain/writes/write.ts';
import { dayIn, startOfDay } from '../kit/clock.ts';
import type { Work } from '../kit/work.ts';

/**
 * Reminders and reports of the call's data set that are due at its `now`, each once however often this is called. The mail budget
 * of accounts does not apply, because nothing is sent. Returns how many messages are new.
 */
export async function dropDueMails({ database, write }: Writer, call: WriteCall): Promise<number> {
  // Reads first, because a write raises the version of the data set even if nothing is due.
  const [reminders, reports] = await database.inTenant(call.dataSet, 'read', async (db) => [
    await readDueMails(db, call.now),
    await readDueReports(db, call.now),
  ]);
  if (reminders.length + reports.length === 0) return 0;
  return write(call, async (work) => {
    let dropped = 0;
    for (const due of await readDueMails(work.db, work.now)) if (await dropReminder(work, due)) dropped += 1;
    return dropped + (await dropReports(work));
  });
}

async function dropReports({ db, keys, now }: Work): Promise<number> {
  let dropped = 0;
  for (const { key } of await readDueReports(db, now)) {
    const made = await makeReportMail(db, key, now);
    if (made === null) continue;
    const attachments = made.attachments.map(({ name, type, content }) => ({ name, type, size_bytes: content.length }));
    const about = { kind: 'report_schedule', id: key.schedule_id };
    await dropMessage(db, keys, { channel: 'E-posta', ...made.mail, attachments, about }, now);
    await logReportSent(db, key, now);
    dropped += 1;
  }
  return dropped;
}

const HOURS = [MAIL_HOUR, FIRST_HOUR].toSorted((one, other) => one - other);

/** The next time after `after` at which a reminder or a report can fall due: when the hours of reports and of reminders begin. */
export function nextMailTime(after: Date, timezone: string): Date {
  for (let day = dayIn(after, timezone); ; day = addDays(day, 1)) {
    const found = HOURS.map((hour) => hourOfDay(day, hour, timezone)).find((at) => at > after);
    if (found !== undefined) return found;
  }
}

/** An hour of a day on the clock of the zone, also on days when the clock changes. */
function hourOfDay(day: string, hour: number, timezone: string): Date {
  const midnight = startOfDay(addDays(day, 1), timezone).getTime();
  // Clocks change at night, so the hours from morning to midnight have their usual length.
  return new Date(midnight - (24 - hour) * 3_600_000);
}

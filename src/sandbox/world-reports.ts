// Reports by mail in a world: on each of their days, into the world's drop instead of a mail server. Of the workbook only name and size are kept.
import { logReportSent, makeReportMail, nextReportMail, readDueReports } from '../domain/reports/report-mail.ts';
import { dropMessage } from '../domain/worlds/messages.ts';
import type { Look } from '../domain/writes/timed-transition.ts';
import type { Work } from '../kit/work.ts';

export const dueReports = async ({ db, now }: Look, skip: readonly string[]): Promise<string[]> =>
  (await readDueReports(db, now)).map(({ key }) => key.schedule_id).filter((id) => !skip.includes(id));

export async function dropReports(work: Work, ids: readonly string[]): Promise<void> {
  const { db, keys, now } = work;
  for (const { key } of await readDueReports(db, now)) {
    if (!ids.includes(key.schedule_id)) continue;
    const made = await makeReportMail(db, key, now);
    if (made !== null) {
      const attachments = made.attachments.map(({ name, type, content }) => ({ name, type, size_bytes: content.length }));
      const about = { kind: 'report_schedule', id: key.schedule_id };
      await dropMessage(db, keys, { channel: 'E-posta', ...made.mail, attachments, about }, now);
    }
    await logReportSent(db, key, now);
  }
}

export const nextReport = nextReportMail;

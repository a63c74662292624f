// Reports by mail in a world: on each of their days, into the world's drop instead of a mail server. The workbook is not kept.
import { logReportSent, makeReportMail, nextReportMail, readDueReports } from '../domain/reports/report-mail.ts';
import type { Look } from '../domain/writes/timed-transition.ts';
import type { Work } from '../kit/work.ts';
import { dropMail } from './drop-mail.ts';

export const dueReports = async ({ db, now }: Look, skip: readonly string[]): Promise<string[]> =>
  (await readDueReports(db, now)).map(({ key }) => key.schedule_id).filter((id) => !skip.includes(id));

export async function dropReports(work: Work, ids: readonly string[]): Promise<void> {
  const { db, now } = work;
  for (const { key } of await readDueReports(db, now)) {
    if (!ids.includes(key.schedule_id)) continue;
    const made = await makeReportMail(db, key, now);
    if (made !== null) await dropMail(work, made.mail, { kind: 'report_schedule', id: key.schedule_id });
    await logReportSent(db, key, now);
  }
}

export const nextReport = nextReportMail;

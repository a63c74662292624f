// What falls due in a world: the timed transitions of production, and what jobs and administrators do there.
import { TIMED_TRANSITIONS } from '../domain/timed-transitions.ts';
import type { TimedTransition } from '../domain/writes/timed-transition.ts';
import { billMemberships, dueMemberships, nextMembershipBill } from './membership-bill.ts';
import { dropReminders, dueReminders, nextReminder } from './world-reminders.ts';
import { dropReports, dueReports, nextReport } from './world-reports.ts';

/** In production jobs look for these again and again, and no write says when they are due. */
export const JOBS_AS_TRANSITIONS: readonly TimedTransition[] = [
  { kind: 'membership', due: dueMemberships, run: billMemberships, next: nextMembershipBill },
  { kind: 'reminder', due: dueReminders, run: dropReminders, next: nextReminder },
  { kind: 'report_mail', due: dueReports, run: dropReports, next: nextReport },
];

export const WORLD_TRANSITIONS: readonly TimedTransition[] = [...TIMED_TRANSITIONS, ...JOBS_AS_TRANSITIONS];

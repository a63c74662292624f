// What falls due in a world: the timed transitions of production, and what jobs and administrators do there.
import { TIMED_TRANSITIONS } from '../domain/timed-transitions.ts';
import type { TimedTransition } from '../domain/writes/timed-transition.ts';
import { sql } from '../kit/sql.ts';
import { billMemberships, dueMemberships, nextMembershipBill } from './membership-bill.ts';
import { dropReminders, dueReminders, nextReminder } from './world-reminders.ts';
import { dropReports, dueReports, nextReport } from './world-reports.ts';

export const WORLD_TRANSITIONS: readonly TimedTransition[] = [
  ...TIMED_TRANSITIONS,
  { kind: 'membership', due: dueMemberships, run: billMemberships, next: nextMembershipBill },
  { kind: 'reminder', due: dueReminders, run: dropReminders, next: nextReminder },
  { kind: 'report_mail', due: dueReports, run: dropReports, next: nextReport },
];

/** Counts what it changes in the move of the clock that runs it. */
export const counted = (transition: TimedTransition): TimedTransition => ({
  ...transition,
  run: async (work, ids) => {
    await transition.run(work, ids);
    work.db.send(sql`select count_world_transitions(${transition.kind}, ${ids.length})`);
  },
});

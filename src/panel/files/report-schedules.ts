// Reports by mail in the panel, for the owner. Creating a schedule requires the password again, because it sends figures to others.
import {
  addSchedule,
  listSchedules,
  type ReportSchedule,
  removeSchedule,
  SCHEDULE_FIELDS,
} from '../../domain/reports/report-schedule.ts';
import { canMailFor } from '../kit/can-mail.ts';
import { panelDelete, panelGet, panelPost } from '../kit/endpoint.ts';

/** What `GET report-schedules` answers. */
export interface ReportSchedules {
  /** Whether the service sends mail. */
  readonly can_mail: boolean;
  readonly schedules: readonly ReportSchedule[];
}

export const reportScheduleEndpoints = [
  panelGet('report-schedules', {
    who: ['owner'],
    databaseRole: 'tenant',
    ofColleagues: true,
    run: async ({ db, services }): Promise<ReportSchedules> => ({
      can_mail: await canMailFor(db, services),
      schedules: await listSchedules(db),
    }),
  }),
  panelPost('report-schedules', {
    who: ['owner'],
    databaseRole: 'tenant',
    recent: true,
    bodySchema: SCHEDULE_FIELDS,
    run: async ({ db, body, services, ...by }): Promise<ReportSchedules> => ({
      can_mail: await canMailFor(db, services),
      schedules: await addSchedule(db, body, by),
    }),
  }),
  panelDelete('report-schedules/{schedule_id}', {
    who: ['owner'],
    databaseRole: 'tenant',
    run: async ({ db, params, services, ...by }): Promise<ReportSchedules> => ({
      can_mail: await canMailFor(db, services),
      schedules: await removeSchedule(db, params.schedule_id, by),
    }),
  }),
];

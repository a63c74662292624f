// The account's audit log, for its owner.
import { type NamedEntry, withNames } from '../domain/writes/audit-names.ts';
import { auditSubjects, listAudit } from '../domain/writes/audit-trail.ts';
import { momentParam, oneOfParam, paging, textParam } from '../kit/params.ts';
import { listed, panelGet } from './endpoint.ts';

/** A line of `GET audit`. */
export type AuditLine = NamedEntry;

/** What `GET audit/subjects` answers. */
export type AuditSubjects = readonly string[];

export const auditRows = [
  panelGet('audit', {
    who: ['owner'],
    door: 'tenant',
    query: {
      ...paging,
      subject: textParam(40),
      actor: textParam(254),
      target: textParam(120),
      outcome: oneOfParam(['done', 'denied']),
      from: momentParam,
      to: momentParam,
    },
    run: async ({ db, query, account }) =>
      listed(await withNames(db, await listAudit(db, query, query, account.timezone)), query),
  }),
  panelGet('audit/subjects', {
    who: ['owner'],
    door: 'tenant',
    run: ({ db }): Promise<AuditSubjects> => auditSubjects(db),
  }),
];

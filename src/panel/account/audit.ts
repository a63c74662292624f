// The account's audit log, for its owner.
import { type NamedEntry, withNames } from '../../domain/writes/audit-names.ts';
import { AuditFilters, auditSubjects, listAudit } from '../../domain/writes/audit-trail.ts';
import { paging } from '../../kit/params.ts';
import { listed, panelGet } from '../kit/endpoint.ts';

/** A line of `GET audit`. */
export type AuditLine = NamedEntry;

/** What `GET audit/subjects` answers. */
export type AuditSubjects = readonly string[];

export const auditEndpoints = [
  panelGet('audit', {
    who: ['owner'],
    databaseRole: 'tenant',
    query: { ...paging, ...AuditFilters },
    run: async ({ db, query, account }) =>
      listed(await withNames(db, await listAudit(db, query, query, account.timezone)), query),
  }),
  panelGet('audit/subjects', {
    who: ['owner'],
    databaseRole: 'tenant',
    run: ({ db }): Promise<AuditSubjects> => auditSubjects(db),
  }),
];

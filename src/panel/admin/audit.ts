// The audit log of the whole platform, newest first.
import { type NamedEntry, withPlatformNames } from '../../domain/writes/audit-names.ts';
import type { AuditEntry } from '../../domain/writes/audit-trail.ts';
import { endOf, startOf } from '../../kit/clock.ts';
import { momentParam, oneOfParam, paging, textParam, uuidParam } from '../../kit/params.ts';
import { allOf, type Sql, sql } from '../../kit/sql.ts';
import { listed, panelGet } from '../kit/endpoint.ts';

/** A line of `GET admin/audit`. */
export type AdminAuditLine = NamedEntry & WithAccount;

interface WithAccount {
  readonly account_id: string | null;
  readonly account: string | null;
}

/** Administrators filter by days of one time zone for all dealers. */
const ZONE = 'Europe/Istanbul';

export const adminAuditEndpoints = [
  panelGet('admin/audit', {
    who: 'admin',
    databaseRole: 'platform',
    query: {
      ...paging,
      subject: textParam(40),
      actor: textParam(254),
      target: textParam(200),
      account_id: uuidParam,
      outcome: oneOfParam(['done', 'denied']),
      from: momentParam,
      to: momentParam,
    },
    run: async ({ db, query }) => {
      const { subject, actor, target, account_id, outcome, from, to, limit, offset } = query;
      const where: Sql[] = [];
      if (subject !== undefined) where.push(sql`subject = ${subject}`);
      if (actor !== undefined) where.push(sql`position(lower(${actor}) in lower(actor)) > 0`);
      if (target !== undefined) where.push(sql`target = ${target}`);
      if (account_id !== undefined) where.push(sql`account_id = ${account_id}`);
      if (outcome !== undefined) where.push(sql`outcome = ${outcome}`);
      if (from !== undefined) where.push(sql`created_at >= ${startOf(from, ZONE)}`);
      if (to !== undefined) where.push(sql`created_at < ${endOf(to, ZONE)}`);
      const found = await db.rows<AuditEntry & WithAccount>(sql`
        with page as (select * from audit_log where true${allOf(where)} order by created_at desc, id desc
          limit ${limit + 1} offset ${offset})
        select p.id, utc_text(p.created_at) as created_at, p.actor_type, p.actor, p.person_id, p.role, p.action, p.target, p.before,
          p.after, p.ip, p.user_agent, p.request_id, p.outcome, p.account_id, a.name as account
        from page p left join accounts a on a.id = p.account_id order by p.created_at desc, p.id desc`);
      return listed(await withPlatformNames(db, found), query);
    },
  }),
  panelGet('admin/audit/subjects', {
    who: 'admin',
    databaseRole: 'platform',
    run: async ({ db }): Promise<string[]> => {
      // A skip scan in the index: as many steps as there are subjects, however long the log.
      const found = await db.rows<{ subject: string }>(sql`
        with recursive subjects as (
          (select subject from audit_log order by subject limit 1)
          union all
          select (select subject from audit_log where audit_log.subject > subjects.subject order by subject limit 1)
            from subjects where subjects.subject is not null
        ) select subject from subjects where subject is not null`);
      return found.map(({ subject }) => subject);
    },
  }),
];

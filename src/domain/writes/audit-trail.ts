// The audit log as an account's owner reads it: newest first, filtered by actor, action, time and outcome.
import { endOf, type Moment, startOf } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { listPage, type Page, type Paging } from '../../kit/page.ts';
import { momentParam, oneOfParam, textParam } from '../../kit/params.ts';
import { allOf, own, type Sql, sql } from '../../kit/sql.ts';

export interface AuditEntry {
  readonly id: string;
  readonly created_at: string;
  readonly actor_type: 'cli' | 'panel' | 'api_key' | 'system';
  /** The e-mail address of a person, or the name of another actor. */
  readonly actor: string;
  readonly person_id: string | null;
  readonly role: string | null;
  readonly action: string;
  readonly target: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly request_id: string | null;
  readonly outcome: 'done' | 'denied';
  /** Of a write by an agent: its client, the preview and who confirmed it. */
  readonly via?: Readonly<Record<string, unknown>> | null;
}

export interface AuditFilter {
  /** The kind of record: the part of an action before its dot. */
  readonly subject?: string | undefined;
  readonly actor?: string | undefined;
  readonly target?: string | undefined;
  readonly outcome?: 'done' | 'denied' | undefined;
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
}

export const AuditFilters = {
  subject: textParam(40),
  actor: textParam(254),
  target: textParam(120),
  outcome: oneOfParam(['done', 'denied']),
  from: momentParam,
  to: momentParam,
} as const;

const SELECT_LIST = sql`id, utc_text(created_at) as created_at, actor_type, actor, person_id, role, action, target, before, after, ip, user_agent,
  request_id, outcome, via`;

/** With the tenant role; one more than the page size if there is a next page. */
export const listAudit = (db: Db, filter: AuditFilter, { limit, offset }: Paging, timeZone: string): Promise<AuditEntry[]> =>
  db.rows<AuditEntry>(sql`
    select ${SELECT_LIST} from ${own('audit_log')} where true${allOf(auditWhere(filter, timeZone))}
    order by audit_log.created_at desc, id desc limit ${limit + 1} offset ${offset}`);

/** The same as JSON, with a cursor. */
export const walkAudit = (db: Db, filter: AuditFilter, timeZone: string, page: Paging): Promise<Page> =>
  listPage(db, { table: 'audit_log', shows: SELECT_LIST, where: auditWhere(filter, timeZone) }, page);

function auditWhere(filter: AuditFilter, timeZone: string): Sql[] {
  const where: Sql[] = [];
  if (filter.subject !== undefined) where.push(sql`subject = ${filter.subject}`);
  if (filter.actor !== undefined) where.push(sql`actor = ${filter.actor}`);
  if (filter.target !== undefined) where.push(sql`target = ${filter.target}`);
  if (filter.outcome !== undefined) where.push(sql`outcome = ${filter.outcome}`);
  if (filter.from !== undefined) where.push(sql`created_at >= ${startOf(filter.from, timeZone)}`);
  if (filter.to !== undefined) where.push(sql`created_at < ${endOf(filter.to, timeZone)}`);
  return where;
}

/** The kinds of records in the account's log, for the filter. */
export async function auditSubjects(db: Db): Promise<string[]> {
  // A skip scan of the index: as many steps as there are kinds, however long the log is.
  const found = await db.rows<{ subject: string }>(sql`
    with recursive subjects as (
      (select subject from ${own('audit_log')} order by subject limit 1)
      union all
      select (select subject from ${own('audit_log')} where audit_log.subject > subjects.subject order by subject limit 1)
        from subjects where subjects.subject is not null
    ) select subject from subjects where subject is not null`);
  return found.map(({ subject }) => subject);
}

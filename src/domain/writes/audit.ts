// Who did what to which record. Rows are only added; the service's roles may not change or delete them.
import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import type { Actor } from '../../kit/work.ts';

export type { Actor };

export interface AuditFacts {
  readonly accountId?: string;
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
  readonly outcome?: 'done' | 'denied';
}

/** Sent without waiting, with the next statement; if it fails, nothing is committed. */
export async function audit(db: Db, actor: Actor, action: string, target: string, facts: AuditFacts = {}): Promise<void> {
  const { personId = null, role = null, ip = null, userAgent = null, requestId = null, via = null } = actor;
  db.send(sql`insert into audit_log (id, account_id, actor_type, actor, action, target, before, after, person_id, role, ip,
      user_agent, request_id, outcome, via)
    values (${newId()}, ${facts.accountId ?? null}, ${actor.type}, ${actor.name}, ${action}, ${target},
      ${facts.before ?? null}::jsonb, ${facts.after ?? null}::jsonb, ${personId}, ${role}, ${ip}, ${userAgent}, ${requestId},
      ${facts.outcome ?? 'done'}, ${via}::jsonb)`);
}

/**
 * An action of a person outside any account, such as signing in: logged for every account they work in, so that its owner sees
 * it, or only for the platform if they work in none.
 */
export async function auditOfPerson(
  db: Db,
  actor: Actor & { readonly personId: string },
  action: string,
  facts: Omit<AuditFacts, 'accountId'> = {},
): Promise<void> {
  const accounts = await db.rows<{ account_id: string; role: string }>(
    sql`select account_id, role from members where person_id = ${actor.personId} and active order by account_id`,
  );
  if (accounts.length === 0) await audit(db, actor, action, actor.personId, facts);
  for (const { account_id: accountId, role } of accounts)
    await audit(db, { ...actor, role }, action, actor.personId, { ...facts, accountId });
}

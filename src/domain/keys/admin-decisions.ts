// Actions of an administrator that move money or extend rights. Each is recorded as a decision; if two administrators are needed,
// it waits for the second. The tables that the action changes accept the change only with a confirmed decision, and use it up
// (migration 0076). Everything here uses the platform role.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { type Sql, sql } from '../../kit/sql.ts';
import { type Actor, audit } from '../writes/audit.ts';
import { canBeSecond, mayBeOnePerson, twoAdministratorsDecide } from './second-administrator.ts';

export const DECISION_KINDS = ['wallet_correction', 'invoice_settlement', 'key_authorization', 'owner_invitation'] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];
export type DecisionStatus = 'pending' | 'approved' | 'done' | 'withdrawn';

/** A decision expires if it is not confirmed, or not used after its confirmation, within this time (also in spend_decision, 0086). */
const VALID_MS = 7 * 86_400_000;

export interface NewDecision {
  readonly kind: DecisionKind;
  readonly accountId: string;
  /** The invoice or the key; null if it does not exist yet. */
  readonly subject: string | null;
  /** In minor units; null if no money moves. */
  readonly amount: bigint | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** An owner of the dealer has to agree too, even if one administrator may decide alone. */
  readonly waits?: boolean;
}

export interface Decider {
  /** Null on the command line, which may decide alone. */
  readonly personId: string | null;
  readonly actor: Actor;
  readonly realNow: Date;
  /** The deployment's setting. */
  readonly fourEyes: boolean;
}

export interface Decided {
  readonly id: string;
  /** A second administrator has to confirm it first. */
  readonly waits: boolean;
}

/** Records the action. If one administrator is enough, it is confirmed at once. */
export async function proposeDecision(db: Db, newDecision: NewDecision, by: Decider): Promise<Decided> {
  const { kind, accountId, subject, amount, details } = newDecision;
  const waits = by.personId !== null && (newDecision.waits === true || (await twoAdministratorsDecide(db, by.fourEyes)));
  const id = newId(by.realNow.getTime());
  if (waits && subject !== null) await endExpired(db, kind, subject, by.realNow);
  const made = await db.exec(sql`insert into admin_decisions (id, kind, dealer_id, subject, amount_minor, details, status, alone,
      first_by, first_at)
    values (${id}, ${kind}, ${accountId}, ${subject}, ${amount}, ${details}::jsonb, ${waits ? 'pending' : 'approved'}, ${!waits},
      ${by.personId}, ${by.realNow}) on conflict do nothing`);
  // Another administrator has proposed a change of the same record, which has to be confirmed or withdrawn first.
  if (made === 0) fail('decided_meanwhile');
  if (waits) await audit(db, by.actor, 'decision.proposed', id, { accountId, after: { kind, ...details } });
  return { id, waits };
}

const endExpired = (db: Db, kind: DecisionKind, subject: string, realNow: Date): Promise<number> =>
  db.exec(sql`update admin_decisions set status = 'withdrawn', ended_at = ${realNow}
    where kind = ${kind} and subject = ${subject} and status = 'pending' and first_at <= ${new Date(realNow.getTime() - VALID_MS)}`);

export interface ConfirmedDecision extends NewDecision {
  readonly id: string;
  readonly firstBy: string | null;
}

interface Open {
  readonly kind: DecisionKind;
  readonly account_id: string;
  readonly subject: string | null;
  readonly amount: bigint | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly status: DecisionStatus;
  readonly first_by: string | null;
  readonly first_at: Date;
  readonly second_at: Date | null;
}

/** Locked, so that two administrators decide one after another. */
async function lockOpen(db: Db, id: string): Promise<Open> {
  const open =
    await db.one<Open>(sql`select kind, dealer_id as account_id, subject, amount_minor as amount, details, status, first_by, first_at,
      second_at from admin_decisions where id = ${id} for update`);
  if (open.status !== 'pending' && open.status !== 'approved') fail('decided_meanwhile');
  return open;
}

/** The second administrator. A decision that is confirmed already, because its act failed afterwards, is returned again. */
export async function confirmDecision(
  db: Db,
  id: string,
  { personId, actor, realNow }: { readonly personId: string; readonly actor: Actor; readonly realNow: Date },
): Promise<ConfirmedDecision> {
  const { kind, account_id: accountId, subject, amount, details, status, first_by, first_at, second_at } = await lockOpen(db, id);
  if (realNow.getTime() - (second_at ?? first_at).getTime() > VALID_MS) fail('decided_meanwhile');
  if (status === 'pending') {
    if (!(await canBeSecond(db, first_by!, personId))) fail('second_person_required');
    await db.exec(
      sql`update admin_decisions set status = 'approved', second_by = ${personId}, second_at = ${realNow} where id = ${id}`,
    );
    await audit(db, actor, 'decision.confirmed', id, { accountId, after: { kind, ...details } });
  }
  return { id, kind, accountId, subject, amount, details, firstBy: first_by };
}

export async function withdrawDecision(db: Db, id: string, actor: Actor, realNow: Date): Promise<void> {
  const { kind, account_id: accountId } = await lockOpen(db, id);
  await db.exec(sql`update admin_decisions set status = 'withdrawn', ended_at = ${realNow} where id = ${id}`);
  await audit(db, actor, 'decision.withdrawn', id, { accountId, after: { kind } });
}

/** A line of `GET admin/decisions`. */
export interface DecisionLine {
  readonly id: string;
  readonly kind: DecisionKind;
  readonly status: DecisionStatus;
  readonly account_id: string;
  readonly account: string;
  /** The invoice's number or the key's name. */
  readonly subject_name: string | null;
  readonly amount: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly first_by_name: string | null;
  readonly first_at: string;
  readonly second_by_name: string | null;
  readonly ended_at: string | null;
  readonly expired: boolean;
  readonly may_be_second: boolean;
}

export function listDecisions(
  db: Db,
  open: boolean,
  me: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  realNow: Date,
): Promise<DecisionLine[]> {
  const which: Sql = open ? sql`status in ('pending', 'approved')` : sql`status in ('done', 'withdrawn') and not alone`;
  return db.rows<DecisionLine>(sql`
    with page as (select * from admin_decisions where ${which} and (not alone or status <> 'approved')
      order by first_at desc, id desc limit ${limit + 1} offset ${offset})
    select d.id, d.kind, d.status, d.dealer_id as account_id, a.name as account, coalesce(i.invoice_no, k.name) as subject_name,
      money_text(d.amount_minor) as amount, d.details, first.full_name as first_by_name, utc_text(d.first_at) as first_at,
      second.full_name as second_by_name, utc_text(d.ended_at) as ended_at,
      d.status in ('pending', 'approved') and coalesce(d.second_at, d.first_at) <= ${new Date(realNow.getTime() - VALID_MS)} as expired,
      d.status = 'approved' or not ${mayBeOnePerson(sql`d.first_by`, sql`${me}::uuid`)} as may_be_second
    from page d join accounts a on a.id = d.dealer_id
    left join people first on first.id = d.first_by
    left join people second on second.id = d.second_by
    left join membership_invoices i on d.kind = 'invoice_settlement' and i.account_id = d.dealer_id and i.id = d.subject
    left join api_keys k on d.kind = 'key_authorization' and k.account_id = d.dealer_id and k.id = d.subject
    order by d.first_at desc, d.id desc`);
}

// Everyone who works for a dealer, with or without a sign-in: name, job and branch. With the tenant role. Sign-ins and roles are in
// domain/identity/members.ts.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Paging } from '../../kit/page.ts';
import { allOf, own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import { ROLES, type Role } from '../identity/roles.ts';
import { requirePlace } from '../membership/plan-limits.ts';
import { type Fields, flagField, nullable, oneOfField, required, textField, uuidField, type Values } from '../records/fields.ts';
import { type Columns, changedColumns, insertRecord, replacedBy, updateRecord } from '../records/record.ts';
import { type Actor, audit } from '../writes/audit.ts';

export const STAFF_FIELDS = {
  full_name: textField(120),
  role: oneOfField(ROLES),
  branch_id: nullable(uuidField),
  active: flagField,
} as const satisfies Fields;

export const NEW_STAFF_FIELDS = {
  full_name: required(textField(120)),
  role: required(oneOfField(ROLES)),
  branch_id: nullable(uuidField),
} as const satisfies Fields;

export interface StaffMember {
  readonly id: string;
  readonly full_name: string;
  readonly role: Role;
  readonly branch_id: string | null;
  readonly branch: string | null;
  readonly active: boolean;
  /** Role and activity of a member who signs in are changed on the users screen, which asks for the password. */
  readonly signs_in: boolean;
}

export interface StaffFilter {
  readonly q?: string | undefined;
  readonly branch_id?: string | undefined;
  readonly role?: Role | undefined;
  readonly active?: boolean | undefined;
}

const staffLines = (where: Sql, tail: Sql): Sql => sql`
  select branches.name as branch, m.id, m.full_name, m.role, m.branch_id, m.active, m.person_id is not null as signs_in
  from (select * from ${own('members')} where true${where}) m left join ${own('branches')} on branches.id = m.branch_id
  order by m.active desc, fold_tr(m.full_name), m.id ${tail}`;

/** Active members first, then by name. Returns one more than the page size if there is a next page. */
export function listStaff(db: Db, filter: StaffFilter, { limit, offset }: Paging): Promise<StaffMember[]> {
  const where: Sql[] = [];
  if (filter.q !== undefined) where.push(sql`position(fold_tr(${filter.q.trim()}) in fold_tr(full_name)) > 0`);
  if (filter.branch_id !== undefined) where.push(sql`branch_id = ${filter.branch_id}`);
  if (filter.role !== undefined) where.push(sql`role = ${filter.role}`);
  if (filter.active !== undefined) where.push(sql`active = ${filter.active}`);
  return db.rows<StaffMember>(staffLines(allOf(where), sql`limit ${limit + 1} offset ${offset}`));
}

const readStaff = (db: Db, id: string): Promise<StaffMember> => db.one<StaffMember>(staffLines(sql` and id = ${id}`, rawSql('')));

export interface StaffAct {
  readonly accountId: string;
  readonly actor: Actor;
  readonly realNow: Date;
}

/** Adds a member who does not sign in. */
export async function createStaff(db: Db, body: Values<typeof NEW_STAFF_FIELDS>, act: StaffAct): Promise<StaffMember> {
  const { accountId, actor, realNow } = act;
  const id = newId(realNow.getTime());
  const { full_name, role, branch_id = null } = body;
  await requirePlace(db, 'staff');
  await requireBranch(db, branch_id);
  await insertRecord(db, 'members', { id, full_name, role, branch_id, active: true, created_at: realNow, updated_at: realNow });
  await audit(db, actor, 'member.created', id, { accountId, after: { full_name, role, branch_id } });
  return readStaff(db, id);
}

export async function changeStaff(
  db: Db,
  id: string,
  body: Values<typeof STAFF_FIELDS>,
  { accountId, actor, realNow }: StaffAct,
): Promise<StaffMember> {
  const { person_id, ...stored } = await db.one<Columns & { person_id: string | null }>(
    sql`select full_name, role, branch_id, active, person_id from ${own('members')} where id = ${id} for update`,
  );
  const changed = changedColumns(stored, body);
  if (person_id !== null && ('role' in changed || 'active' in changed)) fail('member_signs_in');
  if (changed.active === true) await requirePlace(db, 'staff');
  if (Object.keys(changed).length > 0) {
    await requireBranch(db, body.branch_id ?? null);
    await updateRecord(db, 'members', id, { ...changed, updated_at: realNow });
    await audit(db, actor, 'member.changed', id, { accountId, before: replacedBy(stored, changed), after: changed });
  }
  return readStaff(db, id);
}

async function requireBranch(db: Db, id: string | null): Promise<void> {
  if (id === null) return;
  const [found] = await db.rows(sql`select 1 from ${own('branches')} where id = ${id} for share`);
  if (found !== undefined) return;
  const message = { en: 'There is no such branch', tr: 'Böyle bir şube yok' };
  fail('validation_failed', { details: [{ field: 'branch_id', code: 'unknown', message }] });
}

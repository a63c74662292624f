// A dealer's branches. There is always exactly one main branch: it cannot be removed, but another branch can become the main one.
import type { Db } from '../../kit/db.ts';
import { sqlState } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { own, rawSql, type Sql, sql, theAccount } from '../../kit/sql.ts';
import { requirePlace } from '../membership/plan-limits.ts';
import { type Fields, nullable, required, textField, type Values } from '../records/fields.ts';
import { phoneField } from '../records/person-fields.ts';
import {
  type Columns,
  changedColumns,
  columnList,
  insertRecord,
  replacedBy,
  updateRecord,
  violatedConstraint,
} from '../records/record.ts';
import { type Actor, audit } from '../writes/audit.ts';

export const NEW_BRANCH_FIELDS = {
  name: required(textField(80)),
  city: required(textField(60)),
  phone: nullable(phoneField),
} as const satisfies Fields;

export const BRANCH_FIELDS = {
  name: textField(80),
  city: textField(60),
  phone: nullable(phoneField),
} as const satisfies Fields;

export interface Branch {
  readonly id: string;
  readonly name: string;
  readonly city: string | null;
  readonly phone: string | null;
  readonly is_main: boolean;
  /** Live stock: neither sold nor deleted. */
  readonly vehicle_count: number;
  /** Active staff only. */
  readonly staff_count: number;
  /** True if it is not the main branch and no vehicle or member, past ones included, refers to it. */
  readonly removable: boolean;
}

/** Live stock: neither sold nor deleted. */
export const vehicleCount = (branchId: Sql): Sql => sql`(select count(*)::int from ${own('vehicles')}
  where branch_id = ${branchId} and deleted_at is null and status <> 'Satıldı') as vehicle_count`;

export const MAIN_THEN_BY_NAME = rawSql('is_main desc, fold_tr(name), id');

const branchLines = (where: Sql, tail: Sql): Sql => sql`
  select b.id, b.name, b.city, b.phone, b.is_main,
    ${vehicleCount(rawSql('b.id'))},
    (select count(*)::int from ${own('members')} where branch_id = b.id and active) as staff_count,
    not b.is_main and not exists (select from ${own('vehicles')} where branch_id = b.id)
      and not exists (select from ${own('members')} where branch_id = b.id) as removable
  from (select * from ${own('branches')} where ${where}) b order by ${MAIN_THEN_BY_NAME} ${tail}`;

/** Main branch first, then by name; one more than the page size if there is a next page. */
export const listBranches = (db: Db, { limit, offset }: { limit: number; offset: number }): Promise<Branch[]> =>
  db.rows<Branch>(branchLines(sql`true`, sql`limit ${limit + 1} offset ${offset}`));

const readBranch = (db: Db, id: string): Promise<Branch> => db.one<Branch>(branchLines(sql`id = ${id}`, rawSql('')));

export async function createBranch(
  db: Db,
  accountId: string,
  { name, city, phone = null }: Values<typeof NEW_BRANCH_FIELDS>,
  actor: Actor,
  now: Date,
): Promise<Branch> {
  await requirePlace(db, 'branches');
  const id = newId(now.getTime());
  const columns = { name, city, phone };
  await uniquely(() => insertRecord(db, 'branches', { id, ...columns, is_main: false, created_at: now, updated_at: now }));
  await audit(db, actor, 'branch.created', id, { accountId, after: columns });
  return readBranch(db, id);
}

export async function changeBranch(
  db: Db,
  accountId: string,
  id: string,
  body: Values<typeof BRANCH_FIELDS>,
  actor: Actor,
  now: Date,
): Promise<Branch> {
  const stored = await db.one<Columns>(
    sql`select ${columnList(Object.keys(BRANCH_FIELDS))} from ${own('branches')} where id = ${id} for update`,
  );
  const changed = changedColumns(stored, body);
  if (Object.keys(changed).length > 0) {
    await uniquely(() => updateRecord(db, 'branches', id, { ...changed, updated_at: now }));
    await audit(db, actor, 'branch.changed', id, { accountId, before: replacedBy(stored, changed), after: changed });
  }
  return readBranch(db, id);
}

export async function makeMainBranch(db: Db, accountId: string, id: string, actor: Actor, now: Date): Promise<Branch> {
  const all = await db.rows<{ id: string; is_main: boolean }>(
    sql`select id, is_main from ${own('branches')} where is_main or id = ${id} order by id for update`,
  );
  if (!all.some((branch) => branch.id === id)) fail('not_found');
  const main = all.find((branch) => branch.is_main);
  if (main?.id !== id) {
    if (main !== undefined) await updateRecord(db, 'branches', main.id, { is_main: false, updated_at: now });
    await updateRecord(db, 'branches', id, { is_main: true, updated_at: now });
    await audit(db, actor, 'branch.made_main', id, { accountId, before: { main: main?.id ?? null }, after: { main: id } });
  }
  return readBranch(db, id);
}

export async function removeBranch(db: Db, accountId: string, id: string, actor: Actor): Promise<void> {
  const [branch] = await db.rows<{ name: string; city: string | null; phone: string | null; is_main: boolean }>(
    sql`select name, city, phone, is_main from ${own('branches')} where id = ${id} for update`,
  );
  if (branch === undefined) fail('not_found');
  if (branch.is_main) fail('main_branch');
  // The foreign keys decide, because they also see a vehicle that another transaction is adding.
  await db
    .exec(sql`delete from ${rawSql('branches')} where account_id = ${theAccount} and id = ${id}`)
    .catch((error: unknown) => (sqlState(error) === '23503' ? fail('branch_in_use') : Promise.reject(error)));
  await audit(db, actor, 'branch.removed', id, { accountId, before: branch });
}

async function uniquely(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (violatedConstraint(error) === 'branches_name') fail('branch_name_taken');
    throw error;
  }
}

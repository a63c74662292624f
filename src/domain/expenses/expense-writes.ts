// Entering and reversing an expense. Lock order: the car, the rule that recurs, the branch's till, the number series.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import type { NewFile } from '../../kit/file.ts';
import { newId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { accountSource, bulletinInForce } from '../exchange-rates/rate-table.ts';
import { rateText } from '../exchange-rates/rates.ts';
import { valueIn } from '../exchange-rates/valuation.ts';
import { keepFiles } from '../files/stored-files.ts';
import type { CreateBody } from '../records/body.ts';
import {
  currencyField,
  dayField,
  type Fields,
  moneyField,
  nullable,
  oneOfField,
  rateField,
  required,
  textField,
  uuidField,
  withDefault,
} from '../records/fields.ts';
import { nextNumbers } from '../records/number-series.ts';
import { type Columns, sendRecord, violatedConstraint } from '../records/record.ts';
import { requireStorable } from '../records/stored-amount.ts';
import { badField, unknownReference } from '../sales/sale.ts';
import { requireOpenDay, shareTillOf } from '../sales/till.ts';
import { audit } from '../writes/audit.ts';
import { type Expense, readExpense } from './expense.ts';
import { valueExpense } from './expense-rate.ts';
import {
  CASH,
  CATEGORIES_OF,
  EXPENSE_CATEGORIES,
  EXPENSE_KINDS,
  EXPENSE_METHODS,
  type ExpenseCategory,
} from './expenses-states.ts';

export const EXPENSE_FIELDS = {
  kind: required(oneOfField(EXPENSE_KINDS)),
  category: required(oneOfField(EXPENSE_CATEGORIES)),
  amount: required(moneyField({ above: 0n })),
  currency: required(currencyField),
  exchange_rate: rateField,
  day: withDefault(dayField({ past: true }), 'today', 'bugün'),
  branch_id: withDefault(nullable(uuidField), "the car's, else the main branch", 'aracın, yoksa merkez şube'),
  method: withDefault(oneOfField(EXPENSE_METHODS), '`Nakit`'),
  vehicle_id: nullable(uuidField),
  supplier: nullable(textField(120)),
  note: nullable(textField(2000, { lines: true })),
} as const satisfies Fields;
export type ExpenseBody = CreateBody<typeof EXPENSE_FIELDS>;

export const REVERSE_EXPENSE_FIELDS = { reason: required(textField(500, { min: 3 })) } as const satisfies Fields;

/** The occurrence of a recurring expense that is entered. */
interface Occurrence {
  readonly id: string;
  readonly on: string;
}

export async function enterExpense(work: Work, body: ExpenseBody, occurrence?: Occurrence): Promise<Expense> {
  const { db, today } = work;
  requireForm(body);
  const day = body.day ?? today;
  const { amount, currency, method = CASH } = body;
  const [car, home] = [
    body.vehicle_id ? await lockCar(db, body.vehicle_id) : null,
    await db.one<{ currency: Currency }>(sql`select default_currency as currency from ${own('accounts')}`),
  ];
  await requireOwnLimit(work, body, home.currency);
  const till = await shareTillOf(db, sql`coalesce(${body.branch_id ?? null}::uuid, ${car?.branch_id ?? null}::uuid)`);
  if (till === null) return unknownReference('branch_id');
  if (method === CASH) requireOpenDay(till, day);
  const valuedCurrency = car?.currency ?? home.currency;
  const valued = await valueExpense(db, { amount, currency, day, agreed: body.exchange_rate }, valuedCurrency);
  if (valued.amount !== null) requireStorable('amount', valued.amount);
  return insertExpense(work, 'expense.created', {
    kind: body.kind,
    category: body.category,
    amount_minor: amount,
    currency,
    valued_currency: valuedCurrency,
    valued_amount_minor: valued.amount,
    rate_pair: valued.rate?.pair ?? null,
    exchange_rate: valued.rate ? rateText(valued.rate.rate) : null,
    rate_date: valued.rate?.day ?? null,
    rate_source: valued.rate?.source ?? null,
    day,
    branch_id: till.branch_id,
    method,
    vehicle_id: car?.id ?? null,
    supplier: body.supplier ?? null,
    note: body.note ?? null,
    recurring_id: occurrence?.id ?? null,
    recurring_on: occurrence?.on ?? null,
    reverses_id: null,
    reversal_reason: null,
  });
}

function requireForm({ kind, category, vehicle_id }: ExpenseBody): void {
  if (!(CATEGORIES_OF[kind] as readonly ExpenseCategory[]).includes(category))
    badField('category', 'not_allowed', `This category is not one of «${kind}»`, `Bu kategori «${kind}» giderlerinden değil`);
  if (kind === 'Araç' && !vehicle_id)
    badField('vehicle_id', 'required', 'vehicle_id is required for a vehicle expense («Araç»)', 'Araç giderinde araç seçilmeli');
  if (kind === 'İşletme' && vehicle_id)
    badField(
      'vehicle_id',
      'not_allowed',
      'vehicle_id is not allowed for a business expense («İşletme»)',
      'İşletme giderinde araç seçilmez',
    );
}

interface LockedCar {
  readonly id: string;
  readonly branch_id: string | null;
  readonly currency: Currency;
}

/** Locked against deletion. Sold cars have expenses too. */
const lockCar = async (db: Db, id: string): Promise<LockedCar> =>
  (
    await db.rows<LockedCar>(sql`select id, branch_id, coalesce(purchase_currency, currency) as currency from ${own('vehicles')}
      where id = ${id} and deleted_at is null for share`)
  )[0] ?? unknownReference('vehicle_id');

/**
 * A salesperson enters expenses of own cars up to the limit of the settings: cars that they sold, and cars of their own branch.
 */
async function requireOwnLimit({ db, actor, today }: Work, body: ExpenseBody, home: Currency): Promise<void> {
  if (actor.role !== 'sales') return;
  const { limit } = await db.one<{ limit: number }>(sql`select sales_expense_limit as limit from ${own('accounts')}`);
  const owned = await db.rows(sql`select from ${own('members')} where person_id = ${actor.personId ?? null}::uuid and active and (
      exists (select from ${own('sales')} where vehicle_id = ${body.vehicle_id ?? null}::uuid and salesperson_id = members.id and status <> 'İptal')
      or exists (select from ${own('vehicles')} where id = ${body.vehicle_id ?? null}::uuid and vehicles.branch_id = members.branch_id))`);
  if (body.kind !== 'Araç' || owned.length === 0 || limit === 0 || body.exchange_rate !== undefined) fail('not_permitted');
  if (body.branch_id && !(await isOwnTill(db, body.branch_id, { vehicleId: body.vehicle_id, personId: actor.personId })))
    fail('not_permitted');
  // At the rate of today: the day is chosen freely, and with it the rate would be.
  const value = await homeValue(db, body, home, today);
  const [en, tr] = (['en', 'tr'] as const).map((locale) => `${limit.toLocaleString(locale)} ${home}`);
  if (value === null || value > BigInt(limit) * 100n)
    badField('amount', 'out_of_range', `You may enter up to ${en} for a car`, `Bir araç için en çok ${tr} girebilirsiniz`);
}

/** The branch of the car, where it has none the main one, or the person's own. */
const isOwnTill = async (
  db: Db,
  branchId: string,
  { vehicleId, personId }: { readonly vehicleId: string | null | undefined; readonly personId: string | null | undefined },
): Promise<boolean> =>
  (
    await db.rows(sql`select from ${own('branches')} where id = ${branchId}::uuid and (
      id = (select branch_id from ${own('members')} where person_id = ${personId ?? null}::uuid and active)
      or id = coalesce((select branch_id from ${own('vehicles')} where id = ${vehicleId ?? null}::uuid),
        (select id from ${own('branches')} where is_main)))`)
  ).length > 0;

async function homeValue(db: Db, { amount, currency }: ExpenseBody, home: Currency, day: string): Promise<bigint | null> {
  if (currency === home) return amount;
  const bulletin = await bulletinInForce(db, await accountSource(db), day);
  return bulletin === null ? null : valueIn(bulletin.rates, amount, currency, home);
}

async function insertExpense(
  work: Work,
  action: 'expense.created' | 'expense.reversed',
  columns: Columns & { readonly amount_minor: bigint; readonly reverses_id: string | null },
): Promise<Expense> {
  const { db, now, actor, account } = work;
  const [number] = await nextNumbers(work, 'G', 1);
  const { id: member = null } =
    (await db.rows<{ id: string }>(sql`select id from ${own('members')} where person_id = ${actor.personId ?? null}::uuid`))[0] ??
    {};
  const id = newId(now.getTime());
  sendRecord(
    db,
    'expenses',
    {
      ...columns,
      id,
      number: number!.order,
      expense_no: number!.text,
      created_by_id: member,
      created_by: actor.fullName ?? actor.name,
      created_at: now,
    },
    refuseTwice,
  );
  const shown = await readExpense(db, id);
  const { expense_no, category, amount, currency, day } = shown;
  await audit(db, actor, action, columns.reverses_id ?? id, {
    accountId: account.id,
    after: { expense_no, category, amount, currency, day, reason: columns.reversal_reason ?? undefined },
  });
  return shown;
}

function refuseTwice(error: unknown): never {
  const violated = violatedConstraint(error);
  if (violated === 'expenses_one_reversal') fail('already_reversed');
  if (violated === 'expenses_one_proposal') fail('decided_meanwhile');
  throw error;
}

interface Original extends Columns {
  readonly amount_minor: bigint;
  readonly valued_amount_minor: bigint | null;
  readonly branch_id: string;
  readonly method: string;
  readonly reverses_id: string | null;
}

/** The exact negative, on the day on which it is made. */
export async function reverseExpense(work: Work, id: string, reason: string): Promise<{ reversed: Expense; reversal: Expense }> {
  const { db, today } = work;
  const original =
    await db.one<Original>(sql`select kind, category, amount_minor, currency, valued_currency, valued_amount_minor, rate_pair,
      exchange_rate::text as exchange_rate, rate_date, rate_source, branch_id, method, vehicle_id, supplier, note, recurring_id, recurring_on,
      reverses_id from ${own('expenses')} where id = ${id} for update`);
  if (original.reverses_id !== null) fail('not_reversible');
  if ((await db.rows(sql`select from ${own('expenses')} where reverses_id = ${id}`)).length > 0) fail('already_reversed');
  const till = (await shareTillOf(db, sql`${original.branch_id}::uuid`))!;
  if (original.method === CASH) requireOpenDay(till, today);
  const reversal = await insertExpense(work, 'expense.reversed', {
    ...original,
    amount_minor: -original.amount_minor,
    valued_amount_minor: original.valued_amount_minor === null ? null : -original.valued_amount_minor,
    day: today,
    reverses_id: id,
    reversal_reason: reason,
  });
  return { reversed: await readExpense(db, id), reversal };
}

/** The receipt, once. It may show a person's data, so each download is audited. */
export async function attachExpenseFile(work: Work, id: string, [file]: readonly NewFile[]): Promise<Expense> {
  const { db, actor, account } = work;
  const { file_id } = await db.one<{ file_id: string | null }>(
    sql`select file_id from ${own('expenses')} where id = ${id} for update`,
  );
  if (file_id !== null) fail('conflict');
  await keepFiles(work, [file!.id]);
  db.send(sql`update stored_files set is_sensitive = true where account_id = ${theAccount} and id = ${file!.id}`);
  db.send(sql`update expenses set file_id = ${file!.id} where account_id = ${theAccount} and id = ${id}`);
  await audit(db, actor, 'expense.file_added', id, { accountId: account.id });
  return readExpense(db, id);
}

export async function expenseFile(db: Db, id: string): Promise<string> {
  const { file_id } = await db.one<{ file_id: string }>(
    sql`select file_id from ${own('expenses')} where id = ${id} and file_id is not null`,
  );
  return file_id;
}

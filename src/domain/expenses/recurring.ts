// Expenses that recur each month. On its day each is a proposal, which a person enters or skips; nothing is entered without them.
// What is due is read from an index on the next day of each rule, so no job has to run.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { type Currency, formatMoney } from '../../kit/money.ts';
import {
  columnsOf,
  currency,
  day,
  integer,
  money,
  nullable,
  type Of,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { addMonths } from '../clock/days.ts';
import type { CreateBody } from '../records/body.ts';
import {
  currencyField,
  dayField,
  type Fields,
  integerField,
  moneyField,
  nullable as nullableField,
  oneOfField,
  required,
  textField,
  uuidField,
  withDefault,
} from '../records/fields.ts';
import { badField, unknownReference } from '../sales/sale.ts';
import { shareTillOf } from '../sales/till.ts';
import { audit } from '../writes/audit.ts';
import type { Expense } from './expense.ts';
import { enterExpense } from './expense-writes.ts';
import { BUSINESS_CATEGORIES, CASH, EXPENSE_METHODS } from './expenses-states.ts';

export const MAX_RECURRING = 200;

export const RECURRING_FIELDS = {
  category: required(oneOfField(BUSINESS_CATEGORIES)),
  amount: required(moneyField({ above: 0n })),
  currency: required(currencyField),
  day_of_month: required(integerField(1, 31)),
  branch_id: withDefault(nullableField(uuidField), 'the main branch', 'merkez şube'),
  method: withDefault(oneOfField(EXPENSE_METHODS), '`Nakit`'),
  supplier: nullableField(textField(120)),
  note: nullableField(textField(2000, { lines: true })),
  until: nullableField(dayField()),
} as const satisfies Fields;

/** What was really paid may differ from the rule. */
export const ENTER_FIELDS = {
  on: required(dayField()),
  amount: moneyField({ above: 0n }),
  day: dayField({ past: true }),
  method: oneOfField(EXPENSE_METHODS),
  note: nullableField(textField(2000, { lines: true })),
} as const satisfies Fields;
export const SKIP_FIELDS = { on: required(dayField()) } as const satisfies Fields;

export const RecurringExpense = object({
  id: uuid(),
  category: oneOf(BUSINESS_CATEGORIES),
  amount: money(),
  currency: currency(),
  day_of_month: integer(),
  branch_id: uuid(),
  method: oneOf(EXPENSE_METHODS),
  supplier: nullable(text()),
  note: nullable(text()),
  until: nullable(day()),
  next_on: nullable(day()),
  created_by: text(),
  created_at: timestamp(),
});
export type RecurringExpense = Of<typeof RecurringExpense>;

/** Those that have ended come last. */
export const listRecurring = (db: Db): Promise<RecurringExpense[]> =>
  db.rows<RecurringExpense>(sql`select ${columnsOf(RecurringExpense)} from ${own('recurring_expenses')}
    order by next_on nulls last, created_at, id limit ${2 * MAX_RECURRING}`);

const readRecurring = (db: Db, id: string): Promise<RecurringExpense> =>
  db.one<RecurringExpense>(sql`select ${columnsOf(RecurringExpense)} from ${own('recurring_expenses')} where id = ${id}`);

/** The rule's day in the month of `day`, clamped to the end of the month. */
const dayInMonthOf = (day: string, dayOfMonth: number): string => addMonths(`${day.slice(0, 7)}-01`, 0, dayOfMonth);

export async function addRecurring(work: Work, body: CreateBody<typeof RECURRING_FIELDS>): Promise<RecurringExpense> {
  const { db, now, today, actor, account } = work;
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from ${own('recurring_expenses')} where next_on is not null`,
  );
  if (count >= MAX_RECURRING) fail('conflict');
  const branches = await db.rows<{ id: string }>(
    sql`select id from ${own('branches')} where id = ${body.branch_id ?? null}::uuid or ${body.branch_id ?? null}::uuid is null and is_main`,
  );
  const branch = branches[0]?.id ?? unknownReference('branch_id');
  const here = dayInMonthOf(today, body.day_of_month);
  const first = here >= today ? here : addMonths(here, 1, body.day_of_month);
  if (body.until != null && body.until < first)
    badField('until', 'out_of_range', 'until must not be before the first proposed expense', 'Bitiş günü ilk öneriden önce');
  const id = newId(now.getTime());
  db.send(sql`insert into recurring_expenses (account_id, id, category, amount_minor, currency, branch_id, method, supplier, note, day_of_month,
      until, next_on, created_by, created_at)
    values (${theAccount}, ${id}, ${body.category}, ${body.amount}, ${body.currency}, ${branch}, ${body.method ?? CASH}, ${body.supplier ?? null},
      ${body.note ?? null}, ${body.day_of_month}, ${body.until ?? null}, ${first}, ${actor.fullName ?? actor.name}, ${now})`);
  await audit(db, actor, 'recurring_expense.created', id, {
    accountId: account.id,
    after: {
      category: body.category,
      amount: formatMoney(body.amount),
      currency: body.currency,
      day_of_month: body.day_of_month,
    },
  });
  return readRecurring(db, id);
}

/** No further proposals; what was entered stays. */
export async function endRecurring(work: Work, id: string): Promise<RecurringExpense> {
  const { db, actor, account } = work;
  const { next_on } = await lockRule(db, id);
  if (next_on === null) fail('decided_meanwhile');
  db.send(sql`update recurring_expenses set next_on = null where account_id = ${theAccount} and id = ${id}`);
  await audit(db, actor, 'recurring_expense.ended', id, { accountId: account.id });
  return readRecurring(db, id);
}

export interface ExpenseProposal {
  readonly recurring_id: string;
  readonly on: string;
  readonly category: string;
  readonly amount: string;
  readonly currency: Currency;
  readonly branch_id: string;
  readonly method: string;
  readonly supplier: string | null;
  readonly note: string | null;
}

/** One for each rule, its oldest: a later month is proposed once that has been entered or skipped. */
export const listProposals = (db: Db, today: string): Promise<ExpenseProposal[]> =>
  db.rows<ExpenseProposal>(sql`select id as recurring_id, next_on as "on", category, money_text(amount_minor) as amount, currency, branch_id,
      method, supplier, note from ${own('recurring_expenses')} where next_on <= ${today}::date order by next_on, created_at, id limit ${MAX_RECURRING}`);

interface Rule {
  readonly category: ExpenseProposal['category'];
  readonly amount_minor: bigint;
  readonly currency: Currency;
  readonly branch_id: string;
  readonly method: (typeof EXPENSE_METHODS)[number];
  readonly supplier: string | null;
  readonly note: string | null;
  readonly day_of_month: number;
  readonly until: string | null;
  readonly next_on: string | null;
}

const lockRule = (db: Db, id: string): Promise<Rule> =>
  db.one<Rule>(sql`select category, amount_minor, currency, branch_id, method, supplier, note, day_of_month, until, next_on
    from ${own('recurring_expenses')} where id = ${id} for update`);

/** The proposal as the person saw it, else another person has decided it since. */
async function lockProposal({ db, today }: Work, id: string, on: string): Promise<Rule> {
  const rule = await lockRule(db, id);
  if (rule.next_on !== on || on > today) fail('decided_meanwhile');
  return rule;
}

function moveOn({ db }: Work, id: string, { day_of_month, until }: Rule, on: string): void {
  const next = addMonths(on, 1, day_of_month);
  db.send(sql`update recurring_expenses set next_on = ${until !== null && next > until ? null : next}
    where account_id = ${theAccount} and id = ${id}`);
}

/** Cash of a day whose till is closed leaves the till of today; otherwise an expense has the day of its proposal. */
async function dayOfEntry({ db, today }: Work, branchId: string, on: string, method: string): Promise<string> {
  if (method !== CASH) return on;
  const till = await shareTillOf(db, sql`${branchId}::uuid`);
  return till !== null && till.closed_through !== null && on <= till.closed_through ? today : on;
}

export async function enterProposal(work: Work, id: string, body: CreateBody<typeof ENTER_FIELDS>): Promise<Expense> {
  const rule = await lockProposal(work, id, body.on);
  const method = body.method ?? rule.method;
  const day = body.day ?? (await dayOfEntry(work, rule.branch_id, body.on, method));
  const entered = await enterExpense(
    work,
    {
      kind: 'İşletme',
      category: rule.category as (typeof BUSINESS_CATEGORIES)[number],
      amount: body.amount ?? rule.amount_minor,
      currency: rule.currency,
      day,
      branch_id: rule.branch_id,
      method,
      supplier: rule.supplier,
      note: body.note === undefined ? rule.note : body.note,
    },
    { id, on: body.on },
  );
  moveOn(work, id, rule, body.on);
  return entered;
}

export async function skipProposal(work: Work, id: string, on: string): Promise<RecurringExpense> {
  const { db, actor, account } = work;
  const rule = await lockProposal(work, id, on);
  moveOn(work, id, rule, on);
  await audit(db, actor, 'recurring_expense.skipped', id, { accountId: account.id, after: { on } });
  return readRecurring(db, id);
}

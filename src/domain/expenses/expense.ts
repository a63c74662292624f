// Expenses: how they are shown, listed and stored. Records are never edited: a wrong one is reversed by a second one.
import type { Db } from '../../kit/db.ts';
import type { Context } from '../../kit/endpoint.ts';
import { CURRENCIES, type Currency } from '../../kit/money.ts';
import { listPage, type Page, type Paging, type WalkKey } from '../../kit/page.ts';
import { momentParam, oneOfParam, textParam, uuidParam } from '../../kit/params.ts';
import {
  columnsOf,
  currency,
  day,
  flag,
  money,
  nullable,
  type Of,
  object,
  oneOf,
  rate,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import { APPLIED_SOURCES, CANONICAL_PAIRS } from '../exchange-rates/rates.ts';
import { searchFor } from '../records/search.ts';
import { daysBetween } from '../sales/sale-list.ts';
import { EXPENSE_CATEGORIES, EXPENSE_KINDS, EXPENSE_METHODS } from './expenses-states.ts';

const stored = {
  id: uuid(),
  expense_no: text('G-2026-00001'),
  kind: oneOf(EXPENSE_KINDS),
  category: oneOf(EXPENSE_CATEGORIES),
  amount: money(),
  currency: currency(),
  valued_currency: currency(),
  valued_amount: nullable(money()),
  rate_pair: nullable(oneOf(CANONICAL_PAIRS)),
  exchange_rate: nullable(rate()),
  rate_date: nullable(day()),
  rate_source: nullable(oneOf(APPLIED_SOURCES)),
  day: day(),
  branch_id: uuid(),
  method: oneOf(EXPENSE_METHODS),
  vehicle_id: nullable(uuid()),
  supplier: nullable(text()),
  note: nullable(text()),
  recurring_id: nullable(uuid()),
  recurring_on: nullable(day()),
  reverses_id: nullable(uuid()),
  reversal_reason: nullable(text()),
  created_by: text(),
  created_at: timestamp(),
};
export const Expense = object({
  ...stored,
  has_file: flag(),
  /** The reversal of this expense. */
  reversed_by_id: nullable(uuid()),
  vehicle: nullable(object({ plate: text(), name: text() })),
});
export type Expense = Of<typeof Expense>;

/** The select list of an expense named `chosen`. */
const SELECT_LIST: Sql = sql`${columnsOf(object(stored))}, file_id is not null as has_file,
  (select id from ${own('expenses')} where reverses_id = chosen.id) as reversed_by_id,
  (select json_build_object('plate', plate, 'name', brand || ' ' || model) from ${own('vehicles')} where vehicles.id = vehicle_id) as vehicle`;

export const readExpense = (db: Db, id: string, where: Sql = sql`true`): Promise<Expense> =>
  db.one<Expense>(sql`select ${SELECT_LIST} from (select * from ${own('expenses')} where id = ${id} and ${where}) chosen`);

export const ExpenseFilters = {
  kind: oneOfParam(EXPENSE_KINDS),
  category: oneOfParam(EXPENSE_CATEGORIES),
  currency: oneOfParam(CURRENCIES),
  method: oneOfParam(EXPENSE_METHODS),
  branch_id: uuidParam,
  vehicle_id: uuidParam,
  from: momentParam,
  to: momentParam,
  q: textParam(80),
} as const;

const EQUAL = ['kind', 'category', 'currency', 'method', 'branch_id', 'vehicle_id'] as const;

export type ExpenseQuery = Partial<Context<string, typeof ExpenseFilters>['query']>;

/** Append-only, so a walk follows the order of creation. */
const BY_CREATION: WalkKey = { columns: { created_at: 'timestamptz', id: 'uuid' }, direction: 'desc' };

export interface ExpenseScope {
  readonly timezone: string;
  /** A salesperson sees what they entered; undefined: everything. */
  readonly enteredBy?: string | null | undefined;
}

function expensesWhere(query: ExpenseQuery, { timezone, enteredBy }: ExpenseScope): Sql[] {
  const where = daysBetween('day', query, timezone);
  for (const name of EQUAL) if (query[name] !== undefined) where.push(sql`${rawSql(name)} = ${query[name]}`);
  if (enteredBy !== undefined) where.push(enteredIn(enteredBy));
  if (query.q !== undefined)
    where.push(
      ...searchFor(
        query.q,
        sql`fold_tr(concat_ws(' ', expense_no, supplier, note, category,
        (select plate from ${own('vehicles')} where vehicles.id = vehicle_id)))`,
      ),
    );
  return where;
}

/** The condition on expenses that a member entered. */
export const enteredIn = (memberId: string | null | undefined): Sql =>
  memberId === undefined ? sql`true` : sql`created_by_id = ${memberId}::uuid`;

export const listExpenses = (db: Db, query: ExpenseQuery, scope: ExpenseScope, page: Paging): Promise<Page> =>
  listPage(
    db,
    {
      table: 'expenses',
      shows: SELECT_LIST,
      where: expensesWhere(query, scope),
      order: rawSql('day desc, number desc, id desc'),
      walkedBy: BY_CREATION,
    },
    page,
  );

export interface ExpenseSum {
  readonly currency: Currency;
  readonly count: number;
  readonly amount: string;
}

/** What the filtered expenses add up to, less their reversals. */
export const sumExpenses = (db: Db, query: ExpenseQuery, scope: ExpenseScope): Promise<ExpenseSum[]> =>
  db.rows<ExpenseSum>(sql`select currency, count(*)::int as count, money_text(sum(amount_minor)::bigint) as amount from ${own('expenses')}
    where ${expensesWhere(query, scope).reduce((all, one) => sql`${all} and ${one}`, sql`true`)} group by currency order by currency`);

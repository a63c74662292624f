// Statements and till closings as papers.
import type { Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { own, sql } from '../../kit/sql.ts';
import type { PaperStatement, StatementPaper, TillPaper } from '../papers/paper.ts';
import { readPaperBase } from '../papers/paper-account.ts';
import { readStatement, type StatementLine } from '../receivables/statement.ts';
import { readClosing } from '../receivables/till-closing.ts';

const MAX_LINES = 10_000;

/** Of any length: a balance is a sum, and may have more digits than one amount. */
const minorOf = (text: string): bigint => BigInt(text.replace('.', ''));

const whatOf = ({ kind, type, label }: StatementLine): string =>
  kind === 'cancelled' ? 'Satış iptali' : kind === 'collection' ? `${type} ${label}` : label === '0' ? type : `${type} ${label}`;

interface StatementPaperQuery {
  readonly currency: Currency;
  readonly from: string;
  readonly to: string;
  readonly today: string;
}

async function statementOf(db: Db, customerId: string, query: StatementPaperQuery): Promise<PaperStatement> {
  const { name } = await db.one<{ name: string }>(
    sql`select coalesce(company_name, first_name || ' ' || last_name) as name from ${own('customers')} where id = ${customerId}`,
  );
  const found = await readStatement(db, { ...query, customer_id: customerId, limit: MAX_LINES, offset: 0 });
  const { aging } = found;
  return {
    customer: {
      kind: 'Bireysel',
      name,
      representative: null,
      id_no: null,
      tax_office: null,
      tax_no: null,
      address: null,
      phone: null,
    },
    currency: query.currency,
    from: query.from,
    to: query.to,
    opening: minorOf(found.opening),
    closing: minorOf(found.closing),
    lines: found.lines.map((line) => ({
      day: line.day,
      sale_no: line.sale_no,
      what: whatOf(line),
      debit: minorOf(line.debit),
      credit: minorOf(line.credit),
      balance: minorOf(line.balance),
    })),
    not_due: minorOf(found.not_due),
    open_deposit: minorOf(found.open_deposit),
    late_interest: minorOf(found.late_interest),
    aging: {
      not_due: minorOf(aging.not_due),
      d1_30: minorOf(aging.d1_30),
      d31_60: minorOf(aging.d31_60),
      d61_90: minorOf(aging.d61_90),
      d91: minorOf(aging.d91),
    },
  };
}

/** In the order of the ids; an id that is not a customer of the account returns not_found. */
export async function readStatementPaper(db: Db, ids: readonly string[], query: StatementPaperQuery): Promise<StatementPaper> {
  const base = await readPaperBase(db, 'hesap_ekstresi', { created_at: new Date(`${query.today}T00:00:00Z`), day: query.today });
  const statements: PaperStatement[] = [];
  for (const id of ids) statements.push(await statementOf(db, id, query));
  return { ...base, code: 'hesap_ekstresi', statements };
}

export async function readTillPaper(db: Db, id: string): Promise<TillPaper> {
  const closing = await readClosing(db, id);
  type Around = { branch: string; before: string | null; closed_at: string; closed: Date; reopened_at: string | null };
  const around = await db.one<Around>(sql`select branches.name as branch, closed_at as closed,
      (select max(day) from (select * from ${own('till_closings')}) earlier where earlier.branch_id = till_closings.branch_id and earlier.day < till_closings.day
        and (earlier.reopened_at is null or earlier.reopened_at > till_closings.closed_at)) as before,
      to_char(closed_at at time zone timezone, 'DD.MM.YYYY HH24:MI') as closed_at, to_char(reopened_at at time zone timezone, 'DD.MM.YYYY HH24:MI') as reopened_at
    from ${own('till_closings')} join ${own('branches')} on branches.id = branch_id, ${own('accounts')} where till_closings.id = ${id}`);
  const { reopened_by, reopen_reason } = closing;
  return {
    ...(await readPaperBase(db, 'kasa_kapanisi', { created_at: around.closed, day: closing.day })),
    code: 'kasa_kapanisi',
    branch: around.branch,
    closed_through_before: around.before,
    closed_by: closing.closed_by,
    closed_at: around.closed_at,
    reason: closing.reason,
    reopened: reopened_by === null ? null : { by: reopened_by, at: around.reopened_at!, reason: reopen_reason ?? '' },
    lines: closing.lines.map(({ currency, method, count, opening, cash_in, cash_out, expected, counted }) => ({
      currency,
      method,
      count,
      moved:
        opening === undefined
          ? null
          : { opening: minorOf(opening), cash_in: minorOf(cash_in ?? '0.00'), cash_out: minorOf(cash_out ?? '0.00') },
      expected: minorOf(expected),
      counted: minorOf(counted ?? '0.00'),
    })),
  };
}

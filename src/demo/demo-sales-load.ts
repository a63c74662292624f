// Loads the sales of a demonstration dealer, in one transaction and a few statements. The database checks their sums as for any
// sale.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addDays, daysBetween } from '../domain/clock/days.ts';
import { CASH, TILL_PLACE } from '../domain/expenses/expenses-states.ts';
import { numberText } from '../domain/records/number-series.ts';
import { type Columns, insertRecords } from '../domain/records/record.ts';
import { IS_TILL_MONEY } from '../domain/sales/till.ts';
import type { Secrets } from '../domain/vault/secrets.ts';
import { sealingKeys } from '../domain/vault/vault.ts';
import { dayIn, startOfDay } from '../kit/clock.ts';
import type { Database, Db } from '../kit/db.ts';
import { formatMoney, sum } from '../kit/money.ts';
import { own, sql, theAccount } from '../kit/sql.ts';
import type { BookDay } from './demo-book.ts';
import type { DemoDealer } from './demo-dealer.ts';
import { newDemoDeposits } from './demo-deposits.ts';
import { insertExpenses } from './demo-expenses.ts';
import type { DemoNote } from './demo-notes.ts';
import { idOf } from './demo-random.ts';
import { type DemoRows, installmentsOfSales } from './demo-sale-rows.ts';
import { demoBuyers, demoSaleId, newDemoSales } from './demo-sales.ts';

/** With fewer customers, each would buy too often. */
const MIN_CUSTOMERS = 20;
/** Larger loads are for benchmarks, which measure lists of cars. */
const MAX_VEHICLES = 1000;

export interface DemoSalesSize {
  readonly now: Date;
  readonly vehicles: number;
  readonly customers: number;
}

interface DealerFacts {
  readonly timezone: string;
  readonly branch_id: string;
  readonly other_branch_id: string | null;
  readonly legal_name: string;
  readonly is_loaded: boolean;
}

/** Returns how many sales were added: none if they exist already, or if the demonstration does not have its usual size. */
export async function loadDemoSales(
  database: Database,
  secrets: Secrets,
  dealers: readonly DemoDealer[],
  size: DemoSalesSize,
): Promise<number> {
  if (size.customers < MIN_CUSTOMERS || size.vehicles > MAX_VEHICLES) return 0;
  let added = 0;
  let inserted: Promise<void> = Promise.resolve();
  for (const dealer of dealers) {
    const facts = await database.inTenant(dealer.id, 'read', (db) => readFacts(db, dealer));
    if (facts.is_loaded) continue;
    // The next dealer's sales are computed while the database inserts these.
    const { rows, day } = makeRows(dealer, secrets, facts, size);
    await inserted;
    inserted = database.inTenant(dealer.id, 'write', (db) => insertSales(db, dealer, rows, day, facts.branch_id));
    added += rows.sales.length;
    await nextTurn();
  }
  await inserted;
  return added;
}

const readFacts = (db: Db, dealer: DemoDealer): Promise<DealerFacts> =>
  db.one<DealerFacts>(sql`select timezone, coalesce(legal_name, name) as legal_name, (select id from ${own('branches')} where is_main) as branch_id,
    (select id from ${own('branches')} where not is_main order by name limit 1) as other_branch_id,
    exists (select from ${own('sales')} where id = ${demoSaleId(dealer, 0)}) as is_loaded from ${own('accounts')}`);

function makeRows(dealer: DemoDealer, secrets: Secrets, facts: DealerFacts, { now, customers }: DemoSalesSize) {
  const { timezone } = facts;
  const keys = sealingKeys(secrets, dealer.id);
  const day: BookDay = { now, timezone, country: dealer.country, today: dayIn(now, timezone) };
  const sales = newDemoSales(dealer, keys, { now, timezone, buyers: demoBuyers(dealer, keys, customers, now) });
  return {
    day,
    rows: installmentsOfSales(dealer, { sales, deposits: newDemoDeposits(dealer, day, depositHolders(dealer)) }, day, facts),
  };
}

/** The customers whose deposits are loaded. */
export const depositHolders = ({ scope }: DemoDealer): string[] =>
  [1, 2, 3, 4, 5].map((number) => idOf('customer', scope, number));

export async function insertSales(db: Db, dealer: DemoDealer, rows: DemoRows, day: BookDay, branchId: string): Promise<void> {
  await insertAll(db, rows);
  await insertExpenses(db, dealer, day, branchId);
  await closeTill(db, dealer, day, branchId);
  // From then on the service makes the timed transitions.
  const tomorrow = startOfDay(addDays(day.today, 1), day.timezone);
  await db.exec(sql`update data_sets set next_due_at = least(next_due_at, ${tomorrow}::timestamptz) where id = ${theAccount}`);
}

async function insertAll(db: Db, rows: DemoRows): Promise<void> {
  const order = ['vehicles', 'customers', 'sales', 'reservations', 'collections'] as const;
  for (const table of order) await insertRecords(db, table, rows[table]);
  await insertRecords(db, 'installments', rows.installments.map(unpaid));
  for (const table of ['collection_allocations', 'payment_promises', 'customer_activity'] as const)
    await insertRecords(db, table, rows[table]);
  await writeNotes(db, rows.notes);
  const paid = jsonText(rows.installments.filter(isTouched));
  await db.exec(sql`update installments set paid_amount_minor = paid.paid_amount_minor, discounted_amount_minor = paid.discounted_amount_minor,
      status = paid.status, paid_at = paid.paid_at
    from jsonb_populate_recordset(null::installments, ${paid}::jsonb) paid where installments.account_id = ${theAccount} and installments.id = paid.id`);
  for (const [series, last] of rows.numbers) {
    const [letter, year] = series.split('-');
    await db.exec(sql`insert into number_series (account_id, series, year, last) values (${theAccount}, ${letter}, ${Number(year)}, ${last})
      on conflict (account_id, series, year) do update set last = greatest(number_series.last, excluded.last)`);
  }
}

/** A note that replaces another releases the installment first. */
async function writeNotes(db: Db, notes: readonly DemoNote[]): Promise<void> {
  const isSpoilt = ({ now }: DemoNote) => now.status === 'İptal';
  for (const some of [notes.filter(isSpoilt), notes.filter((one) => !isSpoilt(one))]) {
    await insertRecords(
      db,
      'promissory_notes',
      some.map(({ written }) => written),
    );
    await db.exec(sql`update promissory_notes set previous_status = become.previous_status, bank_name = become.bank_name,
        transferred_to = become.transferred_to, lawyer = become.lawyer, protest_date = become.protest_date, printed_at = become.printed_at,
        note = become.note, updated_at = become.updated_at,
        status = case when become.status = 'İade Edildi' then 'Tahsil Edildi' else become.status end, collected_amount_minor =
          case when become.status = 'İptal' then become.collected_amount_minor end
      from jsonb_populate_recordset(null::promissory_notes, ${jsonText(some.map(({ now }) => now))}::jsonb) become
      where promissory_notes.account_id = ${theAccount} and promissory_notes.id = become.id`);
  }
  // Returned only after it was paid.
  const returned = jsonText(notes.filter(({ now }) => now.status === 'İade Edildi').map(({ now }) => now));
  await db.exec(sql`update promissory_notes set status = become.status, returned_on = become.returned_on,
      collected_amount_minor = become.collected_amount_minor
    from jsonb_populate_recordset(null::promissory_notes, ${returned}::jsonb) become
    where promissory_notes.account_id = ${theAccount} and promissory_notes.id = become.id`);
}

const jsonText = (rows: readonly Columns[]): string =>
  JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));

const isTouched = (row: Columns): boolean => row.paid_amount_minor !== 0n || row.discounted_amount_minor !== 0n;

/** A new installment is always unpaid. */
const unpaid = (row: Columns): Columns =>
  isTouched(row) ? { ...row, paid_amount_minor: 0n, discounted_amount_minor: 0n, status: 'Bekliyor', paid_at: null } : row;

/** The last days stay open, so that there is something to close. */
const OPEN_DAYS = 3;
const OWNERS = ['Defne Aksoy', 'Kerem Yıldız', 'Zehra Özgür'] as const;

interface TillMoney {
  readonly on: string;
  readonly currency: string;
  readonly method: string;
  /** Negative where it left the till. */
  readonly amount: bigint;
}

/** Change stays in the till; the rest was taken to the bank, once a week, in hundreds. */
const KEPT = 100_000n;
const NOTES = 10_000n;

/** The till was closed once a week. In one week a banknote was missing. */
async function closeTill(db: Db, dealer: DemoDealer, { today, now }: BookDay, branchId: string): Promise<void> {
  const { index, scope } = dealer;
  const money = await db.rows<TillMoney>(sql`select collected_on as "on", currency, method, amount_minor as amount
      from ${own('collections')} where branch_id = ${branchId} and ${IS_TILL_MONEY}
    union all select day, currency, method, -amount_minor from ${own('expenses')} where branch_id = ${branchId} and method = ${CASH}
    order by 1`);
  const last = addDays(today, -OPEN_DAYS);
  const first = money[0]?.on ?? last;
  const weeks = Math.max(0, Math.ceil(daysBetween(first, last) / 7));
  const days = Array.from({ length: weeks }, (_, week) => addDays(last, -7 * (weeks - 1 - week)));
  const openings = new Map<string, bigint>();
  const transfers: Columns[] = [];
  const closings = days.map((day, week): Columns => {
    const after = week === 0 ? '' : days[week - 1]!;
    const since = money.filter(({ on }) => on > after && on <= day);
    const at = new Date(Math.min(now.getTime(), Date.parse(`${day}T15:30:00Z`)));
    const taken = takenToBank(openings, since);
    for (const [currency, amount] of taken)
      transfers.push({ id: idOf('transfer', scope, day, currency), currency, day, created_at: at, ...sidesOf(amount, branchId) });
    const out = taken.map(([currency, amount]) => ({ on: day, currency, method: CASH, amount: -amount }));
    const lines = tillLines([...since, ...out], openings, week === weeks - 4 ? 5_000n : 0n);
    return {
      id: idOf('till', scope, day),
      branch_id: branchId,
      day,
      lines,
      closed_by: OWNERS[index % OWNERS.length]!,
      closed_at: at,
      reason: lines.some(({ difference }) => difference !== '0.00') ? 'Bir banknot eksik sayıldı' : null,
    };
  });
  await insertTransfers(db, transfers);
  await insertRecords(db, 'till_closings', closings);
  await db.exec(
    sql`update branches set closed_through = ${days.at(-1) ?? null} where account_id = ${theAccount} and id = ${branchId}`,
  );
}

const cashOf = (money: readonly TillMoney[], currency: string): bigint =>
  sum(money.filter((one) => one.currency === currency && one.method === CASH).map(({ amount }) => amount));

/** Negative where cash was fetched. */
function takenToBank(openings: ReadonlyMap<string, bigint>, since: readonly TillMoney[]): [currency: string, amount: bigint][] {
  const currencies = [...new Set([...openings.keys(), ...since.map(({ currency }) => currency)])].sort();
  return currencies.flatMap((currency): [string, bigint][] => {
    const spare = (openings.get(currency) ?? 0n) + cashOf(since, currency) - KEPT;
    if (spare + KEPT < 0n) return [[currency, spare - NOTES - (spare % NOTES)]];
    return spare < NOTES ? [] : [[currency, spare - (spare % NOTES)]];
  });
}

/** Cash that was missing for a bill was fetched from the bank. */
function sidesOf(taken: bigint, branchId: string): Columns {
  const till = taken > 0n ? 'from' : 'to';
  return {
    amount_minor: taken > 0n ? taken : -taken,
    from_place: till === 'from' ? TILL_PLACE : 'Banka',
    from_branch_id: till === 'from' ? branchId : null,
    to_place: till === 'to' ? TILL_PLACE : 'Banka',
    to_branch_id: till === 'to' ? branchId : null,
  };
}

async function insertTransfers(db: Db, transfers: readonly Columns[]): Promise<void> {
  const { is_world } = await db.one<{ is_world: boolean }>(sql`select world_id is not null as is_world from ${own('accounts')}`);
  const numbers = new Map<number, number>();
  const rows = transfers.map((transfer): Columns => {
    const year = Number(String(transfer.day).slice(0, 4));
    const number = (numbers.get(year) ?? 0) + 1;
    numbers.set(year, number);
    return {
      ...transfer,
      number: BigInt(year) * 1_000_000_000n + BigInt(number),
      transfer_no: numberText('V', year, BigInt(number), is_world),
      created_by: 'Muhasebe',
    };
  });
  await insertRecords(db, 'cash_transfers', rows);
  for (const [year, last] of numbers)
    db.send(sql`insert into number_series (account_id, series, year, last) values (${theAccount}, 'V', ${year}, ${last})
      on conflict (account_id, series, year) do update set last = greatest(number_series.last, excluded.last)`);
}

/** By currency and method, as in a till closing. What was counted is the opening of the next one. */
function tillLines(money: readonly TillMoney[], openings: Map<string, bigint>, missing: bigint) {
  const carried = [...openings].filter(([, amount]) => amount !== 0n).map(([currency]) => `${currency} ${CASH}`);
  const names = [...new Set([...carried, ...money.map(({ currency, method }) => `${currency} ${method}`)])].sort();
  return names.map((name, place) => {
    const currency = name.slice(0, name.indexOf(' '));
    const method = name.slice(name.indexOf(' ') + 1);
    const amounts = money.filter((one) => one.currency === currency && one.method === method).map(({ amount }) => amount);
    const opening = method === CASH ? (openings.get(currency) ?? 0n) : 0n;
    const cashIn = sum(amounts.filter((amount) => amount > 0n));
    const cashOut = -sum(amounts.filter((amount) => amount < 0n));
    const expected = opening + cashIn - cashOut;
    const counted = place === 0 ? expected - missing : expected;
    if (method === CASH) openings.set(currency, counted);
    return {
      currency,
      method,
      count: amounts.length,
      opening: formatMoney(opening),
      cash_in: formatMoney(cashIn),
      cash_out: formatMoney(cashOut),
      expected: formatMoney(expected),
      counted: formatMoney(counted),
      difference: formatMoney(counted - expected),
    };
  });
}

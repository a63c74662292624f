// A dealer's two busy years, for queries over all of them: sales of twelve installments, most of them paid, each of a vehicle, some
// advertised; and the processor time of a query.
import type { Database, Db } from '../src/kit/db.ts';
import { sql } from '../src/kit/sql.ts';
import { openDatabase, openSession, type Session } from '../src/postgres/database.ts';
import { makeData } from './data.ts';
import { cpuSeconds } from './processes.ts';
import { loadSales, payRows } from './sales-data.ts';

const ROWS_OF_A_SALE = 12;
/** So that some installments are overdue and some were paid early. */
const DAYS_LATE = 300;
/** Enough that the tables do not hold a single dealer's rows. */
const OTHER_DEALERS = 100;

/**
 * Spread over two years instead of one month, each of a vehicle, some with a salesperson; a tenth of the vehicles has been
 * advertised.
 */
async function spread(session: Session, id: string): Promise<void> {
  await session.rows('set session_replication_role = replica');
  await session.rows(
    `insert into members (account_id, id, full_name, role) select $1, gen_random_uuid(), 'Satıcı ' || n, 'sales' from generate_series(1, 8) n`,
    [id],
  );
  await session.rows(
    `with cars as (select id, row_number() over (order by id) as n from vehicles where account_id = $1),
       sellers as (select id, row_number() over (order by id) as n from members where account_id = $1 and role = 'sales'),
       sold as (select id, row_number() over (order by id) as n from sales where account_id = $1)
     update sales set vehicle_id = cars.id, salesperson_id = sellers.id, sale_date = current_date - (sold.n % 730)::int
     from sold, cars, sellers where sales.account_id = $1 and sales.id = sold.id and cars.n = sold.n and sellers.n = 1 + sold.n % 8`,
    [id],
  );
  await session.rows(
    `update vehicles set purchase_price_minor = price_minor * 8 / 10, purchase_currency = currency, stock_date = current_date - (abs(hashtext(id::text)) % 300)
     where account_id = $1`,
    [id],
  );
  await session.rows(
    `update installments set due_date = (sale_date + make_interval(months => seq))::date, original_due_date = (sale_date + make_interval(months => seq))::date
     from sales where sales.account_id = $1 and installments.account_id = $1 and sales.id = sale_id`,
    [id],
  );
  await session.rows(
    `insert into listings (account_id, id, vehicle_id, title, status, published_at, closed_at, live)
     select $1, gen_random_uuid(), id, brand || ' ' || model, 'Kapandı', since, now(), tstzmultirange(tstzrange(since, since + interval '40 days'))
     from vehicles, lateral (select now() - (41 + abs(hashtext(id::text)) % 400) * interval '1 day' as since) published
     where account_id = $1 and abs(hashtext(id::text)) % 10 = 0`,
    [id],
  );
  await session.rows(
    `insert into listing_visits (account_id, listing_id, day, slot, views, contacts, favorites)
     select account_id, id, published_at::date + n, 0, 1 + n, n % 3, n % 2 from listings, generate_series(0, 39, 2) n where account_id = $1`,
    [id],
  );
  await session.rows('set session_replication_role = default');
}

async function loadBusyYears(session: Session, id: string, sales: number, progress: (line: string) => void): Promise<void> {
  progress(`loading ${sales} sales of ${ROWS_OF_A_SALE} rows`);
  const plan = { salesEach: sales, rowsEach: ROWS_OF_A_SALE, customersEach: Math.ceil(sales / 4), monthsPast: 12 };
  await loadSales(session, { ...plan, accounts: [id] });
  progress('spreading them over two years, with cars, salespeople and listings');
  await spread(session, id);
  const paid = sales * 10;
  progress(`paying ${paid} rows`);
  await payRows(session, id, null, paid, DAYS_LATE);
  await session.rows('vacuum (analyze)');
  await session.rows('checkpoint');
}

export interface BusyYears {
  readonly id: string;
  readonly session: Session;
  /** One connection, so that one PostgreSQL process does all the work. */
  readonly database: Database;
}

/** Loads the years into a temporary database. */
export async function withBusyYears<T>(
  sales: number,
  progress: (line: string) => void,
  run: (years: BusyYears) => Promise<T>,
): Promise<T> {
  const data = await makeData(progress, sales, OTHER_DEALERS);
  const session = await openSession(data.connected.adminUrl);
  const database = openDatabase({ ...data.connected.urls, connections: 1 });
  try {
    const { id } = data.big;
    await loadBusyYears(session, id, sales, progress);
    return await run({ id, session, database });
  } finally {
    await database.close();
    await session.close();
    await data.close();
  }
}

export interface Spent {
  readonly wall: number;
  /** Of PostgreSQL's process; wall time where there is no /proc. */
  readonly cpu: number;
}

const PID = 'select pg_backend_pid() as pid';
export const pidOf = async (connection: Session | Db): Promise<number> =>
  'close' in connection
    ? (await connection.rows<{ pid: number }>(PID))[0]!.pid
    : (await connection.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid;

export async function spentBy(pid: number, work: () => Promise<unknown>): Promise<Spent> {
  const [from, before] = [performance.now(), cpuSeconds(pid)];
  await work();
  const [wall, after] = [performance.now() - from, cpuSeconds(pid)];
  return { wall, cpu: before === null || after === null ? wall : (after - before) * 1000 };
}

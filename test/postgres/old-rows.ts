// Rows for a database of an earlier commit, in SQL that fits its schema: a dealer with people, vehicles, and money where there is
// any.
import type { Session } from '../../src/postgres/database.ts';

const id = (number: number): string => `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`;
const [DEALER, BRANCH, OWNER, ADMIN, MEMBER, CUSTOMER] = [id(1), id(2), id(3), id(4), id(5), id(6)];
const [CAR, HELD, HELD_FOR_NO_ONE, SOLD] = [id(11), id(12), id(13), id(14)];
const [SALE, PLAN, DOWN, REST, PAYMENT, TRANSACTION] = [id(21), id(22), id(23), id(24), id(25), id(26)];
const DIGEST = `'\\x${'ab'.repeat(32)}'`;

const PEOPLE = `
insert into accounts (id, name, country, default_currency, timezone, rate_source) values ('${DEALER}', 'Oto', 'KKTC', 'STG', 'Asia/Famagusta', 'KKTCMB');
insert into data_sets (id, account_id, kind) values ('${DEALER}', '${DEALER}', 'production');
insert into branches (account_id, id, name, city, is_main) values ('${DEALER}', '${BRANCH}', 'Merkez', 'Girne', true);
insert into people (id, email, full_name, password_hash, is_admin) values
  ('${OWNER}', 'owner@example.com', 'Ayşe Yılmaz', 'x', false), ('${ADMIN}', 'admin@example.com', 'Ali Kaya', 'x', true);
insert into members (account_id, id, person_id, full_name, role) values ('${DEALER}', '${MEMBER}', '${OWNER}', 'Ayşe Yılmaz', 'owner');
insert into api_keys (account_id, id, name, environment) values ('${DEALER}', '${id(7)}', 'Website', 'production');
insert into password_resets (id, digest, person_id, expires_at) values ('${id(8)}', ${DIGEST}, '${OWNER}', '2099-01-01');
insert into invitations (account_id, id, digest, email, full_name, role, invited_by, expires_at)
  values ('${DEALER}', '${id(9)}', ${DIGEST}, 'sales@example.com', 'Can Demir', 'sales', '${OWNER}', '2099-01-01');
insert into customers (account_id, id, first_name, last_name, phone) values ('${DEALER}', '${CUSTOMER}', 'Fatma', 'Şahin', '+905331234567');`;

const car = (vehicle: string, plate: string, status: string): string => `
insert into vehicles (account_id, id, brand, model, model_year, km, fuel_type, transmission, body_type, color, plate, city, price_minor, currency,
    stock_date, status)
  values ('${DEALER}', '${vehicle}', 'Škoda', 'Octavia', 2018, 1, 'Benzin', 'Otomatik', 'Hatchback', 'Gri', '${plate}', 'Girne', 100000, 'STG',
    '2026-01-01', '${status}');`;
const CARS = [
  car(CAR, 'AA 1', 'Stokta'),
  car(HELD, 'AA 2', 'Rezerve'),
  car(HELD_FOR_NO_ONE, 'AA 3', 'Rezerve'),
  car(SOLD, 'AA 4', 'Stokta'),
];

const HOLDS = `
insert into reservations (account_id, id, vehicle_id, kind, status, customer_id, reserved_until, deposit_amount_minor, deposit_currency, note) values
  ('${DEALER}', '${id(15)}', '${HELD}', 'Müşteri', 'Aktif', '${CUSTOMER}', '2099-01-01', 50000, 'STG', 'söz verildi'),
  ('${DEALER}', '${id(16)}', '${HELD_FOR_NO_ONE}', 'Müşteri', 'Aktif', null, '2099-01-01', 7000, 'STG', null);`;

/** 900.00, of which 300.00 was paid in cash at the sale. */
const SALES = `
insert into number_series (account_id, series, year, last) values ('${DEALER}', 'S', 2026, 1), ('${DEALER}', 'T', 2026, 1);
insert into sales (account_id, id, plan_id, sale_no, vehicle_id, customer_id, branch_id, sale_date, currency, sale_price_minor, down_payment_minor,
    payment_type)
  values ('${DEALER}', '${SALE}', '${PLAN}', 'S-2026-00001', '${SOLD}', '${CUSTOMER}', '${BRANCH}', '2026-02-01', 'STG', 90000, 30000, 'Taksitli');
insert into installments (account_id, id, sale_id, plan_id, customer_id, seq, kind, due_date, original_due_date, due_day, amount_minor, currency) values
  ('${DEALER}', '${DOWN}', '${SALE}', '${PLAN}', '${CUSTOMER}', 0, 'Peşinat', '2026-02-01', '2026-02-01', 1, 30000, 'STG'),
  ('${DEALER}', '${REST}', '${SALE}', '${PLAN}', '${CUSTOMER}', 1, 'Taksit', '2026-03-01', '2026-03-01', 1, 60000, 'STG');
insert into collections (account_id, id, number, receipt_no, type, sale_id, customer_id, branch_id, amount_minor, currency, sale_currency,
    applied_amount_minor, method, collected_on)
  values ('${DEALER}', '${PAYMENT}', 2026000000001, 'T-2026-00001', 'Tahsilat', '${SALE}', '${CUSTOMER}', '${BRANCH}', 30000, 'STG', 'STG', 30000,
    'Nakit', '2026-02-01');
insert into collection_allocations (account_id, collection_id, place, installment_id, is_discount, amount_minor)
  values ('${DEALER}', '${PAYMENT}', 1, '${DOWN}', false, 30000);
update installments set paid_amount_minor = 30000, status = 'Ödendi', paid_at = '2026-02-01' where id = '${DOWN}';
update sales set collected_amount_minor = 30000 where id = '${SALE}';
insert into payment_promises (account_id, id, customer_id, sale_id, promised_date, amount_minor, currency)
  values ('${DEALER}', '${id(27)}', '${CUSTOMER}', '${SALE}', '2026-03-05', 60000, 'STG');`;

/** The wallet was opened with the data set; 100.00 was credited. */
const WALLET = `
insert into wallet_topups (account_id, id, amount_minor, currency, method, created_at, updated_at)
  values ('${DEALER}', '${id(31)}', 10000, 'TL', 'Havale/EFT', now(), now());
insert into wallet_transactions (account_id, id, number, type, amount_minor, currency, balance_after_minor, reference_type, reference_id, description,
    created_at)
  values ('${DEALER}', '${TRANSACTION}', 1, 'Yükleme', 10000, 'TL', 10000, 'topup_request', '${id(31)}', 'Bakiye yükleme', now());
insert into ledger_entries (account_id, transaction_id, place, ledger_account_id, is_platform, direction, amount_minor, currency)
  select '${DEALER}'::uuid, '${TRANSACTION}'::uuid, 1, id, true, 'debit', 10000, 'TL' from ledger_accounts where code = 'platform:cash'
  union all select '${DEALER}', '${TRANSACTION}', 2, '${DEALER}'::uuid, false, 'credit', 10000, 'TL';
update wallets set balance_minor = 10000, last_number = 1 where account_id = '${DEALER}';`;

export async function fillOldDatabase(session: Session): Promise<void> {
  const has = async (query: string) => (await session.rows(query)).length > 0;
  const parts = [PEOPLE, ...CARS];
  const deposits = `select from pg_attribute where attrelid = 'reservations'::regclass and attname = 'deposit_amount_minor' and not attisdropped`;
  if (await has(deposits)) parts.push(HOLDS);
  if (await has(`select where to_regclass('sales') is not null`)) parts.push(SALES);
  if (await has(`select where to_regclass('wallets') is not null`)) parts.push(WALLET);
  await session.rows(`begin; ${parts.join('\n')}; commit`);
}

type Rows = ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>;

/** Every row of every table except the list of migrations, without generated columns. */
export async function readRows(session: Session): Promise<Rows> {
  const tables = await session.rows<{ name: string; generated: string[] }>(
    `select relname as name, array(select attname::text from pg_attribute where attrelid = pg_class.oid and attgenerated <> '') as generated
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> 'schema_migrations' order by 1`,
  );
  const rows = new Map<string, Record<string, unknown>[]>();
  for (const { name, generated } of tables) {
    const found = await session.rows<{ row: Record<string, unknown> }>(
      `select to_jsonb(one) - $1::text[] as row from "${name}" one`,
      [generated],
    );
    rows.set(
      name,
      found.map(({ row }) => row),
    );
  }
  return rows;
}

/** Rows of `before` that are missing in `after`, in the columns that both have and that no migration rewrites. */
export function lostRows(before: Rows, after: Rows, rewritten: ReadonlySet<string>): string[] {
  return [...before].flatMap(([table, rows]) => {
    const columns = new Set(Object.keys(after.get(table)?.[0] ?? {}));
    const show = (row: Readonly<Record<string, unknown>>) =>
      JSON.stringify(
        Object.entries(row)
          .filter(([column]) => columns.has(column) && column in (rows[0] ?? {}) && !rewritten.has(`${table}.${column}`))
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      );
    const kept = new Set((after.get(table) ?? []).map(show));
    return rows
      .map(show)
      .filter((row) => !kept.has(row))
      .map((row) => `${table} ${row}`);
  });
}

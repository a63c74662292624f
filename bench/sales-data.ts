// Sales in bulk: plans of monthly installments, a given number of customers, nothing paid. Loaded without the checks, which the data
// satisfies.
import type { Session } from '../src/postgres/database.ts';

export interface ManySales {
  readonly accounts: readonly string[];
  readonly salesEach: number;
  readonly rowsEach: number;
  readonly customersEach: number;
  /** The age of the oldest installment in months. */
  readonly monthsPast: number;
}

/** Sale n of an account is `idOf(account, 'sale', n)`, n from 1. */
export const idOf = (account: string, kind: 'sale' | 'customer', n: number): string =>
  `md5('${account}' || '${kind}' || ${n})::uuid`;

export async function loadSales(
  session: Session,
  { accounts, salesEach, rowsEach, customersEach, monthsPast }: ManySales,
): Promise<void> {
  await session.rows('set session_replication_role = replica');
  const of = 'unnest($1::uuid[]) account';
  await session.rows(
    `insert into branches (account_id, id, name, city, is_main) select account, gen_random_uuid(), 'Merkez', 'Lefkoşa', true from ${of}
       where not exists (select from branches where account_id = account and is_main)`,
    [accounts],
  );
  await session.rows(
    `insert into customers (account_id, id, first_name, last_name, phone)
     select account, md5(account::text || 'customer' || n)::uuid, 'Ayşe', 'Yılmaz ' || n, '+90533' || 1000000 + n from ${of}, generate_series(1, $2::int) n`,
    [accounts, customersEach],
  );
  await session.rows(
    `insert into sales (account_id, id, plan_id, sale_no, vehicle_id, customer_id, sale_date, currency, sale_price_minor, payment_type, period,
       late_rate_yearly_minor, created_at, updated_at)
     select account, md5(account::text || 'sale' || n)::uuid, md5(account::text || 'plan' || n)::uuid, 'S-2020-' || lpad(n::text, 7, '0'), gen_random_uuid(),
       md5(account::text || 'customer' || 1 + n % $2::int)::uuid, current_date - make_interval(months => $5::int, days => n % 28), 'STG', $3::bigint * 10000000, 'Taksitli',
       'Aylık', 3000, now() - n * interval '7 seconds', now()
     from ${of}, generate_series(1, $4::int) n order by md5(n::text)`,
    [accounts, customersEach, rowsEach, salesEach, monthsPast + 1],
  );
  await session.rows(
    `insert into installments (account_id, id, sale_id, plan_id, customer_id, seq, kind, due_date, original_due_date, due_day, amount_minor, currency,
       is_due_soon_told, is_overdue_told, created_at, updated_at)
     select account_id, gen_random_uuid(), sales.id, plan_id, customer_id, seq, 'Taksit', due, due, extract(day from due), 10000000, 'STG', due <= current_date,
       due < current_date, sales.created_at, sales.created_at
     from sales, generate_series(1, $2::int) seq, lateral (select (sale_date + make_interval(months => seq))::date as due) on_day
     where account_id = any($1::uuid[])`,
    [accounts, rowsEach],
  );
  await session.rows('set session_replication_role = default');
}

/** Payments of one installment each, oldest installment first or up to `late` days out of order: of one customer, or of any debtor. */
export async function payRows(session: Session, account: string, customer: string | null, rows: number, late = 0): Promise<void> {
  await session.rows('set session_replication_role = replica');
  // Without statistics each installment would be found by a scan of all.
  await session.rows('analyze sales, installments');
  await session.rows(
    `with paid as (update installments set paid_amount_minor = amount_minor, status = 'Ödendi', paid_at = due_date
         where account_id = $1 and id in (select id from installments where account_id = $1 and ($2::uuid is null or customer_id = $2) and status = 'Bekliyor'
           order by due_date + abs(hashtext(id::text)) % ($4::int + 1), id limit $3::int) returning *),
       money as (insert into collections (account_id, id, number, receipt_no, type, sale_id, customer_id, branch_id, amount_minor, currency, sale_currency,
           applied_amount_minor, method, collected_on)
         select account_id, id, row_number() over (order by due_date, id), 'T-' || id, 'Tahsilat', sale_id, customer_id,
           (select id from branches where account_id = $1 and is_main), amount_minor, currency, currency, amount_minor, 'Nakit', due_date from paid)
     insert into collection_allocations (account_id, collection_id, place, installment_id, is_discount, amount_minor)
       select account_id, id, 1, id, false, amount_minor from paid`,
    [account, customer, rows, late],
  );
  await session.rows(
    `update sales set collected_amount_minor = paid, status = case when paid = total_receivable_minor then 'Tamamlandı' else 'Aktif' end
     from (select sale_id, sum(paid_amount_minor) as paid from installments where account_id = $1 group by sale_id) rows
     where account_id = $1 and id = sale_id and ($2::uuid is null or customer_id = $2)`,
    [account, customer],
  );
  await session.rows('set session_replication_role = default');
}

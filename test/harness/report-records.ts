// The records of one dealer from the tables, read without row-level security: single values, never a sum that the service keeps.
import type { Session } from '../../src/postgres/database.ts';

export interface Car {
  readonly id: string;
  readonly brand: string;
  readonly branch: string | null;
  readonly status: string;
  readonly currency: string;
  readonly price: bigint;
  readonly stocked: string;
  readonly sold_at: string | null;
  readonly sold_via: string | null;
  readonly is_deleted: boolean;
  readonly spent: bigint | null;
  readonly bought_in: string | null;
}

export interface Sale {
  readonly id: string;
  readonly car: string;
  readonly customer: string;
  readonly seller: string | null;
  readonly branch: string | null;
  readonly day: string;
  readonly currency: string;
  readonly price: bigint;
  readonly trade_in: bigint;
  readonly down: bigint;
  readonly charge: bigint;
  readonly guarantors: readonly string[];
  readonly cancelled_at: Date | null;
  readonly retained: bigint;
}

export interface Installment {
  readonly id: string;
  readonly sale: string;
  readonly seq: number;
  readonly kind: string;
  readonly due: string;
  readonly amount: bigint;
}

export interface Money {
  readonly id: string;
  readonly type: string;
  readonly sale: string | null;
  readonly amount: bigint;
  readonly applied: bigint | null;
  readonly late: bigint;
  readonly currency: string;
  readonly method: string | null;
  readonly staff: string | null;
  readonly on: string;
  readonly reverses: string | null;
  readonly deposit: string | null;
  readonly closed: string | null;
}

export interface Share {
  readonly money: string;
  readonly row: string;
  readonly amount: bigint;
}

export interface Promised {
  readonly sale: string;
  readonly until: string;
  readonly status: string;
}

/** An expense; a reversal is negative. */
export interface Spent {
  readonly kind: string;
  readonly category: string;
  readonly car: string | null;
  readonly currency: string;
  readonly amount: bigint;
  readonly on: string;
}

export interface Bulletin {
  readonly day: string;
  readonly rates: Readonly<Record<string, bigint>>;
}

export interface Records {
  readonly zone: string;
  readonly cars: readonly Car[];
  readonly sales: readonly Sale[];
  readonly installments: readonly Installment[];
  readonly money: readonly Money[];
  readonly shares: readonly Share[];
  readonly promises: readonly Promised[];
  readonly expenses: readonly Spent[];
  /** Of the account's bank, by day. */
  readonly bulletins: readonly Bulletin[];
}

const QUESTIONS: Readonly<Record<'cars' | 'sales' | 'installments' | 'money' | 'shares' | 'promises' | 'expenses', string>> = {
  cars: `select id, brand, branch_id as branch, status, currency, price_minor as price, stock_date as stocked, sold_at, sold_via, deleted_at is not null as is_deleted,
      purchase_price_minor + coalesce(customs_fee_minor, 0) + coalesce(other_costs_minor, 0) as spent, purchase_currency as bought_in from vehicles`,
  sales: `select id, vehicle_id as car, customer_id as customer, salesperson_id as seller, branch_id as branch, sale_date as day, currency, sale_price_minor as price,
      trade_in_amount_minor as trade_in, down_payment_minor as down, finance_charge_minor as charge, guarantor_ids::text[] as guarantors, cancelled_at,
      retained_amount_minor as retained from sales`,
  installments: 'select id, sale_id as sale, seq, kind, due_date as due, amount_minor as amount from installments',
  money: `select id, type, sale_id as sale, amount_minor as amount, applied_amount_minor as applied, late_interest_amount_minor as late, currency, method,
      collected_by_id as staff, collected_on as on, reverses_id as reverses, deposit_status as deposit, deposit_closed_on as closed from collections`,
  shares: 'select collection_id as money, installment_id as row, amount_minor as amount from collection_allocations',
  expenses: 'select kind, category, vehicle_id as car, currency, amount_minor as amount, day as on from expenses',
  promises: 'select sale_id as sale, promised_date as until, status from payment_promises',
};

export async function readRecords(session: Session, accountId: string): Promise<Records> {
  const [account] = await session.rows<{ timezone: string; source: string }>(
    'select timezone, rate_source as source from accounts where id = $1',
    [accountId],
  );
  const found: Record<string, unknown[]> = {};
  for (const [name, question] of Object.entries(QUESTIONS))
    found[name] = await session.rows(`${question} where account_id = $1`, [accountId]);
  const quoted = await session.rows<{ day: string; base: string; millionths: bigint }>(
    'select rate_date as day, base, (buying * 1000000)::bigint as millionths from exchange_rates where source = $1 order by rate_date',
    [account!.source],
  );
  const bulletins = [...new Set(quoted.map(({ day }) => day))].map((day) => {
    const rates = quoted.filter((one) => one.day === day).map(({ base, millionths }) => [base, millionths] as const);
    return { day, rates: { TL: 1_000_000n, ...Object.fromEntries(rates) } };
  });
  return { zone: account!.timezone, bulletins, ...(found as unknown as Omit<Records, 'zone' | 'bulletins'>) };
}

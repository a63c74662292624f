// The wallet's spending by purpose, in the current month and in the year up to today.
import { dayIn, startOfDay } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { formatMoney } from '../../kit/money.ts';
import { own, sql } from '../../kit/sql.ts';

export const SPENT_FOR = ['boosts', 'membership'] as const;

export interface Spending {
  readonly currency: 'TL';
  readonly rows: readonly {
    readonly purpose: (typeof SPENT_FOR)[number];
    readonly this_month: string;
    readonly this_year: string;
  }[];
}

/** Refunds are subtracted on their own day. */
export async function readSpending(db: Db, timezone: string, now: Date): Promise<Spending> {
  const today = dayIn(now, timezone);
  const [month, year] = [startOfDay(`${today.slice(0, 7)}-01`, timezone), startOfDay(`${today.slice(0, 4)}-01-01`, timezone)];
  const found = await db.rows<{ purpose: string; this_month: bigint; this_year: bigint }>(sql`
    select case type when 'Üyelik' then 'membership' else 'boosts' end as purpose,
      coalesce(sum(-amount_minor) filter (where created_at >= ${month}), 0)::bigint as this_month, sum(-amount_minor)::bigint as this_year
    from ${own('wallet_transactions')} where type in ('Boost', 'Boost İadesi', 'Üyelik') and created_at >= ${year} group by 1`);
  const rows = SPENT_FOR.map((purpose) => {
    const { this_month = 0n, this_year = 0n } = found.find((row) => row.purpose === purpose) ?? {};
    return { purpose, this_month: formatMoney(this_month), this_year: formatMoney(this_year) };
  });
  return { currency: 'TL', rows };
}

// Readable numbers: `S-2026-00001`, by account, series and year. A number that a refused write took is not used again.

import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';

/** S for sales, T for collections, N for promissory notes, G for expenses, V for transfers of cash. */
export type Series = 'S' | 'T' | 'N' | 'G' | 'V';

export interface SeriesNumber {
  readonly text: string;
  /** Rises with every number of the series, also across years. */
  readonly order: bigint;
}

/** A receipt or promissory note of a world is never taken for a real one. */
export const numberText = (series: Series, year: number, number: bigint, isSandbox: boolean): string =>
  `${isSandbox && series !== 'S' ? SANDBOX_PREFIX : ''}${series}-${year}-${String(number).padStart(5, '0')}`;

const SANDBOX_PREFIX = 'S-';

/** The series is locked until the write ends; cars and customers are stamped after this. */
export async function nextNumbers({ db, today }: Work, series: Series, count: number): Promise<SeriesNumber[]> {
  const year = Number(today.slice(0, 4));
  const { last, is_sandbox } = await db.one<{
    last: bigint;
    is_sandbox: boolean;
  }>(sql`insert into number_series (account_id, series, year, last)
    values (${theAccount}, ${series}, ${year}, ${count})
    on conflict (account_id, series, year) do update set last = number_series.last + excluded.last
    returning last, (select world_id is not null from ${own('accounts')}) as is_sandbox`);
  return Array.from({ length: count }, (_, index) => {
    const number = last - BigInt(count - 1 - index);
    return { text: numberText(series, year, number, is_sandbox), order: BigInt(year) * 1_000_000_000n + number };
  });
}

/**
 * A write that sells and collects locks both series before the cars that it stamps. A series that is new this year is not waited
 * for.
 */
export const holdSeries = ({ db, today }: Work, series: readonly Series[]): Promise<number> =>
  db.exec(sql`select from ${own('number_series')} where series = any(${series}::text[]) and year = ${Number(today.slice(0, 4))}
    order by series for update`);

const OURS = /^(S-(?=[TN]))?([STN])-(\d{4})-(\d{5,9})$/;

/** A number from another system that looks like one of ours is not used again. */
export function keepNumber({ db }: Work, series: Series, text: string): void {
  const [, prefix, letter, year, number] = OURS.exec(text) ?? [];
  if (letter !== series || Number(number) === 0) return;
  // A number with the prefix is ours in a world only.
  db.send(sql`insert into number_series (account_id, series, year, last)
    select ${theAccount}, ${series}, ${Number(year)}, ${Number(number)} from ${own('accounts')}
    where ${prefix === undefined}::boolean or world_id is not null
    on conflict (account_id, series, year) do update set last = greatest(number_series.last, excluded.last)`);
}

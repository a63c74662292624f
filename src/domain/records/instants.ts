// `from` and `to` of a list whose records have an instant: whole days of the account, or exact instants, both ends included.
import { endOf, type Moment, startOf } from '../../kit/clock.ts';
import { fail } from '../../kit/errors.ts';
import { rawSql, type Sql, sql } from '../../kit/sql.ts';

export interface Between {
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
}

export function instantsBetween(column: string, { from, to }: Between, timezone: string): Sql[] {
  const [first, end] = [from && startOf(from, timezone), to && endOf(to, timezone)];
  if (first !== undefined && end !== undefined && first >= end)
    fail('invalid_parameter', {
      param: 'from',
      words: { allowed: { en: 'on or before to', tr: 'to değerinden sonra olmayan bir tarih' } },
    });
  return [
    ...(first === undefined ? [] : [sql`${rawSql(column)} >= ${first}`]),
    ...(end === undefined ? [] : [sql`${rawSql(column)} < ${end}`]),
  ];
}

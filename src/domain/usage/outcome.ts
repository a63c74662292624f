// What came of a call, read from the error code its rollup carries ('' is a success): one rule for figures, shares and warnings.
import { ERRORS, type ErrorCode } from '../../kit/errors.ts';
import { type Sql, sql } from '../../kit/sql.ts';

export const statusOf = (code: string): number => (code === '' ? 200 : (ERRORS[code as ErrorCode]?.status ?? 400));

/** A row that is not open yet: the caller's to know, and neither a failure of the service nor a mistake in the request. */
export const isNotOpen = (code: string): boolean => statusOf(code) === 501;

/** Which codes count as errors: in memory, and as a sum over rows of `usage_calls`. */
export interface Errors {
  has(code: string): boolean;
  readonly calls: Sql;
}

const allBut = (codes: readonly string[]): Errors => ({
  has: (code) => !codes.includes(code),
  calls: sql`coalesce(sum(calls) filter (where error_code <> all(${codes}::text[])), 0)::float8`,
});

/** What the API's own usage reports: every status from 400 on. */
export const EVERY_ERROR = allBut(['']);
/** What the panel calls errors, in shares and in warnings: a key that waits for a row to open has no trouble. */
export const TROUBLE = allBut(['', ...Object.keys(ERRORS).filter(isNotOpen)]);

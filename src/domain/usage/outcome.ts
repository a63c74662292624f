// The outcome of a call from the error code in its rollup ('' is a success): one rule for counts, rates and warnings.
import { ERRORS, type ErrorCode } from '../../kit/errors.ts';
import { type Sql, sql } from '../../kit/sql.ts';

export const statusOf = (code: string): number => (code === '' ? 200 : (ERRORS[code as ErrorCode]?.status ?? 400));

/** The endpoint is not open yet, which is neither a failure of the service nor a mistake of the caller. */
export const isNotOpen = (code: string): boolean => statusOf(code) === 501;

/** Which codes count as errors, as a function and as SQL over `usage_calls`. */
export interface Errors {
  has(code: string): boolean;
  readonly calls: Sql;
}

const allBut = (codes: readonly string[]): Errors => ({
  has: (code) => !codes.includes(code),
  calls: sql`coalesce(sum(calls) filter (where error_code <> all(${codes}::text[])), 0)::float8`,
});

/** Errors in the API's usage reports: every status from 400 on. */
export const EVERY_ERROR = allBut(['']);
/** Errors in the panel's rates and warnings: calls to endpoints that are not open yet do not count. */
export const TROUBLE = allBut(['', ...Object.keys(ERRORS).filter(isNotOpen)]);

// Access to data: one transaction of one dealer or of the platform. src/postgres/database.ts implements it.
import type { Sql } from './sql.ts';

/** One transaction, as endpoint bodies and domain functions use it. */
export interface Db {
  rows<T>(statement: Sql): Promise<T[]>;
  /** The row, or the API's not_found. */
  one<T>(statement: Sql, explain?: Explain): Promise<T>;
  /** The number of affected rows. */
  exec(statement: Sql): Promise<number>;
  /**
   * For a statement whose result is not needed: it is sent with the next one, or with COMMIT, and its failure is reported there.
   * `explain` throws the error that is reported instead of PostgreSQL's. A function is called when the statement is sent.
   */
  send(statement: Sql | (() => Sql), explain?: Explain): void;
  /** Like `one`, for the last statement: a read then takes a single round trip, COMMIT included. */
  last<T>(statement: Sql): Promise<T>;
}

export type Explain = (error: Error) => never;

export type Access = 'read' | 'write';

/** Ends a write on one data set; its statement returns `version` and `next_due_at`. */
export interface Finish {
  readonly dataSet: string;
  readonly statement: Sql;
  readonly explain?: Explain;
}

/** Ends a write that does not change the dealer's data: the version stays, and caches stay valid. */
export const keepsVersion = (): readonly Finish[] => [];

export interface DataSetWritten {
  readonly version: bigint;
  /** When its next timed transition is due. */
  readonly next_due_at: Date | null;
}

export interface Database {
  /**
   * One dealer, one transaction: every statement sees that data set only. A write ends by raising its version, or with the
   * statements of `finish`, which are sent together with COMMIT. `inDataSet` gives the same transaction on another dealer's data:
   * every statement of either sees its own data set only, in any order. Only domain/writes/write.ts uses it.
   */
  inTenant<T>(
    dataSet: string,
    access: Access,
    work: (db: Db, inDataSet: (other: string) => Db) => Promise<T>,
    finish?: () => readonly Finish[],
  ): Promise<T>;
  /** The database of the request log and usage (LOG_DATABASE_URL); null: they are in this one. */
  readonly log: Database | null;
  /** Keys, accounts, release status, the log: data outside a single dealer. */
  onPlatform<T>(access: Access, work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Called after the commit of every tenant write and before its caller gets the reply, so that this process drops its caches.
   */
  onWritten(listener: (dataSet: string, written: DataSetWritten) => void): void;
  waiting(): number;
  /** How often work had to wait for a connection, and for how long altogether. */
  waits(): { readonly count: number; readonly seconds: number };
  /** Whether the last attempt at a connection failed, or one was lost in use since the last success. */
  isRefused(): boolean;
  /** False if work has waited for 3 s without any answer, and a query of our own gets none either. */
  makesProgress(): Promise<boolean>;
  close(): Promise<void>;
}

/** Where the request log and usage are. */
export const logOf = (database: Database): Database => database.log ?? database;

/**
 * What a reply still needs from the request log or usage. If these have a database of their own, it is read after the endpoint's
 * transaction, so that no connection waits for it; `without` is the result while it cannot be read.
 */
export class InLog<T> {
  readonly read: (log: Db) => Promise<T>;
  readonly without: (() => T) | null;
  constructor(read: (log: Db) => Promise<T>, without: (() => T) | null = null) {
    this.read = read;
    this.without = without;
  }
}

export const inLog = <T>(read: (log: Db) => Promise<T>, without: (() => T) | null = null): InLog<T> => new InLog(read, without);

/** Thrown to roll back although nothing failed; the connection stays in use. */
export class Rollback extends Error {}

/**
 * Results of statements that were sent together. One failure is the cause; the others only report that the transaction has
 * failed.
 */
export async function allAnswers<const T extends readonly Promise<unknown>[]>(
  sent: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  const results = await Promise.allSettled(sent);
  const failures = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
  if (failures.length > 0) throw failures.find((failure) => sqlState(failure) !== '25P02') ?? failures[0];
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as never;
}

/** SQLSTATE of a database error, or null for anything else. Codes that begin with E are the system's (EPIPE has five letters too). */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code) ? code : null;
}

/** SQLSTATE of a write of a dealer who is being moved to another deployment (refuse_moving in migration 0172). */
export const CLOSED_FOR_MOVE = '57MV1';

/** Another dependency of a request cannot be reached, such as the store for files. The message is for our log. */
export class Unavailable extends Error {}

/** True if the database or a disk, not the request, is the reason: gone, starting, overloaded, or too slow. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Unavailable) return true;
  if (!(error instanceof Error)) return false;
  const state = sqlState(error);
  if (state !== null) return /^(08|53|57|58)/.test(state) || state === '25P03' || state === '55P03';
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^E(CONN|PIPE|NOENT|NOTFOUND|AI_|HOST|NET|TIMEDOUT|AGAIN|NOSPC|DQUOT|ROFS|MFILE|IO$)/.test(code) ||
    /timeout|terminat|Connection|not queryable|closed/i.test(error.message)
  );
}

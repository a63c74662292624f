// The statements of one transaction, on one connection. A write ends with the new version of its data set.
import type { Access, DataSetWritten, Db, Explain } from '../kit/db.ts';
import { fail } from '../kit/errors.ts';
import { compile, type Sql, type Statement, sql } from '../kit/sql.ts';
import type { Answer } from './batch.ts';
import { type Line, NOT_MADE, type Prepared, preparedName, readAlone } from './line.ts';

export interface Transaction {
  readonly begin: string;
  readonly account: string | null;
  readonly access: Access;
  readonly watch: (statement: Statement) => Statement;
}

export interface Manner {
  /** COMMIT follows `last` at once. */
  readonly endsWithLast: boolean;
  /** A value as the driver sends it. */
  readonly toParameter: (value: unknown) => unknown;
}

export interface OpenTransaction {
  dbOf(dataSet: string | null): Db;
  commit(): Promise<Answer> | undefined;
  giveUp(): Promise<Answer> | undefined;
}

export function beginTransaction(
  line: Line,
  { begin, access, watch }: Transaction,
  { endsWithLast, toParameter }: Manner,
): OpenTransaction {
  let state = 'new' as 'new' | 'begun' | 'ended';
  let committed: Promise<Answer> | undefined;
  /** The data set whose setting applies once everything that was sent is done; null if that is not known. */
  let entered: string | null = null;
  const prepare = (statement: Sql, dataSet: string | null): Prepared => {
    const { text, values } = watch(compile(statement, dataSet));
    return { text, values: values.map(toParameter), name: preparedName(text) };
  };
  /**
   * BEGIN and the account setting are sent with the first statement, so that row-level security costs no extra round trip. The
   * account is set again before a statement for another one, and after a rolled back savepoint, which undoes the setting too. SET
   * LOCAL rather than set_config(): nothing to plan, no row to return, and it reaches the workers of a sharded database.
   */
  const entering = (statement: Sql | (() => Sql), dataSet: string | null): Prepared => {
    if (state === 'ended') throw new Error('a statement was sent after the last one');
    const isLate = typeof statement === 'function';
    const prepared = isLate ? { ...NOT_MADE, make: () => prepare(statement(), dataSet) } : prepare(statement, dataSet);
    if (state === 'new') line.send(plain(begin));
    state = 'begun';
    if (STEPS.test(prepared.text)) {
      // Errors after the first are noise in a failed transaction, and savepoint statements have no caller.
      if (prepared.text.startsWith('rollback')) entered = null;
    } else if (dataSet !== null && dataSet !== entered) {
      line.send({ text: `set local app.account_id = '${dataSet}'`, values: [], name: undefined });
      entered = dataSet;
    }
    return prepared;
  };
  const commit = (): Promise<Answer> | undefined => {
    if (state === 'begun') committed = quietly(line.ask(plain('commit')));
    state = 'ended';
    return committed;
  };
  const dbOf = (dataSet: string | null): Db => {
    const run = (statement: Sql, explain?: Explain): Promise<Answer> => line.ask(entering(statement, dataSet), explain);
    return {
      rows: async <R>(statement: Sql) => (await run(statement)).rows as R[],
      one: async <R>(statement: Sql, explain?: Explain) => ((await run(statement, explain)).rows[0] as R) ?? fail('not_found'),
      exec: async (statement) => (await run(statement)).count,
      send: (statement, explain) => line.send(entering(statement, dataSet), explain),
      last: async <R>(statement: Sql) => {
        const isAlone = access === 'read' && dataSet !== null && state === 'new';
        const answer = isAlone ? readAlone(line, dataSet, prepare(statement, dataSet)) : run(statement);
        if (endsWithLast) commit();
        return ((await answer).rows[0] as R) ?? fail('not_found');
      },
    };
  };
  const giveUp = (): Promise<Answer> | undefined => {
    // Code that still uses the transaction gets an error here, and never the connection's next user.
    state = 'ended';
    // After a COMMIT that was skipped with the rest of its batch too: the transaction is still open.
    return line.drop() ? quietly(line.ask(plain('rollback'))) : undefined;
  };
  return { dbOf, commit, giveUp };
}

const STEPS = /^(savepoint|release|rollback) /;

const plain = (text: string): Prepared => ({ text, values: [], name: preparedName(text) });

/** Awaited later: until then its failure must not count as unhandled. */
export function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** The process learns when the next timed transition is due. */
export const raiseVersion = (dataSet: string): Sql =>
  sql`update data_sets set version = version + 1 where id = ${dataSet} returning version, next_due_at`;

/** A version without the next due time would make this process skip timed transitions. */
export function requireWritten(row: unknown): DataSetWritten {
  const written = row as DataSetWritten;
  if (written.version === undefined || written.next_due_at === undefined)
    throw new Error('the last statement of a write must return version and next_due_at');
  return written;
}

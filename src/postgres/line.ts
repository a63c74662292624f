// The statements of one connection, in the batches in which they are sent.
import type { Explain } from '../kit/db.ts';
import { type Answer, Batch, type Outgoing, type ParserOf, Skipped } from './batch.ts';
import type { Silence } from './silence.ts';

export interface Prepared extends Pick<Outgoing, 'text' | 'values' | 'name'> {
  /** Creates the statement when it is sent. */
  readonly make?: () => Prepared;
}

export const NOT_MADE: Prepared = { text: '', values: [], name: undefined };

/**
 * One connection's statements. Statements of one turn are sent in one write; statements that arrive before the answer are sent in
 * the next.
 */
export interface Line {
  ask(statement: Prepared, explain?: Explain): Promise<Answer>;
  /** Sent with the next statement that is awaited. */
  send(statement: Prepared, explain?: Explain): void;
  /** Statements that have not been sent stay. True if some have. */
  drop(): boolean;
}

/** The connection of a line. */
export interface Carrier {
  submit(batch: Batch): void;
  readonly parserOf: ParserOf;
  readonly silence: Silence;
  /** Ends the connection at once, because it no longer answers. */
  cut(): void;
}

export function openLine({ submit, parserOf, silence, cut }: Carrier): Line {
  const waiting: { statement: Prepared; waiter: Outgoing['waiter']; explain: Explain | undefined }[] = [];
  let isAsked = false;
  let hasLeft = false;
  let isUnderWay = false;
  let isPlanned = false;
  const leave = (): void => {
    isPlanned = false;
    if (!isAsked || isUnderWay) return;
    // Up to the last one with a waiting caller, so that a failure always reaches a caller.
    const count = waiting.findLastIndex(({ waiter }) => waiter !== null) + 1;
    const leaving = waiting.splice(0, count);
    isAsked = false;
    let statements: Outgoing[];
    try {
      statements = leaving.map(({ statement, waiter, explain }) => {
        const { text, values, name } = statement.make?.() ?? statement;
        return { text, values, name, waiter, explain };
      });
    } catch (error) {
      // A statement that could not be created: nothing was sent, and the waiting caller gets the error.
      for (const { waiter } of leaving) waiter?.reject(error);
      return;
    }
    isUnderWay = true;
    hasLeft = true;
    const done = silence.awaitAnswer(cut);
    submit(
      new Batch(statements, parserOf, () => {
        done();
        answered();
      }),
    );
  };
  /** After everything that directly follows from the last answer, so that it is sent together. */
  const plan = (): void => {
    if (isPlanned || isUnderWay || !isAsked) return;
    isPlanned = true;
    process.nextTick(leave);
  };
  const answered = (): void => {
    isUnderWay = false;
    plan();
  };
  return {
    ask: (statement, explain) =>
      new Promise((resolve, reject) => {
        waiting.push({ statement, waiter: { resolve, reject }, explain });
        isAsked = true;
        plan();
      }),
    send: (statement, explain) => {
      waiting.push({ statement, waiter: null, explain });
    },
    drop: () => {
      for (const { waiter } of waiting.splice(0)) waiter?.reject(new Skipped('the transaction has failed'));
      isAsked = false;
      return hasLeft;
    },
  };
}

const ENTER = "select set_config('app.account_id', $1, true)";

/**
 * A statement that is a whole read transaction: the account and the statement share one Sync, so that PostgreSQL runs both in one
 * implicit transaction (read only by the connection's default) and the account setting ends with it. Separate BEGIN and COMMIT
 * statements cost more than a page does.
 */
export function readAlone(line: Line, account: string, statement: Prepared): Promise<Answer> {
  line.send({ text: ENTER, values: [account], name: 'enter' });
  return line.ask(statement);
}

const names = new Map<string, string>();

/** The first few hundred distinct statements are prepared once per connection; the long tail of filter combinations is not. */
export function preparedName(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < 300) {
    name = `s${names.size}`;
    names.set(text, name);
  }
  return name;
}

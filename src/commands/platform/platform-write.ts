// How the administrator's commands write a dealer's data: through the same functions as the API, with errors on one line.
import { databaseClock } from '../../domain/clock/database-clock.ts';
import type { Database } from '../../kit/db.ts';
import { Failure, messageOf } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { type Sql, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { CLI_ACTOR } from '../actor.ts';
import { type Command, UsageError } from '../command.ts';
import { openWriter, withDatabase } from '../with-database.ts';

type Act = (args: string[]) => Promise<void>;

/** A refusal is one line and changes nothing. */
export const command = (usage: readonly string[], act: Act): Command => ({
  usage,
  async run(args) {
    try {
      await act(args);
    } catch (error) {
      throw error instanceof Failure ? new UsageError(wordsOf(error)) : error;
    }
    return undefined;
  },
});

/** One line: what is wrong with each field, or the refusal itself, with its code. */
function wordsOf({ code, facts }: Failure): string {
  const details = (facts.details ?? []).map(({ message }) => (typeof message === 'string' ? message : message.en));
  return `${details.length > 0 ? details.join('; ') : messageOf(code, facts, 'en')} (${code})`;
}

/** A record, and the statement that finds its account. */
export interface Owned {
  readonly what: string;
  readonly id: string;
  /** Returns `account_id`. */
  readonly statement: Sql;
}

/** Services that a write may use outside its transaction. */
export interface OnPlatform {
  readonly database: Database;
  readonly realNow: Date;
}

/** The same write as the panel's, in the dealer's data. `of`: the account, or one of its records. */
export const write = <T>(of: string | Owned, run: (work: Work, platform: OnPlatform) => Promise<T>): Promise<T> =>
  withDatabase(async (connected, config) => {
    const clock = await databaseClock(connected.database);
    const dataSet = typeof of === 'string' ? of : await ownerOf(connected.database, of);
    const account = await connected.database.onPlatform('read', async (db) => {
      const [found] = await db.rows<{ id: string; timezone: string }>(
        sql`select id, timezone from accounts where id = ${dataSet}`,
      );
      return found;
    });
    if (account === undefined) throw new UsageError(`there is no account ${dataSet}; see galeri account list`);
    const { database } = connected;
    const platform = { database, realNow: clock.realNow() };
    const target = { dataSet, account, actor: CLI_ACTOR, now: clock.now() };
    return openWriter(connected, config, clock).write(target, (work) => run(work, platform));
  });

async function ownerOf(database: Database, { what, id, statement }: Owned): Promise<string> {
  const [row] = isUuid(id) ? await database.onPlatform('read', (db) => db.rows<{ account_id: string }>(statement)) : [];
  if (row === undefined) throw new UsageError(`there is no ${what} ${id}`);
  return row.account_id;
}

// Free search: every word is found as a part of what a record is looked for by, Turkish letters folded.
import { type Sql, sql } from '../../kit/sql.ts';

/** Where the record's own `search` says too much to the caller, what is looked through instead. strpos has no wildcards to escape. */
export const searchFor = (q: string, searched = sql`search`): Sql[] =>
  q
    .trim()
    .split(/\s+/)
    // Folded once for the statement, not once for each record.
    .map((word) => sql`strpos(${searched}, (select fold_tr(${word}))) > 0`);

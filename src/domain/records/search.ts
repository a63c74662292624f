// Free search: every word has to occur in the record's search text, with Turkish letters folded.
import { type Sql, sql } from '../../kit/sql.ts';

/** The text to search if the record's own `search` would reveal too much to the caller. strpos has no wildcards to escape. */
export const searchFor = (q: string, searched = sql`search`): Sql[] =>
  q
    .trim()
    .split(/\s+/)
    // Folded once for the statement, not once for each record.
    .map((word) => sql`strpos(${searched}, (select fold_tr(${word}))) > 0`);

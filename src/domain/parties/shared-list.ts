// Lists of records with two sides, rendered for the caller. Their pictures get links that expire, so a page is rendered here and
// not in the database, and is never cached.
import type { Db } from '../../kit/db.ts';
import { type Page, type Paging, stepOf } from '../../kit/page.ts';
import { allOf, rawSql, type Sql, sql } from '../../kit/sql.ts';

export interface SharedList {
  /** `eitherPartyRows(table)`, or one half of it. */
  readonly rows: Sql;
  readonly where: readonly Sql[];
  /** The representation of a record, which is named `chosen` there, and its joins. */
  readonly shows: Sql;
  readonly joins: Sql;
}

const NEWEST_FIRST = { where: [] as Sql[], order: rawSql('created_at desc, id desc'), position: rawSql('null::text') };

export async function sharedPage<Row>(db: Db, list: SharedList, page: Paging, show: (row: Row) => unknown): Promise<Page> {
  const { where, order, position } = page.walk === undefined ? NEWEST_FIRST : stepOf(page.walk);
  const found = await db.rows<Row & { walked_to: string | null }>(sql`select ${list.shows}, walked_to
    from (select *, ${position} as walked_to from ${list.rows} where true${allOf([...list.where, ...where])}
      order by ${order} limit ${page.limit + 1} offset ${page.offset}) chosen ${list.joins}
    order by chosen.created_at desc, chosen.id desc`);
  const hasMore = found.length > page.limit;
  const shown = found.slice(0, page.limit);
  const last = hasMore && page.walk !== undefined ? JSON.parse(shown.at(-1)!.walked_to!) : null;
  const json = JSON.stringify(shown.map(({ walked_to: _, ...row }) => show(row as unknown as Row)));
  return { json, count: shown.length, hasMore, last, version: null };
}

/** One record with two sides, oldest first where there are several. */
export const sharedRows = <Row>(db: Db, list: SharedList): Promise<Row[]> =>
  db.rows<Row>(sql`select ${list.shows} from (select * from ${list.rows} where true${allOf(list.where)}) chosen ${list.joins}
    order by chosen.created_at, chosen.id`);

// A page of a list, whose JSON the database makes: rows are never parsed only to be written out again.
import type { Db } from './db.ts';
import { columnsOf, type Shape } from './schema.ts';
import { allOf, own, rawSql, Sql, sql, type TenantTable, theAccount } from './sql.ts';

export interface Paging {
  readonly limit: number;
  readonly offset: number;
}

export interface Page {
  /** The JSON array as text. */
  readonly json: string;
  readonly count: number;
  readonly hasMore: boolean;
  /** Version of the data set the page was read at, from the same snapshot; null where the list is not of the dealer's own data. */
  readonly version: bigint | null;
}

export interface ListQuery {
  readonly table: TenantTable;
  /** The column that holds what a list shows of a record, or the shape or the select list to make it from. */
  readonly shows: 'list_json' | Shape | Sql;
  readonly where: readonly Sql[];
  /** Newest first unless a row says otherwise. */
  readonly order?: Sql;
  /** The list changes with time, not only with data, so it is read for every request and never cached. */
  readonly timely?: true;
}

const NEWEST_FIRST = rawSql('created_at desc, id desc');

/** Past this offset the skipped rows are walked in the index alone and only the page's rows are fetched (docs/performance.md). */
const DEFERRED_FROM = 500;

export function listPage(db: Db, list: ListQuery, page: Paging): Promise<Page> {
  const order = list.order ?? NEWEST_FIRST;
  const mine = own(list.table);
  // One row more than asked tells whether a next page exists.
  const window = sql`where true${allOf(list.where)} order by ${order} limit ${page.limit + 1} offset ${page.offset}`;
  const chosen =
    page.offset < DEFERRED_FROM
      ? sql`select * from ${mine} ${window}`
      : sql`select * from ${mine} where id in (select id from ${mine} ${window}) order by ${order}`;
  // Formatting stands outside the limit: inside, a plan that sorts would format every row of the account first.
  const lines =
    list.shows === 'list_json'
      ? sql`select list_json from (${chosen}) chosen`
      : linesOf(sql`select ${list.shows instanceof Sql ? list.shows : columnsOf(list.shows)} from (${chosen}) chosen`);
  return readPage(db, lines, page, list.timely ? undefined : sql`(select version from data_sets where id = ${theAccount})`);
}

/** Each row as the text of a JSON object. */
export const linesOf = (rows: Sql): Sql => sql`select row_to_json(item)::text from (${rows}) item`;

/** `lines` gives one JSON text a row, one row more than the page holds if there is a next one. */
export async function readPage(db: Db, lines: Sql, page: Paging, version: Sql = sql`null::bigint`): Promise<Page> {
  // An array and its slice, not row_number(): a window costs a fifth of the whole page. Without `offset 0` the planner would
  // write the array into both places that use it, and read the page twice.
  const read = await db.last<{ json: string; seen: number; version: bigint | null }>(sql`
    select '[' || array_to_string(lines[1:${page.limit}], ',') || ']' as json, cardinality(lines) as seen, ${version} as version
    from (select array(${lines}) as lines offset 0) page`);
  return { json: read.json, count: Math.min(read.seen, page.limit), hasMore: read.seen > page.limit, version: read.version };
}

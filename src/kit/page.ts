// A page of a list. The database generates its JSON: rows are not parsed only to be serialized again.
import type { Db } from './db.ts';
import { oneOfParam, type Param } from './params.ts';
import { columnsOf, type Shape } from './schema.ts';
import { allOf, joined, own, rawSql, Sql, sql, theAccount } from './sql.ts';
import type { TenantTable } from './tenant-tables.ts';

export interface Paging {
  readonly limit: number;
  readonly offset: number;
  /** In a cursor walk instead of by offset. */
  readonly walk?: Walk | undefined;
  /** `updated_since`: only records that changed at or after this time. */
  readonly since?: Date | undefined;
  /** `sort`: instead of the list's own order. */
  readonly sortedBy?: Sort | undefined;
}

export const SORTS = ['created_at', '-created_at', 'updated_at', '-updated_at'] as const;
export type Sort = (typeof SORTS)[number];
export const sortParam: Param<Sort> = oneOfParam(SORTS);

/** A page begins after the last record of the previous one, so records that are added or deleted in between do not shift it. */
export interface Walk {
  /** That record's key; null on the first page. */
  readonly after: WalkPosition | null;
  /** By `updated_at` ascending, for changes since some moment. */
  readonly byChange: boolean;
}

/** Values of a key's columns as text. */
export type WalkPosition = readonly string[];

export interface Page {
  /** The JSON array as text. */
  readonly json: string;
  readonly count: number;
  readonly hasMore: boolean;
  /** In a walk: the position at which the page ended. A list without it cannot be walked, and its walk fails. */
  readonly last?: WalkPosition | null;
  /**
   * Version of the data set at which the page was read, from the same snapshot; null for a list outside the dealer's own data.
   */
  readonly version: bigint | null;
}

export interface ListQuery {
  readonly table: TenantTable;
  /** The column with the representation of a record, or the shape or the select list to build it from. */
  readonly shows: 'list_json' | Shape | Sql;
  /** A query for one more row with each record, which is named `chosen` there, such as sums over its child rows. */
  readonly beside?: Sql;
  readonly where: readonly Sql[];
  /** Default: newest first. */
  readonly order?: Sql;
  /** The cursor's columns, if it does not follow the creation time: columns that never change. */
  readonly walkedBy?: WalkKey;
  /** The list changes with time, not only with data, so it is read for every request and never cached. */
  readonly timely?: true;
}

/** Columns that no write changes, the last of them unique. */
export interface WalkKey {
  readonly columns: Readonly<Record<string, 'timestamptz' | 'uuid' | 'integer' | 'text'>>;
  readonly direction: 'asc' | 'desc';
}

const BY_CREATION: WalkKey = { columns: { created_at: 'timestamptz', id: 'uuid' }, direction: 'desc' };
const BY_CHANGE: WalkKey = { columns: { updated_at: 'timestamptz', id: 'uuid' }, direction: 'asc' };

/** A step of a walk in SQL: the condition for records after its position, their order, and the position of each record. */
export function stepOf({ after, byChange }: Walk, walkedBy = BY_CREATION): { where: Sql[]; order: Sql; position: Sql } {
  const { columns, direction } = byChange ? BY_CHANGE : walkedBy;
  const names = Object.keys(columns);
  const list = names.join(', ');
  const values = names.map((name, index) => sql`${after?.[index]}::${rawSql(columns[name]!)}`);
  return {
    where: after === null ? [] : [sql`(${rawSql(list)}) ${rawSql(direction === 'asc' ? '>' : '<')} (${joined(values, ', ')})`],
    order: rawSql(names.map((name) => `${name} ${direction}`).join(', ')),
    // Exact to the microsecond, unlike the times in the representation.
    position: rawSql(`json_build_array(${list})::text`),
  };
}

const orderBy = (sort: Sort): Sql => rawSql(sort.startsWith('-') ? `${sort.slice(1)} desc, id desc` : `${sort}, id`);

const NEWEST_FIRST = rawSql('created_at desc, id desc');

/**
 * Beyond this offset the skipped rows are read from the index alone and only the page's rows are fetched (docs/performance.md).
 */
const DEFERRED_FROM = 500;

/** `deleted=true` lists the deleted records instead. */
export const deletedOrNot = (deleted: true | undefined): Sql => (deleted ? sql`deleted_at is not null` : sql`deleted_at is null`);

/** The condition of `updated_since`. */
export const changedSince = ({ since }: Paging): Sql[] => (since === undefined ? [] : [sql`updated_at >= ${since}`]);

export function listPage(db: Db, { where: filters, ...rest }: ListQuery, page: Paging): Promise<Page> {
  const list = { ...rest, where: [...filters, ...changedSince(page)] };
  if (page.walk !== undefined) return walkPage(db, list, page, page.walk);
  const order = page.sortedBy === undefined ? (list.order ?? NEWEST_FIRST) : orderBy(page.sortedBy);
  const mine = own(list.table);
  // One row more than requested shows whether a next page exists.
  const window = sql`where true${allOf(list.where)} order by ${order} limit ${page.limit + 1} offset ${page.offset}`;
  const chosen =
    page.offset < DEFERRED_FROM
      ? sql`select * from ${mine} ${window}`
      : sql`select * from ${mine} where id in (select id from ${mine} ${window}) order by ${order}`;
  // Formatting is outside the limit: inside, a plan that sorts would format every row of the account first.
  const lines =
    list.shows === 'list_json'
      ? sql`select list_json from (${chosen}) chosen`
      : linesOf(shownFrom(list, sql`(${chosen}) chosen`));
  return readPage(db, lines, page, list.timely ? undefined : VERSION);
}

const VERSION = sql`(select version from data_sets where id = ${theAccount})`;

function walkPage(db: Db, list: ListQuery, page: Paging, walk: Walk): Promise<Page> {
  const { where, order, position } = stepOf(walk, list.walkedBy);
  const chosen = sql`select * from ${own(list.table)} where true${allOf([...list.where, ...where])}
    order by ${order} limit ${page.limit + 1}`;
  const lines =
    list.shows === 'list_json'
      ? sql`select array[list_json, ${position}] from (${chosen}) chosen`
      : sql`select array[row_to_json(item)::text, walked_to] from (select *, ${position} as walked_to from (${chosen}) chosen) chosen
          cross join lateral (${shownFrom(list)}) item`;
  return readWalk(db, lines, page, list.timely ? undefined : VERSION);
}

/**
 * The representation of records from `from`, which is left out if the outer query provides them. `offset 0` keeps the planner
 * from reordering the joins: the joined row is looked up for one record after another.
 */
function shownFrom({ shows, beside }: ListQuery, from?: Sql): Sql {
  const columns = shows instanceof Sql ? shows : columnsOf(shows as Shape);
  const sources = [from, beside && sql`lateral (${beside} offset 0) beside`].filter((one) => one !== undefined);
  return sources.length === 0 ? sql`select ${columns}` : sql`select ${columns} from ${joined(sources, ' cross join ')}`;
}

/** Each row as the text of a JSON object. */
export const linesOf = (rows: Sql): Sql => sql`select row_to_json(item)::text from (${rows}) item`;

/** `lines` returns one JSON text per row, one row more than the page size if there is a next page. */
export async function readPage(db: Db, lines: Sql, page: Paging, version: Sql = sql`null::bigint`): Promise<Page> {
  // An array and its slice, not row_number(): a window costs a fifth of the whole page. Without `offset 0` the planner would copy
  // the array into both places that use it, and read the page twice.
  const read = await db.last<{ json: string; seen: number; version: bigint | null }>(sql`
    select '[' || array_to_string(lines[1:${page.limit}], ',') || ']' as json, cardinality(lines) as seen, ${version} as version
    from (select array(${lines}) as lines offset 0) page`);
  return { json: read.json, count: Math.min(read.seen, page.limit), hasMore: read.seen > page.limit, version: read.version };
}

/** The same for a walk: `lines` returns pairs of a JSON text and the record's position. */
export async function readWalk(db: Db, lines: Sql, page: Paging, version: Sql = sql`null::bigint`): Promise<Page> {
  const read = await db.last<{ json: string; seen: number; last: string | null; version: bigint | null }>(sql`
    select '[' || array_to_string(lines[1:${page.limit}][1:1], ',') || ']' as json, coalesce(array_length(lines, 1), 0) as seen,
      lines[${page.limit}][2] as last, ${version} as version
    from (select array(${lines}) as lines offset 0) page`);
  const hasMore = read.seen > page.limit;
  const last = hasMore ? (JSON.parse(read.last!) as WalkPosition) : null;
  return { json: read.json, count: Math.min(read.seen, page.limit), hasMore, last, version: read.version };
}

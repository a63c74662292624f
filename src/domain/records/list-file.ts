// A list as a table for a file: read page by page, each in its own transaction, so that a slow reader holds none and others get
// their turns.
import { setTimeout as wait } from 'node:timers/promises';
import { civilIn } from '../../kit/clock.ts';
import { type Db, isUnavailable } from '../../kit/db.ts';
import { fail, type Locale } from '../../kit/errors.ts';
import type { Page, Paging } from '../../kit/page.ts';
import { own, sql } from '../../kit/sql.ts';
import type { FileTable } from '../formats/table-write.ts';
import { writtenCount } from '../formats/written.ts';
import type { XlsxCell } from '../formats/xlsx-write.ts';
import { LIST_COLUMNS, LIST_TITLES, type ListColumn, type ListName, type NamedBy } from './list-columns.ts';
import { headingOf, totalsOf } from './list-heading.ts';

export type ListedRecord = Readonly<Record<string, unknown>>;

/** Opens a transaction on the dealer's data. */
export type ReadIn = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

const MAX_TRIES = 5;
const PAUSE_MS = 300;

/** If the database is too busy for a page of a started file, the page is retried, because the sent part cannot be withdrawn. */
export const patient =
  (inTenant: ReadIn): ReadIn =>
  async (work) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await inTenant(work);
      } catch (error) {
        if (tries === MAX_TRIES || !isUnavailable(error)) throw error;
        await wait(tries * PAUSE_MS);
      }
    }
  };

/** More than anyone reads in a spreadsheet; the user has to narrow the filters. */
export const MAX_ROWS = 100_000;
const ROWS_PER_PAGE = 100;

export interface ListSource {
  readonly name: ListName;
  readonly timezone: string;
  readonly locale: Locale;
  readonly inTenant: ReadIn;
  readonly now: Date;
  /** The filters of the list, as the query has them. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The records as they are read, in batches. */
  readonly pages: AsyncIterable<readonly ListedRecord[]>;
}

export function listTable({ name, timezone, locale, now, query, inTenant, pages }: ListSource): FileTable {
  const columns: readonly ListColumn[] = LIST_COLUMNS[name];
  const rows = async function* () {
    for await (const page of pages) {
      const from = performance.now();
      const nameOf = await readNames(inTenant, columns, page);
      yield page.map((record) => columns.map((column) => cellOf(column, record, nameOf, { timezone, locale })));
      // Pauses for as long as the page took, so that long files leave half of the process to others.
      await wait(performance.now() - from);
    }
  };
  return {
    name: LIST_TITLES[name][locale],
    heading: headingOf(LIST_TITLES[name][locale], { now, timezone, locale, query }),
    ...totalsOf(columns, locale),
    columns: columns.map(({ title, kind }) => ({ title: title[locale], kind })),
    pages: rows(),
  };
}

/** Walks a list of the API from record to record. */
export async function* walkedPages(
  inTenant: ReadIn,
  read: (db: Db, page: Paging) => Promise<Page>,
  enrich?: (db: Db, records: readonly ListedRecord[]) => Promise<readonly ListedRecord[]>,
): AsyncGenerator<readonly ListedRecord[]> {
  for (let after: readonly string[] | null = null; ; ) {
    const walk = { after, byChange: false };
    const page: Page = await inTenant((db) => read(db, { limit: ROWS_PER_PAGE, offset: 0, walk }));
    const records = JSON.parse(page.json) as ListedRecord[];
    if (page.count > 0) yield enrich === undefined ? records : await inTenant((db) => enrich(db, records));
    if (!page.hasMore) return;
    after = page.last!;
  }
}

/** Refused before the first byte: a truncated file would look complete. */
export async function requireFits(
  inTenant: ReadIn,
  read: (db: Db, page: Paging) => Promise<Page>,
  limit = MAX_ROWS,
): Promise<void> {
  const beyond = await inTenant((db) => read(db, { limit: 1, offset: limit }));
  if (beyond.count > 0) fail('export_too_large', { words: { limit: writtenCount(limit) } });
}

const memberOf = (record: ListedRecord, field: string): unknown =>
  field.split('.').reduce<unknown>((value, name) => (value as ListedRecord | null | undefined)?.[name], record);

interface Reader {
  readonly timezone: string;
  readonly locale: Locale;
}

function cellOf(column: ListColumn, record: ListedRecord, nameOf: NameOf, { timezone, locale }: Reader): XlsxCell {
  const value = memberOf(record, column.field);
  if (value === null || value === undefined) return null;
  if (column.named !== undefined) return nameOf(String(value));
  if (column.words !== undefined) return column.words[locale][String(value)] ?? String(value);
  if (column.kind === 'moment') return civilIn(new Date(String(value)), timezone);
  return value as XlsxCell;
}

type NameOf = (id: string) => string;

async function readNames(inTenant: ReadIn, columns: readonly ListColumn[], page: readonly ListedRecord[]): Promise<NameOf> {
  if (!columns.some(({ named }) => named !== undefined)) return (id) => id;
  const ids = (by: NamedBy): string[] =>
    [
      ...new Set(
        columns
          .filter(({ named }) => named === by)
          .flatMap(({ field }) => page.flatMap((record) => memberOf(record, field) ?? [])),
      ),
    ] as string[];
  const found = await inTenant((db) =>
    db.rows<{ id: string; name: string }>(sql`
      select id, coalesce(company_name, first_name || ' ' || last_name) as name from ${own('customers')} where id = any(${ids('customer')}::uuid[])
      union all select id, sale_no from ${own('sales')} where id = any(${ids('sale')}::uuid[])
      union all select id, concat_ws(' ', brand, model, plate) from ${own('vehicles')} where id = any(${ids('vehicle')}::uuid[])
      union all select id, full_name from ${own('members')} where id = any(${ids('member')}::uuid[])
      union all select id, name from ${own('branches')} where id = any(${ids('branch')}::uuid[])`),
  );
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}

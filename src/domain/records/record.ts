// From fields to rows: the column of each field, the columns that a write changes, and the insert and update statements.
import { allAnswers, type Db, type Explain } from '../../kit/db.ts';
import { joined, own, rawSql, Sql, STAMP, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { Fields } from './fields.ts';

/** Column → value. Column names come from our code, never from a caller. */
export type Columns = Readonly<Record<string, unknown>>;

export function columnOf(fields: Fields, name: string): string {
  const stored = fields[name]!.stored;
  return stored === 'plain' || stored === 'json' ? name : `${name}_${stored}`;
}

/** The given plain and money fields as columns. Encrypted fields are handled in vault/sealed-fields.ts. */
export function columnsOfValues(fields: Fields, values: Readonly<Record<string, unknown>>): Columns {
  const names = Object.keys(values).filter((name) => fields[name]!.stored !== 'encrypted');
  return Object.fromEntries(names.map((name) => [columnOf(fields, name), storedValue(fields[name]!.stored, values[name])]));
}

/** Objects are stored as text, so that equal ones compare as equal. */
const storedValue = (stored: Fields[string]['stored'], value: unknown): unknown =>
  stored === 'json' && value !== null && value !== undefined ? JSON.stringify(value) : value;

/** Columns in the API representation: objects are parsed from their text. */
export function shownColumns(fields: Fields, columns: Columns): Columns {
  const isJson = (name: string): boolean => Object.hasOwn(fields, name) && fields[name]!.stored === 'json';
  const shown = (name: string, value: unknown) => (isJson(name) && typeof value === 'string' ? JSON.parse(value) : value);
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, shown(name, value)]));
}

/** The columns whose value would change. */
export function changedColumns(stored: Columns, columns: Columns): Columns {
  return Object.fromEntries(Object.entries(columns).filter(([column, value]) => !sameValue(stored[column], value)));
}

function sameValue(one: unknown, other: unknown): boolean {
  return one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;
}

const quoted = (column: string): string => `"${column}"`;

export const columnList = (columns: readonly string[]): Sql => rawSql(columns.map(quoted).join(', '));

/** Tables synchronised by `updated_at`: written only with the stamp of their write. */
type StampedTable = 'vehicles' | 'customers';
type RecordTable = StampedTable | 'guarantors' | 'tasks';
/** Rows of these tables are deleted, not only marked. */
type OrderedTable = 'vehicle_photos' | 'vehicle_videos';
/** Rows of these tables are never deleted. */
type LedgerTable = 'sales' | 'collections' | 'expenses' | 'cash_transfers';
/** Small tables that are edited in the panel and have no `deleted_at`. */
type PlainTable = 'branches' | 'members';

/** Locks records that are not deleted until the transaction ends, so that decisions on them still hold when they are written. */
/**
 * Records that match any of the conditions. They are found first and then locked together in id order: if they were locked
 * condition by condition, two writes on the same records could deadlock. Changes in between are seen under the lock.
 */
export async function lockRecordsByAny<T>(
  db: Db,
  table: RecordTable,
  columns: readonly string[],
  conditions: readonly Sql[],
): Promise<T[]> {
  const find = (where: Sql) => db.rows<{ id: string }>(sql`select id from ${own(table)} where deleted_at is null and ${where}`);
  const ids = [...new Set((await allAnswers(conditions.map(find))).flat().map(({ id }) => id))];
  return ids.length === 0 ? [] : lockRecords<T>(db, table, columns, sql`id = any(${ids}::uuid[])`);
}

/** In id order, so that two writes on the same records cannot deadlock. */
export function lockRecords<T>(db: Db, table: RecordTable, columns: readonly string[], where: Sql): Promise<T[]> {
  return db.rows<T>(
    sql`select ${columnList(columns)} from ${own(table)} where deleted_at is null and ${where} order by id for update`,
  );
}

export async function insertRecord(
  db: Db,
  table: RecordTable | OrderedTable | LedgerTable | PlainTable,
  columns: Columns,
): Promise<void> {
  await db.exec(insertion(table, columns));
}

/** Inserts a row with `db.send`. */
export const sendRecord = (db: Db, table: RecordTable | LedgerTable, columns: Columns, explain?: Explain): void =>
  db.send(insertion(table, columns), explain);

function insertion(table: RecordTable | OrderedTable | LedgerTable | PlainTable, columns: Columns): Sql {
  const names = Object.keys(columns);
  const values = new Sql(['', ...names.slice(1).map(() => ', '), ''], Object.values(columns));
  return sql`insert into ${rawSql(table)} (account_id, ${columnList(names)}) values (${theAccount}, ${values})`;
}

/** Tables of sales and money besides the ledger itself; only the demonstration loads them in bulk. */
type LoadedTable =
  | LedgerTable
  | (
      | 'installments'
      | 'collection_allocations'
      | 'payment_promises'
      | 'promissory_notes'
      | 'customer_activity'
      | 'reservations'
      | 'till_closings'
      | 'recurring_expenses'
    )
  | ('listing_visits' | 'marketplace_offers')
  | ('showrooms' | 'showroom_slugs' | 'bank_accounts' | 'enquiries' | 'enquiry_entries')
  | ('documents' | 'document_recipients' | 'document_events');

/** Inserts many rows with the same columns in one statement; existing rows are not changed. Returns how many were added. */
export function insertRecords(db: Db, table: RecordTable | LoadedTable, rows: readonly Columns[]): Promise<number> {
  if (rows.length === 0) return Promise.resolve(0);
  const columns = columnList(Object.keys(rows[0]!));
  const json = JSON.stringify(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, jsonOf(value)]))),
  );
  return db.exec(sql`insert into ${rawSql(table)} (account_id, ${columns})
    select ${theAccount}, ${columns} from jsonb_populate_recordset(null::${rawSql(table)}, ${json}::jsonb) on conflict do nothing`);
}

const jsonOf = (value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;

export async function updateRecord(
  db: Db,
  table: Exclude<RecordTable, StampedTable> | OrderedTable | PlainTable,
  id: string,
  columns: Columns,
): Promise<void> {
  await db.exec(update(table, id, columns));
}

/**
 * With `updated_at` in commit order. In a bulk write and in a repeated one this takes the stamp under the lock of the data set: after it, the
 * write must not wait for anything that others lock before they stamp.
 */
export async function updateStamped(work: Work, table: StampedTable, id: string, columns: Columns = {}): Promise<void> {
  const proposed = work.proposeStamp();
  const stamp = proposed instanceof Date ? proposed : STAMP;
  const written = work.db.exec(update(table, id, { ...columns, updated_at: stamp }));
  await (proposed instanceof Date ? written : allAnswers([proposed, written]));
}

const update = (table: RecordTable | OrderedTable | PlainTable, id: string, columns: Columns): Sql =>
  sql`update ${rawSql(table)} set ${assignments(columns)} where account_id = ${theAccount} and id = ${id}`;

/** With the platform role, which finds the row by its id alone. */
export async function updateRow(db: Db, table: 'accounts', id: string, columns: Columns): Promise<void> {
  await db.exec(sql`update ${rawSql(table)} set ${assignments(columns)} where id = ${id}`);
}

/** Updates the row of the account itself, which has no account_id. */
export async function updateAccount(db: Db, columns: Columns): Promise<void> {
  await db.exec(sql`update ${rawSql('accounts')} set ${assignments(columns)} where id = ${theAccount}`);
}

const assignments = (columns: Columns): Sql =>
  joined(
    Object.entries(columns).map(([column, value]) => sql`${rawSql(quoted(column))} = ${value}`),
    ', ',
  );

/** For the audit log: the stored values of the changed columns. */
export const replacedBy = (stored: Columns, changed: Columns): Columns =>
  Object.fromEntries(Object.keys(changed).map((column) => [column, stored[column]]));

/** Replaces text about an erased person. */
export const ERASED_WORDS = 'Silindi';

/** Name of the constraint or unique index that refused a statement. */
export function violatedConstraint(error: unknown): string | null {
  return error instanceof Error && 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : null;
}

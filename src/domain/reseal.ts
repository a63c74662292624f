// Changes the vault's key while the service runs: values sealed with another key are opened and sealed again with the current
// one, batch by batch, and their blind indexes are recomputed. Readers and writers have both keys during this time.
import type { Database, Db } from '../kit/db.ts';
import { own, rawSql, type Sql, sql, theAccount } from '../kit/sql.ts';
import type { TenantTable } from '../kit/tenant-tables.ts';
import { listDataSets } from './accounts/accounts.ts';
import { CUSTOMER_FIELDS } from './customers/customer.ts';
import { GUARANTOR_FIELDS } from './customers/guarantor.ts';
import { phoneIndexes } from './enquiries/enquiry.ts';
import { type Columns, columnList } from './records/record.ts';
import { idNoIndexes, type SealedTable, sealedNames } from './vault/sealed-fields.ts';
import type { Secrets } from './vault/secrets.ts';
import { type CellAddress, type KeyRing, seal, sealingKeys, unsealBytes, vaultKeys } from './vault/vault.ts';

interface Sealed<Table extends string = string> {
  readonly table: Table;
  readonly columns: readonly string[];
  /** The column that names the row in a cell address. */
  readonly row: 'id' | 'key';
}

const personal = (table: SealedTable, names: readonly string[]): Sealed<TenantTable> => ({
  table,
  columns: names.map((name) => `${name}_encrypted`),
  row: 'id',
});

const OF_DEALERS: readonly Sealed<TenantTable>[] = [
  personal('customers', sealedNames(CUSTOMER_FIELDS)),
  personal('guarantors', sealedNames(GUARANTOR_FIELDS)),
  { table: 'webhooks', columns: ['secret_encrypted', 'previous_secret_encrypted'], row: 'id' },
  { table: 'idempotency', columns: ['body_encrypted'], row: 'key' },
  { table: 'import_connectors', columns: ['credentials_encrypted'], row: 'id' },
  { table: 'import_contents', columns: ['bytes_encrypted'], row: 'id' },
  { table: 'import_row_errors', columns: ['row_encrypted'], row: 'id' },
  { table: 'documents', columns: ['paper_encrypted'], row: 'id' },
  { table: 'document_recipients', columns: ['code_encrypted', 'signature_encrypted'], row: 'id' },
  { table: 'signing_codes', columns: ['code_encrypted'], row: 'id' },
  { table: 'customer_page_codes', columns: ['code_encrypted'], row: 'id' },
  { table: 'sandbox_messages', columns: ['text_encrypted'], row: 'id' },
  { table: 'agent_writes', columns: ['preview_encrypted'], row: 'id' },
  { table: 'enquiries', columns: ['name_encrypted', 'phone_encrypted'], row: 'id' },
  { table: 'enquiry_entries', columns: ['text_encrypted'], row: 'id' },
];
const OF_PLATFORM: readonly (Sealed & { account(row: string): string })[] = [
  { table: 'people', columns: ['totp_secret_encrypted'], row: 'id', account: (person) => person },
  { table: 'mails', columns: ['text_encrypted'], row: 'id', account: () => 'platform' },
];

/** Every sealed column; a test compares it with the schema. */
export const SEALED_COLUMNS: readonly string[] = [...OF_DEALERS, ...OF_PLATFORM].flatMap(({ table, columns }) =>
  columns.map((column) => `${table}.${column}`),
);

export const BATCH = 200;

/** How many rows of each table were sealed again. */
export async function resealAll(database: Database, secrets: Secrets): Promise<Record<string, number>> {
  const ring = vaultKeys(secrets);
  const done: Record<string, number> = {};
  const dataSets = await database.onPlatform('read', listDataSets);
  for (const sealed of OF_DEALERS) {
    done[sealed.table] = 0;
    for (const { id } of dataSets) done[sealed.table]! += await resealDealer(database, secrets, id, sealed);
  }
  for (const { account, ...sealed } of OF_PLATFORM) {
    const batch = () =>
      database.onPlatform('write', (db) =>
        resealBatch(db, ring, { ...sealed, from: rawSql(sealed.table), condition: sql`true`, account, indexOf: () => ({}) }),
      );
    done[sealed.table] = await untilNone(batch);
  }
  return done;
}

async function resealDealer(database: Database, secrets: Secrets, dataSet: string, sealed: Sealed<TenantTable>): Promise<number> {
  const ring = vaultKeys(secrets);
  const keys = sealingKeys(secrets, dataSet);
  const from = own(sealed.table);
  // Reads first, because any write, even an empty one, makes every node drop its caches of the dealer.
  const stale = await database.inTenant(dataSet, 'read', (db) =>
    db.rows(sql`select 1 from ${from} where (${isStale(sealed, ring)}) limit 1`),
  );
  if (stale.length === 0) return 0;
  const indexOf = (column: string, text: string): Columns => {
    if (column === 'phone_encrypted') return { phone_index: phoneIndexes(keys, text)[0] };
    return column === 'id_no_encrypted' ? { id_no_index: idNoIndexes(keys, sealed.table as SealedTable, text)[0] } : {};
  };
  const condition = sql`account_id = ${theAccount}`;
  return untilNone(() =>
    database.inTenant(dataSet, 'write', (db) =>
      resealBatch(db, ring, { ...sealed, from, condition, account: () => dataSet, indexOf }),
    ),
  );
}

async function untilNone(batch: () => Promise<number>): Promise<number> {
  let all = 0;
  for (;;) {
    const done = await batch();
    all += done;
    if (done < BATCH) return all;
  }
}

interface Batch extends Sealed {
  readonly from: Sql;
  readonly condition: Sql;
  account(row: string): string;
  /** Index columns that are derived from the value. */
  indexOf(column: string, text: string): Columns;
}

async function resealBatch(db: Db, ring: KeyRing, batch: Batch): Promise<number> {
  const { table, columns, row, from, condition, account, indexOf } = batch;
  const stale = await db.rows<
    Columns & { name: string }
  >(sql`select ${rawSql(row)}::text as name, ${columnList(columns)} from ${from}
    where (${isStale(batch, ring)}) order by ${rawSql(row)} limit ${BATCH} for update`);
  for (const { name, ...stored } of stale) {
    const changed: Record<string, unknown> = {};
    for (const column of columns) {
      const value = stored[column] as Buffer | null;
      if (value === null || value[0] === ring.current) continue;
      const cell: CellAddress = { account: account(name), table, column, row: name };
      // As bytes, because the content of a feed is not always text.
      const bytes = unsealBytes(ring, cell, value);
      changed[column] = seal(ring, cell, bytes);
      Object.assign(changed, indexOf(column, bytes.toString('utf8')));
    }
    const set = Object.entries(changed).map(([column, value]) => sql`${rawSql(column)} = ${value}`);
    const assigned = set.reduce((all, one) => sql`${all}, ${one}`);
    await db.exec(sql`update ${rawSql(table)} set ${assigned} where ${condition} and ${rawSql(row)} = ${name}`);
  }
  return stale.length;
}

const isStale = ({ columns }: Sealed, { current }: KeyRing): Sql =>
  columns.map((column) => sql`get_byte(${rawSql(column)}, 0) <> ${current}::int`).reduce((all, one) => sql`${all} or ${one}`);

// The row errors of an import: counted by kind, and as a file for a spreadsheet.
import { FILE_TYPES, type FileForm, writeTable } from '../../domain/formats/table-write.ts';
import type { XlsxCell, XlsxKind } from '../../domain/formats/xlsx-write.ts';
import { rolesFor } from '../../domain/identity/roles.ts';
import { type MendableRow, type Mended, type MendedValues, mendRow, readRefusedRow } from '../../domain/imports/runs/mend-row.ts';
import { type Field, Refused, required, textField } from '../../domain/records/fields.ts';
import { patient } from '../../domain/records/list-file.ts';
import type { Database, Db } from '../../kit/db.ts';
import type { Locale } from '../../kit/errors.ts';
import { own, sql } from '../../kit/sql.ts';
import { type PanelAccount, PanelFile, panelGet, panelPost } from '../kit/endpoint.ts';
import { idsParam } from '../kit/ids-param.ts';
import { refuseLook } from '../kit/paper-file.ts';
import { writeInAccount } from '../kit/write.ts';

export interface ErrorKind {
  readonly code: string;
  readonly field: string | null;
  readonly count: number;
}

/** What the panel shows beside an error of the API, by its id. */
export interface ErrorDetail {
  /** The row and the column in the spreadsheet. */
  readonly sheet_row: number | null;
  readonly sheet_column: string | null;
  /** In the reader's language. */
  readonly message: string | null;
  /** What the refused cell holds, and whether the row can be corrected: for the person who sent the file. */
  readonly value: string | null;
  readonly can_mend: boolean;
}
export type ErrorDetails = Readonly<Record<string, ErrorDetail>>;

interface ErrorLine {
  readonly id: string;
  readonly row_number: number;
  readonly sheet_row: number | null;
  readonly sheet_column: string | null;
  readonly key: string | null;
  readonly field: string | null;
  readonly code: string;
  readonly message: string;
}

const READERS = rolesFor({ scope: 'import:read', risk: 'read' });
/** The key of a row may be a phone number in any spelling, so those who see phones masked cannot read it. */
const WHOLE_READERS = READERS.filter((role) => role !== 'viewer');

/** As for starting a run. */
const MENDERS = rolesFor({ scope: 'import:write', risk: 'write' });
const MAX_VALUE = 5000;

const mendedValuesField: Field<MendedValues> = {
  ...textField(1),
  schema: { type: 'object', additionalProperties: { type: ['string', 'null'], maxLength: MAX_VALUE } },
  read: (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((one) => one === null || (typeof one === 'string' && one.length <= MAX_VALUE))
      ? (value as MendedValues)
      : new Refused('invalid', { en: 'the corrected fields as texts', tr: 'düzeltilen alanlar, metin olarak' }),
};

/** More kinds than anyone reads. */
const MAX_KINDS = 20;
const LINES_AT_ONCE = 1000;

export const importErrorEndpoints = [
  panelGet('import/runs/{run_id}/error-kinds', {
    who: READERS,
    databaseRole: 'tenant',
    run: async ({ db, params: { run_id } }): Promise<ErrorKind[]> => {
      await requireRun(db, run_id);
      return db.rows(sql`select code, field, count(distinct row_number)::int as count from ${own('import_row_errors')}
        where run_id = ${run_id} and mended_at is null group by code, field order by count desc, field, code limit ${MAX_KINDS}`);
    },
  }),
  // The file's values are shown to the person who uploaded it: they know them already, and need them to find the cell.
  panelGet('import/runs/{run_id}/error-details', {
    who: READERS,
    databaseRole: 'tenant',
    query: { ids: idsParam },
    run: async ({ db, params: { run_id }, query, session: { person }, locale }): Promise<ErrorDetails> => {
      const { person_id } = await db.one<{ person_id: string | null }>(
        sql`select person_id from ${own('import_runs')} where id = ${run_id}`,
      );
      const isSender = person_id !== null && person_id === person.id;
      const message = locale === 'tr' ? sql`message_tr` : sql`message_en`;
      const found = await db.rows<
        ErrorDetail & { readonly id: string }
      >(sql`select id, sheet_row, sheet_column, ${message} as message,
          case when ${isSender} then value end as value, ${isSender} and exists (select from (select * from ${own('import_row_errors')}) kept
            where kept.run_id = ${run_id} and kept.row_number = error.row_number and kept.row_encrypted is not null) as can_mend
        from (select * from ${own('import_row_errors')}) error where run_id = ${run_id} and id = any(${query.ids ?? []}::uuid[])`);
      return Object.fromEntries(found.map(({ id, ...detail }) => [id, detail]));
    },
  }),
  panelGet('import/runs/{run_id}/errors/{error_id}/row', {
    who: MENDERS,
    databaseRole: 'none',
    run: (context): Promise<MendableRow> => {
      refuseLook(context.session);
      const { run_id, error_id } = context.params;
      return writeInAccount(context, (work) => readRefusedRow(work, run_id, error_id, context.session.person.id));
    },
  }),
  panelPost('import/runs/{run_id}/errors/{error_id}/row', {
    who: MENDERS,
    databaseRole: 'none',
    bodySchema: { values: required(mendedValuesField) },
    run: (context): Promise<Mended> =>
      writeInAccount(context, (work) =>
        mendRow(work, context.params.run_id, context.params.error_id, context.session.person.id, context.body.values),
      ),
  }),
  panelGet('import/runs/{run_id}/errors.csv', {
    who: WHOLE_READERS,
    databaseRole: 'none',
    run: ({ params, account, services, locale }) => errorFile('csv', services.database, account, params.run_id, locale),
  }),
  panelGet('import/runs/{run_id}/errors.xlsx', {
    who: WHOLE_READERS,
    databaseRole: 'none',
    run: ({ params, account, services, session, locale }) => {
      refuseLook(session);
      return errorFile('xlsx', services.database, account, params.run_id, locale);
    },
  }),
];

async function errorFile(
  form: FileForm,
  database: Database,
  account: PanelAccount,
  runId: string,
  locale: Locale,
): Promise<PanelFile> {
  await database.inTenant(account.id, 'read', (db) => requireRun(db, runId));
  const columns = COLUMNS.map(({ title, kind }) => ({ title: title[locale], kind }));
  const table = { name: locale === 'tr' ? 'Hatalar' : 'Errors', columns, pages: errorPages(database, account, runId, locale) };
  return new PanelFile(`galeri-import-${runId.slice(0, 8)}.${form}`, FILE_TYPES[form], writeTable(form, table, locale));
}

const requireRun = (db: Db, id: string): Promise<unknown> => db.one(sql`select id from ${own('import_runs')} where id = ${id}`);

const COLUMNS = [
  { of: 'sheet_row', title: { tr: 'Satır', en: 'Row' }, kind: 'number' },
  { of: 'sheet_column', title: { tr: 'Sütun', en: 'Column' }, kind: 'text' },
  { of: 'key', title: { tr: 'Eşleşme alanı', en: 'Matched by' }, kind: 'text' },
  { of: 'field', title: { tr: 'Alan', en: 'Field' }, kind: 'text' },
  { of: 'code', title: { tr: 'Hata', en: 'Error' }, kind: 'text' },
  { of: 'message', title: { tr: 'Açıklama', en: 'Explanation' }, kind: 'text' },
] as const satisfies readonly { of: keyof ErrorLine; title: Readonly<Record<Locale, string>>; kind: XlsxKind }[];

/** A slow browser holds no transaction: each page has its own. */
async function* errorPages(
  database: Database,
  account: PanelAccount,
  runId: string,
  locale: Locale,
): AsyncGenerator<readonly (readonly XlsxCell[])[]> {
  const inTenant = patient((work) => database.inTenant(account.id, 'read', work));
  const message = locale === 'tr' ? sql`message_tr` : sql`message_en`;
  const key = account.role === 'viewer' ? sql`left(key, 2) || '•••' as key` : sql`key`;
  let after: Pick<ErrorLine, 'row_number' | 'id'> | undefined = { row_number: 0, id: '00000000-0000-0000-0000-000000000000' };
  while (after !== undefined) {
    const { row_number, id }: Pick<ErrorLine, 'row_number' | 'id'> = after;
    const lines: ErrorLine[] = await inTenant((db) =>
      db.rows<ErrorLine>(sql`select id, row_number, coalesce(sheet_row, row_number) as sheet_row, sheet_column, ${key}, field, code,
          coalesce(${message}, message) as message
        from ${own('import_row_errors')} where run_id = ${runId} and mended_at is null and (row_number, id) > (${row_number}, ${id}::uuid) order by row_number, id limit ${LINES_AT_ONCE}`),
    );
    yield lines.map((line) => COLUMNS.map(({ of }) => line[of]));
    after = lines.length === LINES_AT_ONCE ? lines.at(-1) : undefined;
  }
}

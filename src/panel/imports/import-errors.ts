// The row errors of an import: counted by kind, and as a file for a spreadsheet.
import { FILE_TYPES, type FileForm, writeTable } from '../../domain/formats/table-write.ts';
import type { XlsxCell, XlsxKind } from '../../domain/formats/xlsx-write.ts';
import { rolesFor } from '../../domain/identity/roles.ts';
import { patient } from '../../domain/records/list-file.ts';
import type { Database, Db } from '../../kit/db.ts';
import type { Locale } from '../../kit/errors.ts';
import { own, sql } from '../../kit/sql.ts';
import { type PanelAccount, PanelFile, panelGet } from '../kit/endpoint.ts';
import { idsParam } from '../kit/ids-param.ts';
import { refuseLook } from '../kit/paper-file.ts';

export interface ErrorKind {
  readonly code: string;
  readonly field: string | null;
  readonly count: number;
}

/** The refused field's value, by the id of the error. */
export type ErrorValues = Readonly<Record<string, string>>;

interface ErrorLine {
  readonly id: string;
  readonly row_number: number;
  readonly key: string | null;
  readonly field: string | null;
  readonly code: string;
  readonly message: string;
}

const READERS = rolesFor({ scope: 'import:read', risk: 'read' });
/** The key of a row may be a phone number in any spelling, so those who see phones masked cannot read it. */
const WHOLE_READERS = READERS.filter((role) => role !== 'viewer');

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
        where run_id = ${run_id} group by code, field order by count desc, field, code limit ${MAX_KINDS}`);
    },
  }),
  // The file's values are shown to the person who uploaded it: they know them already, and need them to find the cell.
  panelGet('import/runs/{run_id}/error-values', {
    who: READERS,
    databaseRole: 'tenant',
    query: { ids: idsParam },
    run: async ({ db, params: { run_id }, query, session: { person } }): Promise<ErrorValues> => {
      const { person_id } = await db.one<{ person_id: string | null }>(
        sql`select person_id from ${own('import_runs')} where id = ${run_id}`,
      );
      if (person_id === null || person_id !== person.id) return {};
      const values = await db.rows<{ id: string; value: string }>(sql`select id, value from ${own('import_row_errors')}
        where run_id = ${run_id} and value is not null and id = any(${query.ids ?? []}::uuid[])`);
      return Object.fromEntries(values.map(({ id, value }) => [id, value]));
    },
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
  const columns = COLUMNS.map((title) => ({ title, kind: KINDS[title] ?? ('text' as const) }));
  const table = { name: 'Hatalar', columns, pages: errorPages(database, account, runId) };
  return new PanelFile(`galeri-import-${runId.slice(0, 8)}.${form}`, FILE_TYPES[form], writeTable(form, table, locale));
}

const requireRun = (db: Db, id: string): Promise<unknown> => db.one(sql`select id from ${own('import_runs')} where id = ${id}`);

const COLUMNS = ['row_number', 'key', 'field', 'code', 'message'] as const satisfies readonly (keyof ErrorLine)[];

const KINDS: Readonly<Partial<Record<(typeof COLUMNS)[number], XlsxKind>>> = { row_number: 'number' };

/** A slow browser holds no transaction: each page has its own. */
async function* errorPages(
  database: Database,
  account: PanelAccount,
  runId: string,
): AsyncGenerator<readonly (readonly XlsxCell[])[]> {
  const inTenant = patient((work) => database.inTenant(account.id, 'read', work));
  const key = account.role === 'viewer' ? sql`left(key, 2) || '•••' as key` : sql`key`;
  let after: Pick<ErrorLine, 'row_number' | 'id'> | undefined = { row_number: 0, id: '00000000-0000-0000-0000-000000000000' };
  while (after !== undefined) {
    const { row_number, id }: Pick<ErrorLine, 'row_number' | 'id'> = after;
    const lines: ErrorLine[] = await inTenant((db) =>
      db.rows<ErrorLine>(sql`select id, row_number, ${key}, field, code, message from ${own('import_row_errors')}
        where run_id = ${runId} and (row_number, id) > (${row_number}, ${id}::uuid) order by row_number, id limit ${LINES_AT_ONCE}`),
    );
    yield lines.map((line) => COLUMNS.map((column) => line[column]));
    after = lines.length === LINES_AT_ONCE ? lines.at(-1) : undefined;
  }
}

// The failed rows of a run: kinds of errors, a list of rows, and all of them as a file.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, Pencil } from 'lucide-react';
import { useState } from 'react';
import type { ErrorDetails, ErrorKind } from '../../../../src/panel/imports/import-errors.ts';
import { addressOf, call, type Page } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { None } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { useFormat, useRole } from '../../session.ts';
import { type ErrorSearch, errorsQuery } from './data.ts';
import { fieldName, fieldTexts } from './field-texts.ts';
import { MendRow } from './mend-row.tsx';
import { runTexts } from './run-texts.ts';
import type { ImportRun, RowError } from './wire.ts';

const MAX_KEPT = 10_000;
/** How many kinds are listed above the table. */
const MAX_SHOWN = 5;

interface RunErrorsProps {
  readonly run: ImportRun;
  /** The field by which the connector identifies records; unknown where the connector is deleted. */
  readonly keyField: string | undefined;
}

export function RunErrors({ run, keyField }: RunErrorsProps) {
  const t = useTexts(runTexts);
  const search: ErrorSearch = useSearch({ from: '/shell/ice-aktarim/calismalar/$runId' });
  const navigate = useNavigate({ from: '/ice-aktarim/calismalar/$runId' });
  const has = run.error_count > 0;
  const kinds = useQuery({
    queryKey: ['imports', 'error-kinds', run.id, run.error_count],
    queryFn: ({ signal }) => call('GET import/runs/{run_id}/error-kinds', { params: { run_id: run.id }, signal }),
    enabled: has,
    placeholderData: keepPreviousData,
  });
  const errors = useQuery({ ...errorsQuery(run.id, search, run.error_count), enabled: has });
  if (!has) return null;
  const go = (next: ErrorSearch) => navigate({ search: next, replace: true });
  const codes = [...new Set(kinds.data?.map(({ code }) => code) ?? [])];
  return (
    <section aria-label={t.rowErrors}>
      <h2 className="mt-0 mb-2 text-16 font-semibold">{t.rowErrors}</h2>
      <Kinds kinds={kinds.data ?? []} />
      <FilterBar onClear={search.code ? () => go({}) : undefined} actions={<DownloadLink runId={run.id} />}>
        <FilterSelect
          label={t.code}
          none={t.anyCode}
          value={search.code}
          options={codes.map((value) => ({ value, label: t.codes[value] ?? value }))}
          onChange={(code) => go({ ...search, code: code ?? '', offset: '' })}
        />
      </FilterBar>
      <Loaded query={errors} rows={4}>
        {(page) => <ErrorsTable page={page} keyField={keyField} search={search} onChange={go} />}
      </Loaded>
      {run.error_count > MAX_KEPT && <p className="mt-2 mb-0 text-13 text-text-2">{t.maxKept(MAX_KEPT)}</p>}
    </section>
  );
}

function Kinds({ kinds }: { readonly kinds: readonly ErrorKind[] }) {
  const t = useTexts(runTexts);
  const names = useTexts(fieldTexts);
  if (kinds.length < 2) return null;
  return (
    <ul aria-label={t.summary} className="mt-0 mb-3 flex list-none flex-wrap gap-2 p-0 text-13">
      {kinds.slice(0, MAX_SHOWN).map(({ code, field, count }) => (
        <li key={`${code} ${field}`} className="card px-2.5 py-1.5">
          {field !== null && <span className="font-medium">{fieldName(names, field)}: </span>}
          {t.codes[code] ?? code} <span className="tabular text-text-2">({t.summaryLine(count)})</span>
        </li>
      ))}
    </ul>
  );
}

function DownloadLink({ runId }: { readonly runId: string }) {
  const t = useTexts(runTexts);
  // The key of a row may be a phone number, so viewers, who see phones masked, get no file.
  const isViewer = useRole('viewer');
  if (isViewer) return null;
  return (
    <>
      <a href={addressOf('GET import/runs/{run_id}/errors.csv', { params: { run_id: runId } })} download className={buttonLook()}>
        <Download aria-hidden className="size-4" />
        {t.download}
      </a>
      <a
        href={addressOf('GET import/runs/{run_id}/errors.xlsx', { params: { run_id: runId } })}
        download
        className={buttonLook()}
      >
        <Download aria-hidden className="size-4" />
        {t.downloadXlsx}
      </a>
    </>
  );
}

/** Place, text and, for the person who sent the file, the content of the refused cells. */
function useDetails(errors: readonly RowError[]): ErrorDetails {
  const locale = useLocale();
  const ids = errors.map(({ id }) => id).join(',');
  const details = useQuery({
    queryKey: ['imports', 'error-details', locale, ids],
    queryFn: ({ signal }) =>
      call('GET import/runs/{run_id}/error-details', { params: { run_id: errors[0]!.run_id }, query: { ids }, signal }),
    enabled: errors.length > 0,
  });
  return details.data ?? {};
}

interface ErrorsTableProps extends Pick<RunErrorsProps, 'keyField'> {
  readonly page: Page<RowError>;
  readonly search: ErrorSearch;
  readonly onChange: (search: ErrorSearch) => void;
}

function ErrorsTable({ page, keyField, search, onChange }: ErrorsTableProps) {
  const t = useTexts(runTexts);
  const names = useTexts(fieldTexts);
  const details = useDetails(page.items);
  const [mending, setMending] = useState<RowError | null>(null);
  const columns = useColumns(keyField, details, setMending);
  return (
    <>
      {mending !== null && (
        <MendRow
          error={mending}
          row={details[mending.id]?.sheet_row ?? mending.row_number}
          errors={page.items.filter(({ row_number }) => row_number === mending.row_number)}
          textOf={({ id, message, field }) => withLabel(details[id]?.message ?? message, field, names)}
          onClose={() => setMending(null)}
        />
      )}
      <Table
        label={t.rowErrors}
        rows={page.items}
        rowKey={({ id }) => id}
        columns={columns}
        empty={
          <ListEmpty
            pastEnd={search.offset ? { title: t.lastPage, toFirst: () => onChange({ ...search, offset: '' }) } : undefined}
          >
            <EmptyState title={search.code ? t.noErrorMatch : t.noErrors} />
          </ListEmpty>
        }
        footer={
          <Pagination
            page={page}
            onMove={(offset) => onChange({ ...search, offset: offset === 0 ? '' : String(offset) })}
            onLimit={(limit) => onChange({ ...search, limit, offset: '' })}
          />
        }
      />
    </>
  );
}

function useColumns(
  keyField: string | undefined,
  details: ErrorDetails,
  onMend: (error: RowError) => void,
): readonly Column<RowError>[] {
  const t = useTexts(runTexts);
  const names = useTexts(fieldTexts);
  const format = useFormat();
  const mayMend = useMay('import:write');
  return [
    {
      id: 'row',
      head: t.rowNumber,
      onCard: 'title',
      width: 'w-20',
      cell: ({ id, row_number }) => (
        <span className="tabular font-medium whitespace-nowrap">
          {format.number(details[id]?.sheet_row ?? row_number)}
          {details[id]?.sheet_column && <span className="text-text-2"> {details[id].sheet_column}</span>}
        </span>
      ),
    },
    {
      id: 'key',
      head: (keyField && fieldName(names, keyField)) || t.rowKey,
      cell: ({ key }) => (key === null ? <None /> : <span className="code">{key}</span>),
    },
    { id: 'field', head: t.field, cell: ({ field }) => fieldName(names, field) ?? <None /> },
    {
      id: 'value',
      head: t.value,
      cell: ({ id }) => (details[id]?.value ? <span className="code wrap-anywhere">{details[id].value}</span> : <None />),
    },
    { id: 'code', head: t.code, cell: ({ code }) => <span title={code}>{t.codes[code] ?? code}</span> },
    {
      id: 'message',
      head: t.message,
      // Replaces the server's field name by our label.
      cell: ({ id, message, field }) => (
        <span className="wrap-anywhere">{withLabel(details[id]?.message ?? message, field, names)}</span>
      ),
    },
    {
      id: 'mend',
      head: t.mend,
      headHidden: true,
      cell: (error) =>
        mayMend &&
        details[error.id]?.can_mend && (
          <Button
            icon={Pencil}
            onClick={() => onMend(error)}
            aria-label={t.mendRow(details[error.id]?.sheet_row ?? error.row_number)}
          >
            {t.mend}
          </Button>
        ),
    },
  ];
}

/** With our label instead of the server's field name. */
const withLabel = (message: string, field: string | null, names: Parameters<typeof fieldName>[0]): string =>
  field !== null && (message.startsWith(`${field} `) || message.startsWith(`${field},`))
    ? `${fieldName(names, field)}${message.slice(field.length)}`
    : message;

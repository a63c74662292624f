// All runs of all connectors, with filters in the address.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Page } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useFormat } from '../../session.ts';
import { connectorNamesQuery, RUN_STATUSES, type RunSearch, runsQuery } from './data.ts';
import { DryBadge, RunBadge } from './import-parts.tsx';
import { runTexts } from './run-texts.ts';
import { ImportTabs } from './screen.tsx';
import type { ImportRun } from './wire.ts';

export function RunsScreen() {
  const t = useTexts(runTexts);
  const search: RunSearch = useSearch({ from: '/shell/ice-aktarim/calismalar' });
  const navigate = useNavigate({ from: '/ice-aktarim/calismalar' });
  const runs = useQuery(runsQuery(search));
  const connectors = useQuery(connectorNamesQuery).data?.items ?? [];
  const go = (next: RunSearch) => navigate({ search: next });
  const set = (changed: RunSearch) => go({ ...search, ...changed, offset: '' });
  const isFiltered = Boolean(search.connector_id || search.status || search.from || search.to);
  const clear = () => go(search.limit ? { limit: search.limit } : {});
  return (
    <>
      <PageHeader title={t.title} description={t.description} />
      <ImportTabs />
      <FilterBar onClear={isFiltered ? clear : undefined}>
        <FilterSelect
          label={t.connector}
          none={t.anyConnector}
          value={search.connector_id}
          options={connectors.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => set({ connector_id: id ?? '' })}
        />
        <FilterSelect
          label={t.status}
          none={t.anyStatus}
          value={search.status}
          options={RUN_STATUSES.map((value) => ({ value: value as string, label: t.runStatuses[value] }))}
          onChange={(status) => set({ status: status ?? '' })}
        />
        <DayInput label={t.from} value={search.from} onChange={(from) => set({ from })} />
        <DayInput label={t.to} value={search.to} onChange={(to) => set({ to })} />
      </FilterBar>
      <Loaded query={runs}>
        {(page) => (
          <RunsTable
            page={page}
            nameOf={(id) => connectors.find((connector) => connector.id === id)?.name ?? null}
            onMove={(offset) => go({ ...search, offset: offset === 0 ? '' : String(offset) })}
            onLimit={(limit) => set({ limit })}
            empty={<NoRuns search={search} isFiltered={isFiltered} onClear={clear} />}
          />
        )}
      </Loaded>
    </>
  );
}

interface DayInputProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (day: string) => void;
}

function DayInput({ label, value = '', onChange }: DayInputProps) {
  return (
    <div className="min-w-32 flex-1 sm:max-w-40 sm:flex-none">
      <Field label={label}>
        <TextInput type="date" value={value} onChange={onChange} />
      </Field>
    </div>
  );
}

function NoRuns({ search, isFiltered, onClear }: { search: RunSearch; isFiltered: boolean; onClear: () => void }) {
  const t = useTexts(runTexts);
  return (
    <ListEmpty
      pastEnd={search.offset ? { title: t.lastPage, toFirst: onClear } : undefined}
      noMatch={isFiltered && { title: t.noRunMatch, clear: onClear }}
    >
      <EmptyState title={t.noRuns}>{t.noRunsText}</EmptyState>
    </ListEmpty>
  );
}

interface RunsTableProps {
  readonly page: Page<ImportRun>;
  /** Absent in the list of one connector. */
  readonly nameOf?: (connectorId: string) => string | null;
  readonly onMove: (offset: number) => void;
  readonly onLimit?: (limit: string) => void;
  readonly empty: ReactNode;
}

export function RunsTable({ page, nameOf, onMove, onLimit, empty }: RunsTableProps) {
  const t = useTexts(runTexts);
  const format = useFormat();
  const navigate = useNavigate();
  const count = (id: string, head: string, of: (run: ImportRun) => number, isBad = false): Column<ImportRun> => ({
    id,
    head,
    align: 'end',
    onCard: 'hide',
    cell: (run) => <span className={isBad && of(run) > 0 ? 'font-medium text-dest' : ''}>{format.number(of(run))}</span>,
  });
  const columns: readonly Column<ImportRun>[] = [
    {
      id: 'when',
      head: t.when,
      onCard: 'title',
      cell: ({ id, created_at }) => (
        <Link
          to="/ice-aktarim/calismalar/$runId"
          params={{ runId: id }}
          className="font-medium text-text no-underline hover:underline"
        >
          <DateTime at={created_at} />
        </Link>
      ),
    },
    ...(nameOf
      ? [
          {
            id: 'connector',
            head: t.connector,
            cell: ({ connector_id }: ImportRun) => nameOf(connector_id) ?? <span className="text-text-3">{t.goneConnector}</span>,
          },
        ]
      : []),
    {
      id: 'status',
      head: t.status,
      cell: ({ status, dry_run }) => (
        <span className="flex flex-wrap gap-1">
          <RunBadge status={status} />
          {dry_run && <DryBadge />}
        </span>
      ),
    },
    { id: 'trigger', head: t.trigger, onCard: 'hide', cell: ({ trigger }) => t.triggers[trigger] },
    { id: 'result', head: t.counts, onCard: 'only', cell: (run) => <Result run={run} /> },
    count('rows', t.rows, ({ total_rows }) => total_rows),
    count('created', t.created, ({ created_count }) => created_count),
    count('updated', t.updated, ({ updated_count }) => updated_count),
    count('unchanged', t.unchanged, ({ unchanged_count }) => unchanged_count),
    count('errors', t.errors, ({ error_count }) => error_count, true),
  ];
  const isPaged = onLimit !== undefined || page.hasMore || page.offset > 0;
  return (
    <Table
      label={t.runsLabel}
      rows={page.items}
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={({ id }) => navigate({ to: '/ice-aktarim/calismalar/$runId', params: { runId: id } })}
      empty={empty}
      footer={isPaged && <Pagination page={page} onMove={onMove} {...(onLimit ? { onLimit } : {})} />}
    />
  );
}

/** The result in one line, for cards. */
function Result({ run }: { readonly run: ImportRun }) {
  const t = useTexts(runTexts);
  const format = useFormat();
  const counts: readonly (readonly [string, number])[] = [
    [t.created, run.created_count],
    [t.updated, run.updated_count],
    [t.unchanged, run.unchanged_count],
    [t.errors, run.error_count],
  ];
  const there = counts.filter(([, count]) => count > 0);
  const shown = there.length === 0 ? [[t.rows, run.total_rows] as const] : there;
  return <>{shown.map(([name, count]) => `${name} ${format.number(count)}`).join(' · ')}</>;
}

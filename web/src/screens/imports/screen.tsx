// The connectors, which import vehicles and customers, with the last run of each.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Upload } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Page } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { buttonLook } from '../../parts/button.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { TabLink, TabLinks } from '../../parts/page/tabs.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { useShortcut } from '../../parts/table/row-keys.ts';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { CONNECTOR_STATUSES, type ConnectorSearch, connectorsQuery, formatName } from './data.ts';
import { ConnectorBadge, RunBadge } from './import-parts.tsx';
import { importsTexts } from './texts.ts';
import type { Connector } from './wire.ts';

export function ConnectorsScreen() {
  const t = useTexts(importsTexts);
  const search: ConnectorSearch = useSearch({ from: '/shell/ice-aktarim' });
  const navigate = useNavigate({ from: '/ice-aktarim' });
  const may = useMay('import:write', 'sensitive');
  const connectors = useQuery(connectorsQuery(search));
  useShortcut('c', () => may && navigate({ to: '/ice-aktarim/yeni' }));
  const go = (next: ConnectorSearch) => navigate({ search: next });
  const isFiltered = Boolean(search.status || search.target);
  const isEmpty = connectors.data?.items.length === 0 && !isFiltered && !search.offset;
  return (
    <>
      <PageHeader title={t.title} description={t.description} actions={may && !isEmpty && <CreateLinks />} />
      <ImportTabs />
      {!isEmpty && (
        <FilterBar onClear={isFiltered ? () => go({}) : undefined}>
          <FilterSelect
            label={t.target}
            none={`${t.target}: ${t.any}`}
            value={search.target}
            options={Object.entries(t.targets).map(([value, label]) => ({ value, label }))}
            onChange={(target) => go({ ...search, target: target ?? '', offset: '' })}
          />
          <FilterSelect
            label={t.status}
            none={t.anyStatus}
            value={search.status}
            options={CONNECTOR_STATUSES.map((value) => ({ value: value as string, label: t.statuses[value] }))}
            onChange={(status) => go({ ...search, status: status ?? '', offset: '' })}
          />
        </FilterBar>
      )}
      <Loaded query={connectors} rows={4}>
        {(page) => (
          <ConnectorsTable
            page={page}
            onMove={(offset) => go({ ...search, offset: offset === 0 ? '' : String(offset) })}
            empty={<Nothing isFiltered={isFiltered || Boolean(search.offset)} onAll={() => go({})} />}
          />
        )}
      </Loaded>
    </>
  );
}

export function ImportTabs() {
  const t = useTexts(importsTexts);
  return (
    <TabLinks label={t.tabsLabel}>
      <TabLink to="/ice-aktarim" activeOptions={{ exact: true }}>
        {t.tabs.connectors}
      </TabLink>
      <TabLink to="/ice-aktarim/calismalar">{t.tabs.runs}</TabLink>
    </TabLinks>
  );
}

/** A single file first: a connector is for what comes again and again. */
function CreateLinks() {
  const t = useTexts(importsTexts);
  return (
    <>
      <Link to="/ice-aktarim/yeni" className={buttonLook()}>
        <Plus aria-hidden className="size-4" />
        {t.create}
      </Link>
      <Link to="/ice-aktarim/yeni" search={{ dosya: '1' }} className={buttonLook('primary')}>
        <Upload aria-hidden className="size-4" />
        {t.uploadFile}
      </Link>
    </>
  );
}

function Nothing({ isFiltered, onAll }: { readonly isFiltered: boolean; readonly onAll: () => void }) {
  const t = useTexts(importsTexts);
  const may = useMay('import:write', 'sensitive');
  return (
    <ListEmpty noMatch={isFiltered && { title: t.noMatch, clear: onAll }}>
      <EmptyState title={t.empty} action={may && <CreateLinks />}>
        {t.emptyText}
      </EmptyState>
    </ListEmpty>
  );
}

interface ConnectorsTableProps {
  readonly page: Page<Connector>;
  readonly onMove: (offset: number) => void;
  readonly empty: ReactNode;
}

function ConnectorsTable({ page, onMove, empty }: ConnectorsTableProps) {
  const t = useTexts(importsTexts);
  const navigate = useNavigate();
  const columns: readonly Column<Connector>[] = [
    {
      id: 'name',
      head: t.name,
      onCard: 'title',
      cell: ({ id, name }) => (
        <Link
          to="/ice-aktarim/$connectorId"
          params={{ connectorId: id }}
          className="font-medium wrap-anywhere text-text no-underline hover:underline"
        >
          {name}
        </Link>
      ),
    },
    { id: 'target', head: t.target, cell: ({ target }) => t.targets[target] },
    {
      id: 'type',
      head: t.transport,
      cell: ({ type, transport }) => `${t.transports[transport]} · ${formatName(type)}`,
    },
    { id: 'schedule', head: t.schedule, cell: ({ schedule }) => t.schedules[schedule] },
    { id: 'status', head: t.status, cell: ({ status }) => <ConnectorBadge status={status} /> },
    { id: 'last', head: t.lastRun, cell: (connector) => <LastRun connector={connector} /> },
  ];
  const isPaged = page.hasMore || page.offset > 0;
  return (
    <Table
      label={t.label}
      rows={page.items}
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={({ id }) => navigate({ to: '/ice-aktarim/$connectorId', params: { connectorId: id } })}
      empty={empty}
      footer={isPaged && <Pagination page={page} onMove={onMove} />}
    />
  );
}

function LastRun({ connector: { last_run_at, last_run_status } }: { readonly connector: Connector }) {
  const t = useTexts(importsTexts);
  if (last_run_status === null) return <span className="text-text-3">{t.never}</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <RunBadge status={last_run_status} />
      {last_run_at !== null && (
        <span className="text-13 text-text-2">
          <DateTime at={last_run_at} show="relative" />
        </span>
      )}
    </span>
  );
}

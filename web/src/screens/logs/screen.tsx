// The request log: filters and the open request in the address, a timeline above, and new requests on top.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { LogLine } from '../../../../src/domain/usage/log-lines.ts';
import type { LogList } from '../../../../src/panel/logs/logs.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { HttpStatusBadge, MethodChip } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { useShortcut } from '../../parts/table/row-keys.ts';
import { type Column, Table } from '../../parts/table/table.tsx';
import { None } from '../../parts/values.tsx';
import { useFormat } from '../../session.ts';
import { LogDrawer } from './drawer.tsx';
import { LogFilters } from './filters.tsx';
import { LiveBar, NewPill } from './live-bar.tsx';
import { addressOf, canRun, filterOf, isFiltered, type LogSearch, questionOf } from './search.ts';
import { useTail } from './tail.ts';
import { logsTexts } from './texts.ts';
import { Timeline } from './timeline.tsx';
import { useHold } from './use-hold.ts';

export function LogsScreen() {
  const t = useTexts(logsTexts);
  const search: LogSearch = useSearch({ from: '/shell/loglar' });
  const navigate = useNavigate({ from: '/loglar' });
  const change = (part: LogSearch) => navigate({ search: addressOf({ ...search, before: undefined, line: undefined, ...part }) });
  const list = useLogList(search);
  const hold = useHold();
  const running = canRun(search) && (search.live === undefined ? startsLive() : search.live === '1');
  const tail = useTail({ running, held: hold.held, since: list.data?.position, filter: filterOf(search) });
  useShortcut('e', () => change({ status: search.status === 'errors' ? undefined : 'errors' }));
  const lines = useMemo(() => withoutTwins([...tail.lines, ...(list.data?.lines ?? [])]), [tail.lines, list.data]);
  return (
    <>
      <PageHeader title={t.title} description={t.description} />
      {!search.request_id && <Timeline search={search} onPick={(span) => change({ ...span, range: undefined })} />}
      <LogFilters
        search={search}
        onChange={change}
        onClear={() => navigate({ search: search.live ? { live: search.live } : {} })}
      />
      <LiveBar
        tail={tail}
        hold={hold}
        running={running}
        possible={canRun(search)}
        onRun={(on) => change({ live: on ? '1' : '0' })}
        onReload={list.refetch}
      />
      <div className="relative" {...hold.area}>
        <NewPill count={tail.waiting} onShow={hold.release} />
        <Loaded query={list} rows={12}>
          {(page) => <LogTable lines={lines} page={page} search={search} onChange={change} />}
        </Loaded>
      </div>
      <LogDrawer
        line={search.line}
        onClose={() => navigate({ search: addressOf({ ...search, line: undefined }), resetScroll: false })}
      />
    </>
  );
}

/** The live view is off by default on phones, to save battery. */
const startsLive = (): boolean => matchMedia('(min-width: 640px)').matches;

function useLogList(search: LogSearch) {
  const { line: _, live: __, ...filters } = search;
  return useQuery({
    queryKey: ['logs', filters],
    queryFn: ({ signal }) => call('GET logs', { query: questionOf(filters), signal }),
    // The live view keeps the list up to date; refetching would change its position.
    refetchOnWindowFocus: false,
    staleTime: 0,
    gcTime: 0,
  });
}

function withoutTwins(lines: readonly LogLine[]): LogLine[] {
  const seen = new Set<string>();
  return lines.filter(({ request_id }) => !seen.has(request_id) && seen.add(request_id));
}

interface LogTableProps {
  readonly lines: readonly LogLine[];
  readonly page: LogList;
  readonly search: LogSearch;
  readonly onChange: (part: LogSearch) => void;
}

function LogTable({ lines, page, search, onChange }: LogTableProps) {
  const t = useTexts(logsTexts);
  const columns = useColumns();
  return (
    <Table
      label={t.label}
      rows={lines}
      rowKey={({ request_id }) => request_id}
      columns={columns}
      onOpen={({ request_id }) => onChange({ before: search.before, line: request_id })}
      isCurrent={({ request_id }) => request_id === search.line}
      empty={<NoLines page={page} search={search} onChange={onChange} />}
      footer={<Pages page={page} search={search} onChange={onChange} />}
    />
  );
}

function useColumns(): readonly Column<LogLine>[] {
  const t = useTexts(logsTexts);
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'time',
        head: t.time,
        width: 'w-40',
        onCard: 'hide',
        cell: ({ at }) => <LogTime at={at} />,
      },
      {
        id: 'status',
        head: t.status,
        width: 'w-24',
        onCard: 'hide',
        cell: ({ status }) => <HttpStatusBadge status={status} />,
      },
      { id: 'path', head: t.path, onCard: 'title', cell: (line) => <PathCell line={line} /> },
      {
        id: 'duration',
        head: t.duration,
        align: 'end',
        width: 'w-20',
        onCard: 'hide',
        cell: ({ duration_ms }) => <span className="whitespace-nowrap">{format.milliseconds(duration_ms)}</span>,
      },
      {
        id: 'key',
        head: t.key,
        onCard: 'hide',
        cell: ({ key_name }) => (
          <span className="block max-w-[20ch] truncate" title={key_name}>
            {key_name}
          </span>
        ),
      },
      { id: 'ip', head: t.ip, onCard: 'hide', cell: ({ ip }) => (ip === null ? <None /> : <span className="code">{ip}</span>) },
      {
        id: 'id',
        head: t.requestId,
        onCard: 'hide',
        cell: ({ request_id }) => (
          <span className="code whitespace-nowrap text-text-2" title={request_id}>
            …{request_id.slice(-8)}
          </span>
        ),
      },
    ],
    [t, format],
  );
}

function LogTime({ at }: { readonly at: string }) {
  const format = useFormat();
  return (
    <time dateTime={at} title={`${format.dateTime(at)} (${format.zone})`} className="tabular whitespace-nowrap">
      <span className="text-text-2">{format.date(at).slice(0, 5)}</span> {format.time(at)}
    </time>
  );
}

/** Refusals use two short lines, so that all rows have the same height. On a phone this cell shows the other columns too. */
function PathCell({ line: { method, path, status, error_code, at, duration_ms, key_name } }: { readonly line: LogLine }) {
  const format = useFormat();
  return (
    <span className="flex w-full min-w-0 flex-col gap-1.5 text-start">
      <span className="flex min-w-0 items-center gap-2">
        <MethodChip method={method} />
        <span className="min-w-0 flex-1">
          <span className="code block max-w-[26ch] truncate text-13 leading-4 2xl:max-w-[56ch]" title={path}>
            {path.replace(/^\/api\/v1\//, '')}
          </span>
          {error_code && <span className="block truncate text-11 leading-3.5 text-text-2">{error_code}</span>}
        </span>
        <span className="sm:hidden">
          <HttpStatusBadge status={status} />
        </span>
      </span>
      <span className="flex flex-wrap gap-x-3 text-12 font-normal text-text-2 sm:hidden">
        <LogTime at={at} />
        <span className="tabular">{format.milliseconds(duration_ms)}</span>
        <span className="min-w-0 truncate">{key_name}</span>
      </span>
    </span>
  );
}

function NoLines({ page, search, onChange }: Omit<LogTableProps, 'lines'>) {
  const t = useTexts(logsTexts);
  const format = useFormat();
  if (page.searched_to !== null)
    return (
      <EmptyState
        title={t.noMatch}
        action={<Button onClick={() => onChange({ before: page.next ?? undefined })}>{t.goOn}</Button>}
      >
        {t.searchedTo(format.dateTime(page.searched_to))}
      </EmptyState>
    );
  const isWidest = search.range === '30d' && search.from === undefined;
  const widen = !isWidest && (
    <Button onClick={() => onChange({ range: '30d', from: undefined, to: undefined })}>{t.widen}</Button>
  );
  if (isFiltered({ ...search, range: undefined, from: undefined, to: undefined }) || search.before)
    return <EmptyState title={t.noMatch} action={search.request_id ? undefined : widen} />;
  return (
    <EmptyState title={t.empty} action={widen}>
      {t.emptyText}
    </EmptyState>
  );
}

function Pages({ page, search, onChange }: Omit<LogTableProps, 'lines'>) {
  const t = useTexts(logsTexts);
  const format = useFormat();
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <span className="text-13 text-text-2">{page.searched_to && t.searchedSome(format.dateTime(page.searched_to))}</span>
      <span className="flex gap-2">
        {search.before && <Button onClick={() => onChange({ before: undefined })}>{t.newest}</Button>}
        <Button disabled={page.next === null} onClick={() => onChange({ before: page.next ?? undefined })}>
          {t.older}
        </Button>
      </span>
    </div>
  );
}

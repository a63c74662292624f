// Loglar: the last requests of this key; the log screen has filters, explanations and the live view.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import type { LogLine } from '../../../../../src/domain/usage/log-lines.ts';
import { call } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { HttpStatusBadge } from '../../../parts/badges.tsx';
import { buttonLook } from '../../../parts/button.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../../parts/page/states.tsx';
import { type Column, Table } from '../../../parts/table/table.tsx';
import { DateTime, None } from '../../../parts/values.tsx';
import { useFormat } from '../../../session.ts';
import { keysTexts } from '../texts.ts';

const route = getRouteApi('/shell/api-anahtarlari/$keyId');
const SHOWN = 25;

export function LogsTab() {
  const t = useTexts(keysTexts);
  const { keyId } = route.useParams();
  const navigate = useNavigate();
  const columns = useColumns();
  const logs = useQuery({
    queryKey: ['keys', keyId, 'logs'],
    queryFn: ({ signal }) => call('GET logs', { query: { key: keyId, limit: SHOWN }, signal }),
  });
  if (logs.data === undefined) return logs.isError ? <ErrorState error={logs.error} onRetry={logs.refetch} /> : <SkeletonRows />;
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <p className="m-0 text-13 text-text-2">{t.logsText(SHOWN)}</p>
        <Link to="/loglar" search={{ key: keyId }} className={buttonLook()}>
          <ScrollText aria-hidden className="size-4" />
          {t.lookLogs}
        </Link>
      </div>
      <Table
        label={t.tabs.loglar}
        rows={logs.data.lines}
        rowKey={(line) => line.request_id}
        columns={columns}
        onOpen={({ request_id }) => navigate({ to: '/loglar', search: { key: keyId, line: request_id } })}
        empty={<EmptyState title={t.noLogs} />}
      />
    </>
  );
}

function useColumns(): Column<LogLine>[] {
  const t = useTexts(keysTexts);
  const format = useFormat();
  return [
    { id: 'at', head: t.when, cell: (line) => <DateTime at={line.at} /> },
    {
      id: 'path',
      head: t.path,
      onCard: 'title',
      cell: (line) => (
        <Link
          to="/loglar"
          search={{ key: line.key_id, line: line.request_id }}
          className="code text-13 text-text wrap-anywhere no-underline hover:underline"
        >
          {line.method} {line.path}
        </Link>
      ),
    },
    { id: 'status', head: t.verdict, cell: (line) => <HttpStatusBadge status={line.status} /> },
    {
      id: 'code',
      head: t.errors,
      cell: ({ error_code }) => (error_code ? <span className="code text-12">{error_code}</span> : <None />),
    },
    {
      id: 'took',
      head: t.took,
      align: 'end',
      cell: (line) => <span className="whitespace-nowrap">{format.milliseconds(line.duration_ms)}</span>,
    },
  ];
}

// The traffic by key, by catalog endpoint or by error, busiest first.
import { Link } from '@tanstack/react-router';
import type { Counts } from '../../../../src/domain/usage/account-usage.ts';
import type { UsageView } from '../../../../src/panel/developer/usage.ts';
import { useTexts } from '../../language.ts';
import { EmptyState } from '../../parts/page/states.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { None } from '../../parts/values.tsx';
import { callsOf, errorShareOf } from '../../records/usage.ts';
import { useFormat } from '../../session.ts';
import { usageTexts } from './texts.ts';
import type { UsageSearch } from './usage-search.ts';

export type Group = 'key' | 'endpoint' | 'error';

interface BreakdownProps {
  readonly view: UsageView;
  readonly group: Group;
  readonly search: UsageSearch;
  readonly onChange: (part: UsageSearch) => void;
}

export function Breakdown({ view, group, search, onChange }: BreakdownProps) {
  if (group === 'key') return <ByKey view={view} onChange={onChange} />;
  if (group === 'endpoint') return <ByEndpoint view={view} onChange={onChange} />;
  return <ByError view={view} search={search} />;
}

type Part = Pick<BreakdownProps, 'view' | 'onChange'>;

/** The columns that all groups share. */
function useCounts<Row extends Counts>(view: UsageView): readonly Column<Row>[] {
  const t = useTexts(usageTexts);
  const format = useFormat();
  const all = Math.max(1, callsOf(view.totals));
  return [
    { id: 'calls', head: t.requests, align: 'end', cell: (row) => format.number(callsOf(row)) },
    { id: 'share', head: t.share, align: 'end', onCard: 'hide', cell: (row) => format.percent(callsOf(row) / all) },
    { id: 'errors', head: t.errorShare, align: 'end', cell: (row) => format.percent(errorShareOf(row)) },
    { id: 'limited', head: t.limited, align: 'end', cell: (row) => format.number(row.limited) },
  ];
}

function ByKey({ view, onChange }: Part) {
  const t = useTexts(usageTexts);
  const format = useFormat();
  type Row = UsageView['by_key'][number];
  const counts = useCounts<Row>(view);
  const time = (value: number | null) => (value === null ? <None /> : format.milliseconds(value));
  return (
    <Table<Row>
      label={t.groups.key}
      rows={view.by_key}
      rowKey={({ key_id }) => key_id}
      columns={[
        {
          id: 'key',
          head: t.key,
          onCard: 'title',
          cell: ({ key_id, key_name }) => <Pick text={key_name} onPick={() => onChange({ key: key_id })} />,
        },
        ...counts,
        { id: 'p50', head: 'p50', align: 'end', cell: ({ p50_ms }) => time(p50_ms) },
        { id: 'p95', head: 'p95', align: 'end', cell: ({ p95_ms }) => time(p95_ms) },
        { id: 'p99', head: 'p99', align: 'end', cell: ({ p99_ms }) => time(p99_ms) },
      ]}
    />
  );
}

function ByEndpoint({ view, onChange }: Part) {
  const t = useTexts(usageTexts);
  type Row = UsageView['by_endpoint'][number];
  const counts = useCounts<Row>(view);
  return (
    <Table<Row>
      label={t.groups.endpoint}
      rows={view.by_endpoint}
      rowKey={({ endpoint }) => endpoint ?? ''}
      columns={[
        {
          id: 'endpoint',
          head: t.endpoint,
          onCard: 'title',
          cell: ({ endpoint }) =>
            endpoint === null ? (
              <span className="text-text-2">{t.noEndpoint}</span>
            ) : (
              <Pick text={endpoint} code onPick={() => onChange({ endpoint })} />
            ),
        },
        ...counts,
      ]}
    />
  );
}

/** A name that filters the whole screen. */
function Pick({ text, code = false, onPick }: { readonly text: string; readonly code?: boolean; readonly onPick: () => void }) {
  return (
    <button type="button" onClick={onPick} className={`link min-h-6 text-start wrap-anywhere ${code ? 'code' : 'font-medium'}`}>
      {text}
    </button>
  );
}

function ByError({ view, search }: Pick<BreakdownProps, 'view' | 'search'>) {
  const t = useTexts(usageTexts);
  const format = useFormat();
  type Row = UsageView['by_error'][number];
  const all = Math.max(1, callsOf(view.totals));
  return (
    <Table<Row>
      label={t.groups.error}
      rows={view.by_error}
      rowKey={({ code }) => code}
      empty={<EmptyState title={t.volumeSummary(format.number(callsOf(view.totals)), format.percent(0))} />}
      columns={[
        { id: 'code', head: t.code, onCard: 'title', cell: ({ code }) => <span className="code">{code}</span> },
        { id: 'count', head: t.count, align: 'end', cell: ({ count }) => format.number(count) },
        { id: 'share', head: t.share, align: 'end', cell: ({ count }) => format.percent(count / all) },
        {
          id: 'logs',
          head: t.toLogs,
          headHidden: true,
          align: 'end',
          cell: ({ code }) => (
            <Link
              to="/loglar"
              search={{ error: code, range: '30d', ...(search.key ? { key: search.key } : {}) }}
              className="link"
            >
              {t.toLogs}
              <span className="sr-only">: {code}</span>
            </Link>
          ),
        },
      ]}
    />
  );
}

// Trafik: how the key was used, from the hourly rollups.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { KeyUsage } from '../../../../../src/panel/keys/keys.ts';
import { useTexts } from '../../../language.ts';
import { Chart } from '../../../parts/chart/chart.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Field, Select } from '../../../parts/input/field.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../parts/page/states.tsx';
import { Table } from '../../../parts/table/table.tsx';
import { None } from '../../../parts/values.tsx';
import { useFormat } from '../../../session.ts';
import { keyQuery, usageQuery } from '../key-data.ts';
import { curlFor } from '../secret-once.tsx';
import { keysTexts } from '../texts.ts';
import { filledSeries } from './series.ts';

const route = getRouteApi('/shell/api-anahtarlari/$keyId/trafik');
const RANGES = ['1', '7', '30', '90'] as const;

export function TrafficTab() {
  const t = useTexts(keysTexts);
  const { keyId } = route.useParams();
  const { gun } = route.useSearch();
  const navigate = useNavigate();
  const days = RANGES.find((range) => range === gun) ?? '7';
  const usage = useQuery(usageQuery(keyId, Number(days)));
  return (
    <>
      <div className="mb-4 max-w-48">
        <Field label={t.range} labelHidden>
          <Select
            value={days}
            options={RANGES.map((value) => ({ value, label: t.ranges[value] }))}
            onChange={(next) => navigate({ to: '.', search: { gun: next === '7' ? undefined : next }, replace: true })}
          />
        </Field>
      </div>
      {usage.data ? (
        usage.data.total_requests === 0 ? (
          <NoTraffic keyId={keyId} />
        ) : (
          <Traffic usage={usage.data} step={Number(days) <= 2 ? 'hour' : 'day'} />
        )
      ) : usage.isError ? (
        <ErrorState error={usage.error} onRetry={usage.refetch} />
      ) : (
        <Skeleton className="h-96 w-full" />
      )}
    </>
  );
}

function NoTraffic({ keyId }: { readonly keyId: string }) {
  const t = useTexts(keysTexts);
  const { data } = useSuspenseQuery(keyQuery(keyId));
  const path = data.endpoints.find((id) => /^GET [^{]+$/.test(id))?.slice(4) ?? 'vehicles';
  return (
    <div className="card">
      <EmptyState title={t.noTraffic}>
        <p className="m-0 mb-1 text-13">{t.tryCurl}</p>
        <span className="flex items-start gap-2 text-start">
          <code className="code rounded-control bg-subtle p-2 text-12 wrap-anywhere">{curlFor(path, '$GALERI_KEY')}</code>
          <CopyButton text={curlFor(path, '$GALERI_KEY')} />
        </span>
      </EmptyState>
    </div>
  );
}

function Traffic({ usage, step }: { readonly usage: KeyUsage; readonly step: 'hour' | 'day' }) {
  const t = useTexts(keysTexts);
  const format = useFormat();
  const series = filledSeries(usage.series, usage.period.from, usage.period.to, step, format.zone);
  const failed = usage.client_errors + usage.server_errors;
  return (
    <div className="flex flex-col gap-4">
      <dl className="m-0 grid grid-cols-2 gap-2 sm:grid-cols-3 xl:grid-cols-6">
        <Figure name={t.requests} value={format.number(usage.total_requests)} />
        <Figure name={t.failed} value={format.number(failed)} />
        <Figure name={t.errorShare} value={format.percent(usage.error_rate)} />
        <Figure name={t.limited} value={format.number(usage.rate_limited)} />
        <Figure name={t.typical} value={usage.p50_ms === null ? '—' : format.milliseconds(usage.p50_ms)} />
        <Figure name={t.slow} value={usage.p95_ms === null ? '—' : format.milliseconds(usage.p95_ms)} />
      </dl>
      <div className="card p-4">
        <Chart
          label={t.trafficChart}
          summary={t.trafficSummary(usage.total_requests, format.percent(usage.error_rate))}
          at={series.map((point) => point.at)}
          step={step}
          series={[
            { name: t.requests, values: series.map((point) => point.count), color: 'c1', kind: 'bars' },
            { name: t.failed, values: series.map((point) => point.errors), color: 'danger', kind: 'bars' },
          ]}
        />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Counted
          title={t.byEndpoint}
          lines={usage.by_endpoint.map(({ endpoint, count, error_rate }) => ({ name: endpoint, count, share: error_rate }))}
        />
        <Counted title={t.byError} lines={usage.by_error_code.map(({ code, count }) => ({ name: code, count, share: null }))} />
      </div>
    </div>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="card px-3 py-2">
      <dt className="text-12 text-text-2">{name}</dt>
      <dd className="tabular m-0 text-20 font-semibold">{value}</dd>
    </div>
  );
}

interface CountedLine {
  readonly name: string | null;
  readonly count: number;
  readonly share: number | null;
}

function Counted({ title, lines }: { readonly title: string; readonly lines: readonly CountedLine[] }) {
  const t = useTexts(keysTexts);
  const format = useFormat();
  const shares = lines.some((line) => line.share !== null);
  return (
    <section>
      <h2 className="m-0 mb-2 text-14 font-semibold">{title}</h2>
      <Table
        label={title}
        rows={lines}
        rowKey={(line) => line.name ?? ''}
        empty={<EmptyState title="—" />}
        columns={[
          {
            id: 'name',
            head: title,
            onCard: 'title',
            cell: (line) =>
              line.name === null ? t.unknownEndpoint : <span className="code text-12 wrap-anywhere">{line.name}</span>,
          },
          { id: 'count', head: t.requests, align: 'end', cell: (line) => format.number(line.count) },
          ...(shares
            ? [
                {
                  id: 'share',
                  head: t.errors,
                  align: 'end' as const,
                  cell: (line: CountedLine) => (line.share === null ? <None /> : format.percent(line.share)),
                },
              ]
            : []),
        ]}
      />
    </section>
  );
}

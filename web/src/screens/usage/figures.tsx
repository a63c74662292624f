// The four figures and the two charts of a period.
import type { UsageView } from '../../../../src/panel/developer/usage.ts';
import { useTexts } from '../../language.ts';
import { Chart } from '../../parts/chart/chart.tsx';
import { Figure } from '../../parts/figure.tsx';
import { None } from '../../parts/values.tsx';
import { callsOf, errorShareOf, troubleOf } from '../../records/usage.ts';
import { useFormat } from '../../session.ts';
import { usageTexts } from './texts.ts';

export function Figures({ view: { totals }, byEndpoint }: { readonly view: UsageView; readonly byEndpoint: boolean }) {
  const t = useTexts(usageTexts);
  const format = useFormat();
  const { p50_ms, p95_ms, p99_ms } = totals;
  const known = p50_ms !== null && p95_ms !== null && p99_ms !== null;
  return (
    <dl className="m-0 grid grid-cols-1 gap-3 min-[360px]:grid-cols-2 lg:grid-cols-4">
      <Figure name={t.requests} value={format.number(callsOf(totals))} />
      <Figure
        name={t.errorShare}
        value={format.percent(errorShareOf(totals))}
        hint={t.errorParts(format.number(troubleOf(totals)), format.number(totals.failed))}
      />
      <Figure name={t.limited} value={format.number(totals.limited)} hint={t.limitedHint} />
      <Figure
        name={t.latency}
        value={known ? format.milliseconds(p50_ms) : <None />}
        hint={
          known
            ? t.latencyParts(format.milliseconds(p95_ms), format.milliseconds(p99_ms))
            : byEndpoint
              ? t.latencyUnknown
              : undefined
        }
      />
    </dl>
  );
}

export function VolumeChart({ view: { series, totals, step } }: { readonly view: UsageView }) {
  const t = useTexts(usageTexts);
  const format = useFormat();
  return (
    <section aria-label={t.volume} className="card min-w-0 p-4">
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.volume}</h2>
      <Chart
        label={t.volume}
        summary={t.volumeSummary(format.number(callsOf(totals)), format.percent(errorShareOf(totals)))}
        step={step}
        stacked
        at={series.map(({ at }) => at)}
        series={[
          { name: t.ok, color: 'c1', kind: 'bars', values: series.map(({ ok }) => ok) },
          { name: t.refused, color: 'c3', kind: 'bars', values: series.map(({ refused }) => refused) },
          { name: t.failed, color: 'danger', kind: 'bars', values: series.map(({ failed }) => failed) },
        ]}
      />
    </section>
  );
}

export function TimesChart({ view: { series, totals, step } }: { readonly view: UsageView }) {
  const t = useTexts(usageTexts);
  const format = useFormat();
  const shown = (value: number | null) => (value === null ? '—' : format.milliseconds(value));
  return (
    <section aria-label={t.times} className="card min-w-0 p-4">
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.times}</h2>
      <Chart
        label={t.times}
        summary={t.timesSummary(shown(totals.p50_ms), shown(totals.p95_ms))}
        step={step}
        value={format.milliseconds}
        at={series.map(({ at }) => at)}
        series={[
          { name: 'p50', color: 'c2', values: series.map(({ p50_ms }) => p50_ms) },
          { name: 'p95', color: 'c3', values: series.map(({ p95_ms }) => p95_ms) },
          { name: 'p99', color: 'c4', values: series.map(({ p99_ms }) => p99_ms) },
        ]}
      />
    </section>
  );
}

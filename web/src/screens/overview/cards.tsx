// The cards of the overview, each with a link to its screen.

import { Link } from '@tanstack/react-router';
import { ArrowRight, CircleCheck, Globe, Hourglass, KeyRound, type LucideIcon, MoonStar, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { slugOf } from '../../../../src/domain/catalog/catalog.ts';
import type { KeyConcern } from '../../../../src/domain/keys/key-health.ts';
import { VEHICLE_STATUSES } from '../../../../src/domain/stock/stock-states.ts';
import type { Overview } from '../../../../src/panel/overview.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Badge, VehicleStatusBadge } from '../../parts/badges.tsx';
import { Chart } from '../../parts/chart/chart.tsx';
import { PanelLink } from '../../parts/panel-link.tsx';
import { useNow } from '../../parts/values.tsx';
import { callsOf } from '../../records/usage.ts';
import { useFormat, useRole } from '../../session.ts';
import { overviewTexts } from './texts.ts';

interface CardProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

function Card({ title, aside, children }: CardProps) {
  return (
    <section aria-label={title} className="card min-w-0 p-4">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="m-0 text-14 font-semibold">{title}</h2>
        <span className="flex gap-3 text-13">{aside}</span>
      </div>
      {children}
    </section>
  );
}

function More({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <PanelLink to={to} className="link inline-flex min-h-6 items-center gap-1">
      {children}
      <ArrowRight aria-hidden className="size-3.5" />
    </PanelLink>
  );
}

type Points = NonNullable<Overview['traffic']>['points'];

export const sumOf = (points: Points) => ({
  ok: points.reduce((sum, { ok }) => sum + ok, 0),
  refused: points.reduce((sum, { refused }) => sum + refused, 0),
  failed: points.reduce((sum, { failed }) => sum + failed, 0),
  limited: points.reduce((sum, { limited }) => sum + limited, 0),
  not_open: points.reduce((sum, { not_open }) => sum + not_open, 0),
});

export function TrafficCard({ traffic: { points } }: { readonly traffic: NonNullable<Overview['traffic']> }) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  const counts = sumOf(points);
  const aside = (
    <>
      <More to="/loglar">{t.toLogs}</More>
      <More to="/kullanim">{t.toUsage}</More>
    </>
  );
  return (
    <Card title={t.traffic} aside={aside}>
      {callsOf(counts) === 0 ? (
        <p className="m-0 text-text-2">{t.quiet}</p>
      ) : (
        <Chart
          label={t.traffic}
          summary={t.trafficSummary(format.number(callsOf(counts)), format.number(counts.refused + counts.failed))}
          step="hour"
          stacked
          height={160}
          at={points.map(({ at }) => at)}
          series={[
            { name: t.ok, color: 'c1', kind: 'bars', values: points.map(({ ok }) => ok) },
            { name: t.refused, color: 'c3', kind: 'bars', values: points.map(({ refused }) => refused) },
            { name: t.failed, color: 'danger', kind: 'bars', values: points.map(({ failed }) => failed) },
          ]}
        />
      )}
    </Card>
  );
}

type Key = NonNullable<Overview['keys']>['to_look_at'][number];

const CONCERNS: Readonly<Record<KeyConcern, { tone: 'write' | 'dest' | 'soon'; icon: LucideIcon }>> = {
  expiring: { tone: 'write', icon: Hourglass },
  errors: { tone: 'dest', icon: TriangleAlert },
  old_secret: { tone: 'write', icon: KeyRound },
  unused: { tone: 'soon', icon: MoonStar },
  any_address: { tone: 'soon', icon: Globe },
};

export function KeyHealth({ keys }: { readonly keys: NonNullable<Overview['keys']> }) {
  const t = useTexts(overviewTexts);
  // Viewers see the state of keys but cannot open them.
  const opens = useRole('owner', 'developer');
  return (
    <Card title={t.keys} {...(opens ? { aside: <More to="/api-anahtarlari">{t.toKeys}</More> } : {})}>
      {keys.to_look_at.length === 0 ? (
        <p className="m-0 flex items-center gap-2 text-text-2">
          {keys.working > 0 && <CircleCheck aria-hidden className="size-4 shrink-0 text-live" />}
          {keys.working > 0 ? t.keysFine : t.noKeys}
        </p>
      ) : (
        <ul className="m-0 flex list-none flex-col divide-y divide-line p-0">
          {keys.to_look_at.map((key) => (
            <li key={key.id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 py-2 first:pt-0 last:pb-0">
              {opens ? (
                <PanelLink to={`/api-anahtarlari/${key.id}/genel`} className="link min-w-0 font-medium wrap-anywhere">
                  {key.name}
                </PanelLink>
              ) : (
                <span className="min-w-0 font-medium wrap-anywhere">{key.name}</span>
              )}
              <span className="flex flex-wrap gap-1.5">
                {key.concerns.map((concern) => (
                  <Badge key={concern} {...CONCERNS[concern]}>
                    <ConcernText concern={concern} of={key} />
                  </Badge>
                ))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function ConcernText({ concern, of: key }: { readonly concern: KeyConcern; readonly of: Key }) {
  const t = useTexts(overviewTexts).concerns;
  const format = useFormat();
  const now = useNow(concern === 'expiring');
  if (concern === 'expiring') return t.expiring(format.relative(key.expires_at!, now));
  if (concern === 'errors') return t.errors(format.percent(key.errors_24h / key.calls_24h));
  return t[concern];
}

export function Stock({ stock }: { readonly stock: Overview['stock'] }) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  const all = VEHICLE_STATUSES.reduce((sum, status) => sum + stock[status], 0);
  return (
    <Card title={t.stock} aside={<More to="/araclar">{t.toVehicles}</More>}>
      {all === 0 ? (
        <p className="m-0 text-text-2">{t.noStock}</p>
      ) : (
        <ul className="m-0 flex list-none flex-col gap-2 p-0">
          {VEHICLE_STATUSES.map((status) => (
            <li key={status}>
              <Link
                to="/araclar"
                search={{ status }}
                className="grid min-h-8 grid-cols-[7.5rem_1fr_3.5rem] items-center gap-3 rounded-control text-text no-underline hover:bg-subtle"
              >
                <span>
                  <VehicleStatusBadge status={status} />
                </span>
                <Share of={stock[status] / all} />
                <span className="num">{format.number(stock[status])}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** A bar that shows a share; the number is beside it. */
function Share({ of: share }: { readonly of: number }) {
  return (
    <svg aria-hidden viewBox="0 0 100 6" preserveAspectRatio="none" className="h-1.5 w-full rounded-badge bg-soon-bg">
      <rect width={share * 100} height={6} fill="var(--c1)" />
    </svg>
  );
}

export function LiveRows({ rows }: { readonly rows: Overview['live_rows'] }) {
  const t = useTexts(overviewTexts);
  const locale = useLocale();
  const format = useFormat();
  return (
    <Card title={t.live} aside={<More to="/katalog">{t.toCatalog}</More>}>
      <ul aria-label={t.liveHint(format.number(rows.length))} className="m-0 flex list-none flex-col divide-y divide-line p-0">
        {rows.map(({ endpoint, name, calls_24h }) => (
          <li key={endpoint} className="flex flex-wrap items-baseline justify-between gap-x-3 py-1.5 first:pt-0 last:pb-0">
            <span className="min-w-0">
              <PanelLink to={`/katalog/${slugOf(endpoint)}`} className="code link wrap-anywhere">
                {endpoint}
              </PanelLink>
              <span className="block text-12 text-text-2">{name[locale]}</span>
            </span>
            {calls_24h !== null && <span className="tabular text-13 text-text-2">{t.calls(format.number(calls_24h))}</span>}
          </li>
        ))}
      </ul>
    </Card>
  );
}

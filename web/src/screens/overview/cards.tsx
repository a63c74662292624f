// The cards of the overview, each with a link to its screen.

import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { VEHICLE_STATUSES } from '../../../../src/domain/stock/stock-states.ts';
import type { Overview } from '../../../../src/panel/home/overview.ts';
import { useTexts } from '../../language.ts';
import { VehicleStatusBadge } from '../../parts/badges.tsx';
import { PanelLink } from '../../parts/page/panel-link.tsx';
import { useFormat } from '../../session.ts';
import { overviewTexts } from './texts.ts';

interface CardProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Card({ title, aside, children }: CardProps) {
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

export function More({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <PanelLink to={to} className="link inline-flex min-h-6 items-center gap-1">
      {children}
      <ArrowRight aria-hidden className="size-3.5" />
    </PanelLink>
  );
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

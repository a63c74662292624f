// The newest events on the home page. Below the first view, so its code is fetched after the rest is shown.
import type { ShownEvent } from '../../../../src/panel/home/overview.ts';
import { useTexts } from '../../language.ts';
import { PanelLink } from '../../parts/page/panel-link.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { CarThumb } from '../../records/vehicles/car-thumb.tsx';
import { Card } from './cards.tsx';
import { overviewTexts } from './texts.ts';

/** What happened last: cars, sales, payments. */
export function Events({ events }: { readonly events: readonly ShownEvent[] }) {
  const t = useTexts(overviewTexts);
  return (
    <Card title={t.events}>
      {events.length === 0 && <p className="m-0 text-text-2">{t.noEvents}</p>}
      <ul className="m-0 list-none divide-y divide-line p-0">
        {events.map((event) => (
          <li key={`${event.kind} ${event.id} ${event.at}`}>
            <PanelLink
              to={`${event.kind === 'vehicle' ? '/araclar' : '/satislar'}/${event.id}`}
              className="flex min-h-11 items-center gap-3 rounded-control py-1 text-13 text-text no-underline hover:bg-subtle"
            >
              <CarThumb car={event} className="h-8 w-12 shrink-0 rounded-badge" />
              <span className="min-w-0 flex-1">
                <span className="block truncate">
                  <span className="font-medium">{t.event[event.kind]}</span>
                  {event.customer && ` · ${event.customer}`}
                </span>
                <span className="block truncate text-12 text-text-2">
                  {event.name} {event.plate}
                </span>
              </span>
              <span className="shrink-0 text-end">
                <span className="block font-medium">
                  <Money amount={event.amount} currency={event.currency} />
                </span>
                <span className="block text-12 text-text-2">
                  <DateTime at={event.at} show="relative" />
                </span>
              </span>
            </PanelLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}

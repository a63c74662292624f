// The stock as a table or as a gallery of photos. The choice is kept in this browser.
import { Link } from '@tanstack/react-router';
import { Globe, LayoutGrid, Rows3 } from 'lucide-react';
import { useState } from 'react';
import type { StockLine as Vehicle } from '../../../../src/panel/stock/stock.ts';
import { useTexts } from '../../language.ts';
import { VehicleStatusBadge } from '../../parts/badges.tsx';
import { cx } from '../../parts/cx.ts';
import { Money, Plate } from '../../parts/values.tsx';
import { CarThumb } from '../../records/vehicles/car-thumb.tsx';
import { type BeginAct, VehicleRowActs } from './acts.tsx';
import type { VehicleSearch } from './search.ts';
import { SelectBox, type Selection } from './selection.tsx';
import { vehiclesTexts } from './texts.ts';

const VIEWS = ['table', 'gallery'] as const;
export type StockView = (typeof VIEWS)[number];
const KEY = 'galeri.stock-view';

export function useStockView(): readonly [StockView, (view: StockView) => void] {
  const [view, setView] = useState<StockView>(() => {
    try {
      return VIEWS.find((one) => one === localStorage.getItem(KEY)) ?? 'table';
    } catch {
      return 'table';
    }
  });
  const choose = (next: StockView) => {
    setView(next);
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Without storage the choice lasts as long as this page.
    }
  };
  return [view, choose];
}

export function ViewSwitch({ view, onChange }: { readonly view: StockView; readonly onChange: (view: StockView) => void }) {
  const t = useTexts(vehiclesTexts);
  const names = { table: t.asTable, gallery: t.asGallery };
  return (
    <fieldset className="m-0 flex rounded-control border border-line p-0.5">
      <legend className="sr-only">{t.view}</legend>
      {VIEWS.map((one) => {
        const Icon = one === 'table' ? Rows3 : LayoutGrid;
        return (
          <button
            key={one}
            type="button"
            aria-label={names[one]}
            title={names[one]}
            aria-pressed={one === view}
            onClick={() => onChange(one)}
            className={cx(
              'grid size-7 place-items-center rounded-badge pointer-coarse:size-11',
              one === view ? 'bg-accent-soft text-read' : 'text-text-2 hover:text-text',
            )}
          >
            <Icon aria-hidden className="size-4" />
          </button>
        );
      })}
    </fieldset>
  );
}

interface GalleryProps {
  readonly vehicles: readonly Vehicle[];
  readonly search: VehicleSearch;
  readonly selection: Selection | null;
  /** Null for those who may not change the stock, and for deleted cars. */
  readonly begin: BeginAct | null;
  readonly drivingOf: (vehicle: Vehicle) => string;
}

export function StockGallery({ vehicles, search, selection, begin, drivingOf }: GalleryProps) {
  const t = useTexts(vehiclesTexts);
  return (
    <ul
      aria-label={t.label}
      className="m-0 grid list-none grid-cols-2 gap-3 p-0 sm:grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] sm:gap-4"
    >
      {vehicles.map((vehicle) => (
        <li key={vehicle.id} className="card relative flex min-w-0 flex-col overflow-hidden p-0 hover:border-line-strong">
          <CarThumb car={vehicle} className="aspect-[3/2] w-full rounded-none!" />
          {selection && (
            <span className="absolute top-2 left-2 rounded-badge bg-card p-1 shadow-pop">
              <SelectBox vehicle={vehicle} selection={selection} />
            </span>
          )}
          <div className="flex flex-1 flex-col gap-1 p-2.5 sm:p-3">
            <div className="flex items-start gap-1">
              <Link
                to="/araclar/$vehicleId"
                params={{ vehicleId: vehicle.id }}
                state={{ list: search }}
                className="min-w-0 flex-1 font-medium text-text no-underline before:absolute before:inset-x-0 before:top-0 before:aspect-[3/2] hover:underline"
              >
                {vehicle.brand} {vehicle.model} <span className="tabular font-normal text-text-2">{vehicle.model_year}</span>
              </Link>
              {begin && <VehicleRowActs vehicle={vehicle} begin={begin} />}
            </div>
            <p className="m-0 text-16 font-semibold">
              <Money amount={vehicle.price} currency={vehicle.currency} short />
            </p>
            <p className="m-0 text-12 text-text-2">{drivingOf(vehicle)}</p>
            <div className="mt-auto flex flex-wrap items-center gap-1.5 pt-1">
              <Plate plate={vehicle.plate} />
              <VehicleStatusBadge status={vehicle.status} />
              {vehicle.is_marketplace_visible && (
                <span title={t.visibleYes} className="text-read">
                  <Globe aria-hidden className="size-4" />
                  <span className="sr-only">{t.visibleYes}</span>
                </span>
              )}
              {vehicle.status !== 'Satıldı' && (
                <span className="tabular text-12 text-text-2">{t.daysShort(vehicle.days_in_stock)}</span>
              )}
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}

// Selected vehicles across pages, and the bar with bulk actions.
import { ListChecks, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Vehicle } from '../../../../src/domain/stock/vehicle-view.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/input/choices.tsx';
import type { Column } from '../../parts/table/table.tsx';
import { BulkUndo } from './bulk/bulk-undo.tsx';
import { MAX_SELECTED } from './bulk/bulk-values.ts';
import { vehicleWriteTexts } from './write-texts.ts';

// Its form is fetched when it is opened, not with every list.
const BulkDialog = lazy(async () => ({ default: (await import('./bulk/bulk-dialog.tsx')).BulkDialog }));

export interface Selection {
  readonly vehicles: ReadonlyMap<string, Vehicle>;
  toggle(vehicles: readonly Vehicle[], on: boolean): void;
  set(vehicles: readonly Vehicle[]): void;
}

export function useSelection(): Selection {
  const [vehicles, setVehicles] = useState<ReadonlyMap<string, Vehicle>>(new Map());
  return {
    vehicles,
    toggle: (some, on) => {
      const next = new Map(vehicles);
      for (const vehicle of some) {
        if (!on) next.delete(vehicle.id);
        else if (next.size < MAX_SELECTED || next.has(vehicle.id)) next.set(vehicle.id, vehicle);
      }
      setVehicles(next);
    },
    set: (some) => setVehicles(new Map(some.map((vehicle) => [vehicle.id, vehicle]))),
  };
}

export function SelectBox({ vehicle, selection }: { readonly vehicle: Vehicle; readonly selection: Selection }) {
  const w = useTexts(vehicleWriteTexts);
  return (
    <Checkbox
      aria-label={w.select(`${vehicle.brand} ${vehicle.model}, ${vehicle.plate}`)}
      checked={selection.vehicles.has(vehicle.id)}
      onChange={(on) => selection.toggle([vehicle], on)}
    />
  );
}

/** The checkbox of each row; on a card it is before the name. */
export function useSelectColumn(selection: Selection): Column<Vehicle> {
  const w = useTexts(vehicleWriteTexts);
  return {
    id: 'select',
    head: w.bulkEdit,
    headHidden: true,
    width: 'w-10',
    onCard: 'hide',
    cell: (vehicle) => <SelectBox vehicle={vehicle} selection={selection} />,
  };
}

/** Selects all vehicles of the page. */
export function SelectPage({ page, selection }: { readonly page: readonly Vehicle[]; readonly selection: Selection }) {
  const w = useTexts(vehicleWriteTexts);
  const chosen = page.filter(({ id }) => selection.vehicles.has(id)).length;
  if (page.length === 0) return null;
  return (
    <Checkbox
      label={<span className="text-13 text-text-2">{w.selectPage(page.length)}</span>}
      checked={chosen === 0 ? false : chosen === page.length ? true : 'mixed'}
      onChange={(on) => selection.toggle(page, on)}
      className="mb-1 px-3"
    />
  );
}

export function SelectionBar({ selection }: { readonly selection: Selection }) {
  const w = useTexts(vehicleWriteTexts);
  const [open, setOpen] = useState(false);
  const { size } = selection.vehicles;
  return (
    <>
      <BulkUndo />
      {size > 0 && (
        <section
          aria-label={w.bulkEdit}
          className="card sticky bottom-3 z-20 mx-auto mt-3 flex w-fit max-w-full flex-wrap items-center gap-2 px-3 py-2 shadow-pop"
        >
          <span aria-live="polite" className="text-13 font-medium">
            {w.selected(size)}
            {size === MAX_SELECTED && <span className="font-normal text-text-2"> · {w.selectedMax}</span>}
          </span>
          <Button look="primary" icon={ListChecks} onClick={() => setOpen(true)}>
            {w.bulkEdit}
          </Button>
          <Button look="quiet" icon={X} onClick={() => selection.set([])}>
            {w.unselect}
          </Button>
        </section>
      )}
      {open && (
        <Suspense fallback={null}>
          <BulkDialog vehicles={[...selection.vehicles.values()]} onDone={selection.set} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

// One vehicle, by its plate or its brand: the box, what was found below it, and the chosen one with a way to take it back.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Car, Search, X } from 'lucide-react';
import { useDeferredValue, useId, useState } from 'react';
import type { Vehicle } from '../../../src/domain/stock/vehicle-view.ts';
import { getPage } from '../api.ts';
import { useTexts } from '../language.ts';
import { IconButton } from '../parts/button.tsx';
import { Field, useFieldProps } from '../parts/field.tsx';
import { Plate } from '../parts/values.tsx';
import { VehicleName } from '../screens/tasks/task-parts.tsx';
import { tasksTexts } from '../screens/tasks/texts.ts';

const MOST = 6;

interface VehiclePickerProps {
  readonly label: string;
  readonly error?: string | undefined;
  /** The chosen one's id, '' for none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

export function VehiclePicker({ label, error, value, onChange }: VehiclePickerProps) {
  const t = useTexts(tasksTexts);
  const [isPicked, setPicked] = useState(false);
  const pick = (id: string) => {
    setPicked(true);
    onChange(id);
  };
  const clear = () => {
    setPicked(true);
    onChange('');
  };
  return (
    <Field id="vehicle_id" label={label} optional error={error} {...(value === '' ? { hint: t.vehicleHint } : {})}>
      {value === '' ? (
        <Finder onPick={pick} takesFocus={isPicked} />
      ) : (
        <Chosen id={value} takesFocus={isPicked} onClear={clear} />
      )}
    </Field>
  );
}

interface ChosenProps {
  readonly id: string;
  /** What was pressed is gone with the list: the form keeps the focus, and its keys. */
  readonly takesFocus: boolean;
  readonly onClear: () => void;
}

function Chosen({ id, takesFocus, onClear }: ChosenProps) {
  const t = useTexts(tasksTexts);
  const field = useFieldProps();
  return (
    <span
      id={field.id}
      className="flex min-h-[var(--control)] items-center gap-2 rounded-control border border-line-strong bg-subtle pl-2.5"
    >
      <Car aria-hidden className="size-4 shrink-0 text-text-3" />
      <span className="min-w-0 flex-1 wrap-anywhere">
        <VehicleName id={id} plain />
      </span>
      <IconButton label={t.vehicleClear} icon={X} onClick={onClear} autoFocus={takesFocus} />
    </span>
  );
}

/** The row finds a plate by the whole of it and a brand by its name: both are asked. */
async function findVehicles(typed: string, signal: AbortSignal): Promise<readonly Vehicle[]> {
  const pages = await Promise.all(
    [{ plate: typed.slice(0, 20) }, { brand: typed }].map((query) =>
      getPage<Vehicle>('v1/vehicles', { ...query, limit: MOST }, signal),
    ),
  );
  const found = new Map(pages.flatMap((page) => page.items).map((vehicle) => [vehicle.id, vehicle]));
  return [...found.values()].slice(0, MOST);
}

function Finder({ onPick, takesFocus }: { readonly onPick: (id: string) => void; readonly takesFocus: boolean }) {
  const t = useTexts(tasksTexts);
  const list = useId();
  const [typed, setTyped] = useState('');
  const asked = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: ['vehicles', 'picker', asked],
    queryFn: ({ signal }) => findVehicles(asked, signal),
    placeholderData: keepPreviousData,
    enabled: asked.length > 1,
  });
  const shown = asked.length > 1 ? found.data : undefined;
  return (
    <>
      <span className="relative block">
        <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-text-3" />
        <input
          {...useFieldProps()}
          type="search"
          autoComplete="off"
          maxLength={60}
          // biome-ignore lint/a11y/noAutofocus: the chosen one was taken back, and its button with it: here one goes on
          autoFocus={takesFocus}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          // Enter looks at what was found; it does not send the form around it.
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            if (shown?.length === 1) onPick(shown[0]!.id);
          }}
          aria-controls={list}
          className="input pl-8"
        />
      </span>
      <div id={list} aria-live="polite">
        {shown?.length === 0 && <p className="m-0 py-1 text-13 text-text-2">{t.vehicleNone}</p>}
        {shown !== undefined && shown.length > 0 && (
          <ul aria-label={t.vehicleResults} className="m-0 list-none overflow-hidden rounded-control border border-line p-0">
            {shown.map((vehicle) => (
              <li key={vehicle.id} className="border-b border-line last:border-b-0">
                <button
                  type="button"
                  onClick={() => onPick(vehicle.id)}
                  className="flex min-h-8 w-full flex-wrap items-center justify-between gap-x-3 px-2.5 py-1 text-start text-13 hover:bg-soon-bg pointer-coarse:min-h-11"
                >
                  <span className="font-medium">
                    {vehicle.brand} {vehicle.model} {vehicle.model_year}
                  </span>
                  <Plate plate={vehicle.plate} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

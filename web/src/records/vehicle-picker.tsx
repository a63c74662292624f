import { Car } from 'lucide-react';
import { callPage } from '../api.ts';
import { useTexts } from '../language.ts';
import { type PickerFieldProps, RecordPicker } from '../parts/record-picker.tsx';
import { Plate } from '../parts/values.tsx';
import { VehicleName } from './vehicle-name.tsx';
import { vehicleTexts } from './vehicle-texts.ts';
import type { Vehicle } from './vehicles.ts';

const MAX_FOUND = 6;

/** Picks a vehicle by plate or brand. */
export function VehiclePicker(field: PickerFieldProps) {
  const t = useTexts(vehicleTexts);
  return (
    <RecordPicker
      field={field}
      record={{
        icon: Car,
        words: t.picker,
        list: 'vehicles',
        maxLength: 60,
        find: findVehicles,
        line: ({ brand, model, model_year, plate }) => ({
          name: `${brand} ${model} ${model_year}`,
          beside: <Plate plate={plate} />,
        }),
        chosen: (id) => <VehicleName id={id} plain />,
      }}
    />
  );
}

/** The API finds whole plates and brands by separate parameters, so both are asked. */
async function findVehicles(typed: string, signal: AbortSignal): Promise<readonly Vehicle[]> {
  const pages = await Promise.all(
    [{ plate: typed.slice(0, 20) }, { brand: typed }].map((query) =>
      callPage('GET v1/vehicles', { query: { ...query, limit: MAX_FOUND }, signal }),
    ),
  );
  const found = new Map(pages.flatMap((page) => page.items).map((vehicle) => [vehicle.id, vehicle]));
  return [...found.values()].slice(0, MAX_FOUND);
}

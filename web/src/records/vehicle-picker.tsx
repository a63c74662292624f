import { Car } from 'lucide-react';
import { callPage } from '../api.ts';
import { useTexts } from '../language.ts';
import { type PickerFieldProps, RecordPicker } from '../parts/record-picker.tsx';
import { Plate } from '../parts/values.tsx';
import { VehicleName } from './vehicle-name.tsx';
import { vehicleTexts } from './vehicle-texts.ts';

const MAX_FOUND = 6;

/** Picks a vehicle by plate, brand or model. */
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
        find: async (q, signal) => (await callPage('GET v1/vehicles', { query: { q, limit: MAX_FOUND }, signal })).items,
        line: ({ brand, model, model_year, plate }) => ({
          name: `${brand} ${model} ${model_year}`,
          beside: <Plate plate={plate} />,
        }),
        chosen: (id) => <VehicleName id={id} plain />,
      }}
    />
  );
}

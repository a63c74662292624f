import { Car } from 'lucide-react';
import { callPage } from '../../api.ts';
import type { QueryOf } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { type PickerFieldProps, RecordPicker } from '../../parts/page/record-picker.tsx';
import { Money, Plate } from '../../parts/values.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { CarThumb } from './car-thumb.tsx';
import { VehicleName } from './vehicle-name.tsx';
import { vehicleTexts } from './vehicle-texts.ts';

const MAX_FOUND = 6;

interface VehiclePickerProps extends PickerFieldProps {
  /** Without vehicles that cannot be bought. */
  readonly toSell?: boolean;
  /** Only vehicles that are free to be used. */
  readonly inStock?: boolean;
}

/** Picks a vehicle by plate, brand or model. */
export function VehiclePicker({ toSell = false, inStock = false, ...field }: VehiclePickerProps) {
  const t = useTexts(vehicleTexts);
  const p = useTexts(partsTexts);
  return (
    <RecordPicker
      field={field}
      record={{
        icon: Car,
        words: t.picker,
        list: 'vehicles',
        ...(toSell ? { only: 'to sell' } : inStock ? { only: 'in stock' } : {}),
        maxLength: 60,
        find: (q, signal) =>
          toSell ? findSellable(q, signal) : find({ q, limit: MAX_FOUND, ...(inStock ? { status: 'Stokta' } : {}) }, signal),
        line: (car) => ({
          picture: <CarThumb car={car} className="h-10 w-15" />,
          name: `${car.brand} ${car.model} ${car.model_year}`,
          beside: (
            <span className="flex flex-wrap items-center gap-2">
              <span className="text-12 text-text-2">{p.vehicles[car.status]}</span>
              <Money amount={car.price} currency={car.currency} short />
              <Plate plate={car.plate} />
            </span>
          ),
        }),
        chosen: (id) => <VehicleName id={id} plain />,
      }}
    />
  );
}

const find = async (query: QueryOf<'GET vehicles/list'>, signal: AbortSignal) =>
  (await callPage('GET vehicles/list', { query, signal })).items;

/** Those in stock first: a reserved one can be sold to whom it is reserved for. */
async function findSellable(q: string, signal: AbortSignal) {
  const [inStock, reserved] = await Promise.all(
    (['Stokta', 'Rezerve'] as const).map((status) => find({ q, status, limit: MAX_FOUND }, signal)),
  );
  return [...inStock!, ...reserved!].slice(0, MAX_FOUND);
}

// The price in the list: a click opens it for typing, Enter saves, Escape leaves it.
import { useState } from 'react';
import type { Vehicle } from '../../../../src/domain/stock/vehicle-view.ts';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { amountOf, amountToSend } from '../../parts/form/form-amount.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/overlay/toast.tsx';
import { Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { typedOf } from '../../records/amounts.ts';
import { useVehiclesChanged } from './data.ts';
import { vehicleWriteTexts } from './write-texts.ts';

type Priced = Pick<Vehicle, 'id' | 'plate' | 'price' | 'currency' | 'status'>;

export function PriceCell({ vehicle }: { readonly vehicle: Priced }) {
  const w = useTexts(vehicleWriteTexts);
  const may = useMay('vehicles:write') && (vehicle.status === 'Stokta' || vehicle.status === 'Rezerve');
  const [isOpen, setOpen] = useState(false);
  const shown = <Money amount={vehicle.price} currency={vehicle.currency} short />;
  if (!may) return shown;
  if (isOpen) return <PriceInput vehicle={vehicle} onClose={() => setOpen(false)} />;
  return (
    <button
      type="button"
      title={w.editPrice(vehicle.plate)}
      onClick={() => setOpen(true)}
      className="tabular -mx-1 min-h-6 rounded-control px-1 hover:bg-soon-bg hover:underline"
    >
      {shown}
    </button>
  );
}

function PriceInput({ vehicle, onClose }: { readonly vehicle: Priced; readonly onClose: () => void }) {
  const w = useTexts(vehicleWriteTexts);
  const [typed, setTyped] = useState(typedOf(vehicle.price, useLocale()));
  const changed = useVehiclesChanged();
  const write = useWrite({
    send: (body: RawBody<'PATCH v1/vehicles/{vehicle_id}'>, headers) =>
      call('PATCH v1/vehicles/{vehicle_id}', { params: { vehicle_id: vehicle.id }, rawBody: body, headers }),
    onDone: async () => {
      notify({ title: w.priceSaved(vehicle.plate) });
      await changed();
      onClose();
    },
  });
  const isAmount = amountOf(typed) !== undefined;
  const save = () => {
    if (!isAmount) return;
    if (amountToSend(typed) === vehicle.price) onClose();
    else write.run({ price: amountToSend(typed) });
  };
  return (
    <span className="inline-flex flex-col items-end gap-1">
      <input
        // biome-ignore lint/a11y/noAutofocus: it replaces the price that was pressed
        autoFocus
        inputMode="decimal"
        aria-label={w.editPrice(vehicle.plate)}
        aria-invalid={!isAmount || write.error !== null || undefined}
        disabled={write.isPending}
        value={typed}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={onClose}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
          if (event.key === 'Escape') onClose();
          event.stopPropagation();
        }}
        className="input tabular w-28 text-end"
      />
      {write.error && (
        <span role="alert" className="text-12 text-danger">
          {write.error.message}
        </span>
      )}
    </span>
  );
}

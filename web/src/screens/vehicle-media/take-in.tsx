// What follows an agreement between dealers: the buyer takes the car into stock with its photos, the seller marks it as sold.
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CarFront, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountToSend } from '../../parts/form/form-amount.ts';
import { type FieldsOf, MoneyField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useMay } from '../../permissions.ts';
import { type CarCard, carName, useNetworkChanged } from '../../records/network/network.ts';
import { useFormat } from '../../session.ts';
import { uploadsOf } from './photo-uploads.ts';
import { takeInTexts } from './take-in-texts.ts';

export interface Deal {
  /** Of the offer, the swap or the auction: a car is taken in once for each. */
  readonly id: string;
  readonly car: CarCard;
  /** Null for a swap, which agrees on a difference and no price. */
  readonly amount: string | null;
  readonly currency: string;
}

export function TakeIn({ deal }: { readonly deal: Deal }) {
  const t = useTexts(takeInTexts);
  const may = useMay('vehicles:write');
  const [isOpen, setOpen] = useState(false);
  if (!may) return null;
  return (
    <>
      <Button look="primary" icon={CarFront} onClick={() => setOpen(true)}>
        {t.takeIn}
      </Button>
      {isOpen && <TakeInForm deal={deal} onClose={() => setOpen(false)} />}
    </>
  );
}

function TakeInForm({ deal: { id, car, amount, currency }, onClose }: { readonly deal: Deal; readonly onClose: () => void }) {
  const t = useTexts(takeInTexts);
  const format = useFormat();
  const navigate = useNavigate();
  const client = useQueryClient();
  const form = useForm({ plate: '', price: '', currency });
  const write = useWrite({
    send: (body: RawBody<'POST v1/vehicles'>, headers) => call('POST v1/vehicles', { rawBody: body, headers }),
    onDone: async (vehicle) => {
      form.release();
      onClose();
      void copyPhotos(car.photos, vehicle.id, t.photosLeft);
      notify({ title: t.done });
      await client.invalidateQueries({ queryKey: ['vehicles'] });
      await navigate({ to: '/araclar/$vehicleId', params: { vehicleId: vehicle.id } });
    },
  });
  const names = { plate: t.plate, price: t.price };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  const submit = () => {
    const { photos: _, ...copied } = car;
    write.run({
      ...copied,
      plate: form.values.plate,
      price: amountToSend(form.values.price),
      currency: form.values.currency,
      source: amount === null ? 'Takas' : 'Satın Alma',
      ...(amount === null ? {} : { purchase_price: amount, purchase_currency: currency }),
      external_ref: `network-${id}`,
    });
  };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={submit}
      onClose={onClose}
      title={t.title(carName(car))}
      description={amount === null ? t.textOfSwap : t.text(format.money(amount, currency))}
      action={t.takeIn}
    >
      <TextField of={of} name="plate" maxLength={20} autoFocus />
      <MoneyField of={of} name="price" currency="currency" />
    </FormLayer>
  );
}

/** The pictures of the card, sent like photos of one's own. */
async function copyPhotos(urls: readonly string[], vehicleId: string, left: (n: number) => string): Promise<void> {
  const copied = await Promise.all(
    urls.map(async (url, at) => {
      const reply = await fetch(url).catch(() => null);
      return reply?.ok ? new File([await reply.blob()], `${at + 1}.jpg`, { type: 'image/jpeg' }) : null;
    }),
  );
  const files = copied.filter((file) => file !== null);
  if (files.length > 0) uploadsOf(vehicleId).add(files);
  if (files.length < urls.length) notify({ title: left(urls.length - files.length), failed: true });
}

interface MarkSoldProps {
  readonly vehicleId: string;
  /** Null for a swap. */
  readonly amount: string | null;
  readonly currency: string;
}

export function MarkSold({ vehicleId, amount, currency }: MarkSoldProps) {
  const t = useTexts(takeInTexts);
  const format = useFormat();
  const may = useMay('vehicles:write');
  const changed = useNetworkChanged();
  const [isOpen, setOpen] = useState(false);
  const write = useWrite({
    send: (_: undefined, headers) =>
      call('POST v1/vehicles/{vehicle_id}/mark-sold', {
        params: { vehicle_id: vehicleId },
        rawBody: amount === null ? {} : { sold_price: amount, sold_currency: currency },
        headers,
      }),
    onDone: () => {
      notify({ title: t.sold });
      return changed();
    },
  });
  if (!may) return null;
  return (
    <>
      <Button look="primary" icon={CircleCheck} onClick={() => setOpen(true)}>
        {t.markSold}
      </Button>
      {isOpen && (
        <ConfirmDialog
          open
          onClose={() => setOpen(false)}
          title={t.soldTitle}
          action={t.markSold}
          run={() => write.runAndWait(undefined)}
        >
          <p className="m-0">{amount === null ? t.soldTextOfSwap : t.soldText(format.money(amount, currency))}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

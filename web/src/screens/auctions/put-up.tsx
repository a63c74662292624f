// «Müzayedeye çıkar»: a car in stock, its prices, and when it ends.

import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountOf, amountToSend } from '../../parts/form/form-amount.ts';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useAuctionsChanged } from '../../records/auctions/auctions.ts';
import { SandboxRule } from '../../records/sandbox/sandbox-rule.tsx';
import { VehiclePicker } from '../../records/vehicles/vehicle-picker.tsx';
import { auctionsTexts } from './texts.ts';

export function PutUp({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(auctionsTexts);
  const navigate = useNavigate();
  const changed = useAuctionsChanged();
  const form = useForm({ vehicle_id: '', start_price: '', min_increment: '', reserve_price: '', starts_at: '', ends_at: '' });
  const write = useWrite({
    send: (typed: RawBody<'POST v1/network-auctions'>, headers) =>
      call('POST v1/network-auctions', { rawBody: withoutEmpty(typed), headers }),
    onDone: ({ id }) => {
      notify({ title: t.isUp });
      form.release();
      onClose();
      void changed();
      return navigate({ to: '/muzayede/ag/$auctionId', params: { auctionId: id } });
    },
  });
  const names = {
    vehicle_id: t.car,
    start_price: t.startPrice,
    min_increment: t.step,
    reserve_price: t.reserve,
    starts_at: t.starts,
    ends_at: t.ends,
  };
  const of = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(bodyOf(form.values))}
      onClose={onClose}
      title={t.putUp}
      description={t.putUpText}
      action={t.putUp}
    >
      <VehiclePicker
        inStock
        label={t.car}
        id="vehicle_id"
        error={problemOf(write.error, 'vehicle_id', t.car)}
        value={form.values.vehicle_id}
        onChange={(id) => form.set('vehicle_id', id)}
      />
      <TextField of={of} name="start_price" inputMode="decimal" hint={t.carCurrency} />
      <SandboxRule endpoint="POST network-auctions" field="start_price" value={amountOf(form.values.start_price)} />
      <TextField of={of} name="min_increment" inputMode="decimal" />
      <TextField of={of} name="reserve_price" inputMode="decimal" optional hint={t.reserveHint} />
      <TextField of={of} name="starts_at" type="datetime-local" optional hint={t.startsHint} />
      <TextField of={of} name="ends_at" type="datetime-local" hint={t.endsHint} />
    </FormLayer>
  );
}

/** What a browser's clock says, as an instant; what it cannot read goes as it is and is refused at its field. */
const instantOf = (local: string): string => (Number.isNaN(Date.parse(local)) ? local : new Date(local).toISOString());

type Typed = Readonly<Record<'vehicle_id' | 'start_price' | 'min_increment' | 'reserve_price' | 'starts_at' | 'ends_at', string>>;

const bodyOf = ({ vehicle_id, start_price, min_increment, reserve_price, starts_at, ends_at }: Typed) => ({
  vehicle_id,
  start_price: amountToSend(start_price),
  min_increment: amountToSend(min_increment),
  ...(reserve_price === '' ? {} : { reserve_price: amountToSend(reserve_price) }),
  ...(starts_at === '' ? {} : { starts_at: instantOf(starts_at) }),
  ends_at: instantOf(ends_at),
});

// Asking the platform to sell a car in a live event, or changing what was asked while it waits.

import { useQuery } from '@tanstack/react-query';
import { call, callPage } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountOf, amountToSend } from '../../parts/form/form-amount.ts';
import { filled } from '../../parts/form/form-body.ts';
import { ChoiceField, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { AUCTIONS, type AuctionRequest, useAuctionsChanged } from '../../records/auctions/auctions.ts';
import { SandboxRule } from '../../records/sandbox/sandbox-rule.tsx';
import { VehiclePicker } from '../../records/vehicles/vehicle-picker.tsx';
import { useFormat } from '../../session.ts';
import { auctionsTexts } from './texts.ts';

interface RequestFormProps {
  /** Null for a new one. */
  readonly request: AuctionRequest | null;
  readonly onClose: () => void;
}

export function RequestForm({ request, onClose }: RequestFormProps) {
  const t = useTexts(auctionsTexts);
  const form = useForm({
    vehicle_id: request?.vehicle_id ?? '',
    start_price: request?.start_price ?? '',
    reserve_price: request?.reserve_price ?? '',
    min_increment: request?.min_increment ?? '',
    event_id: request?.event_id ?? '',
    note: request?.note ?? '',
  });
  const write = useSend(request, () => {
    form.release();
    onClose();
  });
  const events = useEventOptions();
  const names = {
    vehicle_id: t.car,
    start_price: t.startPrice,
    reserve_price: t.reserve,
    min_increment: t.step,
    event_id: t.wish,
    note: t.note,
  };
  const of = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(form.values)}
      onClose={onClose}
      title={request === null ? t.ask : t.editTitle}
      description={t.askText}
      action={request === null ? t.ask : t.save}
    >
      {request === null && (
        <VehiclePicker
          inStock
          label={t.car}
          id="vehicle_id"
          error={problemOf(write.error, 'vehicle_id', t.car)}
          value={form.values.vehicle_id}
          onChange={(id) => form.set('vehicle_id', id)}
        />
      )}
      <TextField of={of} name="start_price" inputMode="decimal" hint={t.carCurrency} />
      <TextField of={of} name="reserve_price" inputMode="decimal" optional hint={t.reserveHint} />
      <SandboxRule
        endpoint={request === null ? 'POST auction-requests' : 'PATCH auction-requests/{request_id}'}
        field="reserve_price"
        value={amountOf(form.values.reserve_price || form.values.start_price)}
      />
      <TextField of={of} name="min_increment" inputMode="decimal" optional />
      <ChoiceField of={of} name="event_id" options={events} none={t.anyEvent} optional />
      <LinesField of={of} name="note" rows={3} maxLength={2000} optional />
    </FormLayer>
  );
}

function useSend(request: AuctionRequest | null, onDone: () => void) {
  const t = useTexts(auctionsTexts);
  const changed = useAuctionsChanged();
  return useWrite({
    send: (values: Typed, headers): Promise<AuctionRequest> =>
      request === null
        ? call('POST v1/auction-requests', { rawBody: createBody(values), headers })
        : call('PATCH v1/auction-requests/{request_id}', {
            params: { request_id: request.id },
            rawBody: editBody(values),
            headers,
          }),
    onDone: () => {
      notify({ title: request === null ? t.isAsked : t.isSaved });
      onDone();
      void changed();
    },
  });
}

/** Events that are still to come. */
function useEventOptions() {
  const format = useFormat();
  const events = useQuery({
    queryKey: [AUCTIONS, 'planned-events'],
    queryFn: ({ signal }) => callPage('GET v1/live-auctions', { query: { status: 'Planlandı', limit: 50 }, signal }),
  });
  return (events.data?.items ?? []).map(({ id, title, starts_at }) => ({
    value: id,
    label: `${title} · ${format.dateTime(starts_at)}`,
  }));
}

type Typed = Readonly<Record<'vehicle_id' | 'start_price' | 'reserve_price' | 'min_increment' | 'event_id' | 'note', string>>;

/** An edit clears what is empty; of a new request it is not sent. */
export const editBody = (values: Typed): RawBody<'PATCH v1/auction-requests/{request_id}'> => ({
  start_price: amountToSend(values.start_price),
  reserve_price: filled(values.reserve_price, amountToSend) ?? null,
  min_increment: filled(values.min_increment, amountToSend) ?? null,
  event_id: filled(values.event_id) ?? null,
  note: filled(values.note) ?? null,
});

export const createBody = (values: Typed): RawBody<'POST v1/auction-requests'> => ({
  vehicle_id: filled(values.vehicle_id),
  start_price: filled(values.start_price, amountToSend),
  reserve_price: filled(values.reserve_price, amountToSend),
  min_increment: filled(values.min_increment, amountToSend),
  event_id: filled(values.event_id),
  note: filled(values.note),
});

// Dialogs of actions on a vehicle that need input: reserve, release with a deposit, mark as sold, publish.

import { COLLECTION_METHODS, DISPOSITIONS } from '../../../../src/domain/installments/sales-states.ts';
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { dayIn } from '../../../../src/kit/clock.ts';
import { call } from '../../api.ts';
import { businessNow } from '../../clock.ts';
import type { RawBody } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountToSend } from '../../parts/form/form-amount.ts';
import { filled, withoutEmpty } from '../../parts/form/form-body.ts';
import { ChoiceField, type FieldsOf, LinesField, MoneyField, TextField } from '../../parts/form/form-fields.tsx';
import { type FormValues, useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { CustomerPicker } from '../../records/customers/customer-picker.tsx';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { useFormat } from '../../session.ts';
import { useVehiclesChanged } from './data.ts';
import { vehicleWriteTexts } from './write-texts.ts';

interface ActProps {
  readonly vehicle: VehicleDetail;
  readonly onClose: () => void;
}

type SendAct<Body> = (body: Body, headers: Readonly<Record<string, string>>) => Promise<VehicleDetail>;

/** The form of an action: sends it, shows a message, and closes the dialog. */
function useAct<V extends FormValues, Body>({ onClose }: ActProps, initial: V, done: string, send: SendAct<Body>) {
  const changed = useVehiclesChanged();
  const form = useForm(initial);
  const write = useWrite({
    send,
    onDone: (now) => {
      notify({ title: done });
      onClose();
      return changed(now);
    },
  });
  return { form, write };
}

const DAY = 86_400_000;

const reservationForm = ({ reservation, currency }: VehicleDetail) => ({
  customer_id: reservation?.customer_id ?? '',
  reserved_until: reservation?.reserved_until ?? '',
  deposit_amount: '',
  deposit_currency: currency as string,
  deposit_method: 'Nakit',
  note: '',
});
type ReservationForm = ReturnType<typeof reservationForm>;

/** Currency and method belong to a deposit. */
export function reservationBody(values: ReservationForm): RawBody<'POST v1/vehicles/{vehicle_id}/reserve'> {
  const amount = filled(values.deposit_amount, amountToSend);
  return {
    customer_id: filled(values.customer_id),
    reserved_until: filled(values.reserved_until),
    note: filled(values.note),
    deposit_amount: amount,
    deposit_currency: amount === undefined ? undefined : values.deposit_currency,
    deposit_method: amount === undefined ? undefined : values.deposit_method,
  };
}

export function ReserveDialog(props: ActProps) {
  const { id, reservation } = props.vehicle;
  const params = { vehicle_id: id };
  const w = useTexts(vehicleWriteTexts);
  const { zone } = useFormat();
  const initial = reservationForm(props.vehicle);
  const { form, write } = useAct(
    props,
    initial,
    reservation ? w.reservationChanged : w.reserved,
    (typed: RawBody<'POST v1/vehicles/{vehicle_id}/reserve'>, headers) =>
      call('POST v1/vehicles/{vehicle_id}/reserve', { params, rawBody: withoutEmpty(typed), headers }),
  );
  const names = {
    customer_id: w.customer,
    reserved_until: w.reservedUntil,
    deposit_amount: w.deposit,
    deposit_currency: w.deposit,
    deposit_method: w.depositMethod,
    note: w.note,
  };
  const of: FieldsOf<ReservationForm> = { form, error: write.error, names };
  const submit = () => write.run(reservationBody(form.values));
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={submit}
      onClose={props.onClose}
      title={reservation ? w.changeReservation : w.reserve}
      action={reservation ? w.changeReservation : w.reserve}
    >
      <CustomerPicker
        id="customer_id"
        label={w.customer}
        // The customer of an existing reservation cannot be changed.
        optional={!reservation}
        isFixed={reservation !== null}
        error={problemOf(write.error, 'customer_id', w.customer)}
        value={form.values.customer_id}
        onChange={(id) => form.set('customer_id', id)}
      />
      <TextField
        of={of}
        name="reserved_until"
        type="date"
        optional
        hint={w.reservedUntilHint}
        min={dayIn(businessNow(), zone)}
        max={dayIn(new Date(businessNow().getTime() + 90 * DAY), zone)}
      />
      <DepositFields of={of} paid={reservation?.deposit ?? null} />
      <LinesField of={of} name="note" rows={2} maxLength={2000} optional />
    </FormLayer>
  );
}

interface DepositProps {
  readonly of: FieldsOf<ReservationForm>;
  /** A deposit that was paid before. */
  readonly paid: NonNullable<VehicleDetail['reservation']>['deposit'];
}

function DepositFields({ of, paid }: DepositProps) {
  const w = useTexts(vehicleWriteTexts);
  const locale = useLocale();
  const { money } = useFormat();
  const { form } = of;
  return (
    <>
      {paid ? (
        <p className="m-0 text-13 text-text-2">{w.depositPaid(money(paid.amount, paid.currency))}</p>
      ) : (
        <>
          <MoneyField of={of} name="deposit_amount" currency="deposit_currency" optional hint={w.depositHint} />
          {form.values.deposit_amount.trim() !== '' && (
            <ChoiceField
              of={of}
              name="deposit_method"
              options={COLLECTION_METHODS.map((value) => ({ value, label: saleWord(locale, value) }))}
            />
          )}
        </>
      )}
    </>
  );
}

interface DispositionProps extends Pick<ActProps, 'vehicle'> {
  readonly of: FieldsOf<{ readonly deposit_disposition: string }>;
}

/** What becomes of the customer's deposit, where the car is no longer held for them. */
function DispositionField({ of, vehicle }: DispositionProps) {
  const w = useTexts(vehicleWriteTexts);
  const locale = useLocale();
  const { money } = useFormat();
  const deposit = vehicle.reservation?.deposit;
  if (!deposit) return null;
  return (
    <ChoiceField
      of={of}
      name="deposit_disposition"
      hint={w.dispositionHint(money(deposit.amount, deposit.currency))}
      options={[
        { value: '', label: w.chooseDisposition },
        ...DISPOSITIONS.map((value) => ({ value, label: saleWord(locale, value) })),
      ]}
    />
  );
}

/** Releases a reservation with a deposit, which must be refunded or kept. */
export function ReleaseDialog(props: ActProps) {
  const w = useTexts(vehicleWriteTexts);
  const params = { vehicle_id: props.vehicle.id };
  const { form, write } = useAct(
    props,
    { deposit_disposition: '' },
    w.released,
    (typed: RawBody<'PATCH v1/vehicles/{vehicle_id}'>, headers) =>
      call('PATCH v1/vehicles/{vehicle_id}', { params, rawBody: typed, headers }),
  );
  const names = { deposit_disposition: w.deposit };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run({ status: 'Stokta', deposit_disposition: filled(form.values.deposit_disposition) })}
      onClose={props.onClose}
      title={w.releaseTitle}
      description={w.releaseText}
      action={w.release}
    >
      <DispositionField of={of} vehicle={props.vehicle} />
    </FormLayer>
  );
}

export function SoldDialog(props: ActProps) {
  const { vehicle, onClose } = props;
  const w = useTexts(vehicleWriteTexts);
  const { zone } = useFormat();
  const today = dayIn(businessNow(), zone);
  const initial = {
    sold_at: today,
    sold_price: '',
    sold_currency: vehicle.currency as string,
    deposit_disposition: '',
    note: '',
  };
  const { form, write } = useAct(props, initial, w.sold, (typed: RawBody<'POST v1/vehicles/{vehicle_id}/mark-sold'>, headers) =>
    call('POST v1/vehicles/{vehicle_id}/mark-sold', {
      params: { vehicle_id: vehicle.id },
      rawBody: withoutEmpty(typed),
      headers,
    }),
  );
  const names = {
    sold_at: w.soldAt,
    sold_price: w.soldPrice,
    sold_currency: w.soldPrice,
    deposit_disposition: w.deposit,
    note: w.note,
  };
  const of: FieldsOf<typeof initial> = { form, error: write.error, names };
  const submit = () => {
    const { sold_at, sold_price, sold_currency, deposit_disposition, note } = form.values;
    const price = filled(sold_price, amountToSend);
    write.run({
      sold_at: filled(sold_at),
      sold_price: price,
      sold_currency: price === undefined ? undefined : sold_currency,
      deposit_disposition: filled(deposit_disposition),
      note: filled(note),
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
      title={w.markSold}
      description={w.soldText}
      action={w.markSold}
    >
      <TextField of={of} name="sold_at" type="date" max={today} />
      <MoneyField of={of} name="sold_price" currency="sold_currency" optional />
      <DispositionField of={of} vehicle={vehicle} />
      <LinesField of={of} name="note" rows={2} maxLength={2000} optional />
    </FormLayer>
  );
}

export function PublishDialog(props: ActProps) {
  const w = useTexts(vehicleWriteTexts);
  const initial = { title: '', description: '' };
  const { form, write } = useAct(
    props,
    initial,
    w.published,
    (typed: RawBody<'POST v1/vehicles/{vehicle_id}/publish'>, headers) =>
      call('POST v1/vehicles/{vehicle_id}/publish', {
        params: { vehicle_id: props.vehicle.id },
        rawBody: withoutEmpty(typed),
        headers,
      }),
  );
  const names = { title: w.listingTitle, description: w.listingText };
  const of: FieldsOf<typeof initial> = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run({ title: filled(form.values.title), description: filled(form.values.description) })}
      onClose={props.onClose}
      title={w.publish}
      description={w.publishText}
      action={w.publish}
    >
      <TextField of={of} name="title" maxLength={120} optional />
      <LinesField of={of} name="description" maxLength={5000} optional />
    </FormLayer>
  );
}

// The terms of an offer; the server draws it when it is opened or sent.
import { Share2 } from 'lucide-react';
import type { VehicleDetail } from '../../../../../src/domain/stock/vehicle-view.ts';
import { addressOf, envelopeOf, refusal } from '../../../api.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { FormLayer } from '../../../parts/form/form.tsx';
import { amountToSend, wholeToSend } from '../../../parts/form/form-amount.ts';
import { filled } from '../../../parts/form/form-body.ts';
import { ChoiceField, type FieldsOf, TextField } from '../../../parts/form/form-fields.tsx';
import { useForm } from '../../../parts/form/form-state.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { typedOf } from '../../../records/amounts.ts';
import { openPaper } from '../../../records/documents/paper-store.ts';
import { useToday } from '../../../records/sales/sales.ts';
import { carPapersTexts } from './car-papers-texts.ts';

export type OfferedVehicle = Pick<VehicleDetail, 'id' | 'brand' | 'model' | 'price'>;

/** An offer is valid for a week unless another day is chosen. */
const VALID_DAYS = 7;

const weekAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + VALID_DAYS * 86_400_000).toISOString().slice(0, 10);

export function OfferDialog({ vehicle, onClose }: { readonly vehicle: OfferedVehicle; readonly onClose: () => void }) {
  const t = useTexts(carPapersTexts);
  const locale = useLocale();
  const today = useToday();
  const form = useForm({
    price: typedOf(vehicle.price, locale),
    down_payment: '',
    finance_charge: '',
    installment_count: '',
    first_due_date: '',
    valid_until: weekAfter(today),
    customer: '',
    language: locale as string,
  });
  const { values } = form;
  const href = offerAddress(vehicle.id, values);
  const title = t.offerOf(`${vehicle.brand} ${vehicle.model}`);
  // It is drawn before it is shown or sent, so that a refusal is shown here.
  const show = useWrite({
    send: () => fileAt(href),
    onDone: () => {
      onClose();
      openPaper({ title, forms: [{ href }] });
    },
  });
  const share = useWrite({
    send: () => fileAt(href),
    onDone: (file) => navigator.share({ files: [file], title }).catch(() => {}),
  });
  const error = show.error ?? share.error;
  const { price, down_payment, finance_charge, installment_count, first_due_date, valid_until, customer, language } = t;
  const names = { price, down_payment, finance_charge, installment_count, first_due_date, valid_until, customer, language };
  const of: FieldsOf<typeof values> = { form, error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={error}
      isBusy={show.isPending}
      onSubmit={() => show.run(undefined)}
      onClose={onClose}
      title={title}
      description={t.offerText}
      action={t.open}
    >
      <div className="grid grid-cols-1 gap-x-4 gap-y-3 sm:grid-cols-2">
        <TextField of={of} name="price" inputMode="decimal" />
        <TextField of={of} name="down_payment" inputMode="decimal" optional />
        <TextField of={of} name="installment_count" inputMode="numeric" maxLength={3} optional hint={t.installmentHint} />
        <TextField of={of} name="finance_charge" inputMode="decimal" optional />
        <TextField of={of} name="first_due_date" type="date" min={today} optional />
        <TextField of={of} name="valid_until" type="date" min={today} />
        <TextField of={of} name="customer" maxLength={120} optional />
        <ChoiceField
          of={of}
          name="language"
          options={[
            { value: 'tr', label: 'Türkçe' },
            { value: 'en', label: 'English' },
          ]}
        />
      </div>
      {canShareFiles() && (
        <Button icon={Share2} busy={share.isPending} onClick={() => share.run(undefined)}>
          {t.share}
        </Button>
      )}
    </FormLayer>
  );
}

type Terms = Readonly<
  Record<
    | 'price'
    | 'down_payment'
    | 'finance_charge'
    | 'installment_count'
    | 'first_due_date'
    | 'valid_until'
    | 'customer'
    | 'language',
    string
  >
>;

const offerAddress = (vehicleId: string, terms: Terms): string =>
  addressOf('GET vehicles/{vehicle_id}/offer.pdf', {
    params: { vehicle_id: vehicleId },
    query: {
      price: filled(terms.price, amountToSend),
      down_payment: filled(terms.down_payment, amountToSend),
      finance_charge: filled(terms.finance_charge, amountToSend),
      installment_count: filled(terms.installment_count, wholeToSend),
      first_due_date: filled(terms.first_due_date),
      valid_until: terms.valid_until,
      customer: filled(terms.customer),
      language: terms.language,
    } as never,
  });

async function fileAt(href: string): Promise<File> {
  const response = await fetch(href);
  if (!response.ok) throw refusal(response.status, envelopeOf(await response.text()), response.headers.get('x-request-id'));
  return new File([await response.blob()], 'teklif.pdf', { type: 'application/pdf' });
}

const canShareFiles = (): boolean =>
  navigator.canShare?.({ files: [new File([], 'teklif.pdf', { type: 'application/pdf' })] }) ?? false;

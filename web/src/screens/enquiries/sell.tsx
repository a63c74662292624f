// The customer and the sale in one act. A customer with the same telephone number is offered first.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { EnquiryDetail } from '../../../../src/domain/enquiries/enquiry-list.ts';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { amountToSend, wholeToSend } from '../../parts/form/form-amount.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { ErrorSummary, problemOf } from '../../parts/input/error-summary.tsx';
import { Field, Select, TextInput } from '../../parts/input/field.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { enquiriesTexts } from '../../records/enquiries/enquiries-texts.ts';
import { VehiclePicker } from '../../records/vehicles/vehicle-picker.tsx';
import { vehicleQuery } from '../../records/vehicles/vehicles.ts';
import { useEnquiryChanged } from './changed.ts';

export function SellToEnquiry({ enquiry }: { readonly enquiry: EnquiryDetail }) {
  const t = useTexts(enquiriesTexts);
  const [isOpen, setOpen] = useState(false);
  const maySell = useMay('sales:write');
  if (!maySell) return null;
  if (!isOpen)
    return (
      <span>
        <Button look="primary" onClick={() => setOpen(true)}>
          {t.sell}
        </Button>
      </span>
    );
  return <SaleForm enquiry={enquiry} />;
}

function SaleForm({ enquiry }: { readonly enquiry: EnquiryDetail }) {
  const t = useTexts(enquiriesTexts);
  const params = { enquiry_id: enquiry.id };
  const matches = useQuery({
    queryKey: ['enquiry-matches', enquiry.id],
    queryFn: ({ signal }) => call('GET enquiries/{enquiry_id}/matches', { params, signal }),
  });
  const found = matches.data ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const customer = chosen ?? enquiry.customer_id ?? found[0]?.id ?? '';
  const [car, setCar] = useState(enquiry.vehicle_id ?? '');
  const [terms, setTerms] = useState(NO_TERMS);
  const person = customer === '' ? {} : { customer_id: customer };
  const { sell, convert } = useActs(enquiry.id);
  const names = { sale_price: t.price, down_payment: t.down, installment_count: t.count, vehicle_id: t.vehicle };
  const error = sell.error ?? convert.error;
  return (
    <form
      noValidate
      className="card flex flex-col gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        sell.run({
          ...person,
          ...(car === '' ? {} : { vehicle_id: car }),
          sale_price: amountToSend(terms.price),
          ...(terms.down.trim() === '' ? {} : { down_payment: amountToSend(terms.down) }),
          ...(terms.count.trim() === '' ? {} : { installment_count: wholeToSend(terms.count) }),
        });
      }}
    >
      <p className="m-0 text-13 text-text-2">{t.sellText}</p>
      <ErrorSummary error={error} names={names} />
      {found.length > 0 && enquiry.customer_id === null && <Buyer found={found} value={customer} onChange={setChosen} />}
      <VehiclePicker
        id="vehicle_id"
        label={t.vehicle}
        value={car}
        onChange={setCar}
        toSell
        error={problemOf(error, 'vehicle_id', t.vehicle)}
      />
      <Terms value={terms} onChange={setTerms} car={car} error={error} />
      <span className="flex flex-wrap gap-2">
        <Button look="primary" type="submit" busy={sell.isPending} disabled={matches.isPending}>
          {t.sell}
        </Button>
        {enquiry.customer_id === null && (
          <Button busy={convert.isPending} disabled={matches.isPending} onClick={() => convert.run(person)}>
            {t.toCustomer}
          </Button>
        )}
      </span>
    </form>
  );
}

const NO_TERMS = { price: '', down: '', count: '' };

interface TermsProps {
  readonly value: typeof NO_TERMS;
  readonly onChange: (terms: typeof NO_TERMS) => void;
  readonly car: string;
  readonly error: unknown;
}

function Terms({ value, onChange, car, error }: TermsProps) {
  const t = useTexts(enquiriesTexts);
  const asked = useQuery({ ...vehicleQuery(car), enabled: car !== '' }).data;
  const hint = asked && (
    <>
      {t.asked} <Money amount={asked.price} currency={asked.currency} />
    </>
  );
  return (
    <>
      <Field id="sale_price" label={t.price} hint={hint} error={problemOf(error, 'sale_price', t.price)}>
        <TextInput inputMode="decimal" value={value.price} maxLength={20} onChange={(price) => onChange({ ...value, price })} />
      </Field>
      <Field id="down_payment" label={t.down} error={problemOf(error, 'down_payment', t.down)}>
        <TextInput inputMode="decimal" value={value.down} maxLength={20} onChange={(down) => onChange({ ...value, down })} />
      </Field>
      <Field id="installment_count" label={t.count} error={problemOf(error, 'installment_count', t.count)}>
        <TextInput inputMode="numeric" value={value.count} maxLength={3} onChange={(count) => onChange({ ...value, count })} />
      </Field>
    </>
  );
}

/** The sale with the customer, and the customer alone. */
function useActs(id: string) {
  const t = useTexts(enquiriesTexts);
  const client = useQueryClient();
  const navigate = useNavigate();
  const changed = useEnquiryChanged();
  const params = { enquiry_id: id };
  const sell = useWrite({
    send: (body: RawBody<'POST enquiries/{enquiry_id}/sale'>, headers) =>
      call('POST enquiries/{enquiry_id}/sale', { params, rawBody: body, headers }),
    onDone: ({ id }) => {
      notify({ title: t.sold });
      client.invalidateQueries();
      navigate({ to: '/satislar/$saleId', params: { saleId: id } });
    },
  });
  const convert = useWrite({
    send: (body: RawBody<'POST enquiries/{enquiry_id}/customer'>, headers) =>
      call('POST enquiries/{enquiry_id}/customer', { params, rawBody: body, headers }),
    onDone: changed,
  });
  return { sell, convert };
}

interface BuyerProps {
  readonly found: readonly { readonly id: string; readonly first_name: string; readonly last_name: string }[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** A customer who has the telephone number already, or a new one. */
function Buyer({ found, value, onChange }: BuyerProps) {
  const t = useTexts(enquiriesTexts);
  const known = found.map(({ id, first_name, last_name }) => ({ value: id, label: `${first_name} ${last_name}` }));
  return (
    <Field label={t.existing}>
      <Select value={value} options={[...known, { value: '', label: t.newCustomer }]} onChange={onChange} />
    </Field>
  );
}

// Adds a person who called or came.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ENTERED_SOURCES } from '../../../../src/domain/enquiries/enquiry-states.ts';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { useWrite } from '../../parts/form/form-write.ts';
import { ErrorSummary, problemOf } from '../../parts/input/error-summary.tsx';
import { Field, Select, TextArea, TextInput } from '../../parts/input/field.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { enquiriesTexts } from '../../records/enquiries/enquiries-texts.ts';
import { VehiclePicker } from '../../records/vehicles/vehicle-picker.tsx';
import { useSession } from '../../session.ts';

/** `onClose` gets the enquiry to open, or null. */
export function NewEnquiry({ onClose }: { readonly onClose: (id: string | null) => void }) {
  const t = useTexts(enquiriesTexts);
  const client = useQueryClient();
  const { account } = useSession();
  const [name, setName] = useState('');
  const [phone, setPhone] = useState('');
  const [message, setMessage] = useState('');
  const [source, setSource] = useState<string>(ENTERED_SOURCES[0]);
  const [vehicle, setVehicle] = useState('');
  const names = { name: t.name, phone: t.phone, message: t.message, vehicle_id: t.vehicle };
  const write = useWrite({
    send: (body: RawBody<'POST enquiries'>, headers) => call('POST enquiries', { rawBody: body, headers }),
    onDone: (saved) => {
      const isSeen = 'stage' in saved;
      notify({ title: !isSeen ? t.passedOn : saved.is_new ? t.added : t.joined });
      client.invalidateQueries({ queryKey: ['enquiries'] });
      onClose(isSeen ? saved.id : null);
    },
  });
  const body = {
    name,
    phone,
    source: source as (typeof ENTERED_SOURCES)[number],
    message: message.trim() === '' ? null : message,
    vehicle_id: vehicle === '' ? null : vehicle,
    owner_id: account?.member_id ?? null,
  };
  return (
    <Dialog open onClose={() => onClose(null)} title={t.create}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          write.run(body);
        }}
      >
        <ErrorSummary error={write.error} names={names} />
        <Field id="name" label={t.name} error={problemOf(write.error, 'name', t.name)}>
          <TextInput value={name} maxLength={80} onChange={setName} />
        </Field>
        <Field id="phone" label={t.phone} error={problemOf(write.error, 'phone', t.phone)}>
          <TextInput type="tel" value={phone} maxLength={40} onChange={setPhone} />
        </Field>
        <Field label={t.source}>
          <Select
            value={source}
            options={ENTERED_SOURCES.map((value) => ({ value: value as string, label: t.sources[value] }))}
            onChange={setSource}
          />
        </Field>
        <VehiclePicker id="vehicle_id" label={t.vehicle} optional value={vehicle} onChange={setVehicle} inStock />
        <Field id="message" label={t.message} optional error={problemOf(write.error, 'message', t.message)}>
          <TextArea value={message} maxLength={500} onChange={setMessage} />
        </Field>
        <span>
          <Button look="primary" type="submit" busy={write.isPending}>
            {t.add}
          </Button>
        </span>
      </form>
    </Dialog>
  );
}

// «İlan yayınla»: publishes a car in stock on the marketplace.

import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { filled, withoutEmpty } from '../../parts/form/form-body.ts';
import { LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { SandboxRule } from '../../records/sandbox/sandbox-rule.tsx';
import { VehiclePicker } from '../../records/vehicles/vehicle-picker.tsx';
import { useListingsChanged } from './listings.ts';
import { marketplaceTexts } from './texts.ts';

export function PublishListing({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(marketplaceTexts);
  const navigate = useNavigate();
  const changed = useListingsChanged();
  const form = useForm({ vehicle_id: '', title: '', description: '' });
  const write = useWrite({
    send: (typed: RawBody<'POST v1/marketplace/listings'>, headers) =>
      call('POST v1/marketplace/listings', { rawBody: withoutEmpty(typed), headers }),
    onDone: (listing) => {
      notify({ title: t.publishedNow });
      form.release();
      onClose();
      void changed();
      return navigate({ to: '/pazar/$listingId', params: { listingId: listing.id } });
    },
  });
  const names = { vehicle_id: t.vehicle_id, title: t.titleOf, description: t.text };
  const of = { form, error: write.error, names };
  const { vehicle_id, title, description } = form.values;
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run({ vehicle_id, title: filled(title), description: filled(description) })}
      onClose={onClose}
      title={t.publishTitle}
      action={t.publish}
    >
      <VehiclePicker
        inStock
        id="vehicle_id"
        label={names.vehicle_id}
        error={problemOf(write.error, 'vehicle_id', names.vehicle_id)}
        value={form.values.vehicle_id}
        onChange={(id) => form.set('vehicle_id', id)}
      />
      <SandboxRule endpoint="POST vehicles" field="price" value={undefined} />
      <TextField of={of} name="title" maxLength={120} hint={t.titleHint} optional />
      <LinesField of={of} name="description" rows={4} maxLength={5000} optional />
    </FormLayer>
  );
}

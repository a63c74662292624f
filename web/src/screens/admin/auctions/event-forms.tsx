// An event planned for an operator, or moved to another time.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call, callPage } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { FormLayer } from '../../../parts/form/form.tsx';
import { withoutEmpty } from '../../../parts/form/form-body.ts';
import { ChoiceField, TextField } from '../../../parts/form/form-fields.tsx';
import { useForm } from '../../../parts/form/form-state.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { notify } from '../../../parts/overlay/toast.tsx';
import { adminAuctionTexts } from './auction-texts.ts';

/** What a browser's clock says, as an instant; what it cannot read goes as it is and is refused at its field. */
const instantOf = (local: string): string => (Number.isNaN(Date.parse(local)) ? local : new Date(local).toISOString());

export function PlanEvent({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(adminAuctionTexts);
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({ account_id: '', title: '', starts_at: '' });
  const accounts = useQuery({
    queryKey: ['admin', 'accounts', 'operators'],
    queryFn: ({ signal }) => callPage('GET admin/accounts', { query: { limit: 100 }, signal }),
  });
  const [isEmpty, setEmpty] = useState(false);
  const write = useWrite({
    send: (_: undefined, headers) => {
      const { account_id, title, starts_at } = form.values;
      const typed = { title, starts_at: instantOf(starts_at) };
      return call('POST admin/accounts/{account_id}/live-events', {
        params: { account_id },
        rawBody: withoutEmpty(typed),
        headers,
      });
    },
    onDone: ({ id }) => {
      notify({ title: t.planned });
      form.release();
      onClose();
      void client.invalidateQueries({ queryKey: ['admin'] });
      return navigate({ to: '/yonetim/muzayede/etkinlikler/$eventId', params: { eventId: id } });
    },
  });
  const names = { account_id: t.operator, title: t.eventTitle, starts_at: t.starts };
  const of = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => (form.values.account_id === '' ? setEmpty(true) : write.run(undefined))}
      onClose={onClose}
      title={t.plan}
      action={t.plan}
    >
      <TextField of={of} name="title" maxLength={200} autoFocus />
      <TextField of={of} name="starts_at" type="datetime-local" />
      <ChoiceField
        of={of}
        name="account_id"
        options={(accounts.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        none={t.choose}
        hint={isEmpty && form.values.account_id === '' ? t.operatorMissing : t.operatorHint}
      />
    </FormLayer>
  );
}

interface MoveEventProps {
  readonly eventId: string;
  readonly onClose: () => void;
}

export function MoveEvent({ eventId, onClose }: MoveEventProps) {
  const t = useTexts(adminAuctionTexts);
  const client = useQueryClient();
  const form = useForm({ starts_at: '' });
  const write = useWrite({
    send: (local: string, headers) =>
      call('PATCH admin/live-events/{event_id}', {
        params: { event_id: eventId },
        rawBody: { starts_at: instantOf(local) },
        headers,
      }),
    onDone: () => {
      notify({ title: t.moved });
      form.release();
      onClose();
      void client.invalidateQueries({ queryKey: ['admin'] });
    },
  });
  const names = { starts_at: t.starts };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(form.values.starts_at)}
      onClose={onClose}
      title={t.move}
      action={t.move}
    >
      <TextField of={{ form, error: write.error, names }} name="starts_at" type="datetime-local" autoFocus />
    </FormLayer>
  );
}

// A request approved into an event as a lot, or declined with the reason that the dealer reads.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AdminAuctionRequest } from '../../../../../src/panel/admin/auction-requests.ts';
import { call, callPage } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { FormLayer } from '../../../parts/form/form.tsx';
import { amountToSend, wholeToSend } from '../../../parts/form/form-amount.ts';
import { withoutEmpty } from '../../../parts/form/form-body.ts';
import { ChoiceField, LinesField, TextField } from '../../../parts/form/form-fields.tsx';
import { useForm } from '../../../parts/form/form-state.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { notify } from '../../../parts/overlay/toast.tsx';
import { useFormat } from '../../../session.ts';
import { adminAuctionTexts } from './auction-texts.ts';

interface AuctionDecisionProps {
  readonly request: AdminAuctionRequest;
  readonly approve: boolean;
  readonly onClose: () => void;
}

export function AuctionDecision({ request, approve, onClose }: AuctionDecisionProps) {
  return approve ? <Approve request={request} onClose={onClose} /> : <Reject request={request} onClose={onClose} />;
}

type DecisionProps = Omit<AuctionDecisionProps, 'approve'>;

/** Also after a refusal, because another administrator may have decided first. */
function useDecided(title: string, onClose: () => void) {
  const client = useQueryClient();
  return () => {
    notify({ title });
    onClose();
    void client.invalidateQueries({ queryKey: ['admin'] });
    void client.invalidateQueries({ queryKey: ['admin-home'] });
  };
}

function Approve({ request, onClose }: DecisionProps) {
  const t = useTexts(adminAuctionTexts);
  const format = useFormat();
  const events = useQuery({
    queryKey: ['admin', 'live-events', 'open'],
    queryFn: ({ signal }) => callPage('GET admin/live-events', { query: { status: 'open', limit: 100 }, signal }),
  });
  const options = (events.data?.items ?? []).map(({ id, title, starts_at }) => ({
    value: id,
    label: `${title} · ${format.dateTime(starts_at)}`,
  }));
  const form = useForm({ event_id: request.event_id ?? '', lot_no: '', min_increment: '', note: '' });
  const done = useDecided(t.approved, onClose);
  const params = { account_id: request.account_id, request_id: request.id };
  const write = useWrite({
    send: (_: undefined, headers) => {
      const { event_id, lot_no, min_increment, note } = form.values;
      return call('POST admin/accounts/{account_id}/auction-requests/{request_id}/approve', {
        params,
        rawBody: withoutEmpty({
          event_id,
          ...(lot_no === '' ? {} : { lot_no: wholeToSend(lot_no) }),
          ...(min_increment === '' ? {} : { min_increment: amountToSend(min_increment) }),
          ...(note.trim() === '' ? {} : { note }),
        }),
        headers,
      });
    },
    onDone: () => {
      form.release();
      done();
    },
  });
  const names = { event_id: t.event, lot_no: t.lotNo, min_increment: t.step, note: t.note };
  const of = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(undefined)}
      onClose={onClose}
      title={t.approveTitle(request.car)}
      description={`${request.account} · ${format.money(request.start_price, request.currency)}`}
      action={t.approve}
    >
      <ChoiceField of={of} name="event_id" options={options} none={t.choose} />
      <TextField of={of} name="lot_no" inputMode="numeric" optional hint={t.lotNoHint} />
      <TextField of={of} name="min_increment" inputMode="decimal" optional hint={t.stepHint} />
      <LinesField of={of} name="note" rows={2} maxLength={2000} optional hint={t.noteHint} />
    </FormLayer>
  );
}

function Reject({ request, onClose }: DecisionProps) {
  const t = useTexts(adminAuctionTexts);
  const form = useForm({ note: '' });
  const done = useDecided(t.rejected, onClose);
  const params = { account_id: request.account_id, request_id: request.id };
  const write = useWrite({
    send: (note: string, headers) =>
      call('POST admin/accounts/{account_id}/auction-requests/{request_id}/reject', {
        params,
        rawBody: withoutEmpty({ note }),
        headers,
      }),
    onDone: () => {
      form.release();
      done();
    },
  });
  const names = { note: t.reason };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(form.values.note)}
      onClose={onClose}
      title={t.rejectTitle(request.car)}
      description={request.account}
      action={t.reject}
      danger
    >
      <LinesField of={{ form, error: write.error, names }} name="note" rows={3} maxLength={2000} hint={t.noteHint} />
    </FormLayer>
  );
}

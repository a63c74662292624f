// Answers an offer: accept, reject or counter; or withdraws it.

import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { LinesField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { type NetworkOffer, otherSide, useNetworkChanged } from '../../records/network/network.ts';
import { RejectForm } from '../../records/reject-form.tsx';
import { useFormat } from '../../session.ts';
import { OfferFields, offerBody } from './make-offer.tsx';
import { networkTexts } from './texts.ts';

interface ActProps {
  readonly offer: NetworkOffer;
  readonly onClose: () => void;
}

/** Shows a notice of what was done and reads everything again. */
function useDone(title: string, onClose: () => void) {
  const changed = useNetworkChanged();
  return () => {
    notify({ title });
    onClose();
    return changed();
  };
}

export function AcceptOffer({ offer, onClose }: ActProps) {
  const t = useTexts(networkTexts);
  const format = useFormat();
  const params = { offer_id: offer.id };
  const form = useForm({ message: '' });
  const write = useWrite({
    send: (typed: RawBody<'POST v1/network-offers/{offer_id}/accept'>, headers) =>
      call('POST v1/network-offers/{offer_id}/accept', { params, rawBody: withoutEmpty(typed), headers }),
    onDone: useDone(t.accepted, onClose),
  });
  const names = { message: t.message };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(form.values.message.trim() === '' ? {} : { message: form.values.message })}
      onClose={onClose}
      title={t.acceptTitle}
      description={t.acceptText(format.money(offer.amount, offer.currency), otherSide(offer).name)}
      action={t.accept}
    >
      <LinesField of={{ form, error: write.error, names }} name="message" rows={2} maxLength={500} optional />
    </FormLayer>
  );
}

export function RejectOffer({ offer, onClose }: ActProps) {
  const t = useTexts(networkTexts);
  const params = { offer_id: offer.id };
  const write = useWrite({
    send: (typed: RawBody<'POST v1/network-offers/{offer_id}/reject'>, headers) =>
      call('POST v1/network-offers/{offer_id}/reject', { params, rawBody: withoutEmpty(typed), headers }),
    onDone: useDone(t.rejected, onClose),
  });
  return <RejectForm title={t.rejectTitle} hint={t.reasonHint} write={write} onClose={onClose} />;
}

export function CounterOffer({ offer, onClose }: ActProps) {
  const t = useTexts(networkTexts);
  const format = useFormat();
  const params = { offer_id: offer.id };
  const form = useForm({ amount: '', message: '' });
  const write = useWrite({
    send: (typed: RawBody<'POST v1/network-offers/{offer_id}/counter'>, headers) =>
      call('POST v1/network-offers/{offer_id}/counter', { params, rawBody: withoutEmpty(typed), headers }),
    onDone: useDone(t.countered, onClose),
  });
  const names = { amount: t.amount, message: t.message };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(offerBody(form.values))}
      onClose={onClose}
      title={t.counterTitle}
      description={t.counterNow(format.money(offer.amount, offer.currency))}
      action={t.counter}
    >
      <OfferFields
        of={{ form, error: write.error, names }}
        currency={offer.currency}
        endpoint="POST network-offers/{offer_id}/counter"
      />
    </FormLayer>
  );
}

export function WithdrawOffer({ offer, onClose }: ActProps) {
  const t = useTexts(networkTexts);
  const params = { offer_id: offer.id };
  const write = useWrite({
    send: (_: undefined, headers) => call('POST v1/network-offers/{offer_id}/withdraw', { params, headers }),
    onDone: useDone(t.withdrawn, onClose),
  });
  return (
    <ConfirmDialog open onClose={onClose} title={t.withdrawTitle} action={t.withdraw} run={() => write.runAndWait(undefined)}>
      {t.withdrawText}
    </ConfirmDialog>
  );
}

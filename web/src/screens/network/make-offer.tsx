// «Teklif ver»: the amount first, in the listing's currency; the thread opens when it is sent.

import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountOf, amountToSend } from '../../parts/form/form-amount.ts';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/overlay/toast.tsx';
import { type NetworkListing, useNetworkChanged } from '../../records/network/network.ts';
import { SandboxRule } from '../../records/sandbox/sandbox-rule.tsx';
import { useFormat } from '../../session.ts';
import { networkTexts } from './texts.ts';

interface MakeOfferProps {
  readonly listing: Pick<NetworkListing, 'id' | 'title' | 'price' | 'currency' | 'seller'>;
  readonly onClose: () => void;
}

export function MakeOffer({ listing: { id, title, price, currency, seller }, onClose }: MakeOfferProps) {
  const t = useTexts(networkTexts);
  const format = useFormat();
  const navigate = useNavigate();
  const changed = useNetworkChanged();
  const form = useForm({ amount: '', message: '' });
  const write = useWrite({
    send: (typed: RawBody<'POST v1/network-offers'>, headers) =>
      call('POST v1/network-offers', { rawBody: withoutEmpty(typed), headers }),
    onDone: (offer) => {
      notify({ title: t.offerSent });
      form.release();
      onClose();
      void changed();
      return navigate({ to: '/ag/teklifler/$offerId', params: { offerId: offer.id } });
    },
  });
  const names = { amount: t.amount, message: t.message };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run({ listing_id: id, ...offerBody(form.values) })}
      onClose={onClose}
      title={t.offerTitle}
      description={`${t.offerFor(title, seller?.name ?? '')}. ${t.askingPrice(format.money(price, currency))}`}
      action={t.makeOffer}
    >
      <OfferFields of={{ form, error: write.error, names }} currency={currency} endpoint="POST network-offers" />
    </FormLayer>
  );
}

type OfferForm = { readonly amount: string; readonly message: string };

export const offerBody = ({ amount, message }: OfferForm) => ({
  amount: amountToSend(amount),
  ...(message.trim() === '' ? {} : { message }),
});

interface OfferFieldsProps {
  readonly of: FieldsOf<OfferForm>;
  readonly currency: string;
  readonly endpoint: 'POST network-offers' | 'POST network-offers/{offer_id}/counter';
}

export function OfferFields({ of, currency, endpoint }: OfferFieldsProps) {
  const format = useFormat();
  const typed = amountOf(of.form.values.amount);
  return (
    <>
      <TextField
        of={of}
        name="amount"
        inputMode="decimal"
        autoFocus
        hint={typed === undefined ? currency : format.money(typed, currency)}
      />
      <SandboxRule endpoint={endpoint} field="amount" value={typed} />
      <LinesField of={of} name="message" rows={3} maxLength={500} optional />
    </>
  );
}

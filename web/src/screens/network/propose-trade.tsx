// «Takas öner»: an own car for another dealer's, and who pays the difference.

import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api.ts';
import { useCurrencies } from '../../currencies.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountOf, amountToSend } from '../../parts/form/form-amount.ts';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { ChoiceField, type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { type NetworkListing, useNetworkChanged } from '../../records/network/network.ts';
import { SandboxRule } from '../../records/sandbox/sandbox-rule.tsx';
import { VehiclePicker } from '../../records/vehicles/vehicle-picker.tsx';
import { useFormat } from '../../session.ts';
import { networkTexts } from './texts.ts';

interface ProposeTradeProps {
  readonly listing: NetworkListing;
  readonly onClose: () => void;
}

type Body = RawBody<'POST v1/trade-requests'>;

export function ProposeTrade({ listing: { id, title, currency, seller }, onClose }: ProposeTradeProps) {
  const t = useTexts(networkTexts);
  const navigate = useNavigate();
  const changed = useNetworkChanged();
  const form = useForm({ offered_vehicle_id: '', pays: '', cash_difference: '', currency: currency as string, message: '' });
  const write = useWrite({
    send: (typed: Body, headers) => call('POST v1/trade-requests', { rawBody: withoutEmpty(typed), headers }),
    onDone: (trade) => {
      notify({ title: t.tradeSent });
      form.release();
      onClose();
      void changed();
      return navigate({ to: '/ag/takas/$requestId', params: { requestId: trade.id } });
    },
  });
  const names = {
    offered_vehicle_id: t.offeredMine,
    pays: t.whoPays,
    cash_difference: t.difference,
    currency: t.currency,
    message: t.message,
  };
  const { values } = form;
  const submit = () => {
    const amount = amountToSend(values.cash_difference);
    write.run({
      requested_listing_id: id,
      offered_vehicle_id: values.offered_vehicle_id || undefined,
      currency: values.currency,
      ...(values.pays === '' ? {} : { cash_difference: values.pays === 'they' ? `-${amount}` : amount }),
      ...(values.message.trim() === '' ? {} : { message: values.message }),
    });
  };
  const of: FieldsOf<typeof values> = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={submit}
      onClose={onClose}
      title={t.tradeTitle}
      description={t.offerFor(title, seller?.name ?? '')}
      action={t.proposeTrade}
    >
      <TradeFields of={of} />
    </FormLayer>
  );
}

type TradeForm = Record<'offered_vehicle_id' | 'pays' | 'cash_difference' | 'currency' | 'message', string>;

function TradeFields({ of }: { readonly of: FieldsOf<TradeForm> }) {
  const t = useTexts(networkTexts);
  const format = useFormat();
  const { form, error, names } = of;
  const { pays, cash_difference, currency, offered_vehicle_id } = form.values;
  const currencies = useCurrencies();
  const typed = amountOf(cash_difference);
  return (
    <>
      <VehiclePicker
        inStock
        label={names.offered_vehicle_id!}
        id="offered_vehicle_id"
        error={problemOf(error, 'offered_vehicle_id', names.offered_vehicle_id!)}
        value={offered_vehicle_id}
        onChange={(id) => form.set('offered_vehicle_id', id)}
      />
      <ChoiceField
        of={of}
        name="pays"
        none={t.noDifference}
        options={[
          { value: 'me', label: t.iPay },
          { value: 'they', label: t.theyPay },
        ]}
      />
      {pays !== '' && (
        <>
          <TextField
            of={of}
            name="cash_difference"
            inputMode="decimal"
            hint={typed === undefined ? currency : format.money(typed, currency)}
          />
          <SandboxRule endpoint="POST trade-requests" field="cash_difference" value={typed} />
          <ChoiceField of={of} name="currency" options={currencies} />
        </>
      )}
      <LinesField of={of} name="message" rows={3} maxLength={500} optional />
    </>
  );
}

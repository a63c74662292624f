// One swap: both cars side by side, who pays the difference, and what the caller can answer.

import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Check, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink, RecordGone, RecordSkeleton } from '../../parts/page/record.tsx';
import { useMay } from '../../permissions.ts';
import { DealBadge } from '../../records/network/deal-badge.tsx';
import {
  type CarCard,
  carName,
  otherDealer,
  type TradeRequest,
  tradeQuery,
  useNetworkChanged,
} from '../../records/network/network.ts';
import { dealTexts } from '../../records/network/network-texts.ts';
import { RejectForm } from '../../records/reject-form.tsx';
import { CarFacts, CarPicture, DealerName } from '../../records/vehicles/car-card.tsx';
import { CarDetails } from '../../records/vehicles/car-details.tsx';
import { VehicleName } from '../../records/vehicles/vehicle-name.tsx';
import { useFormat } from '../../session.ts';
import { MarkSold, TakeIn } from '../vehicle-media/take-in.tsx';
import { Difference } from './difference.tsx';
import { networkTexts } from './texts.ts';

export function TradeScreen() {
  const t = useTexts(networkTexts);
  const { requestId } = useParams({ from: '/shell/ag/takas/$requestId' });
  const trade = useQuery(tradeQuery(requestId));
  if (trade.isPending) return <RecordSkeleton cards={{ give: 'h-60', get: 'h-60' }} />;
  if (trade.isError)
    return (
      <RecordGone
        error={trade.error}
        onRetry={trade.refetch}
        back={<ToTrades />}
        title={t.trades}
        texts={{ notFound: t.tradeGone, notFoundText: t.tradeGoneText, toList: t.toTrades }}
        list="/ag/takas"
      />
    );
  return <TradePage trade={trade.data} />;
}

function ToTrades() {
  const t = useTexts(networkTexts);
  return <BackLink to="/ag/takas">{t.tradeBack}</BackLink>;
}

type Act = 'accept' | 'reject' | 'withdraw';

function TradePage({ trade }: { readonly trade: TradeRequest }) {
  const t = useTexts(networkTexts);
  const d = useTexts(dealTexts);
  const format = useFormat();
  const [act, setAct] = useState<Act | null>(null);
  const close = () => setAct(null);
  const isMine = trade.my_role === 'requester';
  const [ours, theirs] = isMine
    ? [trade.offered_vehicle, trade.requested_vehicle]
    : [trade.requested_vehicle, trade.offered_vehicle];
  const { message, reject_reason, status, expires_at } = trade;
  return (
    <>
      <PageHeader
        title={t.trade}
        above={<ToTrades />}
        beside={<DealBadge status={status} />}
        description={
          <span className="flex flex-wrap gap-x-3 gap-y-0.5">
            <DealerName dealer={otherDealer(trade)} />
            <span>{t.roles[trade.my_role]}</span>
          </span>
        }
        actions={<TradeButtons trade={trade} begin={setAct} />}
      />
      <p className="card m-0 mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 p-4">
        <span className="text-16 font-semibold">
          <Difference trade={trade} />
        </span>
        {status === 'Beklemede' && <span className="text-13 text-text-2">{t.validUntil(format.dateTime(expires_at))}</span>}
        {message && <span className="w-full wrap-anywhere whitespace-pre-line">{message}</span>}
        {reject_reason && <span className="w-full text-text-2">{d.reasons[reject_reason] ?? reject_reason}</span>}
        {status === 'Kabul Edildi' && <span className="w-full text-13">{t.agreedTrade}</span>}
      </p>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <SwappedCar label={t.youGive} car={ours} vehicleId={isMine ? trade.offered_vehicle_id : trade.requested_vehicle_id} />
        <SwappedCar label={t.youGet} car={theirs} vehicleId={null} />
      </div>
      {act && <TradeAct act={act} id={trade.id} onClose={close} />}
    </>
  );
}

function TradeButtons({ trade, begin }: { readonly trade: TradeRequest; readonly begin: (act: Act) => void }) {
  const t = useTexts(networkTexts);
  const mayAnswer = useMay('trade-requests:write');
  const mayWithdraw = useMay('trade-requests:write', 'destructive');
  if (trade.status === 'Kabul Edildi' || trade.status === 'Tamamlandı') return mayAnswer ? <AfterTrade trade={trade} /> : null;
  if (trade.status !== 'Beklemede') return null;
  if (trade.my_role === 'requester')
    return mayWithdraw ? (
      <Button icon={Undo2} onClick={() => begin('withdraw')}>
        {t.withdraw}
      </Button>
    ) : null;
  if (!mayAnswer) return null;
  return (
    <>
      <Button icon={X} onClick={() => begin('reject')}>
        {t.reject}
      </Button>
      <Button look="primary" icon={Check} onClick={() => begin('accept')}>
        {t.accept}
      </Button>
    </>
  );
}

/** What follows: each dealer hands over their own car and takes the other one in. */
function AfterTrade({ trade: { id, my_role, status, currency, ...trade } }: { readonly trade: TradeRequest }) {
  const [given, taken] =
    my_role === 'requester'
      ? [trade.offered_vehicle_id, trade.requested_vehicle]
      : [trade.requested_vehicle_id, trade.offered_vehicle];
  return (
    <>
      <TakeIn deal={{ id, car: taken, amount: null, currency }} />
      {status === 'Kabul Edildi' && given !== null && <MarkSold vehicleId={given} amount={null} currency={currency} />}
    </>
  );
}

interface SwappedCarProps {
  readonly label: string;
  readonly car: CarCard;
  readonly vehicleId: string | null;
}

function SwappedCar({ label, car, vehicleId }: SwappedCarProps) {
  return (
    <section className="card min-w-0 overflow-hidden" aria-label={label}>
      <CarPicture car={car} className="aspect-[16/9] w-full" />
      <div className="flex flex-col gap-1 p-3">
        <p className="m-0 text-13 text-text-2">{label}</p>
        <h2 className="m-0 text-14 font-semibold">{carName(car)}</h2>
        <p className="m-0 text-13 text-text-2">
          <CarFacts car={car} />
        </p>
        <CarDetails car={car} />
        {vehicleId && (
          <p className="m-0 text-13">
            <VehicleName id={vehicleId} />
          </p>
        )}
      </div>
    </section>
  );
}

interface TradeActProps {
  readonly act: Act;
  readonly id: string;
  readonly onClose: () => void;
}

function TradeAct({ act, id, onClose }: TradeActProps) {
  const t = useTexts(networkTexts);
  const changed = useNetworkChanged();
  const params = { request_id: id };
  const done = (title: string) => () => {
    notify({ title });
    return changed();
  };
  const accept = useWrite({
    send: (_: undefined, headers) => call('POST v1/trade-requests/{request_id}/accept', { params, headers }),
    onDone: done(t.accepted),
  });
  const withdraw = useWrite({
    send: (_: undefined, headers) => call('DELETE v1/trade-requests/{request_id}', { params, headers }),
    onDone: done(t.withdrawn),
  });
  const reject = useWrite({
    send: (typed: RawBody<'POST v1/trade-requests/{request_id}/reject'>, headers) =>
      call('POST v1/trade-requests/{request_id}/reject', { params, rawBody: withoutEmpty(typed), headers }),
    onDone: () => {
      onClose();
      return done(t.rejected)();
    },
  });
  if (act === 'reject') return <RejectForm title={t.rejectTradeTitle} hint={t.reasonHint} write={reject} onClose={onClose} />;
  const [title, text, write, action] =
    act === 'accept'
      ? [t.acceptTradeTitle, t.acceptTradeText, accept, t.accept]
      : [t.withdrawTradeTitle, t.withdrawText, withdraw, t.withdraw];
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      action={action}
      danger={act === 'withdraw'}
      run={() => write.runAndWait(undefined)}
    >
      {text}
    </ConfirmDialog>
  );
}

// One negotiation: everything that two dealers offered each other for a car, as a conversation, and what the caller can answer.
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Check, HandCoins, Reply, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink, RecordGone, RecordSkeleton } from '../../parts/page/record.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { DealBadge } from '../../records/network/deal-badge.tsx';
import { carName, type NetworkOffer, type OfferThread, offerQuery, otherSide } from '../../records/network/network.ts';
import { dealTexts } from '../../records/network/network-texts.ts';
import { CarFacts, CarPicture, DealerName } from '../../records/vehicles/car-card.tsx';
import { CarDetails } from '../../records/vehicles/car-details.tsx';
import { VehicleName } from '../../records/vehicles/vehicle-name.tsx';
import { useFormat } from '../../session.ts';
import { MarkSold, TakeIn } from '../vehicle-media/take-in.tsx';
import { MakeOffer } from './make-offer.tsx';
import { AcceptOffer, CounterOffer, RejectOffer, WithdrawOffer } from './offer-acts.tsx';
import { networkTexts } from './texts.ts';

export function OfferScreen() {
  const t = useTexts(networkTexts);
  const { offerId } = useParams({ from: '/shell/ag/teklifler/$offerId' });
  const offer = useQuery(offerQuery(offerId));
  if (offer.isPending) return <RecordSkeleton cards={{ talk: 'h-80', car: 'h-60' }} />;
  if (offer.isError)
    return (
      <RecordGone
        error={offer.error}
        onRetry={offer.refetch}
        back={<ToOffers />}
        title={t.offers}
        texts={{ notFound: t.offerGone, notFoundText: t.offerGoneText, toList: t.toOffers }}
        list="/ag/teklifler"
      />
    );
  return <OfferPage offer={offer.data} />;
}

function ToOffers() {
  const t = useTexts(networkTexts);
  return <BackLink to="/ag/teklifler">{t.back}</BackLink>;
}

export type OfferAct = 'accept' | 'reject' | 'counter' | 'withdraw' | 'again';

function OfferPage({ offer }: { readonly offer: OfferThread }) {
  const t = useTexts(networkTexts);
  const [act, setAct] = useState<OfferAct | null>(null);
  const close = () => setAct(null);
  // An answered offer is closed; the conversation continues with the newest.
  const last: NetworkOffer = offer.thread.at(-1) ?? offer;
  const other = otherSide(last);
  const name = carName(last.vehicle);
  return (
    <>
      <PageHeader
        title={name}
        above={<ToOffers />}
        beside={<DealBadge status={last.status} />}
        description={
          <span className="flex flex-wrap gap-x-3 gap-y-0.5">
            <DealerName dealer={other} />
            <span>{t.roles[last.my_role]}</span>
          </span>
        }
        actions={<OfferButtons last={last} begin={setAct} />}
      />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Conversation offers={offer.thread} />
        <Car offer={last} />
      </div>
      {act === 'accept' && <AcceptOffer offer={last} onClose={close} />}
      {act === 'reject' && <RejectOffer offer={last} onClose={close} />}
      {act === 'counter' && <CounterOffer offer={last} onClose={close} />}
      {act === 'withdraw' && <WithdrawOffer offer={last} onClose={close} />}
      {act === 'again' && (
        <MakeOffer
          listing={{ id: last.listing_id, title: name, price: last.amount, currency: last.currency, seller: last.seller }}
          onClose={close}
        />
      )}
    </>
  );
}

interface OfferButtonsProps {
  readonly last: NetworkOffer;
  readonly begin: (act: OfferAct) => void;
}

function OfferButtons({ last, begin }: OfferButtonsProps) {
  const t = useTexts(networkTexts);
  const may = useMay('network-offers:write');
  if (!may) return null;
  const { amount, currency, vehicle_id, status, my_role } = last;
  if (my_role === 'buyer' && (status === 'Kabul Edildi' || status === 'Tamamlandı'))
    return <TakeIn deal={{ id: last.thread_id, car: last.vehicle, amount, currency }} />;
  if (my_role === 'seller' && status === 'Kabul Edildi' && vehicle_id !== null)
    return <MarkSold vehicleId={vehicle_id} amount={amount} currency={currency} />;
  const isClosed = ['Reddedildi', 'Geri Çekildi', 'Süresi Doldu', 'Bozuldu'].includes(last.status);
  if (isClosed && last.my_role === 'buyer' && last.reject_reason !== 'listing_closed')
    return (
      <Button icon={HandCoins} onClick={() => begin('again')}>
        {t.offerAgain}
      </Button>
    );
  if (last.status !== 'Beklemede') return null;
  if (!last.awaiting_me)
    return (
      <Button icon={Undo2} onClick={() => begin('withdraw')}>
        {t.withdraw}
      </Button>
    );
  return (
    <>
      <Button icon={X} onClick={() => begin('reject')}>
        {t.reject}
      </Button>
      <Button icon={Reply} onClick={() => begin('counter')}>
        {t.counter}
      </Button>
      <Button look="primary" icon={Check} onClick={() => begin('accept')}>
        {t.accept}
      </Button>
    </>
  );
}

function Conversation({ offers }: { readonly offers: readonly NetworkOffer[] }) {
  const t = useTexts(networkTexts);
  const last = offers.at(-1);
  return (
    <section className="card min-w-0 p-4" aria-label={t.conversation}>
      <h2 className="m-0 mb-3 text-14 font-semibold">{t.conversation}</h2>
      <ol className="m-0 flex list-none flex-col gap-3 p-0">
        {offers.map((offer) => (
          <OfferMessage key={offer.id} offer={offer} />
        ))}
      </ol>
      {last?.status === 'Beklemede' && (
        <p className="m-0 mt-3 text-13 text-text-2">{last.awaiting_me ? t.yourTurn : t.theirTurn}</p>
      )}
      {last?.status === 'Kabul Edildi' && (
        <p className="m-0 mt-3 text-13">{last.my_role === 'seller' ? t.agreedSeller : t.agreedBuyer}</p>
      )}
    </section>
  );
}

/** Own messages are at the right, the other dealer's at the left. */
function OfferMessage({ offer }: { readonly offer: NetworkOffer }) {
  const t = useTexts(networkTexts);
  const d = useTexts(dealTexts);
  const format = useFormat();
  const { amount, currency, message, status, created_at, expires_at, response_message, reject_reason } = offer;
  const isMine = offer.made_by === offer.my_role;
  const who = isMine ? t.you : otherSide(offer).name;
  const answer = response_message ?? (reject_reason === null ? null : (d.reasons[reject_reason] ?? reject_reason));
  return (
    <li className={cx('flex flex-col gap-1', isMine ? 'items-end' : 'items-start')}>
      <div
        className={cx(
          'max-w-[34rem] min-w-48 rounded-card border px-3 py-2',
          isMine ? 'border-accent bg-accent-soft' : 'border-line bg-subtle',
        )}
      >
        <p className="m-0 flex flex-wrap items-baseline justify-between gap-x-4 text-12 text-text-2">
          <span className="font-medium">{who}</span>
          <DateTime at={created_at} show="relative" />
        </p>
        <p className="m-0 flex flex-wrap items-center gap-2 text-18 font-semibold">
          <Money amount={amount} currency={currency} />
          <DealBadge status={status} />
        </p>
        {message && <p className="m-0 wrap-anywhere whitespace-pre-line">{message}</p>}
        {status === 'Beklemede' && <p className="m-0 text-12 text-text-2">{t.validUntil(format.dateTime(expires_at))}</p>}
      </div>
      {answer && (
        <p
          className={cx(
            'm-0 max-w-[34rem] text-13 wrap-anywhere whitespace-pre-line text-text-2',
            isMine ? 'text-start' : 'text-end',
          )}
        >
          {answer}
        </p>
      )}
    </li>
  );
}

function Car({ offer: { vehicle, vehicle_id } }: { readonly offer: NetworkOffer }) {
  const t = useTexts(networkTexts);
  return (
    <section className="card min-w-0 overflow-hidden" aria-label={t.card}>
      <CarPicture car={vehicle} className="aspect-[16/9] w-full" />
      <div className="flex flex-col gap-1 p-3">
        <h2 className="m-0 text-14 font-semibold">{carName(vehicle)}</h2>
        <p className="m-0 text-13 text-text-2">
          <CarFacts car={vehicle} />
        </p>
        <CarDetails car={vehicle} />
        {vehicle_id && (
          <p className="m-0 text-13">
            {t.myCar}: <VehicleName id={vehicle_id} />
          </p>
        )}
      </div>
    </section>
  );
}

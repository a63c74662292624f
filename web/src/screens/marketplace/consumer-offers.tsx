// What consumers offered for a listing, the highest first, with the answer beside each.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, Phone, X } from 'lucide-react';
import { useState } from 'react';
import { phoneText } from '../../../../src/domain/formats/phone-text.ts';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { shareOf } from '../../records/amounts.ts';
import { DealBadge } from '../../records/network/deal-badge.tsx';
import { dealTexts } from '../../records/network/network-texts.ts';
import { RejectForm } from '../../records/reject-form.tsx';
import { useFormat } from '../../session.ts';
import { type ConsumerOffer, consumerOffersQuery, type ListingDetail, useListingsChanged } from './listings.ts';
import { marketplaceTexts } from './texts.ts';

type Act = { readonly act: 'accept' | 'reject'; readonly offer: ConsumerOffer };

export function ConsumerOffers({ listing }: { readonly listing: ListingDetail }) {
  const t = useTexts(marketplaceTexts);
  const [act, setAct] = useState<Act | null>(null);
  const offers = useQuery(consumerOffersQuery(listing.id));
  const close = () => setAct(null);
  return (
    <section className="card min-w-0 p-4" aria-label={t.consumerOffers}>
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.consumerOffers}</h2>
      {offers.isPending ? (
        <Skeleton className="h-10 w-full" />
      ) : offers.isError ? (
        <ErrorState error={offers.error} onRetry={offers.refetch} />
      ) : offers.data.items.length === 0 ? (
        <p className="m-0 text-text-2">{t.noOffers}</p>
      ) : (
        <ul className="m-0 list-none divide-y divide-line p-0">
          {offers.data.items.map((offer) => (
            <Line key={offer.id} offer={offer} listing={listing} begin={setAct} />
          ))}
        </ul>
      )}
      {offers.data?.hasMore && <p className="m-0 mt-2 text-13 text-text-2">{t.more}</p>}
      {act?.act === 'accept' && <AcceptConsumer offer={act.offer} onClose={close} />}
      {act?.act === 'reject' && <RejectConsumer offer={act.offer} onClose={close} />}
    </section>
  );
}

interface LineProps {
  readonly offer: ConsumerOffer;
  readonly listing: ListingDetail;
  readonly begin: (act: Act) => void;
}

function Line({ offer, listing, begin }: LineProps) {
  const t = useTexts(marketplaceTexts);
  const d = useTexts(dealTexts);
  const format = useFormat();
  const { buyer_name, buyer_phone, amount, currency, message, status, created_at, expires_at, reject_reason } = offer;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="m-0 flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="text-16 font-semibold">
            <Money amount={amount} currency={currency} />
          </span>
          <DealBadge status={status} />
          <span className="text-12 text-text-2">{t.atTable(format.percent(shareOf(amount, listing.price)))}</span>
        </p>
        <p className="m-0 flex flex-wrap items-center gap-x-3 text-13">
          <span>{buyer_name}</span>
          <OutsideLink
            to={{ phone: buyer_phone }}
            inSandbox="text"
            aria-label={`${phoneText(buyer_phone)}: ${t.call(buyer_name)}`}
            className="link tabular inline-flex min-h-6 items-center gap-1"
          >
            <Phone aria-hidden className="size-3.5" />
            {phoneText(buyer_phone)}
          </OutsideLink>
          <span className="text-text-2">
            <DateTime at={created_at} show="relative" />
          </span>
        </p>
        {message && <p className="m-0 wrap-anywhere whitespace-pre-line">{message}</p>}
        {status === 'Beklemede' && <p className="m-0 text-12 text-text-2">{t.until(format.dateTime(expires_at))}</p>}
        {reject_reason && <p className="m-0 text-13 text-text-2">{d.reasons[reject_reason] ?? reject_reason}</p>}
      </div>
      <OfferActs offer={offer} vehicleId={listing.vehicle_id} begin={begin} />
    </li>
  );
}

interface OfferActsProps {
  readonly offer: ConsumerOffer;
  readonly vehicleId: string | null;
  readonly begin: LineProps['begin'];
}

function OfferActs({ offer, vehicleId, begin }: OfferActsProps) {
  const t = useTexts(marketplaceTexts);
  const may = useMay('marketplace:write');
  const maySell = useMay('sales:write');
  if (offer.status === 'Kabul Edildi' && maySell && vehicleId !== null)
    return (
      <Link to="/satislar/yeni" search={{ vehicle_id: vehicleId }} className={buttonLook('primary')}>
        {t.sell}
      </Link>
    );
  if (offer.status !== 'Beklemede' || !may) return null;
  const { buyer_name } = offer;
  return (
    <span className="flex shrink-0 flex-wrap gap-2">
      <Button icon={X} onClick={() => begin({ act: 'reject', offer })} aria-label={`${t.reject}: ${buyer_name}`}>
        {t.reject}
      </Button>
      <Button icon={Check} onClick={() => begin({ act: 'accept', offer })} aria-label={`${t.accept}: ${buyer_name}`}>
        {t.accept}
      </Button>
    </span>
  );
}

interface ConsumerActProps {
  readonly offer: ConsumerOffer;
  readonly onClose: () => void;
}

function AcceptConsumer({ offer: { id, listing_id, buyer_name, amount, currency }, onClose }: ConsumerActProps) {
  const t = useTexts(marketplaceTexts);
  const format = useFormat();
  const changed = useListingsChanged();
  const write = useWrite({
    send: (_: undefined, headers) =>
      call('POST v1/marketplace/listings/{listing_id}/offers/{offer_id}/accept', {
        params: { listing_id, offer_id: id },
        headers,
      }),
    onDone: () => {
      notify({ title: t.accepted });
      return changed();
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t.acceptTitle}
      action={t.accept}
      danger={false}
      run={() => write.runAndWait(undefined)}
    >
      {t.acceptText(buyer_name, format.money(amount, currency))}
    </ConfirmDialog>
  );
}

function RejectConsumer({ offer: { id, listing_id }, onClose }: ConsumerActProps) {
  const t = useTexts(marketplaceTexts);
  const changed = useListingsChanged();
  const write = useWrite({
    send: (typed: RawBody<'POST v1/marketplace/listings/{listing_id}/offers/{offer_id}/reject'>, headers) =>
      call('POST v1/marketplace/listings/{listing_id}/offers/{offer_id}/reject', {
        params: { listing_id, offer_id: id },
        rawBody: withoutEmpty(typed),
        headers,
      }),
    onDone: () => {
      notify({ title: t.rejected });
      onClose();
      return changed();
    },
  });
  return <RejectForm title={t.rejectTitle} write={write} onClose={onClose} />;
}

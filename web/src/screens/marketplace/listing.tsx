// One listing: its figures, its text, and what consumers offered for it.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { EyeOff, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { Figure } from '../../parts/figure.tsx';
import { useWrite } from '../../parts/form/form-write.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink, RecordGone, RecordSkeleton } from '../../parts/page/record.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { DealBadge } from '../../records/network/deal-badge.tsx';
import { dealWord } from '../../records/network/network-texts.ts';
import { VehicleName } from '../../records/vehicles/vehicle-name.tsx';
import { useFormat } from '../../session.ts';
import { ConsumerOffers } from './consumer-offers.tsx';
import { type ListingDetail, listingQuery, useListingsChanged } from './listings.ts';
import { marketplaceTexts } from './texts.ts';

export function ListingScreen() {
  const t = useTexts(marketplaceTexts);
  const { listingId } = useParams({ from: '/shell/pazar/$listingId' });
  const listing = useQuery(listingQuery(listingId));
  if (listing.isPending) return <RecordSkeleton cards={{ figures: 'h-20', offers: 'h-60' }} />;
  if (listing.isError)
    return (
      <RecordGone
        error={listing.error}
        onRetry={listing.refetch}
        back={<ToListings />}
        title={t.title}
        texts={{ notFound: t.gone, notFoundText: t.goneText, toList: t.toList }}
        list="/pazar"
      />
    );
  return <ListingPage listing={listing.data} />;
}

function ToListings() {
  const t = useTexts(marketplaceTexts);
  return <BackLink to="/pazar">{t.back}</BackLink>;
}

type Act = 'close' | 'renew';

function ListingPage({ listing }: { readonly listing: ListingDetail }) {
  const t = useTexts(marketplaceTexts);
  const locale = useLocale();
  const [act, setAct] = useState<Act | null>(null);
  const { title, description, price, currency, status = 'Kapandı', vehicle_id, published_at, close_reason } = listing;
  return (
    <>
      <PageHeader
        title={title}
        above={<ToListings />}
        beside={<DealBadge status={status} />}
        description={
          <span className="flex flex-wrap gap-x-3 gap-y-0.5">
            <Money amount={price} currency={currency} />
            {vehicle_id && <VehicleName id={vehicle_id} />}
            <DateTime at={published_at} show="date" />
            {close_reason && <span>{t.closedBecause(dealWord(locale, close_reason))}</span>}
          </span>
        }
        actions={<ListingActs listing={listing} begin={setAct} />}
      />
      <ListingFigures listing={listing} />
      {description && <p className="card m-0 mb-4 p-4 wrap-anywhere whitespace-pre-line">{description}</p>}
      <ConsumerOffers listing={listing} />
      {act && <ListingAct act={act} listing={listing} onClose={() => setAct(null)} />}
    </>
  );
}

interface ListingActsProps {
  readonly listing: ListingDetail;
  readonly begin: (act: Act) => void;
}

function ListingActs({ listing: { id, status }, begin }: ListingActsProps) {
  const t = useTexts(marketplaceTexts);
  const mayWrite = useMay('marketplace:write');
  const mayClose = useMay('marketplace:write', 'destructive');
  const seesOffers = useMay('network-offers:read');
  return (
    <>
      {seesOffers && (
        <Link to="/ag/teklifler" search={{ listing_id: id }} className={buttonLook()}>
          {t.networkOffers}
        </Link>
      )}
      {mayWrite && mayClose && status === 'Yayında' && (
        <Button icon={RefreshCw} onClick={() => begin('renew')}>
          {t.renew}
        </Button>
      )}
      {mayClose && status !== 'Kapandı' && (
        <Button icon={EyeOff} onClick={() => begin('close')}>
          {t.close}
        </Button>
      )}
    </>
  );
}

function ListingFigures({ listing: { stats } }: { readonly listing: ListingDetail }) {
  const t = useTexts(marketplaceTexts);
  const format = useFormat();
  if (stats === undefined) return null;
  const share = stats.views === 0 ? null : t.contactRate(format.percent(stats.contacts / stats.views));
  return (
    <dl className="m-0 mb-4 grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure name={t.views} value={format.number(stats.views)} />
      <Figure name={t.favorites} value={format.number(stats.favorites)} />
      <Figure name={t.contacts} value={format.number(stats.contacts)} hint={share} />
      <Figure name={t.offers} value={format.number(stats.offers)} />
    </dl>
  );
}

interface ListingActProps {
  readonly act: Act;
  readonly listing: ListingDetail;
  readonly onClose: () => void;
}

/** Renewing is closing and publishing again: a closed listing never opens. */
function ListingAct({ act, listing, onClose }: ListingActProps) {
  const t = useTexts(marketplaceTexts);
  const navigate = useNavigate();
  const changed = useListingsChanged();
  const params = { listing_id: listing.id };
  const close = useWrite({
    send: (_: undefined, headers) => call('DELETE v1/marketplace/listings/{listing_id}', { params, headers }),
  });
  const open = useWrite({
    send: (_: undefined, headers) =>
      call('POST v1/marketplace/listings', {
        body: {
          vehicle_id: listing.vehicle_id!,
          title: listing.title,
          ...(listing.description ? { description: listing.description } : {}),
        },
        headers,
      }),
  });
  const run = async () => {
    await close.runAndWait(undefined);
    if (act === 'close') notify({ title: t.closed });
    else {
      const { id } = await open.runAndWait(undefined);
      notify({ title: t.renewed });
      void navigate({ to: '/pazar/$listingId', params: { listingId: id } });
    }
    void changed();
  };
  const [title, text, action] = act === 'close' ? [t.closeTitle, t.closeText, t.close] : [t.renewTitle, t.renewText, t.renew];
  return (
    <ConfirmDialog open onClose={onClose} title={title} action={action} danger={act === 'close'} run={run}>
      {text}
    </ConfirmDialog>
  );
}

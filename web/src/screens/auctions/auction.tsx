// One auction of the network: the current bid, the clock, bidding or ending it, the bids and, at the end, the winner.
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Gavel, X } from 'lucide-react';
import { useState } from 'react';
import { call, callPage } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { type Fact, Facts } from '../../parts/page/facts.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink, RecordGone, RecordSkeleton } from '../../parts/page/record.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { AuctionBadge } from '../../records/auctions/auction-badge.tsx';
import { aliasWord, bidTexts } from '../../records/auctions/auction-texts.ts';
import {
  AUCTIONS,
  type AuctionBid,
  aheadBy,
  durationText,
  type NetworkAuction,
  useAuctionsChanged,
  useServerNow,
} from '../../records/auctions/auctions.ts';
import { BidHistory } from '../../records/auctions/bid-history.tsx';
import { BidPanel } from '../../records/auctions/bid-panel.tsx';
import { CarFacts, CarPicture, DealerName } from '../../records/vehicles/car-card.tsx';
import { CarDetails } from '../../records/vehicles/car-details.tsx';
import { VehicleName } from '../../records/vehicles/vehicle-name.tsx';
import { useFormat } from '../../session.ts';
import { MarkSold, TakeIn } from '../vehicle-media/take-in.tsx';
import { EndAuction } from './end-auction.tsx';
import { auctionsTexts } from './texts.ts';

/** Not by a stream, as the room is: an auction runs for days. In its last minutes it is asked for every second. */
const askEvery = (auction: NetworkAuction | undefined): number | false => {
  if (auction === undefined || auction.status === 'Bitti' || auction.status === 'İptal') return false;
  const left = Date.parse(auction.ends_at) - Date.parse(auction.server_time);
  return auction.status === 'Canlı' && left < 5 * 60_000 ? 1000 : 3000;
};

export function AuctionScreen() {
  const t = useTexts(auctionsTexts);
  const { auctionId: auction_id } = useParams({ from: '/shell/muzayede/ag/$auctionId' });
  const auction = useQuery({
    queryKey: [AUCTIONS, 'auction', auction_id],
    queryFn: ({ signal }) => call('GET v1/network-auctions/{auction_id}', { params: { auction_id }, signal }),
    refetchInterval: ({ state }) => askEvery(state.data),
  });
  if (auction.isPending) return <RecordSkeleton cards={{ stage: 'h-80', bids: 'h-60' }} />;
  if (auction.isError)
    return (
      <RecordGone
        error={auction.error}
        onRetry={auction.refetch}
        back={<ToAuctions />}
        title={t.network}
        texts={{ notFound: t.auctionGone, notFoundText: t.auctionGoneText, toList: t.toAuctions }}
        list="/muzayede/ag"
      />
    );
  return <AuctionPage auction={auction.data} />;
}

function ToAuctions() {
  const t = useTexts(auctionsTexts);
  return <BackLink to="/muzayede/ag">{t.network}</BackLink>;
}

function AuctionPage({ auction }: { readonly auction: NetworkAuction }) {
  const bids = useBids(auction);
  const mine = bids.find(({ is_mine }) => is_mine)?.bidder_alias ?? null;
  return (
    <>
      <PageHeader
        title={auction.title}
        above={<ToAuctions />}
        beside={<AuctionBadge status={auction.result ?? auction.status} />}
        description={<DealerName dealer={auction.seller} />}
        actions={<Acts auction={auction} />}
      />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Standing auction={auction} />
          <Details auction={auction} />
        </div>
        <aside className="flex min-w-0 flex-col gap-4">
          <BidHistory
            id={auction.id}
            bids={bids}
            currency={auction.currency}
            chainHead={auction.bid_count === bids.length ? auction.chain_head : (bids[0]?.chain ?? auction.chain_head)}
            mine={mine}
          />
          <div className="card overflow-hidden">
            <CarPicture car={auction.vehicle} className="aspect-[16/9] w-full" />
            <div className="flex flex-col gap-3 p-3">
              <p className="m-0 text-13 text-text-2">
                <CarFacts car={auction.vehicle} />
              </p>
              <CarDetails car={auction.vehicle} />
            </div>
          </div>
        </aside>
      </div>
    </>
  );
}

const PAGE = 100;

/** The whole log, newest first, so that its chain can be checked from its beginning. */
function useBids({ id: auction_id, bid_count }: NetworkAuction): readonly AuctionBid[] {
  const bids = useQuery({
    queryKey: [AUCTIONS, 'bids', auction_id, bid_count],
    queryFn: async ({ signal }) => {
      const all: AuctionBid[] = [];
      for (let offset = 0; ; offset += PAGE) {
        const query = { limit: PAGE, offset };
        const page = await callPage('GET v1/network-auctions/{auction_id}/bids', { params: { auction_id }, query, signal });
        // Of one that came while it was read, the line that moved is not taken twice.
        all.push(...page.items.filter(({ id }) => !all.some((known) => known.id === id)));
        if (!page.hasMore) return all;
      }
    },
    placeholderData: (before) => before,
  });
  return bids.data ?? [];
}

function Standing({ auction }: { readonly auction: NetworkAuction }) {
  const t = useTexts(auctionsTexts);
  const locale = useLocale();
  const changed = useAuctionsChanged();
  const mayBid = useMay('network-auctions:write', 'sensitive');
  const { id: auction_id, status, current_bid, start_price, currency, next_min_bid, leader_alias, am_i_leading } = auction;
  return (
    <section className="card flex min-w-0 flex-col gap-4 p-4" aria-label={t.standing}>
      <dl className="m-0 grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-2">
        <div>
          <dt className="text-13 text-text-2">{current_bid === null ? t.startPrice : t.currentBid}</dt>
          <dd className="m-0 text-[clamp(2rem,8vw,3rem)] leading-none font-semibold tracking-tight" data-current-bid>
            <Money amount={current_bid ?? start_price} currency={currency} short />
          </dd>
          <dd className="m-0 mt-1 text-13 text-text-2">
            {leader_alias === null
              ? t.noLeader
              : `${am_i_leading ? t.you : aliasWord(locale, leader_alias)} · ${t.bids(auction.bid_count)}`}
          </dd>
        </div>
        <Countdown auction={auction} />
      </dl>
      <OwnStanding auction={auction} />
      {status === 'Canlı' && mayBid && auction.my_role !== 'seller' && next_min_bid !== null && (
        <BidPanel
          currency={currency}
          nextMinimum={next_min_bid}
          step={auction.min_increment}
          isLeading={am_i_leading}
          words={{ leading: t.leadingNow, other: t.otherAmount, binding: t.binding }}
          send={(amount, headers) =>
            call('POST v1/network-auctions/{auction_id}/bid', { params: { auction_id }, body: { amount }, headers })
          }
          onDone={changed}
          answeredBy="POST network-auctions/{auction_id}/bid"
        />
      )}
      {status === 'Bitti' && <Winner auction={auction} />}
    </section>
  );
}

function Countdown({ auction }: { readonly auction: NetworkAuction }) {
  const t = useTexts(auctionsTexts);
  const b = useTexts(bidTexts);
  const { status, starts_at, ends_at, server_time, extension_count } = auction;
  const [ahead] = useState(() => aheadBy(server_time));
  const now = useServerNow(ahead);
  const isOver = status === 'Bitti' || status === 'İptal';
  const left = Date.parse(status === 'Planlandı' ? starts_at : ends_at) - now;
  return (
    <div>
      <dt className="text-13 text-text-2">{isOver ? t.ended : status === 'Planlandı' ? t.startsIn : t.timeLeft}</dt>
      <dd className={cx('tabular m-0 text-24 font-semibold', !isOver && left < 120_000 && status === 'Canlı' && 'text-danger')}>
        {isOver ? <DateTime at={ends_at} /> : durationText(left, b.day, b.hour)}
      </dd>
      <dd className="m-0 mt-1 text-13 text-text-2">{extension_count > 0 ? t.extended(extension_count) : t.softClose}</dd>
    </div>
  );
}

function OwnStanding({ auction }: { readonly auction: NetworkAuction }) {
  const t = useTexts(auctionsTexts);
  const format = useFormat();
  const { my_highest_bid, am_i_leading, currency, status } = auction;
  if (my_highest_bid === null || status !== 'Canlı') return null;
  const highest = format.money(my_highest_bid, currency, true);
  return (
    <p
      className={cx(
        'm-0 rounded-control px-3 py-2 text-14 font-medium',
        am_i_leading ? 'bg-live-bg text-live' : 'bg-write-bg text-write',
      )}
    >
      {am_i_leading ? t.leading(highest) : t.outbid(highest)}
    </p>
  );
}

function Winner({ auction: { id: auctionId, currency, vehicle, vehicle_id } }: { readonly auction: NetworkAuction }) {
  const t = useTexts(auctionsTexts);
  const locale = useLocale();
  const result = useQuery({
    queryKey: [AUCTIONS, 'winner', auctionId],
    queryFn: ({ signal }) => call('GET v1/network-auctions/{auction_id}/winner', { params: { auction_id: auctionId }, signal }),
  });
  if (!result.data) return null;
  const { sold, amount, winner, seller, is_me } = result.data;
  if (winner === null) return <p className="m-0 text-text-2">{t.notSold}</p>;
  return (
    <div className="flex flex-col gap-1 rounded-control bg-subtle p-3">
      <p className="m-0 font-medium">
        {is_me ? t.youWon : sold ? t.soldFor : t.fellThrough} <Money amount={amount} currency={currency} />
      </p>
      <p className="m-0 text-13">
        {t.winner}: {'alias' in winner ? aliasWord(locale, winner.alias) : <DealerName dealer={winner} />}
      </p>
      {is_me && seller && (
        <p className="m-0 text-13">
          {t.seller}: <DealerName dealer={seller} />
        </p>
      )}
      {sold && amount !== null && (
        <span className="flex">
          {is_me && <TakeIn deal={{ id: auctionId, car: vehicle, amount, currency }} />}
          {vehicle_id !== null && <MarkSold vehicleId={vehicle_id} amount={amount} currency={currency} />}
        </span>
      )}
    </div>
  );
}

function Details({ auction }: { readonly auction: NetworkAuction }) {
  const t = useTexts(auctionsTexts);
  const { currency, vehicle_id, my_role, has_reserve, reserve_met, reserve_price } = auction;
  const reserve = !has_reserve ? t.noReserve : reserve_met ? t.reserveMet : t.reserveNotMet;
  const facts: Fact[] = [
    ...(vehicle_id ? [{ name: t.car, value: <VehicleName id={vehicle_id} /> }] : []),
    { name: t.startPrice, value: <Money amount={auction.start_price} currency={currency} /> },
    { name: t.step, value: <Money amount={auction.min_increment} currency={currency} /> },
    {
      name: t.reserve,
      value:
        my_role === 'seller' && reserve_price !== null ? (
          <>
            <Money amount={reserve_price} currency={currency} /> · {reserve}
          </>
        ) : (
          reserve
        ),
    },
    { name: t.starts, value: <DateTime at={auction.starts_at} /> },
    { name: t.ends, value: <DateTime at={auction.ends_at} /> },
  ];
  return <Facts title={t.details} facts={facts} />;
}

function Acts({ auction }: { readonly auction: NetworkAuction }) {
  const t = useTexts(auctionsTexts);
  const mayEnd = useMay('network-auctions:write', 'sensitive');
  const [award, setAward] = useState<boolean | null>(null);
  const { status, my_role, bid_count, reserve_met } = auction;
  const isOpen = status === 'Canlı' || status === 'Planlandı';
  if (!mayEnd || my_role !== 'seller' || !isOpen) return null;
  return (
    <>
      {status === 'Canlı' && bid_count > 0 && (
        <Button icon={Gavel} onClick={() => setAward(true)}>
          {t.award}
        </Button>
      )}
      {!reserve_met && (
        <Button icon={X} onClick={() => setAward(false)}>
          {status === 'Planlandı' ? t.callOff : t.endUnsold}
        </Button>
      )}
      {award !== null && <EndAuction auction={auction} award={award} onClose={() => setAward(null)} />}
    </>
  );
}

// The log of bids under aliases, and whether it is whole: checked in this browser.
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocale, useTexts } from '../../language.ts';
import { cx } from '../../parts/cx.ts';
import { Money } from '../../parts/values.tsx';
import { useFormat } from '../../session.ts';
import { aliasWord, bidTexts } from './auction-texts.ts';
import { type ChainCheck, checkChain, type LinkedBid } from './bid-chain.ts';

interface BidHistoryProps {
  readonly id: string;
  /** In any order. */
  readonly bids: readonly LinkedBid[];
  readonly currency: string;
  readonly chainHead: string;
  /** The caller's own alias. */
  readonly mine: string | null;
}

export function BidHistory({ id, bids, currency, chainHead, mine }: BidHistoryProps) {
  const t = useTexts(bidTexts);
  const locale = useLocale();
  const format = useFormat();
  const newest = bids.toSorted((one, other) => other.bid_seq - one.bid_seq);
  return (
    <section className="card min-w-0 p-4" aria-label={t.history}>
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.history}</h2>
      {newest.length === 0 ? (
        <p className="m-0 text-text-2">{t.noBids}</p>
      ) : (
        <ol
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
          tabIndex={0}
          aria-label={t.history}
          className="m-0 flex max-h-96 list-none flex-col divide-y divide-line overflow-y-auto p-0"
        >
          {newest.map(({ bid_seq, amount, bidder_alias, placed_at }) => (
            <li key={bid_seq} className="flex items-baseline gap-3 py-1.5 text-13">
              <span className="tabular w-7 shrink-0 text-text-3">{bid_seq}</span>
              <span className={cx('min-w-0 flex-1', bidder_alias === mine && 'font-semibold')}>
                {bidder_alias === mine ? `${t.you} (${aliasWord(locale, bidder_alias)})` : aliasWord(locale, bidder_alias)}
              </span>
              <span className="font-medium">
                <Money amount={amount} currency={currency} short />
              </span>
              <time dateTime={placed_at} className="tabular text-12 text-text-2">
                {format.time(placed_at).slice(0, 8)}
              </time>
            </li>
          ))}
        </ol>
      )}
      <ChainNote id={id} bids={bids} chainHead={chainHead} />
    </section>
  );
}

function ChainNote({ id, bids, chainHead }: Pick<BidHistoryProps, 'id' | 'bids' | 'chainHead'>) {
  const t = useTexts(bidTexts);
  const [check, setCheck] = useState<ChainCheck | null>(null);
  useEffect(() => {
    let isOver = false;
    void checkChain(id, bids, chainHead).then((done) => isOver || setCheck(done));
    return () => {
      isOver = true;
    };
  }, [id, bids, chainHead]);
  if (check === null || bids.length === 0) return null;
  const isBroken = check.result === 'broken';
  const Icon = isBroken || check.result === 'unable' ? ShieldAlert : ShieldCheck;
  const words = isBroken ? t.broken(check.at) : check.result === 'unable' ? t.unable : t[check.result](check.bids);
  return (
    <p
      className={cx(
        'mt-3 mb-0 flex items-start gap-1.5 text-12',
        isBroken ? 'font-medium text-danger' : check.result === 'unable' ? 'text-text-2' : 'text-live',
      )}
    >
      <Icon aria-hidden className="mt-px size-3.5 shrink-0" />
      {words}
    </p>
  );
}

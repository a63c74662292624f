// The six canonical pairs of the bulletin in force, and its source and date.
import { CalendarCheck, CalendarClock } from 'lucide-react';
import type { Rate } from '../../../../src/domain/exchange-rates/rate-table.ts';
import { isPair, type Pair } from '../../../../src/domain/exchange-rates/rates.ts';
import { businessNow } from '../../clock.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, Day, None } from '../../parts/values.tsx';
import { useFormat, useSession } from '../../session.ts';
import { ratesTexts } from './texts.ts';

export function BulletinLine({ rate }: { readonly rate: Rate }) {
  const t = useTexts(ratesTexts);
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: useSession().account?.timezone ?? 'Europe/Istanbul' }).format(
    businessNow(),
  );
  const isToday = rate.rate_date === today;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-13 text-text-2">
      <Badge tone={isToday ? 'live' : 'soon'} icon={isToday ? CalendarCheck : CalendarClock}>
        {isToday ? t.isToday : t.isOlder}
      </Badge>
      {rate.bulletin_no !== null && <span className="tabular">{t.bulletin(rate.bulletin_no)}</span>}
      <span>
        {t.ofDay}: <Day day={rate.rate_date} />
      </span>
      <span>
        {t.taken}: <DateTime at={rate.fetched_at} />
      </span>
      {!isToday && <p className="m-0 basis-full">{t.olderHint}</p>}
    </div>
  );
}

interface CurrentTableProps {
  readonly rates: readonly Rate[];
  readonly pair: Pair;
  readonly onPair: (pair: Pair) => void;
}

export function CurrentTable({ rates, pair, onPair }: CurrentTableProps) {
  const t = useTexts(ratesTexts);
  const format = useFormat();
  const pick = ({ pair: picked }: Rate) => isPair(picked) && onPair(picked);
  const banknote = (value: string | null) => (value === null ? <None /> : format.rate(value, 'TL'));
  const columns: readonly Column<Rate>[] = [
    {
      id: 'pair',
      head: t.pair,
      onCard: 'title',
      cell: (rate) => (
        <span className="block py-1">
          <button
            type="button"
            aria-pressed={rate.pair === pair}
            title={t.showHistory(rate.pair)}
            onClick={() => pick(rate)}
            className="link min-h-6 font-medium"
          >
            {rate.pair}
          </button>
          <span className="block text-12 text-text-2">
            {t.named(t.currencies[rate.base], t.currencies[rate.quote])}
            {rate.quote !== 'TL' && ` · ${t.computed}`}
          </span>
        </span>
      ),
    },
    { id: 'buying', head: t.buying, align: 'end', cell: (rate) => <Value of={rate} side="buying" /> },
    { id: 'selling', head: t.selling, align: 'end', cell: (rate) => <Value of={rate} side="selling" /> },
    {
      id: 'banknote_buying',
      head: t.banknoteBuying,
      align: 'end',
      onCard: 'hide',
      cell: (rate) => banknote(rate.banknote_buying),
    },
    {
      id: 'banknote_selling',
      head: t.banknoteSelling,
      align: 'end',
      onCard: 'hide',
      cell: (rate) => banknote(rate.banknote_selling),
    },
  ];
  return (
    <Table
      label={t.current}
      rows={rates}
      rowKey={(rate) => rate.pair}
      columns={columns}
      onOpen={pick}
      isCurrent={(rate) => rate.pair === pair}
      slim
    />
  );
}

/** On a phone the banknote rate is below, because there is no column for it. */
function Value({ of, side }: { readonly of: Rate; readonly side: 'buying' | 'selling' }) {
  const t = useTexts(ratesTexts);
  const format = useFormat();
  const banknote = of[`banknote_${side}`];
  return (
    <>
      <span className={side === 'selling' ? 'font-semibold' : undefined}>{format.rate(of[side], of.quote)}</span>
      {banknote !== null && (
        <span className="block text-12 whitespace-nowrap text-text-2 sm:hidden">
          <span className="sr-only">{side === 'buying' ? t.banknoteBuying : t.banknoteSelling}: </span>
          <span aria-hidden>{t.banknoteShort} </span>
          {format.rate(banknote, of.quote)}
        </span>
      )}
    </>
  );
}

// Today's board: what is overdue, due, promised and collected today, each card with what one does about it.
import { useQuery } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { CircleCheck, Clock, type LucideIcon, Signature, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { BoardCard, BoardLane } from '../../../../src/domain/receivables/board.ts';
import type { BoardView } from '../../../../src/panel/sales/receivables.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { Money } from '../../parts/values.tsx';
import { saleTexts } from '../../records/sales/sale-texts.ts';
import { Collect } from '../sale-acts/collect/collect.tsx';
import { Postpone } from '../sale-acts/postpone.tsx';
import { TakePromise } from '../sale-acts/promise.tsx';
import { type BeginBoardAct, type BoardAct, BoardCardView } from './board-card.tsx';
import { useBoardKeys } from './board-keys.ts';
import { receivablesTexts } from './texts.ts';

const Notice = lazy(async () => ({ default: (await import('../sale-acts/notice.tsx')).Notice }));

const LANES = ['overdue', 'due_today', 'promised_today', 'collected_today'] as const;
type Lane = (typeof LANES)[number];

const LOOKS: Readonly<Record<Lane, { readonly icon: LucideIcon; readonly tone: string }>> = {
  overdue: { icon: TriangleAlert, tone: 'text-dest' },
  due_today: { icon: Clock, tone: 'text-write' },
  promised_today: { icon: Signature, tone: 'text-read' },
  collected_today: { icon: CircleCheck, tone: 'text-live' },
};

const MINUTE = 60_000;

export function BoardScreen() {
  const board = useQuery({
    queryKey: ['receivables', 'board'],
    queryFn: ({ signal }) => call('GET receivables/board', { signal }),
    refetchInterval: MINUTE,
  });
  if (board.isPending) return <BoardSkeleton />;
  if (board.isError)
    return (
      <div className="card">
        <ErrorState error={board.error} onRetry={board.refetch} />
      </div>
    );
  return <Lanes board={board.data} />;
}

function BoardSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-4">
      {LANES.map((lane) => (
        <Skeleton key={lane} className="h-64 w-full" />
      ))}
    </div>
  );
}

function Lanes({ board }: { readonly board: BoardView }) {
  const t = useTexts(receivablesTexts);
  const [open, setOpen] = useState<{ readonly card: BoardCard; readonly act: BoardAct } | null>(null);
  const place = useRef<HTMLDivElement>(null);
  useBoardKeys(place);
  const begin: BeginBoardAct = (card, act) => setOpen({ card, act });
  return (
    <>
      <p className="mt-0 mb-3 hidden text-12 text-text-3 sm:block pointer-coarse:hidden">{t.keys}</p>
      <div ref={place} className="grid grid-cols-1 items-start gap-4 md:grid-cols-2 xl:grid-cols-4">
        {LANES.map((lane) => (
          <LaneView key={lane} lane={lane} of={board[lane]} reminders={board.reminders} begin={begin} />
        ))}
      </div>
      {open && <Layer {...open} onClose={() => setOpen(null)} />}
    </>
  );
}

interface LaneViewProps {
  readonly lane: Lane;
  readonly of: BoardLane;
  readonly reminders: BoardView['reminders'];
  readonly begin: BeginBoardAct;
}

/** More than fit a screen are asked for: the first are the most urgent. */
const FIRST_CARDS = 12;

function LaneView({ lane, of: { totals, cards }, reminders, begin }: LaneViewProps) {
  const t = useTexts(receivablesTexts);
  const { icon: Icon, tone } = LOOKS[lane];
  const all = totals.reduce((sum, { count }) => sum + count, 0);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? cards : cards.slice(0, FIRST_CARDS);
  const place = useRef<HTMLElement>(null);
  const isAsked = useSearch({ from: '/shell/tahsilat/' }).lane === lane;
  const router = useRouter();
  // On a phone the lanes lie below each other. The router puts a page it has just opened at its top, and may do so after this.
  useEffect(() => {
    if (!isAsked) return;
    const show = () => {
      const lies = place.current;
      if (lies && lies.getBoundingClientRect().top > innerHeight / 2) lies.scrollIntoView();
    };
    show();
    const end = router.subscribe('onRendered', () => {
      show();
      end();
    });
    return end;
  }, [isAsked, router]);
  return (
    <section ref={place} aria-label={t.lanes[lane]} className="min-w-0 scroll-mt-20">
      <h2 className="m-0 flex items-center gap-1.5 text-14 font-semibold">
        <Icon aria-hidden className={cx('size-4', tone)} />
        {t.lanes[lane]}
        <span className="tabular ml-auto text-13 font-normal text-text-2">{all > 0 && t.count(all)}</span>
      </h2>
      <p className="m-0 mb-2 flex min-h-6 flex-wrap gap-x-3 text-16 font-semibold tracking-tight">
        {totals.map(({ currency, amount }) => (
          <Money key={currency} amount={amount} currency={currency} />
        ))}
      </p>
      {cards.length === 0 && <p className="card m-0 p-4 text-13 text-text-2">{t.laneEmpty[lane]}</p>}
      <ul className="m-0 flex list-none flex-col gap-2 p-0">
        {shown.map((card) => (
          <li key={`${card.installment_id ?? card.collection_id ?? card.promise?.id ?? card.sale_id}`}>
            <BoardCardView
              card={card}
              isDone={lane === 'collected_today'}
              isPromise={lane === 'promised_today'}
              reminder={reminders.find(({ installment_id }) => installment_id === card.remind_id)}
              begin={begin}
            />
          </li>
        ))}
      </ul>
      {shown.length < cards.length && (
        <Button className="mt-2 w-full" onClick={() => setWhole(true)}>
          {t.showMore(cards.length - shown.length)}
        </Button>
      )}
      {isWhole && all > cards.length && <p className="mt-2 mb-0 text-13 text-text-2">{t.more(all - cards.length)}</p>}
    </section>
  );
}

interface LayerProps {
  readonly card: BoardCard;
  readonly act: BoardAct;
  readonly onClose: () => void;
}

function Layer({ card, act, onClose }: LayerProps) {
  const t = useTexts(receivablesTexts);
  const s = useTexts(saleTexts);
  if (act === 'collect')
    return <Collect saleId={card.sale_id} installmentId={card.installment_id ?? undefined} onClose={onClose} />;
  if (act === 'promise')
    return (
      <TakePromise
        saleId={card.sale_id}
        installmentId={card.installment_id ?? undefined}
        amount={card.amount}
        currency={card.currency}
        description={`${card.customer.name} · ${card.vehicle.plate}`}
        onClose={onClose}
      />
    );
  if (act === 'notice')
    return (
      <Suspense fallback={null}>
        <Notice saleId={card.sale_id} onClose={onClose} />
      </Suspense>
    );
  if (card.installment_id === null || card.seq === null) return null;
  const row = card.row_no === 0 ? t.down : s.rowOf(card.row_no ?? 0, card.row_count);
  return <Postpone installmentId={card.installment_id} row={row} onClose={onClose} />;
}

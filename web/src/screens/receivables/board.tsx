// Today's board: what is overdue, due, promised and collected today, a card for each sale, with the actions that follow from it.
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { CircleCheck, Clock, type LucideIcon, Signature, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { BOARD_LANES, type BoardLaneName } from '../../../../src/domain/receivables/receivables-states.ts';
import type { BoardCardView as BoardCard, BoardLaneView, BoardView } from '../../../../src/panel/sales/receivables.ts';
import { call, callPage } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { Money } from '../../parts/values.tsx';
import { branchesQuery } from '../../records/branches.ts';
import { Collect } from '../sale-acts/collect/collect.tsx';
import { Postpone } from '../sale-acts/postpone.tsx';
import { TakePromise } from '../sale-acts/promise.tsx';
import type { BeginBoardAct, BoardAct } from './board-act.ts';
import { BoardCardView } from './board-card.tsx';
import { BoardFilters, filtersOf, RuleOffer } from './board-filters.tsx';
import { useBoardKeys } from './board-keys.ts';
import { receivablesTexts } from './texts.ts';

const Notice = lazy(async () => ({ default: (await import('../sale-acts/notice.tsx')).Notice }));

const LOOKS: Readonly<Record<BoardLaneName, { readonly icon: LucideIcon; readonly tone: string }>> = {
  overdue: { icon: TriangleAlert, tone: 'text-dest' },
  due_today: { icon: Clock, tone: 'text-write' },
  promised_today: { icon: Signature, tone: 'text-read' },
  collected_today: { icon: CircleCheck, tone: 'text-live' },
};

const MINUTE = 60_000;

export function BoardScreen() {
  const search = useSearch({ from: '/shell/tahsilat/' });
  const navigate = useNavigate({ from: '/tahsilat' });
  const filters = filtersOf(search);
  const board = useQuery({
    queryKey: ['receivables', 'board', filters],
    queryFn: ({ signal }) => call('GET receivables/board', { query: filters, signal }),
    refetchInterval: MINUTE,
    placeholderData: keepPreviousData,
  });
  // The bar has a choice of branches for dealers with several.
  const { isPending } = useQuery(branchesQuery);
  if (isPending) return <BoardSkeleton />;
  return (
    <>
      <BoardFilters search={search} onChange={(next) => navigate({ search: next, replace: true })} />
      {board.isPending ? (
        <BoardSkeleton />
      ) : board.isError ? (
        <div className="card">
          <ErrorState error={board.error} onRetry={board.refetch} />
        </div>
      ) : (
        <>
          {!board.data.has_reminder_rule && <RuleOffer />}
          <Lanes board={board.data} filters={filters} />
        </>
      )}
    </>
  );
}

function BoardSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-4">
      {BOARD_LANES.map((lane) => (
        <Skeleton key={lane} className="h-64 w-full" />
      ))}
    </div>
  );
}

type BoardFilterValues = ReturnType<typeof filtersOf>;

interface Open {
  readonly card: BoardCard;
  readonly act: BoardAct;
  readonly installment?: { readonly id: string; readonly name: string } | undefined;
}

function Lanes({ board, filters }: { readonly board: BoardView; readonly filters: BoardFilterValues }) {
  const t = useTexts(receivablesTexts);
  const [open, setOpen] = useState<Open | null>(null);
  const place = useRef<HTMLDivElement>(null);
  useBoardKeys(place);
  const begin: BeginBoardAct = (card, act, installment) => setOpen({ card, act, installment });
  return (
    <>
      <p className="mt-0 mb-3 hidden text-12 text-text-3 sm:block pointer-coarse:hidden">{t.keys}</p>
      <div ref={place} className="grid grid-cols-1 items-start gap-4 md:grid-cols-2 xl:grid-cols-4">
        {BOARD_LANES.map((lane) => (
          <LaneView key={`${lane} ${JSON.stringify(filters)}`} lane={lane} of={board[lane]} filters={filters} begin={begin} />
        ))}
      </div>
      {open && <Layer {...open} onClose={() => setOpen(null)} />}
    </>
  );
}

interface LaneViewProps {
  readonly lane: BoardLaneName;
  readonly of: BoardLaneView;
  readonly filters: BoardFilterValues;
  readonly begin: BeginBoardAct;
}

const PAGE = 25;

/** The cards after those of the board, page by page. */
function useMoreCards(lane: BoardLaneName, first: number, filters: BoardFilterValues, isAsked: boolean) {
  return useInfiniteQuery({
    queryKey: ['receivables', 'board', lane, first, filters],
    queryFn: ({ signal, pageParam }) =>
      callPage('GET receivables/board/{lane}', {
        params: { lane },
        query: { ...filters, limit: PAGE, offset: pageParam },
        signal,
      }),
    initialPageParam: first,
    getNextPageParam: (last) => (last.hasMore ? last.offset + last.items.length : undefined),
    enabled: isAsked,
  });
}

function LaneView({ lane, of: { totals, cards }, filters, begin }: LaneViewProps) {
  const t = useTexts(receivablesTexts);
  const { icon: Icon, tone } = LOOKS[lane];
  const all = totals.reduce((sum, { count }) => sum + count, 0);
  const [isMoreAsked, setMoreAsked] = useState(false);
  const more = useMoreCards(lane, cards.length, filters, isMoreAsked);
  const shown = [...cards, ...(more.data?.pages.flatMap(({ items }) => items) ?? [])];
  const place = useLaneOfAddress(lane);
  return (
    <section ref={place} aria-label={t.lanes[lane]} className="min-w-0 scroll-mt-20">
      <h2 className="m-0 flex items-center gap-1.5 text-14 font-semibold">
        <Icon aria-hidden className={cx('size-4', tone)} />
        {t.lanes[lane]}
        <span className="tabular ml-auto text-13 font-normal text-text-2">{all > 0 && t.people(all)}</span>
      </h2>
      <p className="m-0 mb-2 flex min-h-6 flex-wrap gap-x-3 text-16 font-semibold tracking-tight">
        {totals.map(({ currency, amount }) => (
          <Money key={currency} amount={amount} currency={currency} />
        ))}
      </p>
      {cards.length === 0 && <p className="card m-0 p-4 text-13 text-text-2">{t.laneEmpty[lane]}</p>}
      <ul className="m-0 flex list-none flex-col gap-2 p-0">
        {shown.map((card) => (
          <li key={card.collection_id ?? card.sale_id}>
            <BoardCardView
              card={card}
              isDone={lane === 'collected_today'}
              isPromise={lane === 'promised_today'}
              isOverdue={lane === 'overdue'}
              begin={begin}
            />
          </li>
        ))}
      </ul>
      {shown.length < all && (
        <Button
          className="mt-2 w-full"
          busy={more.isFetching}
          onClick={() => (isMoreAsked ? void more.fetchNextPage() : setMoreAsked(true))}
        >
          {t.showMore(Math.min(PAGE, all - shown.length), all - shown.length)}
        </Button>
      )}
    </section>
  );
}

/** On a phone the lanes are below each other: the one that the address names is scrolled to. */
function useLaneOfAddress(lane: BoardLaneName) {
  const place = useRef<HTMLElement>(null);
  const isAsked = useSearch({ from: '/shell/tahsilat/' }).lane === lane;
  const router = useRouter();
  // The router puts a page it has just opened at its top, and may do so after this.
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
  return place;
}

function Layer({ card, act, installment, onClose }: Open & { readonly onClose: () => void }) {
  // The amount of a card with several installments is that of all of them.
  const only = installment?.id ?? (card.count === 1 ? (card.installment_id ?? undefined) : undefined);
  if (act === 'collect')
    return (
      <Collect
        saleId={card.sale_id}
        installmentId={only}
        amount={only === undefined ? card.amount : undefined}
        onClose={onClose}
      />
    );
  if (act === 'promise')
    return (
      <TakePromise
        saleId={card.sale_id}
        installmentId={only}
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
  return installment === undefined ? null : (
    <Postpone installmentId={installment.id} installment={installment.name} onClose={onClose} />
  );
}

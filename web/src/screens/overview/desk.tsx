// What waits today, each item a link to its list.
// The menu's icons, which are loaded anyway.
import {
  Banknote,
  Car,
  Coins,
  FileText,
  Gauge,
  Gavel,
  Handshake,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  Receipt,
  ReceiptText,
  Store,
  Waypoints,
} from 'lucide-react';
import { addDays } from '../../../../src/domain/clock/days.ts';
import type { BoardTotal } from '../../../../src/domain/receivables/board.ts';
import type { ShownDesk } from '../../../../src/panel/home/overview.ts';
import { useTexts } from '../../language.ts';
import { cx } from '../../parts/cx.ts';
import { PanelLink } from '../../parts/page/panel-link.tsx';
import { Money } from '../../parts/values.tsx';
import { useFormat } from '../../session.ts';
import { overviewTexts } from './texts.ts';

interface Line {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly to: string;
  readonly count: number;
  readonly amounts?: readonly BoardTotal[];
  /** Shown in the colour of overdue work. */
  readonly isPressing?: boolean;
}

type Lane = 'overdue' | 'due_today' | 'promised_today';

const sum = (totals: readonly BoardTotal[]): number => totals.reduce((all, { count }) => all + count, 0);

function useLines(desk: ShownDesk): readonly Line[] {
  const t = useTexts(overviewTexts).desk;
  const money = (name: string, icon: LucideIcon, lane: Lane, isPressing = false): Line[] => {
    const totals = desk[lane];
    return totals === null ? [] : [{ name, icon, to: `/tahsilat?lane=${lane}`, count: sum(totals), amounts: totals, isPressing }];
  };
  const counted = (name: string, icon: LucideIcon, to: string, count: number | null): Line[] =>
    count === null ? [] : [{ name, icon, to, count }];
  return [
    ...money(t.overdue, ReceiptText, 'overdue', true),
    ...money(t.dueToday, Banknote, 'due_today'),
    ...money(t.promised, Handshake, 'promised_today'),
    ...counted(t.tasks, ListChecks, `/gorevler?due_before=${addDays(desk.today, 1)}`, desk.tasks_due),
    ...counted(t.enquiries, MessagesSquare, '/adaylar?gorunum=liste&stage=Yeni', desk.new_enquiries),
    ...counted(t.reservations, Car, '/araclar?reserved_days_max=2', desk.reservations_ending),
    ...counted(t.longInStock, Gauge, '/araclar?days_min=61', desk.long_in_stock),
    ...counted(t.expenses, Receipt, '/giderler', desk.expense_proposals),
    ...counted(t.documents, FileText, '/belgeler?waiting=true', desk.documents_waiting),
    ...counted(t.networkOffers, Waypoints, '/ag/teklifler', desk.network_offers),
    ...counted(t.trades, Coins, '/ag/takas?goster=bende', desk.trade_requests),
    ...counted(t.marketOffers, Store, '/pazar?offers=waiting', desk.market_offers),
    ...counted(t.bids, Gavel, '/muzayede/ag?goster=peyli', desk.auctions_with_bids),
  ];
}

export function DeskCard({ desk }: { readonly desk: ShownDesk }) {
  const t = useTexts(overviewTexts).desk;
  const format = useFormat();
  const lines = useLines(desk);
  const open = lines.filter(({ count }) => count > 0);
  const quiet = lines.filter(({ count }) => count === 0);
  return (
    <section aria-label={t.title} className="card min-w-0 p-4">
      <h2 className="m-0 mb-3 text-14 font-semibold">{t.title}</h2>
      {open.length === 0 && <p className="m-0 text-text-2">{t.nothing}</p>}
      {/* Cards grow, so that each line is filled. */}
      <ul className="m-0 flex list-none flex-wrap gap-2 p-0 *:grow *:basis-60">
        {open.map(({ name, icon: Icon, to, count, amounts, isPressing }) => (
          <li key={name}>
            <PanelLink
              to={to}
              className="flex h-full min-h-16 items-start gap-3 rounded-control border border-line p-3 text-text no-underline hover:bg-subtle"
            >
              <Icon aria-hidden className={cx('mt-0.5 size-4 shrink-0', isPressing ? 'text-danger' : 'text-text-3')} />
              <span className="min-w-0 flex-1">
                <span className="block text-13 text-text-2">{name}</span>
                {amounts?.map(({ currency, amount }) => (
                  <span key={currency} className="tabular block font-semibold">
                    <Money amount={amount} currency={currency} />
                  </span>
                ))}
              </span>
              <span className="tabular text-20 font-semibold">{format.number(count)}</span>
            </PanelLink>
          </li>
        ))}
      </ul>
      {quiet.length > 0 && open.length > 0 && (
        <p className="mt-3 mb-0 text-12 text-text-2">{t.quiet(quiet.map(({ name }) => name).join(' · '))}</p>
      )}
    </section>
  );
}

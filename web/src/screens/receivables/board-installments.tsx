// The installments that a card of the board sums up, read when they are asked for.
import { useQuery } from '@tanstack/react-query';
import { CalendarClock, ChevronDown, HandCoins } from 'lucide-react';
import { useId, useState } from 'react';
import type { BoardCardView as BoardCard } from '../../../../src/panel/sales/receivables.ts';
import { useTexts } from '../../language.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { Day, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { saleTexts } from '../../records/sales/sale-texts.ts';
import { type Installment, planQuery, useToday } from '../../records/sales/sales.ts';
import { saleActsTexts } from '../sale-acts/texts.ts';
import type { BeginBoardAct } from './board-act.ts';
import { receivablesTexts } from './texts.ts';

interface CardInstallmentsProps {
  readonly card: BoardCard;
  readonly label: string;
  readonly begin: BeginBoardAct;
}

export function CardInstallments({ card, label, begin }: CardInstallmentsProps) {
  const t = useTexts(receivablesTexts);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        look="quiet"
        className="mt-1 w-full justify-start px-1 text-13"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronDown aria-hidden className={cx('size-4 transition-transform', isOpen && 'rotate-180')} />
        {isOpen ? t.hideInstallments : label}
      </Button>
      <div id={id}>{isOpen && <Installments card={card} begin={begin} />}</div>
    </>
  );
}

function Installments({ card, begin }: Pick<CardInstallmentsProps, 'card' | 'begin'>) {
  const t = useTexts(receivablesTexts);
  const s = useTexts(saleTexts);
  const a = useTexts(saleActsTexts);
  const today = useToday();
  const plan = useQuery(planQuery(card.sale_id));
  const [mayCollect, mayPostpone] = [useMay('collections:write'), useMay('installments:write')];
  if (plan.isPending) return <Skeleton className="h-16 w-full" />;
  if (plan.isError) return <ErrorState error={plan.error} onRetry={plan.refetch} />;
  const places = new Map(
    plan.data.installments
      .filter(({ seq, status }) => seq > 0 && status !== 'Yapılandırıldı')
      .map((installment, at) => [installment.id, at + 1]),
  );
  const due = plan.data.installments.filter((one) => isOwed(one) && one.due_date <= today);
  return (
    <ul className="m-0 list-none divide-y divide-line p-0">
      {due.map((one) => {
        const place = places.get(one.id);
        const name = place === undefined ? t.down : s.rowOf(place, card.row_count);
        return (
          <li key={one.id} className="flex items-center gap-1 py-1 text-13">
            <span className="min-w-0 flex-1">
              <span className="block">
                <Day day={one.due_date} /> <span className="text-text-2">· {name}</span>
              </span>
              <span className="block font-medium">
                <Money amount={one.remaining_amount} currency={one.currency} />
              </span>
            </span>
            {mayCollect && (
              <IconButton
                label={`${a.collect}: ${name}`}
                icon={HandCoins}
                onClick={() => begin(card, 'collect', { id: one.id, name })}
              />
            )}
            {mayPostpone && (
              <IconButton
                label={`${a.postpone}: ${name}`}
                icon={CalendarClock}
                onClick={() => begin(card, 'postpone', { id: one.id, name })}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

const isOwed = ({ status }: Installment): boolean => status === 'Bekliyor' || status === 'Kısmi Ödendi';

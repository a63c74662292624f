import { Link } from '@tanstack/react-router';
import { CalendarClock, CalendarPlus, HandCoins, MailWarning, Phone } from 'lucide-react';
import type { BoardCardView as BoardCard } from '../../../../src/panel/sales/receivables.ts';
import { formatFor } from '../../format.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { DateTime, Money, Plate } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { useMayPrint } from '../../records/documents/papers.tsx';
import { ReceiptNumber } from '../../records/documents/receipts.tsx';
import { reminderTexts } from '../../records/sales/reminder-texts.ts';
import { WhatsApp } from '../../records/sales/reminders.tsx';
import { saleTexts } from '../../records/sales/sale-texts.ts';
import { CarThumb } from '../../records/vehicles/car-thumb.tsx';
import { useFormat } from '../../session.ts';
import { noticeTexts } from '../sale-acts/notice-texts.ts';
import { saleActsTexts } from '../sale-acts/texts.ts';
import type { BeginBoardAct } from './board-act.ts';
import { CardInstallments } from './board-installments.tsx';
import { receivablesTexts } from './texts.ts';

interface CardProps {
  readonly card: BoardCard;
  /** Collected already: nothing is left to do. */
  readonly isDone: boolean;
  readonly isPromise: boolean;
  readonly isOverdue: boolean;
  readonly begin: BeginBoardAct;
}

export function BoardCardView({ card, isDone, isPromise, isOverdue, begin }: CardProps) {
  const t = useTexts(receivablesTexts);
  const { customer, vehicle } = card;
  return (
    <article
      data-card
      tabIndex={-1}
      aria-label={`${customer.name}, ${vehicle.plate}`}
      className="card p-3 focus-visible:outline-2 focus-visible:outline-[var(--focus)]"
    >
      <div className="flex items-start gap-2.5">
        <CarThumb car={vehicle} className="h-12 w-18" />
        <div className="min-w-0 flex-1">
          <Link
            to="/satislar/$saleId"
            params={{ saleId: card.sale_id }}
            className="block truncate font-medium text-text no-underline hover:underline"
            title={customer.name}
          >
            {customer.name}
          </Link>
          <p className="m-0 mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-13 text-text-2">
            <Plate plate={vehicle.plate} />
            <span className="truncate">{vehicle.name}</span>
          </p>
        </div>
      </div>
      <p className="m-0 mt-2 flex flex-wrap items-baseline gap-x-2 gap-y-0.5 text-13 text-text-2">
        <span className={cx('text-16 font-semibold', isOverdue ? 'text-dest' : 'text-text')}>
          <Money amount={card.amount} currency={card.currency} />
        </span>
        <Owed card={card} />
        {card.receipt_no && card.collection_id && (
          <ReceiptNumber
            collection={{ id: card.collection_id, receipt_no: card.receipt_no, type: 'Tahsilat', status: 'Geçerli' }}
          />
        )}
      </p>
      {!isDone && <Known card={card} isPromise={isPromise} />}
      {!isDone && <CardActs card={card} begin={begin} />}
      {!isDone && card.count > 1 && <CardInstallments card={card} label={t.showInstallments(card.count)} begin={begin} />}
    </article>
  );
}

/** «3 taksit, en eskisi 107 gün gecikti», or the installment itself where it is one. */
function Owed({ card }: { readonly card: BoardCard }) {
  const t = useTexts(receivablesTexts);
  const s = useTexts(saleTexts);
  if (card.row_no === null) return null;
  if (card.count > 1)
    return card.days_overdue > 0 ? (
      <span className="font-medium text-dest">{t.lateSum(card.count, card.days_overdue)}</span>
    ) : (
      <span>{t.installments(card.count)}</span>
    );
  return (
    <>
      <span>{card.row_no === 0 ? t.down : s.rowOf(card.row_no, card.row_count)}</span>
      {card.days_overdue > 0 && <span className="font-medium text-dest">{t.days(card.days_overdue)}</span>}
    </>
  );
}

/** The latest activity. */
function Known({ card: { promise, last_contact_at, currency, reminder }, isPromise }: Pick<CardProps, 'card' | 'isPromise'>) {
  const t = useTexts(receivablesTexts);
  const r = useTexts(reminderTexts);
  const blocked = reminder?.recipients[0]?.blocked ?? null;
  const locale = useLocale();
  const format = useFormat();
  return (
    <p className="m-0 mt-1 text-12 text-text-2">
      {promise && !isPromise && (
        <span className="block font-medium text-read">
          {t.promised(formatFor(locale, 'UTC').date(promise.promised_date), format.money(promise.amount, currency))}
        </span>
      )}
      {/* The hour is the same for every card, and who was written to today is the last contact. */}
      {blocked !== null && blocked !== 'hours' && blocked !== 'sent' && (
        <span className="block font-medium text-text">{r.blocks[blocked]}</span>
      )}
      {last_contact_at === null ? (
        t.never
      ) : (
        <>
          {t.lastContact}: <DateTime at={last_contact_at} show="relative" />
        </>
      )}
    </p>
  );
}

/** A link that looks like the icon buttons beside it. */
const ICON =
  'inline-grid size-[var(--control)] place-items-center rounded-control text-text-2 transition-colors hover:bg-soon-bg hover:text-text';

/** On a phone without their icons, so that all acts of a card stay on one line. */
const ACT = 'max-sm:mr-1 max-sm:px-2 max-sm:[&>svg]:hidden';

function CardActs({ card, begin }: Pick<CardProps, 'card' | 'begin'>) {
  const t = useTexts(receivablesTexts);
  const a = useTexts(saleActsTexts);
  const mayCollect = useMay('collections:write');
  const mayPromise = useMay('payment-promises:write') && card.promise === null;
  const mayPostpone = useMay('installments:write') && card.installment_id !== null && card.count === 1;
  const s = useTexts(saleTexts);
  const mayContact = useMay('customers:write');
  const n = useTexts(noticeTexts);
  const [prints, sells] = [useMayPrint(), useMay('sales:write')];
  const mayWarn = prints && sells && card.days_overdue > 0;
  const { reminder } = card;
  const debtor = reminder?.recipients[0];
  const only = card.installment_id && {
    id: card.installment_id,
    name: card.row_no ? s.rowOf(card.row_no, card.row_count) : t.down,
  };
  if (!(mayCollect || mayPromise || mayPostpone || mayContact || mayWarn)) return null;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-1 max-sm:gap-0">
      {mayCollect && (
        <Button className={ACT} icon={HandCoins} data-key="t" aria-keyshortcuts="t" onClick={() => begin(card, 'collect')}>
          {a.collect}
        </Button>
      )}
      {mayPromise && (
        <Button className={ACT} icon={CalendarPlus} data-key="s" aria-keyshortcuts="s" onClick={() => begin(card, 'promise')}>
          {a.promise}
        </Button>
      )}
      {mayContact && reminder && debtor && <WhatsApp icon row={reminder} to={debtor} />}
      {mayContact && (
        <OutsideLink to={{ phone: card.customer.phone }} inSandbox="nothing" aria-label={t.call} title={t.call} className={ICON}>
          <Phone aria-hidden className="size-4" />
        </OutsideLink>
      )}
      {mayPostpone && only && (
        <IconButton label={a.postpone} icon={CalendarClock} onClick={() => begin(card, 'postpone', only)} />
      )}
      {mayWarn && <IconButton label={n.notice} icon={MailWarning} onClick={() => begin(card, 'notice')} />}
    </div>
  );
}

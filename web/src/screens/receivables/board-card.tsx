import { Link } from '@tanstack/react-router';
import { CalendarClock, CalendarPlus, HandCoins, MailWarning, Phone } from 'lucide-react';
import type { BoardCard } from '../../../../src/domain/receivables/board.ts';
import { formatFor } from '../../format.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { DateTime, Money, Plate } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { useMayPrint } from '../../records/documents/papers.tsx';
import { ReceiptNumber } from '../../records/documents/receipts.tsx';
import { reminderTexts } from '../../records/sales/reminder-texts.ts';
import { type ReminderRow, WhatsApp } from '../../records/sales/reminders.tsx';
import { saleTexts } from '../../records/sales/sale-texts.ts';
import { useFormat } from '../../session.ts';
import { noticeTexts } from '../sale-acts/notice-texts.ts';
import { saleActsTexts } from '../sale-acts/texts.ts';
import { receivablesTexts } from './texts.ts';

export type BoardAct = 'collect' | 'promise' | 'postpone' | 'notice';
export type BeginBoardAct = (card: BoardCard, act: BoardAct) => void;

interface CardProps {
  readonly card: BoardCard;
  /** Collected already: nothing is left to do. */
  readonly isDone: boolean;
  readonly isPromise: boolean;
  /** What the customer is reminded of. */
  readonly reminder: ReminderRow | undefined;
  readonly begin: BeginBoardAct;
}

export function BoardCardView({ card, isDone, isPromise, reminder, begin }: CardProps) {
  const t = useTexts(receivablesTexts);
  const s = useTexts(saleTexts);
  const { customer, vehicle, row_no } = card;
  return (
    <article
      data-card
      tabIndex={-1}
      aria-label={`${customer.name}, ${vehicle.plate}`}
      className="card p-3 focus-visible:outline-2 focus-visible:outline-[var(--focus)]"
    >
      <div className="flex items-start justify-between gap-2">
        <Link
          to="/satislar/$saleId"
          params={{ saleId: card.sale_id }}
          className="min-w-0 font-medium wrap-anywhere text-text no-underline hover:underline"
        >
          {customer.name}
        </Link>
        <span className="shrink-0 font-semibold">
          <Money amount={card.amount} currency={card.currency} />
        </span>
      </div>
      <p className="m-0 mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-13 text-text-2">
        <Plate plate={vehicle.plate} />
        {row_no !== null && <span>{row_no === 0 ? t.down : s.rowOf(row_no, card.row_count)}</span>}
        {card.receipt_no && card.collection_id && (
          <ReceiptNumber
            collection={{ id: card.collection_id, receipt_no: card.receipt_no, type: 'Tahsilat', status: 'Geçerli' }}
          />
        )}
        {card.days_overdue > 0 && <span className="font-medium text-dest">{t.days(card.days_overdue)}</span>}
      </p>
      {!isDone && <Known card={card} isPromise={isPromise} reminder={reminder} />}
      {!isDone && <CardActs card={card} reminder={reminder} begin={begin} />}
    </article>
  );
}

/** The latest activity. */
function Known({
  card: { promise, last_contact_at, currency },
  isPromise,
  reminder,
}: Pick<CardProps, 'card' | 'isPromise' | 'reminder'>) {
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

function CardActs({ card, reminder, begin }: Pick<CardProps, 'card' | 'reminder' | 'begin'>) {
  const t = useTexts(receivablesTexts);
  const a = useTexts(saleActsTexts);
  const mayCollect = useMay('collections:write');
  const mayPromise = useMay('payment-promises:write') && card.promise === null;
  const mayPostpone = useMay('installments:write') && card.installment_id !== null;
  const mayContact = useMay('customers:write');
  const n = useTexts(noticeTexts);
  const [prints, sells] = [useMayPrint(), useMay('sales:write')];
  const mayWarn = prints && sells && card.days_overdue > 0;
  const debtor = reminder?.recipients[0];
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
      {mayPostpone && <IconButton label={a.postpone} icon={CalendarClock} onClick={() => begin(card, 'postpone')} />}
      {mayWarn && <IconButton label={n.notice} icon={MailWarning} onClick={() => begin(card, 'notice')} />}
    </div>
  );
}

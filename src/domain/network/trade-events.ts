// The event of a swap for both sides, rendered for each, and a notification to the side that did not act.
import { sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { addNotification, type NotificationKind } from '../notifications/notification.ts';
import { NO_LINKS } from '../parties/vehicle-card.ts';
import { emitChange } from '../writes/record-events.ts';
import type { TradeSide, TradeStatus } from './network-states.ts';
import { tradeWords } from './network-words.ts';
import { withoutPhones } from './offer.ts';
import type { WorkByAccount } from './offer-events.ts';
import { readTrade, type StoredTrade } from './trade.ts';

type Verb = 'created' | 'accepted' | 'rejected' | 'cancelled' | 'expired' | 'completed' | 'fell_through';

export interface TradeEvent {
  readonly verb: Verb;
  /** Only these sides; default: both. */
  readonly sides?: readonly TradeSide[];
  readonly notifies?: { readonly sides: readonly TradeSide[]; readonly kind: NotificationKind };
}

/** Withdrawn, or its car is gone: the recipient is notified, who had to answer it. */
export const CANCELLED: TradeEvent = { verb: 'cancelled', notifies: { sides: ['recipient'], kind: 'trade_request.cancelled' } };

const SIDES = ['recipient', 'requester'] as const;

/** `was`: the previous status; null for a new request. */
export async function emitTradeEvents(
  of: WorkByAccount,
  trade: StoredTrade,
  was: TradeStatus | null,
  event: TradeEvent,
): Promise<void> {
  const { verb, sides = SIDES, notifies } = event;
  for (const side of sides) {
    const work = of(side === 'recipient' ? trade.account_id : trade.requester_id);
    const shown = await readTrade(work.db, trade.id, NO_LINKS);
    const asOpen = { ...withoutPhones(shown), status: was ?? shown.status, reject_reason: null };
    const before = was === null ? shown : was === 'Beklemede' ? asOpen : { ...shown, status: was };
    emitChange(work, { kind: 'trade_request', path: `trade-requests/${trade.id}` }, verb, shown, before);
    if (notifies?.sides.includes(side))
      await addNotification(work, {
        kind: notifies.kind,
        ...tradeWords(notifies.kind, shown),
        resource_type: 'trade_request',
        resource_id: trade.id,
      });
  }
}

/** `work` is the recipient's. */
export async function settleTrade(
  recipient: Work,
  { id }: StoredTrade,
  status: TradeStatus,
  reject_reason: string | null = null,
): Promise<void> {
  const { db, now } = recipient;
  await db.exec(sql`update trade_requests set status = ${status}, reject_reason = ${reject_reason}, updated_at = ${now}
    where account_id = ${theAccount} and id = ${id}`);
}

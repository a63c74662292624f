// The event of an offer for both sides, rendered for each, and a notification to the side that did not act.
import { sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { addNotification, type NotificationKind } from '../notifications/notification.ts';
import { NO_LINKS } from '../parties/vehicle-card.ts';
import { emitChange } from '../writes/record-events.ts';
import type { OfferSide, OfferStatus } from './network-states.ts';
import { offerWords } from './network-words.ts';
import { type NetworkOffer, readOffer, type StoredOffer, withoutPhones } from './offer.ts';

export type WorkByAccount = (account: string) => Work;

type Verb = 'created' | 'countered' | 'accepted' | 'rejected' | 'withdrawn' | 'expired' | 'completed' | 'fell_through';

/** The side to notify. The counter-offer's own event is `created`, its notification has the kind `countered`. */
export interface OfferEvent {
  readonly verb: Verb;
  readonly notifies?: { readonly sides: readonly OfferSide[]; readonly kind: NotificationKind };
}

const NOTHING_SAID = { responded_at: null, response_message: null, reject_reason: null };

/** The offer before the change: without answer and without phones. */
function before(shown: NetworkOffer, was: OfferStatus): NetworkOffer {
  if (was !== 'Beklemede') return { ...shown, status: was };
  return { ...withoutPhones(shown), ...NOTHING_SAID, status: was, awaiting_me: shown.made_by !== shown.my_role };
}

/** `was`: the previous status; null for a new offer. */
export async function emitOfferEvents(
  of: WorkByAccount,
  offer: StoredOffer,
  was: OfferStatus | null,
  event: OfferEvent,
): Promise<void> {
  for (const [side, account] of [
    ['seller', offer.account_id],
    ['buyer', offer.buyer_id],
  ] as const) {
    const work = of(account);
    const shown = await readOffer(work.db, offer.id, NO_LINKS);
    const resource = { kind: 'network_offer', path: `network-offers/${offer.id}` };
    emitChange(work, resource, event.verb, shown, was === null ? shown : before(shown, was));
    const { notifies } = event;
    if (notifies?.sides.includes(side))
      await addNotification(work, {
        kind: notifies.kind,
        ...offerWords(notifies.kind, shown),
        resource_type: 'network_offer',
        resource_id: offer.id,
      });
  }
}

/** Answers an open offer; `work` is the seller's. */
export async function settle(
  seller: Work,
  offer: StoredOffer,
  status: OfferStatus,
  answer: { readonly response_message?: string | null; readonly reject_reason?: string | null } = {},
): Promise<void> {
  const { db, now } = seller;
  const isAnswer = status !== 'Geri Çekildi' && status !== 'Süresi Doldu';
  const { response_message = null, reject_reason = null } = answer;
  await db.exec(sql`update network_offers set status = ${status}, updated_at = ${now},
      responded_at = case when status = 'Beklemede' and ${isAnswer} then ${now}::timestamptz else responded_at end,
      response_message = coalesce(${response_message}, response_message), reject_reason = ${reject_reason}
    where account_id = ${theAccount} and id = ${offer.id}`);
}

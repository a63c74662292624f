// Simulated dealers answer offers and trade requests, with the functions that a real dealer's requests call.

import { writtenSum } from '../../domain/formats/written.ts';
import type { NetworkOffer } from '../../domain/network/offer.ts';
import { acceptOffer, counterOffer, rejectOffer } from '../../domain/network/offer-writes.ts';
import type { TradeRequest } from '../../domain/network/trade.ts';
import { acceptTrade, rejectTrade } from '../../domain/network/trade-writes.ts';
import { eitherPartyRows } from '../../domain/parties/counterparty-rows.ts';
import { editVehicle } from '../../domain/stock/vehicle-writes.ts';
import { formatMoney } from '../../kit/money.ts';
import { own, sql } from '../../kit/sql.ts';
import type { NewEvent, Work } from '../../kit/work.ts';
import { type ActResult, addActs, after, asDealer, DAY, type NewAct, type RunAct } from './act.ts';
import { type Outcome, outcomeOfAmount } from './rules.ts';

type Answer = Outcome<'network_offer'>;

const answerDelay = (answer: Answer): number => (answer === 'accepted_later' ? DAY : 0);

/** Null if the simulated dealer never answers. */
function answerAct(work: Work, kind: string, recordId: string, dealerId: string, answer: Answer): NewAct | null {
  if (answer === 'unanswered') return null;
  return { kind, recordId, dealerId, details: { answer }, dueAt: after(work, answerDelay(answer)) };
}

/** An offer or counter-offer that the world's dealer made. */
export function planOfferAnswer(work: Work, { id, object }: NewEvent): NewAct | null {
  const { made_by, my_role, seller, buyer, amount } = object as NetworkOffer;
  if (made_by !== my_role) return null;
  const other = my_role === 'seller' ? buyer : seller;
  return answerAct(work, 'offer_answer', id, other.account_id, outcomeOfAmount('network_offer', amount));
}

/** A trade request that the world's dealer made. */
export function planTradeAnswer(work: Work, { id, object }: NewEvent): NewAct | null {
  const { my_role, recipient, cash_difference } = object as TradeRequest;
  if (my_role !== 'requester') return null;
  return answerAct(work, 'trade_answer', id, recipient.account_id, outcomeOfAmount('trade_request', cash_difference));
}

const size = (amount: bigint): bigint => (amount < 0n ? -amount : amount);
/** In favour of the side that receives the amount. */
const fivePercentMore = (amount: bigint): bigint => amount + (size(amount) * 5n) / 100n;

export const answerOffer: RunAct = async (work, { recordId: id, dealerId, details }) => {
  const answer = details.answer as Answer;
  await asDealer(work, dealerId!, async (dealer) => {
    if (answer === 'rejected') return rejectOffer(dealer, id, { reason: 'Fiyatta anlaşamayız.' });
    if (answer !== 'countered') return acceptOffer(dealer, id, {});
    const { amount } = await readTerms(dealer, id);
    await counterOffer(dealer, id, { amount: fivePercentMore(amount) });
  });
  if (answer === 'falls_through') await planRelease(work, id, (await readTerms(work, id)).sellerId);
  return null;
};

interface OfferTerms {
  readonly amount: bigint;
  readonly sellerId: string;
}

const readTerms = ({ db }: Work, id: string): Promise<OfferTerms> =>
  db.one<OfferTerms>(
    sql`select amount_minor as amount, account_id as "sellerId" from ${eitherPartyRows('network_offers')} where id = ${id}`,
  );

export const answerTrade: RunAct = async (work, { recordId: id, dealerId, details }) => {
  const answer = details.answer as Answer;
  await asDealer(work, dealerId!, async (dealer) => {
    if (answer === 'rejected') return rejectTrade(dealer, id, { reason: 'Bu takası yapamayız.' });
    if (answer === 'countered') return rejectTrade(dealer, id, { reason: await counterDifference(dealer, id) });
    return acceptTrade(dealer, id);
  });
  if (answer === 'falls_through') await planRelease(work, id, dealerId!);
  return null;
};

/** Trade requests have no counter-offer: the reason names the difference that the simulated dealer asks for. */
async function counterDifference({ db }: Work, id: string): Promise<string> {
  const { difference, currency } = await db.one<{ difference: bigint; currency: string }>(
    sql`select cash_difference_minor as difference, currency from ${eitherPartyRows('trade_requests')} where id = ${id}`,
  );
  return `${writtenSum(formatMoney(fivePercentMore(difference)), currency).tr} fark isteriz.`;
}

/** The owner of the car gives up the agreement 2 days later. */
const planRelease = (work: Work, recordId: string, dealerId: string): Promise<void> =>
  addActs(work, [{ kind: 'release_car', recordId, dealerId, dueAt: after(work, 2 * DAY) }]);

/** As a dealer ends the reservation of an agreement: the car returns to stock. */
export const releaseCar: RunAct = (work, { recordId, dealerId }) =>
  asDealer(work, dealerId!, async (owner): Promise<ActResult> => {
    const [held] = await owner.db.rows<{ vehicle_id: string }>(
      sql`select vehicle_id from ${own('reservations')} where source_id = ${recordId} and status = 'Aktif'`,
    );
    if (held === undefined) return 'agreement_ended';
    await editVehicle(owner, held.vehicle_id, { status: 'Stokta' });
    return null;
  });

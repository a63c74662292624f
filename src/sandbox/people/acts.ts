// The acts of the simulated side as a timed transition of the world's dealer. Each runs in a savepoint: one that is no longer possible is
// marked as done with the reason and does not affect the others.
import { PendingTransitions } from '../../domain/writes/pending-transitions.ts';
import type { Look, TimedTransition } from '../../domain/writes/timed-transition.ts';
import { idsOf, without } from '../../domain/writes/transition-failures.ts';
import { Failure } from '../../kit/errors.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { Act, ActResult, RunAct } from './act.ts';
import { outbid, placeBid } from './auction-acts.ts';
import { makeConsumerOffer, makeDealerOffer, withdrawDealerOffer } from './listing-acts.ts';
import { answerOffer, answerTrade, releaseCar } from './network-acts.ts';
import { decideRequest, decideTopup } from './platform-acts.ts';
import { decideDocument, openDocument } from './signing-acts.ts';

const ACTS: Readonly<Record<string, RunAct>> = {
  offer_answer: answerOffer,
  trade_answer: answerTrade,
  release_car: releaseCar,
  consumer_offer: makeConsumerOffer,
  dealer_offer: makeDealerOffer,
  offer_withdrawal: withdrawDealerOffer,
  bid: placeBid,
  outbid,
  topup_decision: decideTopup,
  auction_decision: decideRequest,
  document_opening: openDocument,
  document_decision: decideDocument,
};

/** A bid is announced by the transaction that places it, which a savepoint is not (`tell_bid`); it is refused before it writes anything. */
const WITHOUT_SAVEPOINT: ReadonlySet<string> = new Set(['bid', 'outbid']);

const MAX_AT_ONCE = 20;
const ORDER = sql`due_at, number`;
const IS_DUE = (now: Date) => sql`done_at is null and due_at <= ${now}`;

interface StoredAct extends Omit<Act, 'details'> {
  readonly kind: string;
  readonly details: string;
}

async function runActs(work: Work, ids: readonly string[]): Promise<void> {
  const due = await work.db.rows<StoredAct>(sql`select id, kind, dealer_id as "dealerId", record_id as "recordId", details
    from ${own('sandbox_acts')} where id = any(${ids}::uuid[]) and ${IS_DUE(work.now)} order by ${ORDER} for update`);
  for (const { kind, details, ...act } of due) {
    const result = await runAct(work, kind, { ...act, details: JSON.parse(details) });
    await keepResult(work, act.id, result);
  }
}

async function runAct(work: Work, kind: string, act: Act): Promise<ActResult> {
  const run = ACTS[kind];
  if (run === undefined) return 'unknown_kind';
  try {
    return await (WITHOUT_SAVEPOINT.has(kind) ? run(work, act) : work.step(() => run(work, act)));
  } catch (error) {
    if (error instanceof Failure) return error.code;
    // The clock has ended the auction, and its seller's transition is not written yet.
    if (error instanceof PendingTransitions) return 'auction_ended';
    throw error;
  }
}

async function keepResult({ db, now, endsAt }: Work, id: string, result: ActResult): Promise<void> {
  const isPut = result instanceof Date;
  if (isPut) endsAt(result);
  const change = isPut ? sql`due_at = ${result}` : sql`done_at = ${now}, outcome = ${result}`;
  await db.exec(sql`update sandbox_acts set ${change} where account_id = ${theAccount} and id = ${id}`);
}

export const SANDBOX_ACTS: TimedTransition = {
  kind: 'sandbox_act',
  due: ({ db, now }: Look, skip) =>
    idsOf(
      db,
      sql`select id from ${own('sandbox_acts')} where ${IS_DUE(now)} and ${without(skip)} order by ${ORDER} limit ${MAX_AT_ONCE}`,
    ),
  run: runActs,
  next: async (db, _timezone, skip) => {
    const { at } = await db.one<{ at: Date | null }>(
      sql`select min(due_at) as at from ${own('sandbox_acts')} where done_at is null and ${without(skip)}`,
    );
    return at;
  },
};

// An administrator's decision on a top-up: approving posts exactly one «Yükleme», also if the request is repeated; a large amount
// needs two administrators.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { formatMoney } from '../../kit/money.ts';
import { own, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { writtenSum } from '../formats/written.ts';
import { MONEY_ALONE_UP_TO } from '../keys/four-eyes.ts';
import { addNotification } from '../notifications/notification.ts';
import { textField } from '../records/fields.ts';
import { audit } from '../writes/audit.ts';
import { inAccountLanguage, lockWallet, post } from './ledger.ts';
import { emitTopupEvent, readTopup, type TopupRequest } from './topup.ts';
import type { TopupStatus } from './wallet-states.ts';

/** The note to the dealer with the decision. */
export const DECISION_NOTE = textField(1000, { lines: true });

export interface Decision {
  readonly note: string | null;
  /** The administrator; null on the command line, which acts for the platform. */
  readonly personId: string | null;
  /** Whether large amounts need two administrators. */
  readonly twoDecide: boolean;
  /** The first of two, as the caller knows it, and whether this administrator can be the second. */
  readonly first: { readonly by: string; readonly maySecond: boolean } | null;
}

interface Waiting {
  readonly amount: bigint;
  readonly currency: string;
  readonly status: TopupStatus;
  readonly requested_by: string | null;
  readonly first_by: string | null;
  readonly reference: string | null;
}

/** Locked, so that two administrators decide one after another and the second learns that it is decided. */
async function lockTopup(db: Db, id: string): Promise<Waiting> {
  const topup = await db.one<Waiting>(sql`select amount_minor as amount, currency, status, requested_by, first_by, reference
    from ${own('wallet_topups')} where id = ${id} for update`);
  if (topup.status !== 'Beklemede') fail('decided_meanwhile');
  return topup;
}

/** If two are needed, the request stays pending after the first approval. */
export async function approveTopup(work: Work, id: string, decision: Decision): Promise<TopupRequest> {
  const { db, now, account, actor } = work;
  const topup = await lockTopup(db, id);
  const { note, personId } = decision;
  if (personId !== null && personId === topup.requested_by) fail('own_topup');
  const needsTwo = personId !== null && decision.twoDecide && topup.amount + (await approvedAlone(work)) > MONEY_ALONE_UP_TO;
  if (needsTwo && !isSecond(topup, decision)) {
    await db.exec(sql`update wallet_topups set first_by = ${personId}, first_at = ${now}, updated_at = ${now}
      where account_id = ${theAccount} and id = ${id}`);
    await audit(db, actor, 'wallet_topup.proposed', id, { accountId: account.id, after: { amount: formatMoney(topup.amount) } });
    return readTopup(db, id);
  }
  emitTopupEvent(work, 'approved', id);
  const description = await inAccountLanguage(work, {
    en: topup.reference === null ? 'Top-up' : `Top-up, ${topup.reference}`,
    tr: topup.reference === null ? 'Bakiye yükleme' : `Bakiye yükleme, ${topup.reference}`,
  });
  const reference = { type: 'topup_request', id } as const;
  const transaction = await post(work, { type: 'Yükleme', amount: topup.amount, reference, description });
  await decide(work, id, sql`status = 'Onaylandı', transaction_id = ${transaction}, alone = ${!decision.twoDecide}`, decision);
  await audit(db, actor, 'wallet_topup.approved', id, {
    accountId: account.id,
    after: { amount: formatMoney(topup.amount), transaction_id: transaction, note },
  });
  await notifyDecision(work, id, topup, 'wallet_topup.approved', note);
  return readTopup(db, id);
}

/** Approved by one administrator: what counts towards the sum that one may approve for a wallet in 24 hours. */
export const ALONE_SINCE = (from: Date): Sql =>
  sql`status = 'Onaylandı' and first_by is null and decided_by is not null and decided_at > ${from}`;
export const dayBefore = (now: Date): Date => new Date(now.getTime() - 86_400_000);

/** Counted together, so that a large sum cannot be split into requests. The wallet is locked, so that two at once do not both fit. */
async function approvedAlone(work: Work): Promise<bigint> {
  await lockWallet(work);
  const { alone } = await work.db.one<{ alone: bigint }>(sql`select coalesce(sum(amount_minor), 0)::bigint as alone
    from ${own('wallet_topups')} where ${ALONE_SINCE(dayBefore(work.now))}`);
  return alone;
}

function isSecond({ first_by }: Waiting, { first }: Decision): boolean {
  // Another administrator has decided since this one looked.
  if ((first?.by ?? null) !== first_by) fail('decided_meanwhile');
  if (first === null) return false;
  if (!first.maySecond) fail('second_person_required');
  return true;
}

export async function rejectTopup(work: Work, id: string, decision: Pick<Decision, 'note' | 'personId'>): Promise<TopupRequest> {
  const { db, account, actor } = work;
  const topup = await lockTopup(db, id);
  await decide(work, id, sql`status = 'Reddedildi'`, decision);
  emitTopupEvent(work, 'rejected', id);
  const after = { amount: formatMoney(topup.amount), note: decision.note };
  await audit(db, actor, 'wallet_topup.rejected', id, { accountId: account.id, after });
  await notifyDecision(work, id, topup, 'wallet_topup.rejected', decision.note);
  return readTopup(db, id);
}

async function decide(
  { db, now }: Work,
  id: string,
  outcome: ReturnType<typeof sql>,
  { note, personId }: Pick<Decision, 'note' | 'personId'>,
): Promise<void> {
  await db.exec(sql`update wallet_topups set ${outcome}, decision_note = ${note}, decided_at = ${now}, decided_by = ${personId}, updated_at = ${now}
    where account_id = ${theAccount} and id = ${id}`);
}

async function notifyDecision(
  work: Work,
  id: string,
  { amount, currency }: Waiting,
  kind: 'wallet_topup.approved' | 'wallet_topup.rejected',
  note: string | null,
): Promise<void> {
  const { en: sum, tr: tutar } = writtenSum(formatMoney(amount), currency);
  const why = note === null ? '' : ` (${note})`;
  const isApproved = kind === 'wallet_topup.approved';
  await addNotification(work, {
    kind,
    title: isApproved
      ? { en: 'Your wallet was topped up', tr: 'Cüzdanınıza bakiye yüklendi' }
      : { en: 'Your top-up request was rejected', tr: 'Bakiye yükleme talebiniz reddedildi' },
    body: isApproved
      ? { en: `${sum} was added to your wallet${why}.`, tr: `${tutar} cüzdanınıza yüklendi${why}.` }
      : { en: `The request for ${sum} was rejected${why}.`, tr: `${tutar} tutarındaki talep reddedildi${why}.` },
    resource_type: 'wallet_topup',
    resource_id: id,
  });
}

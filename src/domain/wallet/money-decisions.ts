// Which corrections and settlements need a decision of two administrators. The database enforces the same rule (migration 0076).
// With the platform role.
import type { Db } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import { type Decided, type Decider, proposeDecision } from '../keys/admin-decisions.ts';
import { MONEY_ALONE_UP_TO } from '../keys/four-eyes.ts';
import type { Correction } from './correction.ts';
import type { PaidFrom } from './invoice-payment.ts';

const NOT_NEEDED = { id: null, waits: false } as const;
const DAY_MS = 86_400_000;

const sizeOf = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/** Corrections of the last 24 hours count together, so that a large one cannot be split. `now`: business time, as they are posted. */
export async function decideCorrection(
  db: Db,
  accountId: string,
  { amount, description }: Correction,
  now: Date,
  by: Decider,
): Promise<Decided | typeof NOT_NEEDED> {
  const { alone } = await db.one<{
    alone: bigint;
  }>(sql`select coalesce(sum(abs(amount_minor)), 0)::bigint as alone from wallet_transactions
    where account_id = ${accountId} and type = 'Düzeltme' and decision_id is null and created_at > ${new Date(now.getTime() - DAY_MS)}`);
  if (alone + sizeOf(amount) <= MONEY_ALONE_UP_TO) return NOT_NEEDED;
  return proposeDecision(db, { kind: 'wallet_correction', accountId, subject: null, amount, details: { description } }, by);
}

export async function decideSettlement(
  db: Db,
  accountId: string,
  invoiceId: string,
  from: PaidFrom,
  by: Decider,
): Promise<Decided | typeof NOT_NEEDED> {
  const { total, status } = await db.one<{ total: bigint; status: string }>(sql`select total_minor as total, status
    from membership_invoices where account_id = ${accountId} and id = ${invoiceId}`);
  // The settlement itself refuses an invoice that is already settled.
  if (total <= MONEY_ALONE_UP_TO || status !== 'Ödenmedi') return NOT_NEEDED;
  return proposeDecision(db, { kind: 'invoice_settlement', accountId, subject: invoiceId, amount: total, details: { from } }, by);
}

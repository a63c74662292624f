// A request to top up the wallet: its fields, its API representation, and its creation. It changes no balance until an
// administrator decides.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import {
  columnsOf,
  currency,
  nullable as maybe,
  money,
  type Of,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { CreateBody } from '../records/body.ts';
import {
  currencyField,
  type Fields,
  moneyField,
  nullable,
  oneOfField,
  required,
  textField,
  withDefault,
} from '../records/fields.ts';
import { requireStorable } from '../records/stored-amount.ts';
import { lockWallet } from './ledger.ts';
import { TOPUP_METHODS, TOPUP_STATUSES } from './wallet-states.ts';

/** Every wallet is in liras (migration 0028). */
const WALLET_CURRENCY = 'TL';
/** More pending requests would only be repetitions. */
const MAX_OPEN = 5;

export const TOPUP_FIELDS = {
  amount: required(moneyField({ above: 0n })),
  currency: withDefault(currencyField, 'the wallet’s', 'cüzdanınki'),
  method: withDefault(oneOfField(TOPUP_METHODS), 'Havale/EFT'),
  reference: nullable(textField(120)),
  note: nullable(textField(2000, { lines: true })),
} as const satisfies Fields;

export const TopupRequest = object({
  id: uuid(),
  amount: money('5000.00'),
  currency: currency(),
  method: oneOf(TOPUP_METHODS),
  reference: maybe(text('DK-20260115-0042')),
  note: maybe(text()),
  status: oneOf(TOPUP_STATUSES),
  decision_note: maybe(text()),
  decided_at: maybe(timestamp()),
  transaction_id: maybe(uuid()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type TopupRequest = Of<typeof TopupRequest>;

export const readTopup = (db: Db, id: string): Promise<TopupRequest> =>
  db.last<TopupRequest>(sql`select ${columnsOf(TopupRequest)} from ${own('wallet_topups')} where id = ${id}`);

export async function askForTopup(work: Work, values: CreateBody<typeof TOPUP_FIELDS>): Promise<TopupRequest> {
  const { db, now, actor } = work;
  const { amount, currency: of = WALLET_CURRENCY, method = 'Havale/EFT', reference = null, note = null } = values;
  if (of !== WALLET_CURRENCY) refuseCurrency();
  // The wallet is locked, so that two concurrent requests cannot both be the last one allowed.
  await lockWallet(work);
  const { open, pending } = await db.one<{ open: bigint; pending: bigint }>(
    sql`select count(*) as open, coalesce(sum(amount_minor), 0)::bigint as pending from ${own('wallet_topups')} where status = 'Beklemede'`,
  );
  if (open >= MAX_OPEN) fail('too_many_pending', { words: { limit: MAX_OPEN } });
  requireStorable('amount', pending + amount);
  const id = newId(now.getTime());
  await db.exec(sql`insert into wallet_topups (account_id, id, amount_minor, currency, method, reference, note, requested_by, created_at, updated_at)
    values (${theAccount}, ${id}, ${amount}, ${of}, ${method}, ${reference}, ${note}, ${actor.personId ?? null}, ${now}, ${now})`);
  emitTopupEvent(work, 'requested', id);
  return readTopup(db, id);
}

function refuseCurrency(): never {
  const message = { en: 'currency must be that of the wallet, TL', tr: 'currency cüzdanınki olmalı: TL' };
  return fail('currency_mismatch', { details: [{ field: 'currency', code: 'currency_mismatch', message }] });
}

/** Ids only: webhook receivers do not get the dealer's payments to the platform. */
export const emitTopupEvent = (work: Work, verb: 'requested' | 'approved' | 'rejected', id: string): void =>
  work.emit({ kind: `wallet_topup.${verb}`, id, path: `wallet/topup-requests/${id}` });

// The wallet and its statement, as the dealer sees them.
import type { Db } from '../../kit/db.ts';
import { MAX_AMOUNT } from '../../kit/money.ts';
import { listPage, type Page, type Paging, type WalkKey } from '../../kit/page.ts';
import { momentParam, oneOfParam } from '../../kit/params.ts';
import { columnsOf, currency, money, nullable, type Of, object, oneOf, text, timestamp, uuid } from '../../kit/schema.ts';
import { own, rawSql, sql } from '../../kit/sql.ts';
import { type Between, instantsBetween } from '../records/instants.ts';
import { REFERENCE_TYPES, TRANSACTION_TYPES, type TransactionType } from './wallet-states.ts';

export const Wallet = object({
  currency: currency(),
  balance: money('3800.00'),
  /** Pending top-up requests. */
  pending_topups: money('0.00'),
  updated_at: timestamp(),
});
export type Wallet = Of<typeof Wallet>;

export const readWallet = (db: Db): Promise<Wallet> =>
  db.last<Wallet>(sql`select currency, money_text(balance_minor) as balance,
      money_text((select least(coalesce(sum(amount_minor), 0), ${MAX_AMOUNT})::bigint from ${own('wallet_topups')}
        where status = 'Beklemede')) as pending_topups,
      utc_text(updated_at) as updated_at
    from ${own('wallets')}`);

export const WalletTransaction = object({
  id: uuid(),
  type: oneOf(TRANSACTION_TYPES),
  /** Positive into the wallet, negative out of it. */
  amount: money('-1200.00'),
  currency: currency(),
  balance_after: money('3800.00'),
  reference_type: nullable(oneOf(REFERENCE_TYPES)),
  reference_id: nullable(uuid()),
  reverses_id: nullable(uuid()),
  description: text('Vitrin, 7 gün'),
  created_at: timestamp(),
});
export type WalletTransaction = Of<typeof WalletTransaction>;

export const readTransaction = (db: Db, id: string): Promise<WalletTransaction> =>
  db.last<WalletTransaction>(sql`select ${columnsOf(WalletTransaction)} from ${own('wallet_transactions')} where id = ${id}`);

export const TransactionFilters = { type: oneOfParam(TRANSACTION_TYPES), from: momentParam, to: momentParam } as const;

export interface TransactionFilter extends Between {
  readonly type?: TransactionType | undefined;
}

/** In the order of posting, also for transactions of the same instant. */
const BY_NUMBER: WalkKey = { columns: { number: 'integer' }, direction: 'desc' };

export function listTransactions(db: Db, filter: TransactionFilter, timezone: string, page: Paging): Promise<Page> {
  const where = instantsBetween('created_at', filter, timezone);
  if (filter.type !== undefined) where.push(sql`type = ${filter.type}`);
  const list = { table: 'wallet_transactions', shows: WalletTransaction, where } as const;
  return listPage(db, { ...list, order: rawSql('number desc'), walkedBy: BY_NUMBER }, page);
}

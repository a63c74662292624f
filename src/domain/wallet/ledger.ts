// The dealer's prepaid balance as double entry: each transaction moves money between the wallet and one account of the platform.
// Postings never change; a mistake is corrected by another transaction.
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { formatMoney, MAX_AMOUNT } from '../../kit/money.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { writtenMoney } from '../formats/written.ts';
import { violatedConstraint } from '../records/record.ts';
import type { ReferenceType, TransactionType } from './wallet-states.ts';

/** The platform's ledger accounts, which are the same in every deployment (migration 0028). */
export const PLATFORM_ACCOUNTS = {
  'platform:cash': '00000000-0000-4000-a000-000000000001',
  'platform:boost_revenue': '00000000-0000-4000-a000-000000000002',
  'platform:membership_revenue': '00000000-0000-4000-a000-000000000003',
  'platform:adjustments': '00000000-0000-4000-a000-000000000004',
} as const;

/** The counter accounts of wallets in isolated sandboxes (migration 0089), so that the platform's accounts hold money of production only. */
export const SANDBOX_ACCOUNTS: Readonly<Record<keyof typeof PLATFORM_ACCOUNTS, string>> = {
  'platform:cash': '00000000-0000-4000-a000-000000000011',
  'platform:boost_revenue': '00000000-0000-4000-a000-000000000012',
  'platform:membership_revenue': '00000000-0000-4000-a000-000000000013',
  'platform:adjustments': '00000000-0000-4000-a000-000000000014',
};

/** The counter account. */
const AGAINST: Readonly<Record<TransactionType, keyof typeof PLATFORM_ACCOUNTS>> = {
  Yükleme: 'platform:cash',
  Boost: 'platform:boost_revenue',
  'Boost İadesi': 'platform:boost_revenue',
  Üyelik: 'platform:membership_revenue',
  Düzeltme: 'platform:adjustments',
};

export interface Posting {
  /** If a record refers to its transaction before it is posted. */
  readonly id?: string;
  readonly type: TransactionType;
  /** Positive into the wallet, negative out of it. */
  readonly amount: bigint;
  readonly reference?: { readonly type: ReferenceType; readonly id: string };
  readonly reverses?: string;
  /** The decision of two administrators on a correction. */
  readonly decisionId?: string;
  /** The text in the statement, in the account's language. */
  readonly description: string;
}

/**
 * One statement: locks and changes the balance, numbers the transaction, writes both entries. The database refuses a negative
 * balance. In the lock order, the wallet is the last before the data set.
 */
export async function post(work: Pick<Work, 'db' | 'now' | 'emit'>, posting: Posting): Promise<string> {
  const { db, now } = work;
  const { id = newId(now.getTime()), type, amount, reference = null, reverses = null, decisionId = null, description } = posting;
  const [size, wallet, platform] = amount > 0n ? [amount, 'credit', 'debit'] : [-amount, 'debit', 'credit'];
  const against = sql`(select case when world_id is null then ${PLATFORM_ACCOUNTS[AGAINST[type]]}::uuid
    else ${SANDBOX_ACCOUNTS[AGAINST[type]]}::uuid end from ${own('accounts')})`;
  await db.one(
    sql`with wallet as (update wallets set balance_minor = balance_minor + ${amount}, last_number = last_number + 1,
          updated_at = greatest(updated_at, ${now}::timestamptz)
        where account_id = ${theAccount} returning balance_minor, last_number, updated_at, currency),
      posted as (insert into wallet_transactions (account_id, id, number, type, amount_minor, currency, balance_after_minor, reference_type,
          reference_id, reverses_id, decision_id, description, created_at)
        select ${theAccount}, ${id}, last_number, ${type}, ${amount}, currency, balance_minor, ${reference?.type ?? null},
          ${reference?.id ?? null}::uuid, ${reverses}::uuid, ${decisionId}::uuid, ${description}, updated_at
        from wallet),
      entered as (insert into ledger_entries (account_id, transaction_id, place, ledger_account_id, is_platform, direction, amount_minor, currency)
        select ${theAccount}, ${id}, place, coalesce(against, ${theAccount}), against is not null, direction, ${size}, currency from wallet,
          (values (1, null::uuid, ${wallet}::text), (2, ${against}, ${platform}::text)) as entry(place, against, direction))
      select balance_minor from wallet`,
    (error) => refuse(error),
  );
  work.emit({ kind: 'wallet_transaction.created', id, path: `wallet/transactions/${id}` });
  return id;
}

function refuse(error: Error): never {
  const broken = violatedConstraint(error);
  if (broken === 'wallets_not_below_zero') fail('insufficient_balance');
  if (broken === 'wallets_within') fail('wallet_full', { words: { limit: writtenMoney(formatMoney(MAX_AMOUNT)) } });
  // Another correction was posted since this one was found small enough for one administrator, or its decision has been used.
  if (broken === 'admin_decisions_required') fail('decided_meanwhile');
  throw error;
}

/** For writes that depend on the wallet's balance or pending top-ups. */
export const lockWallet = ({ db }: Work): Promise<{ balance: bigint }> =>
  db.one<{ balance: bigint }>(sql`select balance_minor as balance from ${own('wallets')} for no key update`);

/** In the account's language, like its statement. */
export async function inAccountLanguage({ db }: Work, words: { readonly en: string; readonly tr: string }): Promise<string> {
  const { locale } = await db.one<{ locale: 'en' | 'tr' }>(sql`select locale from ${own('accounts')}`);
  return words[locale];
}

// The books of all dealers, with the platform role: the balance of each account, its transactions, and the proof that they agree.
import type { Db } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';

export interface BookAccount {
  readonly code: string;
  readonly currency: string;
  readonly debit: string;
  readonly credit: string;
}

export interface BookTransaction {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly entries: readonly { readonly code: string; readonly direction: 'debit' | 'credit'; readonly amount: string }[];
}

/** Wallets of isolated sandboxes and their counter accounts (migration 0089) are not books of the platform. */
const OF_PRODUCTION = sql`a.code not like 'platform:sandbox%'
  and (a.wallet_of is null or exists (select from accounts whose where whose.id = a.wallet_of))`;

/** For one dealer without the accounts that have no posting; without a dealer, all of production. Transactions oldest first. */
export async function readBooks(
  db: Db,
  accountId: string | null,
): Promise<{ accounts: BookAccount[]; transactions: BookTransaction[] }> {
  const ofAccount = accountId === null ? sql`true` : sql`e.account_id = ${accountId}`;
  const sums = accountId === null ? sql`left join` : sql`join`;
  const accounts = await db.rows<BookAccount>(sql`select a.code, a.currency,
      money_text(coalesce(sum(e.amount_minor) filter (where e.direction = 'debit'), 0)::bigint) as debit,
      money_text(coalesce(sum(e.amount_minor) filter (where e.direction = 'credit'), 0)::bigint) as credit
    from ledger_accounts a ${sums} ledger_entries e on e.ledger_account_id = a.id and ${ofAccount}
    where ${accountId === null ? OF_PRODUCTION : sql`true`}
    group by a.code, a.currency order by a.code`);
  const transactions = await db.rows<BookTransaction>(sql`select t.id, t.type, utc_text(t.created_at) as created_at,
      json_agg(json_build_object('code', a.code, 'direction', e.direction, 'amount', money_text(e.amount_minor)) order by e.place) as entries
    from wallet_transactions t
    join ledger_entries e on e.account_id = t.account_id and e.transaction_id = t.id
    join ledger_accounts a on a.id = e.ledger_account_id
    where ${accountId === null ? sql`exists (select from accounts whose where whose.id = t.account_id)` : ofAccount} group by t.account_id, t.id, t.type, t.created_at, t.number order by t.created_at, t.account_id, t.number`);
  return { accounts, transactions };
}

export interface Proof {
  readonly imbalance: bigint;
  readonly entries: bigint;
  /** The mismatches. */
  readonly found: readonly { readonly about: string; readonly difference_minor: string }[];
}

/**
 * Checks everything in one snapshot: debits and credits of each currency and of each transaction, each wallet against its entries
 * and its newest transaction, and all wallets against the platform's holdings.
 */
export async function proveBooks(db: Db): Promise<Proof> {
  const { entries, found } = await db.one<{ entries: bigint; found: { about: string; difference_minor: string }[] }>(sql`
    with signed as (select account_id, transaction_id, ledger_account_id, is_platform, currency,
        case direction when 'credit' then amount_minor else -amount_minor end as amount from ledger_entries),
      by_account as (select ledger_account_id, sum(amount) as amount from signed where not is_platform group by 1),
      differences as (
        select 'currency ' || currency as about, sum(amount) as difference from signed group by currency
        union all
        select 'transaction ' || transaction_id, sum(amount) from signed group by account_id, transaction_id
        union all
        select 'wallet ' || w.account_id, w.balance_minor - coalesce(b.amount, 0)
          from wallets w left join by_account b on b.ledger_account_id = w.account_id
        union all
        select 'newest transaction of wallet ' || w.account_id, w.balance_minor - coalesce(t.balance_after_minor, 0)
          from wallets w left join wallet_transactions t on t.account_id = w.account_id and t.number = w.last_number
        union all
        select 'wallets against the platform', (select coalesce(sum(balance_minor), 0) from wallets)
          + (select coalesce(sum(amount), 0) from signed where is_platform))
    select (select count(*) from ledger_entries) as entries,
      coalesce((select json_agg(one) from (select about, difference::text as difference_minor from differences where difference <> 0
        order by abs(difference) desc, about limit 20) one), '[]') as found`);
  // The largest comes first.
  const imbalance = BigInt(found[0]?.difference_minor.replace('-', '') ?? 0);
  return { imbalance, entries, found };
}

export interface KeptProof {
  readonly proved_at: Date;
  readonly imbalance: bigint;
  readonly entries: bigint;
  readonly found: Proof['found'];
}

/** Returns the previous proof, which shows whether an imbalance is new. */
export async function keepProof(db: Db, { imbalance, entries, found }: Proof, realNow: Date): Promise<KeptProof | null> {
  const before = await lastProof(db);
  await db.exec(sql`insert into ledger_proofs (proved_at, imbalance_minor, entries, found)
    values (${realNow}, ${imbalance}, ${entries}, ${JSON.stringify(found)}::jsonb)
    on conflict (only_one) do update set proved_at = excluded.proved_at, imbalance_minor = excluded.imbalance_minor,
      entries = excluded.entries, found = excluded.found`);
  return before;
}

export async function lastProof(db: Db): Promise<KeptProof | null> {
  const [proof] = await db.rows<KeptProof>(
    sql`select proved_at, imbalance_minor as imbalance, entries, found from ledger_proofs`,
  );
  return proof ?? null;
}

// Invariants of the wallet, tried in SQL with the application's role: the database refuses violations regardless of the code.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLATFORM_ACCOUNTS } from '../../../src/domain/wallet/ledger.ts';
import { sqlState } from '../../../src/kit/db.ts';
import { newId } from '../../../src/kit/ids.ts';
import { rawSql, type Sql, sql, theAccount } from '../../../src/kit/sql.ts';
import { aDealer, carOf, dataOf, newKey } from '../../support/books.ts';
import { loadWallet } from '../../support/platform.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';
import { listingOf } from './listings.ts';

let api: TestService;
let dealer: Dealer;
let other: Dealer;
let loaded: string;
let order: string;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  [dealer, other] = [await aDealer(api), await aDealer(api)];
  loaded = await loadWallet(api, dealer.accountId, '5000.00');
  const listing_id = await listingOf(api, dealer, await carOf(dealer));
  order = dataOf(await dealer.post('boost-orders', { listing_id, package: 'Acil-7' }, newKey())).id;
});
afterAll(() => api.close());

/** `23514 wallets_newest`: the error that refused the statements. */
const refusal = async (...statements: Sql[]): Promise<string> => {
  try {
    await api.database.inTenant(dealer.accountId, 'write', async (db) => {
      for (const statement of statements) await db.exec(statement);
    });
    return 'done';
  } catch (error) {
    return `${sqlState(error)} ${(error as { constraint?: string }).constraint ?? ''}`.trim();
  }
};

const transaction = (id: string, amount: bigint, after: bigint, number = 3): Sql =>
  sql`insert into wallet_transactions (account_id, id, number, type, amount_minor, currency, balance_after_minor, description, created_at)
    values (${theAccount}, ${id}, ${number}, 'Düzeltme', ${amount}, 'TL', ${after}, 'x', now())`;
const entry = (id: string, place: number, account: Sql, isPlatform: boolean, direction: string, amount: bigint): Sql =>
  sql`insert into ledger_entries (account_id, transaction_id, place, ledger_account_id, is_platform, direction, amount_minor, currency)
    values (${theAccount}, ${id}, ${place}, ${account}, ${isPlatform}, ${direction}, ${amount}, 'TL')`;
const wallet = (balance: bigint, number: number): Sql =>
  sql`update wallets set balance_minor = ${balance}, last_number = ${number} where account_id = ${theAccount}`;
const CASH = sql`${PLATFORM_ACCOUNTS['platform:cash']}::uuid`;

describe('the ledger', () => {
  test('a balance is never below zero', async () => {
    expect(await refusal(wallet(-1n, 3))).toBe('23514 wallets_not_below_zero');
  });

  test('a balance does not change without a transaction, nor a transaction without its balance', async () => {
    expect(await refusal(wallet(1n, 2))).toBe('23514 wallets_newest');
    expect(await refusal(wallet(1n, 3))).toBe('23514 wallets_newest');
    const id = newId();
    const entries = [entry(id, 1, theAccount, false, 'credit', 5n), entry(id, 2, CASH, true, 'debit', 5n)];
    expect(await refusal(transaction(id, 5n, 440_005n), ...entries)).toBe('23514 wallets_newest');
    expect(await refusal(transaction(id, 5n, 440_006n), ...entries, wallet(440_006n, 3))).toBe('23514 wallet_transactions_chain');
    expect(await refusal(transaction(id, 5n, 440_005n, 4), ...entries, wallet(440_005n, 4))).toBe(
      '23514 wallet_transactions_chain',
    );
    expect(await refusal(transaction(id, 5n, 440_005n), ...entries, wallet(440_005n, 3), rawSql('select 1 / 0'))).toBe('22012');
  });

  test('a transaction has two balanced entries, and moves the wallet by its amount', async () => {
    const id = newId();
    const moved = [transaction(id, 5n, 440_005n), wallet(440_005n, 3)];
    const mine = entry(id, 1, theAccount, false, 'credit', 5n);
    expect(await refusal(...moved)).toBe('23514 ledger_balanced');
    expect(await refusal(...moved, mine)).toBe('23514 ledger_balanced');
    expect(await refusal(...moved, mine, entry(id, 2, CASH, true, 'debit', 4n))).toBe('23514 ledger_balanced');
    expect(await refusal(...moved, mine, entry(id, 2, CASH, true, 'credit', 5n))).toBe('23514 ledger_balanced');
    const between = [entry(id, 1, CASH, true, 'credit', 5n), entry(id, 2, CASH, true, 'debit', 5n)];
    expect(await refusal(...moved, ...between)).toBe('23514 ledger_balanced');
  });

  test('an existing transaction accepts no further entries', async () => {
    const more = [entry(loaded, 3, theAccount, false, 'credit', 5n), entry(loaded, 4, CASH, true, 'debit', 5n)];
    expect(await refusal(...more)).toBe('23514 ledger_balanced');
  });

  test("a dealer cannot post to another dealer's wallet under any name", async () => {
    const theirs = sql`${other.accountId}::uuid`;
    expect(await refusal(entry(loaded, 3, theirs, false, 'credit', 5n))).toBe('23514 ledger_entries_whose');
    expect(await refusal(entry(loaded, 3, theirs, true, 'credit', 5n))).toBe('23503 ledger_entries_account');
    expect(await refusal(sql`update wallets set balance_minor = 1 where account_id = ${other.accountId}`)).toBe('done');
    expect(dataOf(await other.get('wallet')).balance).toBe('0.00');
  });

  test('entries can be neither edited nor deleted, and the ledger accepts no further accounts', async () => {
    for (const text of [
      'update wallet_transactions set amount_minor = 1',
      'delete from wallet_transactions',
      'update ledger_entries set amount_minor = 1',
      'delete from ledger_entries',
      'delete from wallets',
      'insert into wallets (account_id, updated_at) values (gen_random_uuid(), now())',
      'select 1 from ledger_accounts',
      'update boost_orders set price_minor = 1',
      'update wallet_topups set amount_minor = 1',
      'update membership_invoices set total_minor = 1',
    ])
      expect(await refusal(rawSql(text)), text).toBe('42501');
  });

  test('a top-up request is credited once', async () => {
    const again = sql`insert into wallet_transactions (account_id, id, number, type, amount_minor, currency, balance_after_minor, reference_type,
        reference_id, description, created_at)
      select account_id, ${newId()}, 3, type, amount_minor, currency, 940000, reference_type, reference_id, 'x', now()
      from wallet_transactions where account_id = ${theAccount} and id = ${loaded}`;
    expect(await refusal(again)).toBe('23505 wallet_transactions_once');
    const undo = sql`update wallet_topups set status = 'Beklemede', transaction_id = null, decided_at = null where account_id = ${theAccount}`;
    expect(await refusal(undo)).toBe('23514 wallet_topups_kept');
  });
});

describe('boosts', () => {
  const change = (set: string): Sql =>
    sql`update boost_orders set ${rawSql(set)} where account_id = ${theAccount} and id = ${order}`;
  const copy = (
    set: Sql,
  ): Sql => sql`insert into boost_orders (account_id, id, listing_id, vehicle_id, package, kind, days, price_minor, currency, starts_at,
      ends_at, status, charge_transaction_id, created_at, updated_at)
    select account_id, ${newId()}, listing_id, vehicle_id, package, kind, days, price_minor, currency, ${set}, status, ${loaded}, now(), now()
    from boost_orders where account_id = ${theAccount} and id = ${order}`;

  test('two boosts of a kind never cover the same time of a listing', async () => {
    expect(await refusal(copy(sql`starts_at, ends_at`))).toBe('23P01 boost_orders_no_overlap');
    const day = "interval '1 day'";
    expect(await refusal(copy(rawSql(`starts_at + 6 * ${day}, ends_at + 6 * ${day}`)))).toBe('23P01 boost_orders_no_overlap');
    expect(await refusal(copy(rawSql(`starts_at, ends_at + ${day}`)))).toBe('23514 boost_orders_span');
  });

  test('an active boost continues or ends, and is never refunded', async () => {
    expect(await refusal(change(`status = 'Beklemede'`))).toBe('23514 boost_orders_kept');
    expect(await refusal(change(`status = 'İptal', refund_transaction_id = charge_transaction_id, cancelled_at = now()`))).toBe(
      '23514 boost_orders_kept',
    );
  });
});

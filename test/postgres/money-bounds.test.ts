// Every stored amount has at most twelve digits before the point. The list states why for each column: given amounts are checked
// by their field, computed ones are refused by the field that caused them, and some are parts of another amount.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let base: TestDatabase;
let session: Session;
beforeAll(async () => {
  base = await testDatabase();
  session = await openSession(base.adminUrl);
});
afterAll(async () => {
  await session.close();
  await base.close();
});

const GIVEN = 'given: moneyField';

/**
 * A new column needs a line here, and if it is computed, `requireStorable` (domain/records/stored-amount.ts) and a test of it.
 */
const AMOUNTS: Readonly<Record<string, string>> = {
  'admin_decisions.amount_minor': 'that of the correction, invoice or top-up that it is about',
  'agent_days.alone_minor': 'a sum that the ceiling of the day bounds',
  'agent_days.moved_minor': 'a sum of a day, for a figure only',
  'auction_bidders.highest_minor': 'part of auction_bids.amount_minor',
  'auction_bids.amount_minor': GIVEN,
  'auction_requests.min_increment_minor': GIVEN,
  'auction_requests.reserve_price_minor': GIVEN,
  'auction_requests.start_price_minor': GIVEN,
  'boost_orders.price_minor': 'part of a price list',
  'cash_transfers.amount_minor': GIVEN,
  'collection_allocations.amount_minor': 'part of collections.applied_amount_minor',
  'collections.amount_minor': 'given, or refused as refund_amount',
  'collections.applied_amount_minor': 'part of sales.total_receivable_minor (409 amount_exceeds_balance)',
  'collections.late_interest_amount_minor': 'part of collections.amount_minor',
  'expenses.amount_minor': GIVEN,
  'expenses.valued_amount_minor': 'refused as amount',
  'installments.amount_minor': 'part of sales.total_receivable_minor',
  'installments.discounted_amount_minor': 'part of installments.amount_minor',
  'installments.paid_amount_minor': 'part of installments.amount_minor',
  'installments.remaining_amount_minor': 'part of installments.amount_minor',
  'ledger_entries.amount_minor': 'part of wallet_transactions.amount_minor',
  'ledger_proofs.imbalance_minor': 'a sum that is 0 unless the books are broken, and then has to be stored',
  'live_lots.current_bid_minor': 'part of auction_bids.amount_minor',
  'live_lots.min_increment_minor': GIVEN,
  'live_lots.reserve_price_minor': GIVEN,
  'live_lots.start_price_minor': GIVEN,
  'marketplace_offers.amount_minor': GIVEN,
  'membership_invoices.amount_minor': GIVEN,
  'membership_invoices.tax_amount_minor': 'part of membership_invoices.total_minor',
  'membership_invoices.total_minor': 'refused as amount',
  'memberships.price_minor': GIVEN,
  'network_auctions.current_bid_minor': 'part of auction_bids.amount_minor',
  'network_auctions.min_increment_minor': GIVEN,
  'network_auctions.reserve_price_minor': GIVEN,
  'network_auctions.start_price_minor': GIVEN,
  'network_offers.amount_minor': GIVEN,
  'paper_verifications.amount_minor': 'part of the record that the paper is of',
  'payment_promises.amount_minor': 'part of sales.total_receivable_minor',
  'payment_promises.fulfilled_amount_minor': 'part of sales.total_receivable_minor',
  'promissory_notes.amount_minor': 'part of installments.amount_minor',
  'promissory_notes.collected_amount_minor': 'part of installments.amount_minor',
  'promissory_notes.paid_at_issue_minor': 'part of installments.amount_minor',
  'recurring_expenses.amount_minor': GIVEN,
  'sales.collected_amount_minor': 'part of sales.total_receivable_minor',
  'sales.discounted_amount_minor': 'part of sales.total_receivable_minor',
  'sales.down_payment_minor': 'part of sales.total_receivable_minor',
  'sales.finance_charge_minor': 'given, or refused as restructure.add_finance_charge',
  'sales.financed_amount_minor': 'part of sales.total_receivable_minor',
  'sales.refunded_amount_minor': 'refused as refund_amount',
  'sales.retained_amount_minor': 'refused as refund_amount',
  'sales.sale_price_minor': GIVEN,
  'sales.total_receivable_minor': 'refused as finance_charge, sale_price, trade_in_amount or restructure.add_finance_charge',
  'sales.trade_in_amount_minor': GIVEN,
  'sent_reminders.amount_minor': 'part of installments.amount_minor',
  'trade_requests.cash_difference_minor': GIVEN,
  'vehicles.customs_fee_minor': GIVEN,
  'vehicles.other_costs_minor': GIVEN,
  'vehicles.price_minor': GIVEN,
  'vehicles.purchase_price_minor': GIVEN,
  'vehicles.sold_price_minor': GIVEN,
  'wallet_topups.amount_minor': GIVEN,
  'wallet_transactions.amount_minor': 'given, or part of a price list',
  'wallet_transactions.balance_after_minor': 'part of wallets.balance_minor',
  'wallets.balance_minor': '409 wallet_full',
};

test('every column of an amount states what keeps it within twelve digits', async () => {
  const found = await session.rows<{ name: string }>(
    `select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname like '%\\_minor' and a.atttypid = 'bigint'::regtype order by 1`,
  );
  expect(found.map(({ name }) => name)).toEqual(Object.keys(AMOUNTS).sort());
});

// The platform's side of a dealer's account: administrators' actions, through the same domain functions.
import { issueInvoice } from '../../src/domain/membership/invoices.ts';
import { askForTopup } from '../../src/domain/wallet/topup.ts';
import { approveTopup, rejectTopup } from '../../src/domain/wallet/topup-decision.ts';
import { parseMoney } from '../../src/kit/money.ts';
import { own, sql } from '../../src/kit/sql.ts';
import type { Work } from '../../src/kit/work.ts';
import { TEST_ACTOR, type TestService } from './service.ts';
import { testWriter } from './test-writer.ts';

export const ALONE = { note: null, personId: null, twoDecide: false, first: null } as const;

export const asPlatform = <T>(api: TestService, accountId: string, run: (work: Work) => Promise<T>): Promise<T> =>
  testWriter(api).write(
    { dataSet: accountId, account: { id: accountId, timezone: 'Asia/Famagusta' }, actor: TEST_ACTOR, now: api.clock.now() },
    run,
  );

/** Requested and approved. */
export const loadWallet = (api: TestService, accountId: string, amount: string): Promise<string> =>
  asPlatform(api, accountId, async (work) => {
    const { id } = await askForTopup(work, { amount: parseMoney(amount)! });
    return (await approveTopup(work, id, ALONE)).transaction_id!;
  });

export const rejectWaiting = (api: TestService, accountId: string): Promise<void> =>
  asPlatform(api, accountId, async (work) => {
    const waiting = await work.db.rows<{ id: string }>(sql`select id from ${own('wallet_topups')} where status = 'Beklemede'`);
    for (const { id } of waiting) await rejectTopup(work, id, ALONE);
  });

export const invoice = (api: TestService, accountId: string): Promise<string> =>
  asPlatform(api, accountId, async (work) => {
    const days = { period_start: '2026-01-01', period_end: '2026-12-31', due_date: '2026-01-15' };
    return (await issueInvoice(work, { amount: 150_000n, tax_rate: 2000n, ...days })).id;
  });

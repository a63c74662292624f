// The administrator's side of a dealer's money on the command line, and the proof of the books.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { platformCommand } from '../../src/commands/platform/platform.ts';
import { createAccount } from '../../src/domain/accounts/accounts.ts';
import { lastProof } from '../../src/domain/wallet/books.ts';
import { askForTopup } from '../../src/domain/wallet/topup.ts';
import { proveLedger } from '../../src/jobs/prove-ledger.ts';
import type { Log } from '../../src/kit/log.ts';
import { openSession } from '../../src/postgres/database.ts';
import { TEST_SECRET, type TestDatabase, testDatabase } from '../support/database.ts';
import { testWriter } from '../support/test-writer.ts';
import { printed } from './printed.ts';

const ACTOR = { type: 'system', name: 'test' } as const;
let base: TestDatabase;
let folder = '';
let account = '';
beforeAll(async () => {
  base = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'galeri-platform-'));
  account = (await base.database.onPlatform('write', (db) => createAccount(db, { name: 'Biz' }, ACTOR, new Date()))).id;
  Object.assign(process.env, { DATABASE_URL: base.adminUrl, GALERI_SECRET: TEST_SECRET, DATA_DIR: join(folder, 'data') });
});
afterAll(async () => {
  await base.close();
  await rm(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was printed
const galeri = async (...args: string[]): Promise<any> =>
  JSON.parse(await printed(() => platformCommand.run([...args, '--json'])));
const ask = async (amount: bigint): Promise<string> => {
  const call = { dataSet: account, account: { id: account, timezone: 'UTC' }, actor: ACTOR, now: new Date() };
  return (await testWriter(base).write(call, (work) => askForTopup(work, { amount }))).id;
};

test('a top-up is approved once however often it is asked, and the books agree', async () => {
  const id = await ask(500_000n);
  const both = await Promise.allSettled([
    platformCommand.run(['topup', 'approve', id]),
    platformCommand.run(['topup', 'approve', id]),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(platformCommand.run(['topup', 'reject', id])).rejects.toThrow('(decided_meanwhile)');
  const other = await ask(100n);
  await expect(platformCommand.run(['topup', 'approve'])).rejects.toThrow('such as an id');
  await expect(platformCommand.run(['topup', 'approve', other, '--note', 'x'.repeat(1001)])).rejects.toThrow(
    '(validation_failed)',
  );
  expect(
    await galeri('wallet', 'adjust', '--account', account, '--amount', '-250.50', '--description', 'mükerrer'),
  ).toMatchObject({
    ...{ type: 'Düzeltme', amount: '-250.50', balance_after: '4749.50' },
  });
  await expect(
    platformCommand.run(['wallet', 'adjust', '--account', account, '--amount=-9000', '--description', 'fazla']),
  ).rejects.toThrow('(insufficient_balance)');
  const { accounts, transactions } = await galeri('ledger');
  expect(transactions).toHaveLength(2);
  expect(accounts).toContainEqual({ code: `wallet:${account}`, currency: 'TL', debit: '250.50', credit: '5000.00' });
});

test('a plan with limits, an invoice with tax, paid from the wallet once', async () => {
  const set = ['membership', 'set', '--account', account, '--plan', 'Profesyonel', '--price', '1500'];
  expect(await galeri(...set, '--limit', 'vehicles=2', '--limit', 'staff=none')).toMatchObject({
    ...{ plan: 'Profesyonel', price: '1500.00', limits: { vehicles: 2, listings: null, staff: null } },
  });
  const days = ['--period-start', '2026-01-01', '--period-end', '2026-12-31', '--due-date', '2026-01-15'];
  const issued = await galeri('invoice', 'issue', '--account', account, '--amount', '1000.03', '--tax-rate', '20', ...days);
  await expect(
    platformCommand.run(['invoice', 'issue', '--account', account, '--amount', '999999999999.99', '--tax-rate', '1', ...days]),
  ).rejects.toThrow('amount with its tax must stay below 1000000000000.00 (validation_failed)');
  expect(issued).toMatchObject({ tax_amount: '200.01', total: '1200.04', status: 'Ödenmedi', tax_rate: '20.00' });
  expect(await galeri('invoice', 'settle', issued.id, '--from', 'wallet')).toMatchObject({ status: 'Ödendi' });
  await expect(platformCommand.run(['invoice', 'settle', issued.id, '--from', 'outside'])).rejects.toThrow('(invoice_settled)');
});

test('the proof finds nothing, and what somebody changed behind the service’s back', async () => {
  const errors: unknown[] = [];
  const log = { error: (...said: unknown[]) => errors.push(said) } as unknown as Log;
  await proveLedger({ database: base.database, log }, new Date());
  expect(await base.database.onPlatform('read', lastProof)).toMatchObject({ imbalance: 0n, found: [] });
  expect(errors).toEqual([]);
  const admin = await openSession(base.adminUrl);
  await admin.rows(`alter table wallets disable trigger all; update wallets set balance_minor = balance_minor + 7 where account_id = '${account}';
    alter table wallets enable trigger all`);
  await admin.close();
  await proveLedger({ database: base.database, log }, new Date());
  expect(await base.database.onPlatform('read', lastProof)).toMatchObject({ imbalance: 7n });
  expect(errors).toHaveLength(1);
});

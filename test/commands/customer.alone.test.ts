import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { customerCommand } from '../../src/commands/customer.ts';
import { vaultCommand } from '../../src/commands/vault.ts';
import { createAccount } from '../../src/domain/accounts/accounts.ts';
import { newCustomer } from '../../src/domain/customers/customer.ts';
import { insertRecord } from '../../src/domain/records/record.ts';
import { sealingKeys } from '../../src/domain/vault/vault.ts';
import { newId } from '../../src/kit/ids.ts';
import { own, sql } from '../../src/kit/sql.ts';
import { TEST_SECRET, type TestDatabase, testDatabase } from '../support/database.ts';
import { printed } from './printed.ts';

let base: TestDatabase;
let folder = '';
let account = '';
beforeAll(async () => {
  base = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'galeri-customer-'));
  const now = new Date();
  const actor = { type: 'system', name: 'test' } as const;
  account = (await base.database.onPlatform('write', (db) => createAccount(db, { name: 'Biz' }, actor, now))).id;
  Object.assign(process.env, { DATABASE_URL: base.adminUrl, GALERI_SECRET: TEST_SECRET, DATA_DIR: join(folder, 'data') });
});
afterAll(async () => {
  await base.close();
  await rm(folder, { recursive: true, force: true });
});

async function person(): Promise<string> {
  const body = {
    first_name: 'Ayşe',
    last_name: 'Yılmaz',
    phone: '+905331112233',
    id_no: newId().replaceAll('-', '').slice(0, 20),
  };
  const customer = newCustomer(sealingKeys(base.secrets, account), body, { now: new Date() });
  await base.database.inTenant(account, 'write', (db) => insertRecord(db, 'customers', customer));
  return customer.id;
}

test('customer erase removes the person and reports what it did', async () => {
  const id = await person();
  const text = await printed(() => customerCommand.run(['erase', id, '--account', account, '--json']));
  expect(JSON.parse(text)).toEqual({ id, guarantors: 0, activities: 0, tasks: 0, reservations: 0 });
  const [row] = await base.database.inTenant(account, 'read', (db) =>
    db.rows(
      sql`select first_name, email, id_no_encrypted, deleted_at is not null as deleted from ${own('customers')} where id = ${id}`,
    ),
  );
  expect(row).toEqual({ first_name: 'Silinmiş', email: null, id_no_encrypted: null, deleted: true });
});

test.each([
  [['show'], 'customer takes erase'],
  [['erase'], 'an argument is missing'],
  [['erase', newId()], '--account is missing'],
  [['erase', 'ayse', '--account', newId()], 'is not the id of a customer'],
  [['erase', newId(), '--account', newId()], 'there is no account'],
])('customer %j is refused in one line', async (args, message) => {
  await expect(customerCommand.run(args)).rejects.toThrow(message);
});

test('customer erase of an unknown customer is refused', async () => {
  await expect(customerCommand.run(['erase', newId(), '--account', account])).rejects.toThrow('has no customer');
});

test('vault reseal counts the values that it encrypts with the current key, once', async () => {
  await person();
  vi.stubEnv('GALERI_VAULT_SECRET', 'a vault secret of thirty-two characters at least');
  const count = async () => JSON.parse(await printed(() => vaultCommand.run(['reseal', '--json']))).customers;
  expect(await count()).toBe(1);
  expect(await count()).toBe(0);
  vi.unstubAllEnvs();
  await expect(vaultCommand.run(['reseal'])).rejects.toThrow('is not at hand');
  vi.stubEnv('GALERI_VAULT_SECRET', 'short');
  await expect(vaultCommand.run(['reseal'])).rejects.toThrow('GALERI_VAULT_SECRET must have at least 32 characters');
  vi.unstubAllEnvs();
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  AccountRefusal,
  createAccount,
  findAccount,
  listAccounts,
  type NewAccount,
} from '../../../src/domain/accounts/accounts.ts';
import { newId } from '../../../src/kit/ids.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

let base: TestDatabase;
let admin: Session;
beforeAll(async () => {
  base = await testDatabase();
  admin = await openSession(base.adminUrl);
});
afterAll(async () => {
  await admin.close();
  await base.close();
});

const now = new Date('2026-11-15T10:00:00Z');
const create = (input: NewAccount) =>
  base.database.onPlatform('write', (db) => createAccount(db, input, { type: 'cli', name: 'root' }, now));

test('an account is created with its data set, its main branch, every capability and one audit entry', async () => {
  const { id } = await create({
    name: ' Deniz  Oto ',
    city: 'Girne',
    country: 'KKTC',
    phone: '0533 812 34 56',
    email: 'a@example.com',
  });
  const [account] = await admin.rows('select * from accounts where id = $1', [id]);
  expect(account).toMatchObject({
    name: 'Deniz Oto',
    city: 'Girne',
    country: 'KKTC',
    phone: '+905338123456',
    default_currency: 'STG',
    timezone: 'Asia/Famagusta',
    rate_source: 'KKTCMB',
    status: 'Aktif',
    dealer_network: true,
    marketplace: true,
    live_auctions: true,
    import: true,
    created_at: now,
  });
  expect(await admin.rows('select id, kind from data_sets where account_id = $1', [id])).toEqual([{ id, kind: 'production' }]);
  expect(await admin.rows('select name, is_main from branches where account_id = $1', [id])).toEqual([
    { name: 'Merkez', is_main: true },
  ]);
  expect(await admin.rows('select actor_type, actor, action, target from audit_log where account_id = $1', [id])).toEqual([
    { actor_type: 'cli', actor: 'root', action: 'account.created', target: id },
  ]);
});

test('a Turkish account uses Turkish time, rates and lira; a currency and an id may be given', async () => {
  const id = newId();
  expect(await create({ id, name: 'Boğaz', country: 'TR' })).toEqual({ id, name: 'Boğaz' });
  const found = await base.database.onPlatform('read', (db) => findAccount(db, id));
  expect(found).toMatchObject({ default_currency: 'TL', timezone: 'Europe/Istanbul', created_at: '2026-11-15T10:00:00.000Z' });
  const other = await create({ name: 'Euro', country: 'TR', currency: 'EUR' });
  expect(await base.database.onPlatform('read', (db) => findAccount(db, other.id))).toMatchObject({ default_currency: 'EUR' });
  expect(await base.database.onPlatform('read', (db) => findAccount(db, newId()))).toBeNull();
});

test('refuses an invalid account in one line, and writes nothing', async () => {
  const before = await base.database.onPlatform('read', listAccounts);
  for (const bad of [
    { name: ' ' },
    { name: 'x'.repeat(121) },
    { name: 'A', phone: 'gizli' },
    { name: 'A', country: 'DE' as 'TR' },
  ]) {
    await expect(create(bad)).rejects.toThrow(AccountRefusal);
  }
  expect(await base.database.onPlatform('read', listAccounts)).toEqual(before);
});

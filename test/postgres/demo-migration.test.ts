// A deployment from before the decision was stored: it gets no demonstration at its next start, and an existing one is marked.
import { afterAll, expect, test } from 'vitest';
import type { Session } from '../../src/postgres/database.ts';
import { closeUpgraded, upgradedFrom } from '../support/upgrade.ts';

afterAll(closeUpgraded);
const upgraded = (work: (session: Session) => Promise<unknown>) => upgradedFrom('0013-attempts.sql', work);

const ID = (last: number): string => `00000000-0000-4000-8000-00000000000${last}`;
const account = (id: string) => `insert into accounts (id, name, country, default_currency, timezone, rate_source)
  values ('${id}', 'Oto', 'KKTC', 'STG', 'Asia/Famagusta', 'KKTCMB');
  insert into data_sets (id, account_id, kind) values ('${id}', '${id}', 'production');`;
const person = (id: string, email: string, admin = false) => `insert into people (id, email, password_hash, full_name, is_admin)
  values ('${id}', '${email}', '$argon2id$x', 'Kişi', ${admin});`;
const wrote = (actor: string, action: string, target: string, of: string | null = null) =>
  `insert into audit_log (id, account_id, actor_type, actor, action, target)
  values (gen_random_uuid(), ${of === null ? 'null' : `'${of}'`}, '${actor === 'demo' ? 'system' : 'cli'}', '${actor}', '${action}', '${target}');`;

test('a deployment served without it has decided against it; one that never was served has not decided', async () => {
  const served = await upgraded((session) => session.rows('insert into deployment default values'));
  expect(await served.rows('select demo from deployment')).toEqual([{ demo: 'none' }]);
  await served.close();
  const never = await upgraded(async () => {});
  expect(await never.rows('select demo from deployment')).toEqual([]);
  await never.close();
});

test('marks its records and nothing else; its password, which others may have seen, is disabled', async () => {
  const session = await upgraded(async (old) => {
    await old.rows(`insert into deployment default values; ${account(ID(1))} ${account(ID(2))}
      ${person(ID(3), 'demo.owner@example.com')} ${person(ID(4), 'demo.admin@example.com', true)} ${person(ID(5), 'real@example.com', true)}
      insert into members (account_id, id, person_id, full_name, role) values ('${ID(1)}', '${ID(6)}', '${ID(3)}', 'Kişi', 'owner');
      insert into sessions (id, digest, person_id, created_at, last_seen_at)
        select gen_random_uuid(), sha256(id::text::bytea), id, now(), now() from people;
      ${wrote('demo', 'account.created', ID(1), ID(1))} ${wrote('demo', 'member.created', ID(6), ID(1))}
      ${wrote('demo', 'admin.created', ID(4))}
      ${wrote('root', 'account.created', ID(2), ID(2))} ${wrote('root', 'admin.created', ID(5))}`);
  });
  const marked = async (table: string) =>
    (await session.rows<{ id: string }>(`select id from ${table} where is_demo order by id`)).map(({ id }) => id);
  expect(await marked('accounts')).toEqual([ID(1)]);
  expect(await marked('people')).toEqual([ID(3), ID(4)]);
  expect(await session.rows('select id, password_hash from people order by id')).toEqual([
    { id: ID(3), password_hash: 'none' },
    { id: ID(4), password_hash: 'none' },
    { id: ID(5), password_hash: '$argon2id$x' },
  ]);
  expect(await session.rows('select person_id from sessions')).toEqual([{ person_id: ID(5) }]);
  // A private service gives it a new password; a public one does nothing.
  expect(await session.rows('select demo from deployment')).toEqual([{ demo: 'loading' }]);
  await session.close();
});

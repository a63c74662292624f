// A database of every commit since 87d8e20 is upgraded in place: its schema equals that of a new one, and its rows are kept.
import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { schemaText } from '../../scripts/schema-text.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { modeOf, statementsOf } from '../../src/postgres/migration-file.ts';
import { isHistoryMissing, type OldState, oldStates } from '../support/migration-history.ts';
import { fillOldDatabase, lostRows, readRows } from './old-rows.ts';

/** Columns that a migration rewrites deliberately; the results are asserted below. */
const REWRITTEN = new Set([
  'accounts.keys_reviewed_at',
  'data_sets.version',
  'data_sets.written_in',
  'ledger_accounts.id',
  'ledger_entries.ledger_account_id',
  'number_series.last',
  'reservations.note',
]);

const isMissing = isHistoryMissing();
const states = isMissing ? [] : oldStates();
const made: string[] = [];
afterAll(async () => {
  const server = await openSession(inject('adminUrl'));
  for (const name of made) await server.rows(`drop database if exists ${name} with (force)`);
  await server.close();
});

async function onNewDatabase<Result>(work: (url: string, session: Session) => Promise<Result>): Promise<Result> {
  const server = await openSession(inject('adminUrl'));
  const name = `t_${randomBytes(6).toString('hex')}`;
  made.push(name);
  await server.rows(`create database ${name}`);
  const url = new URL(inject('adminUrl'));
  url.pathname = `/${name}`;
  const session = await openSession(url.href);
  try {
    return await work(url.href, session);
  } finally {
    await session.close();
    await server.rows(`drop database ${name} with (force)`);
    await server.close();
  }
}

async function makeOld(session: Session, { files }: OldState): Promise<void> {
  await session.rows(
    'create table schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
  );
  for (const { name, hash, text } of files) {
    if (modeOf(text) === 'transaction') await session.rows(`begin; ${text};\ncommit`);
    else for (const statement of statementsOf(text)) await session.rows(statement);
    await session.rows('insert into schema_migrations (name, hash) values ($1, $2)', [name, hash]);
  }
}

let fresh: Promise<string> | undefined;
const freshSchema = () =>
  (fresh ??= onNewDatabase(async (url, session) => {
    await migrate(url);
    return schemaText(session, { sortColumns: true });
  }));

describe.skipIf(isMissing)('a database of', () => {
  test.each(states.map((state) => [state.commit, state] as const))('%s', async (_, state) => {
    await onNewDatabase(async (url, session) => {
      await makeOld(session, state);
      await fillOldDatabase(session);
      const before = await readRows(session);
      await migrate(url);
      expect(await schemaText(session, { sortColumns: true })).toBe(await freshSchema());
      expect(lostRows(before, await readRows(session), REWRITTEN)).toEqual([]);
      expect(await migrate(url)).toEqual([]);
      await expectMoney(session, before.has('reservations') && 'deposit_amount_minor' in (before.get('reservations')![0] ?? {}));
    });
  });
});

/** Deposits have become money, and the platform's accounts of the ledger have their current ids. */
async function expectMoney(session: Session, hadDeposits: boolean): Promise<void> {
  if (hadDeposits) {
    expect(
      await session.rows(`select amount_minor::int, currency, method from collections where deposit_status = 'Açık'`),
    ).toEqual([{ amount_minor: 50_000, currency: 'STG', method: 'Nakit' }]);
    expect(await session.rows(`select note from reservations order by customer_id nulls last`)).toEqual([
      { note: 'söz verildi' },
      { note: 'Kapora: 70.00 STG' },
    ]);
  }
  const platform = `select count(*)::int as count from ledger_accounts where is_platform and id::text like '%-a000-%'`;
  expect(await session.rows(platform)).toEqual([{ count: 8 }]);
  const unbalanced = `select transaction_id from ledger_entries join ledger_accounts on ledger_accounts.id = ledger_account_id
    group by transaction_id having sum(case direction when 'debit' then amount_minor else -amount_minor end) <> 0 or count(*) < 2`;
  expect(await session.rows(unbalanced)).toEqual([]);
}

// Periodic work with many dealers: found by index, only where something changed, and once over all workers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Writer } from '../../src/domain/writes/write.ts';
import { claimRound, releaseRound } from '../../src/jobs/job-rounds.ts';
import { dealersToLookAt, queueReminders } from '../../src/jobs/queue-reminders.ts';
import { queueReportMails } from '../../src/jobs/queue-report-mails.ts';
import { newId } from '../../src/kit/ids.ts';
import type { Statement } from '../../src/kit/sql.ts';
import { HEARTBEAT_SQL } from '../../src/postgres/changes.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { planOf } from '../support/plans.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';

let api: TestService;
let admin: Session;
let sent: Statement[] = [];
beforeAll(async () => {
  const watch = (statement: Statement) => {
    sent.push(statement);
    return statement;
  };
  // A Saturday, nine o'clock in Cyprus.
  api = await testService({ at: '2026-01-10T07:00:00Z', database: { watch } });
  await openAll(api);
  admin = await openSession(api.adminUrl);
});
afterAll(async () => {
  await admin?.close();
  await api?.close();
});

const HOUR = 3_600_000;
const at = (hours: number) => ({ now: new Date(api.clock.now().getTime() + hours * HOUR), realNow: api.clock.realNow() });

/** The writer of the service, and the dealers whose data it has read. */
function watched(): { readonly writer: Writer; readonly visited: string[] } {
  const visited: string[] = [];
  const { writer } = api.service.parts;
  const inTenant: Writer['database']['inTenant'] = (dataSet, ...rest) => {
    visited.push(dataSet);
    return writer.database.inTenant(dataSet, ...rest);
  };
  return { writer: { ...writer, database: { ...writer.database, inTenant } }, visited };
}

describe('reminders by mail', () => {
  let dealers: Dealer[];
  beforeAll(async () => {
    dealers = [await newDealer(api), await newDealer(api)];
    await newDealer(api);
    const rules = JSON.stringify([{ day: 0, channel: 'E-posta', active: true }]);
    const ids = dealers.map(({ accountId }) => accountId);
    await admin.rows('update accounts set reminders = $1 where id = any($2)', [rules, ids]);
  });
  const visitedIn = async (hours: number): Promise<string[]> => {
    const { writer, visited } = watched();
    await queueReminders(writer, at(hours));
    return visited.sort();
  };

  test('look at a dealer when something has changed, on each day, and only in the hours of reminders', async () => {
    const [one, other] = dealers as [Dealer, Dealer];
    const both = [one.accountId, other.accountId].sort();
    expect(await visitedIn(-2)).toEqual([]);
    expect(await visitedIn(0)).toEqual(both);
    expect(await visitedIn(0)).toEqual([]);
    expect((await one.post('vehicles', aCar())).status).toBe(201);
    expect(await visitedIn(1)).toEqual([one.accountId]);
    expect(await visitedIn(1)).toEqual([]);
    await admin.rows(`update accounts set updated_at = updated_at + interval '1 second' where id = $1`, [other.accountId]);
    expect(await visitedIn(1)).toEqual([other.accountId]);
    expect(await visitedIn(11)).toEqual([]);
    expect(await visitedIn(24)).toEqual(both);
    await admin.rows(`update accounts set status = 'Askıda' where id = $1`, [one.accountId]);
    expect(await visitedIn(48)).toEqual([other.accountId]);
  });
});

test('reports by mail visit only dealers with a due report', async () => {
  const dealers = await Promise.all(['Haftalık', 'Haftalık', 'Aylık'].map(() => newDealer(api)));
  const [late, done, monthly] = dealers.map(({ accountId }) => accountId) as [string, string, string];
  for (const [account, frequency, sent_on] of [
    [late, 'Haftalık', '2026-01-04'],
    [done, 'Haftalık', '2026-01-05'],
    [monthly, 'Aylık', '2026-01-01'],
  ])
    await admin.rows(
      `insert into report_schedules (account_id, id, report, frequency, email, sent_on, created_at)
        values ($1, $2, 'sales-summary', $3, 'a@example.com', $4, now())`,
      [account, newId(), frequency, sent_on],
    );
  const visitedIn = async (hours: number): Promise<string[]> => {
    const { writer, visited } = watched();
    await queueReportMails(writer, at(hours));
    return visited.sort();
  };
  expect(await visitedIn(0)).toEqual([late]);
  // Monday, at 07:59 and at 08:00.
  expect(await visitedIn(48 - 1 - 1 / 60)).toEqual([late]);
  expect(await visitedIn(48 - 1)).toEqual([late, done].sort());
  expect(await visitedIn(22 * 24)).toEqual([late, done, monthly].sort());
});

describe('a round of a job', () => {
  const claim = (job: string, seconds: number) =>
    claimRound(api.database, job, 60_000, new Date(api.clock.realNow().getTime() + seconds * 1000));

  test('is claimed by one of many workers, and by one again when it is due', async () => {
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim('one', 0)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claim('one', 30)).toBe(false);
    expect(await claim('other', 30)).toBe(true);
    expect(await claim('one', 60)).toBe(true);
    expect(await claim('one', 60)).toBe(false);
  });

  test('that failed is due at once', async () => {
    expect(await claim('failing', 0)).toBe(true);
    await releaseRound(api.database, 'failing', api.clock.realNow());
    expect(await claim('failing', 1)).toBe(true);
  });
});

describe('with thousands of dealers', () => {
  beforeAll(async () => {
    await admin.rows(`with made as (
        insert into accounts (id, name, country, default_currency, timezone, rate_source)
        select gen_random_uuid(), 'Galeri ' || place, 'TR', 'TL', 'Europe/Istanbul', 'TCMB' from generate_series(1, 3000) place returning id)
      insert into data_sets (id, account_id, kind) select id, id, 'production' from made`);
    await admin.rows('vacuum (analyze) accounts, data_sets');
  });
  const scansOf = async (statement: Statement, relation: string): Promise<(string | undefined)[]> => {
    const nodes = await planOf(admin, newId(), statement, true);
    const scans = nodes.filter((node) => node['Relation Name'] === relation || node['Index Name']?.startsWith(relation));
    // A bitmap of an index has a node for the index and one for the table.
    return scans
      .filter((node) => node['Node Type'] !== 'Bitmap Heap Scan')
      .map((node) => node['Index Name'] ?? node['Node Type']);
  };

  test('a heartbeat reads the data sets that were written', async () => {
    const [row] = await admin.rows<{ since: string }>('select pg_snapshot_xmin(pg_current_snapshot())::text as since');
    const text = HEARTBEAT_SQL.replace('$3::xid8', '$3::text::xid8').replace('pg_notify($1, $2)', '$1::text, $2::text');
    expect(await scansOf({ text, values: ['none', 'none', row!.since] }, 'data_sets')).toEqual(['data_sets_written']);
  });

  test('the job of reminders reads the dealers that send them', async () => {
    sent = [];
    await api.database.onPlatform('read', (db) => dealersToLookAt(db, at(0).now));
    const statement = sent.find(({ text }) => text.includes('reminders_seen'))!;
    expect(await scansOf(statement, 'accounts')).toEqual(['accounts_mail_reminders']);
    expect(await scansOf(statement, 'data_sets')).toEqual(['data_sets_pkey']);
  });
});

// `galeri clock advance` returns when every process of the service has the new time, for any duration of its heartbeat.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { untilHeard } from '../../src/postgres/heartbeats.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { type TestService, testService } from '../support/service.ts';

const DAY = 86_400_000;
let api: TestService;
let admin: Session;
beforeAll(async () => {
  api = await testService();
  admin = await openSession(api.adminUrl);
});
afterAll(async () => {
  await admin?.close();
  await api?.close();
});

const isMoved = async () => {
  const { json } = await api.call('account', {});
  return new Date(json.meta.timestamp).getTime() - Date.now() > DAY / 2;
};
const isBeatStuck = async () =>
  (
    await admin.rows(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%pg_notify%'`,
    )
  ).length > 0;

test('waits for a delayed heartbeat, and then the service has the new time', async () => {
  const holder = await openSession(api.adminUrl);
  let isOver = false;
  const known = untilHeard(
    api.adminUrl,
    async () => {
      await holder.rows('begin; lock table data_sets in access exclusive mode');
      await admin.rows(`update test_clock set offset_ms = ${DAY}`);
    },
    PATIENCE_MS,
  ).finally(() => {
    isOver = true;
  });
  await expect.poll(isBeatStuck).toBe(true);
  expect(isOver).toBe(false);
  await holder.rows('commit');
  await holder.close();
  expect(await known).toBe(true);
  expect(await isMoved()).toBe(true);
});

test('a silent process is reported', async () => {
  const holder = await openSession(api.adminUrl);
  const silent = await untilHeard(
    api.adminUrl,
    async () => {
      await holder.rows('begin; lock table data_sets in access exclusive mode');
    },
    300,
  );
  expect(silent).toBe(false);
  await holder.close();
});

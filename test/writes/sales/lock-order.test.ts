// Jobs lock the rows of a plan in the order in which collections lock them, so that they cannot deadlock.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '../../../src/postgres/database.ts';
import { eventually } from '../../start/process.ts';
import { aDealer, dataOf, moveTo } from '../../support/books.ts';
import { closeScene, newScene, type Scene, sold } from './refused.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await newScene();
});
afterAll(() => closeScene(scene));

test('emitting due installments holds no later installment while it waits for an earlier one', async () => {
  const { api, admin } = scene;
  const dealer = await aDealer(api);
  const { rows } = await sold(dealer);
  const [first, second] = [rows[0]!, rows[1]!];
  // After postponing, the first installment by seq is the last by date.
  dataOf(await dealer.post(`installments/${first.id}/postpone`, { new_due_date: '2026-06-20', reason: 'müşteri istedi' }));
  const collector = await openSession(api.adminUrl);
  try {
    await collector.rows('begin');
    await collector.rows(`select id from installments where id = '${first.id}' for update`);
    moveTo(api, '2026-06-25');
    const read = dealer.get('sales');
    await eventually(async () => {
      const waiting = await admin.rows(
        `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%installments%'`,
      );
      return waiting.length > 0;
    });
    const free = await collector.rows(`select id from installments where id = '${second.id}' for update nowait`);
    expect(free).toHaveLength(1);
    await collector.rows('commit');
    expect((await read).status).toBe(200);
    const emitted = await admin.rows(
      `select kind from events where account_id = '${dealer.accountId}' and kind = 'installment.overdue'`,
    );
    expect(emitted).toHaveLength(3);
  } finally {
    await collector.close();
  }
});

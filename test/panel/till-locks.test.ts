// Concurrent use of the till: closing and collecting wait for each other, and one of two concurrent reopenings succeeds.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { eventually } from '../start/process.ts';
import { carOf, collect, customerOf, dataOf, sell, verdictOf } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

const DAY = '2026-03-16';

let api: TestService;
let admin: Session;
let dealer: Dealer;
let owner: Browser;
let branch: string;
beforeAll(async () => {
  api = await testService({ at: `${DAY}T10:00:00Z` });
  await openAll(api);
  admin = await openSession(api.adminUrl);
  dealer = await newDealer(api);
  owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  branch = (await admin.rows<{ id: string }>(`select id from branches where account_id = '${dealer.accountId}'`))[0]!.id;
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const close = (amount: string, reason?: string) =>
  owner.api('till/closings', {
    method: 'POST',
    body: { branch_id: branch, day: DAY, counted: [{ currency: 'STG', method: 'Nakit', amount }], reason },
  });
const reopen = (id: string) => owner.api(`till/closings/${id}/reopen`, { method: 'POST', body: { reason: 'eksik sayıldı' } });

/** While another session holds the branch, until this many wait for it. */
async function heldUntilWaiting<T>(waiting: number, ask: () => Promise<T>): Promise<T> {
  const holder = await openSession(api.adminUrl);
  try {
    await holder.rows('begin');
    await holder.rows(`select id from branches where id = '${branch}' for update`);
    const reply = ask();
    await eventually(async () => {
      const found = await admin.rows(
        `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%branches%'`,
      );
      return found.length >= waiting;
    });
    await holder.rows('commit');
    return await reply;
  } finally {
    await holder.close();
  }
}

test('of two concurrent reopenings of a day one succeeds, and it is audited once', async () => {
  const closed = (await close('0.00')).json.data;
  const answers = await heldUntilWaiting(2, () => Promise.all([reopen(closed.id), reopen(closed.id)]));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const audited = await admin.rows(`select id from audit_log where action = 'till.reopened' and target = '${closed.id}'`);
  expect(audited).toHaveLength(1);
});

test('money collected during a closing is in it, or is refused because the day is closed', async () => {
  const [vehicle_id, customer_id] = [await carOf(dealer), await customerOf(dealer)];
  const { id } = dataOf(await sell(dealer, { vehicle_id, customer_id, sale_price: '3000.00', installment_count: 3 }));
  const pay = () => collect(dealer, id, '10.00');
  const [early, closed, late] = await Promise.all([
    Promise.all([pay(), pay(), pay()]),
    close('1.00', 'kasa eksik'),
    Promise.all([pay(), pay(), pay()]),
  ]);
  const paid = [...early, ...late].filter(({ status }) => status === 201).length;
  expect(new Set([...early, ...late].map(verdictOf)).difference(new Set(['201', '409 day_closed']))).toEqual(new Set());
  const expected = closed.json.data.lines.find(({ method }: { method: string }) => method === 'Nakit').expected;
  expect(expected).toBe(`${paid * 10}.00`);
  expect(verdictOf(await pay())).toBe('409 day_closed');
});

// Reports by mail: on their day and hour in the dealer's time zone, once; never with cost or debtors.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openWorkbook } from '../../src/domain/formats/xlsx-read.ts';
import { queueReportMails } from '../../src/jobs/queue-report-mails.ts';
import { sendMails } from '../../src/jobs/send-mails.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql, theAccount } from '../../src/kit/sql.ts';
import { type Browser, newPerson, signedIn, type TestPerson } from '../panel/people.ts';
import { aDealer, carOf, customerOf, dataOf, moveTo, type Shown, sell } from '../support/books.ts';
import { openPostOffice, type PostOffice } from '../support/post-office.ts';
import { type TestService, testService } from '../support/service.ts';
import { testWriter } from '../support/test-writer.ts';
import { type Dealer, openAll } from '../support/writer.ts';

let api: TestService;
let office: PostOffice;
let dealer: Dealer;
let person: TestPerson;
beforeAll(async () => {
  // A Wednesday.
  api = await testService({ at: '2026-02-04T08:00:00Z' });
  await openAll(api);
  dealer = await aDealer(api);
  person = await newPerson(api, { accountId: dealer.accountId });
});
afterAll(() => api.close());
beforeEach(async () => {
  office = await openPostOffice();
});
afterEach(async () => {
  await office.close();
  await api.database.inTenant(dealer.accountId, 'write', (db) => db.exec(sql`delete from report_schedules`));
  await api.database.onPlatform('write', (db) => db.exec(sql`delete from mails`));
});

const owner = (): Promise<Browser> => signedIn(api, person);
const parts = () => ({ writer: testWriter({ ...api, clock: api.clock }), smtpUrl: office.url });
async function round(): Promise<number> {
  await queueReportMails(parts().writer, api.clock.times());
  return (await sendMails(parts(), api.clock.times())).sent;
}
const add = async (body: Shown): Promise<string> => {
  const { status, json } = await (await owner()).api('report-schedules', { method: 'POST', body });
  return status < 300 ? String(status) : `${status} ${json.error.details?.[0]?.code ?? json.error.code}`;
};
const schedule = { report: 'sales-summary', frequency: 'Haftalık', email: 'patron@example.com' };

/** The workbook's cells, by sheet. */
async function attached(letter: string): Promise<Record<string, unknown[][]>> {
  const part = letter.split(/^--.*$/m).find((one) => /attachment/i.test(one))!;
  const workbook = await openWorkbook(Buffer.from(part.split('\n\n').slice(1).join(''), 'base64'));
  const read = async (name: string) =>
    (await Array.fromAsync(workbook.rows(name)))
      .slice(2)
      .map(({ cells }) => cells.map(({ value }) => value))
      .filter((cells) => !cells.some((cell) => /^Toplam \(/.test(String(cell))));
  return Object.fromEntries(await Promise.all(workbook.sheets.map(async (name) => [name, await read(name)] as const)));
}

test('weekly: on Monday at eight in the dealer’s time zone, for the previous week, once', async () => {
  moveTo(api, '2026-02-04');
  expect(await add(schedule)).toBe('200');
  const sold = { sale_price: '14321.50', currency: 'STG' };
  // The Sunday before the week, and within it.
  for (const sale_date of ['2026-02-01', '2026-02-04']) {
    const [vehicle_id, customer_id] = [await carOf(dealer), await customerOf(dealer)];
    dataOf(await sell(dealer, { vehicle_id, customer_id, sale_date, ...sold }));
  }
  expect(await round()).toBe(0);
  moveTo(api, '2026-02-09', '05:59:00'); // 07:59 in Lefkoşa.
  expect(await round()).toBe(0);
  moveTo(api, '2026-02-09', '06:00:00');
  // Two concurrent processes.
  expect((await Promise.all([round(), round()])).toSorted()).toEqual([0, 1]);
  expect(await round()).toBe(0);
  expect(office.letters).toHaveLength(1);
  expect(office.commands).toContain('RCPT TO:<patron@example.com>');
  const sheets = await attached(office.letters[0]!);
  expect(sheets['Gruplara göre']![1]!.slice(0, 4)).toEqual(['Şub 2026', 'STG', 1, 14321.5]);
  const { json } = await (await owner()).api('report-schedules');
  expect(json.data.schedules[0].sent_at).toContain('2026-02-09T06:00:00');
  expect(await api.database.onPlatform('read', (db) => db.rows(sql`select id from mails`))).toEqual([]);
  // A week later, one more; a service that was down for two sends only the last.
  moveTo(api, '2026-02-16', '12:00:00');
  expect(await round()).toBe(1);
  moveTo(api, '2026-03-04', '12:00:00');
  expect(await round()).toBe(1);
  expect(await round()).toBe(0);
});

test('monthly: on the first, for the previous month; stock as of that day', async () => {
  moveTo(api, '2026-03-10');
  for (const report of ['collections-summary', 'inventory-aging', 'marketplace-performance', 'salesperson-performance'])
    expect(await add({ ...schedule, frequency: 'Aylık', report })).toBe('200');
  moveTo(api, '2026-03-31', '23:00:00');
  expect(await round()).toBe(0);
  moveTo(api, '2026-04-01', '05:00:00');
  expect(await round()).toBe(4);
  const words = office.letters.map((letter) => decodeURIComponent(letter));
  expect(words.some((letter) => letter.includes('2026-03-01-2026-03-31.xlsx'))).toBe(true);
  expect(words.some((letter) => letter.includes('2026-04-01.xlsx'))).toBe(true);
});

test('a failed mail is retried and sent once', async () => {
  moveTo(api, '2026-04-08');
  expect(await add(schedule)).toBe('200');
  moveTo(api, '2026-04-13', '12:00:00');
  office.refuses = 'RCPT';
  expect(await round()).toBe(0);
  office.refuses = null;
  expect(await round()).toBe(0); // Not before its pause is over.
  await api.database.onPlatform('write', (db) => db.exec(sql`update mails set next_try_at = created_at`));
  expect(await round()).toBe(1);
  expect(await round()).toBe(0);
});

test('a schedule that is removed, or of a suspended dealer or the demonstration, sends nothing', async () => {
  moveTo(api, '2026-04-15');
  expect(await add(schedule)).toBe('200');
  moveTo(api, '2026-04-20', '12:00:00');
  await queueReportMails(parts().writer, api.clock.times());
  const browser = await owner();
  const { json } = await browser.api('report-schedules');
  const [{ id }] = json.data.schedules;
  expect((await browser.api(`report-schedules/${id}`, { method: 'DELETE' })).status).toBe(200);
  expect((await sendMails(parts(), api.clock.times())).sent).toBe(0);
  expect(await add(schedule)).toBe('200');
  moveTo(api, '2026-04-27', '12:00:00');
  const suspend = (status: string) =>
    api.database.onPlatform('write', (db) => db.exec(sql`update accounts set status = ${status} where id = ${dealer.accountId}`));
  await suspend('Askıda');
  expect(await round()).toBe(0);
  await suspend('Aktif');
  expect(await round()).toBe(1);
});

test('cost and debtors are refused by the endpoint and by the table', async () => {
  moveTo(api, '2026-05-01');
  for (const report of ['profit-loss', 'overdue-risk', 'custom', 'constructor'])
    expect(await add({ ...schedule, report }), report).toMatch(/^422/);
  for (const report of ['profit-loss', 'overdue-risk'])
    await expect(
      api.database.inTenant(dealer.accountId, 'write', (db) =>
        db.exec(sql`insert into report_schedules (account_id, id, report, frequency, email, sent_on, created_at)
          values (${theAccount}, ${newId()}, ${report}, 'Aylık', 'a@example.com', '2026-01-01', now())`),
      ),
    ).rejects.toThrow();
  expect(await add(schedule)).toBe('200');
  expect(await add(schedule)).toBe('422 in_use');
  expect(await add({ ...schedule, email: 'a@example.com,b@example.com' })).toMatch(/^422/);
});

test('is limited to the owner, and without a mail server the panel says so', async () => {
  const { accountId } = dealer;
  for (const role of ['finance', 'sales', 'viewer', 'developer'] as const) {
    const other = await signedIn(api, await newPerson(api, { accountId, role }));
    expect((await other.api('report-schedules')).status, role).toBe(403);
    expect((await other.api('report-schedules', { method: 'POST', body: schedule })).status, role).toBe(403);
  }
  expect((await (await owner()).api('report-schedules')).json.data.can_mail).toBe(false);
});

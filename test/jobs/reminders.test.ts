// Reminders: recipients, content and days, by message and by mail, and everything that prevents one.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { queueReminders } from '../../src/jobs/queue-reminders.ts';
import { sendMails } from '../../src/jobs/send-mails.ts';
import { newId } from '../../src/kit/ids.ts';
import { own, type Sql, sql } from '../../src/kit/sql.ts';
import { type Browser, newPerson, signedIn } from '../panel/people.ts';
import { aDealer, carOf, collect, customerOf, dataOf, moveTo, rowsOf, type Shown, sell, verdictOf } from '../support/books.ts';
import { bodyOf, openPostOffice, type PostOffice } from '../support/post-office.ts';
import { type TestService, testService } from '../support/service.ts';
import { testWriter } from '../support/test-writer.ts';
import { type Dealer, openAll } from '../support/writer.ts';

let api: TestService;
let office: PostOffice;
beforeAll(async () => {
  api = await testService({ at: '2026-01-10T08:00:00Z' });
  await openAll(api);
});
afterAll(() => api.close());
beforeEach(async () => {
  office = await openPostOffice();
});
afterEach(() => office.close());

interface Shop {
  readonly dealer: Dealer;
  /** Signed in again on every day, because a session does not last for months. */
  readonly owner: { api: Browser['api'] };
}

/** Their rules, and an owner in the panel. */
async function shopWith(reminders: readonly Shown[], overrides: Shown = {}): Promise<Shop> {
  const dealer = await aDealer(api);
  const person = await newPerson(api, { accountId: dealer.accountId });
  const sessions = new Map<string, Promise<Browser>>();
  const owner: Shop['owner'] = {
    api: async (path, sent) => {
      const day = api.clock.now().toISOString().slice(0, 10);
      if (!sessions.has(day)) sessions.set(day, signedIn(api, person));
      return (await sessions.get(day)!).api(path, sent);
    },
  };
  const changed = await owner.api('settings', { method: 'PATCH', body: { reminders, ...overrides } });
  expect(changed.status, changed.text).toBe(200);
  return { dealer, owner };
}

const rule = (day: number, channel: string, active = true) => ({ day, channel, active });

interface Sold {
  readonly saleId: string;
  readonly customerId: string;
  readonly rows: readonly Shown[];
}

/** Two rows of 1 000, the first on the given day. */
async function soldBy(dealer: Dealer, first: string, customer: Shown = {}, sale: Shown = {}): Promise<Sold> {
  const fields = { first_name: 'Ali', last_name: 'Geç', phone: '0533 123 45 67', email: 'ali@example.com', ...customer };
  const [vehicle_id, customerId] = [await carOf(dealer), await customerOf(dealer, fields)];
  const installments = [
    { due_date: first, amount: '1000.00' },
    { due_date: '2027-06-01', amount: '1000.00' },
  ];
  const body = {
    vehicle_id,
    customer_id: customerId,
    sale_price: '2000.00',
    sale_date: '2026-01-10',
    currency: 'STG',
    installments,
  };
  const saleId = dataOf(await sell(dealer, { ...body, ...sale })).id;
  return { saleId, customerId, rows: await rowsOf(dealer, saleId) };
}

const parts = () => ({ writer: testWriter({ ...api, clock: api.clock }), smtpUrl: office.url });
/** One round of both jobs, as a worker does them. */
async function round(): Promise<number> {
  const { writer } = parts();
  await queueReminders(writer, api.clock.times());
  return (await sendMails(parts(), api.clock.times())).sent;
}
const waiting = () =>
  api.database.onPlatform('read', (db) => db.rows<{ id: string; attempts: number }>(sql`select id, attempts from mails`));
const mailsTo = () => office.commands.filter((line) => line.startsWith('RCPT')).map((line) => line.slice(9, -1));
const activityOf = async (dealer: Dealer, customerId: string, kind: string): Promise<Shown[]> =>
  dataOf(await dealer.get(`customers/${customerId}/activity?kind=${kind}`)) as Shown[];

describe('by mail', () => {
  test('on its day, within the hours, to the debtor and the guarantors who have an address, once', async () => {
    moveTo(api, '2026-01-20');
    const { dealer } = await shopWith([rule(-3, 'E-posta')], { name: 'Lefkoşa Oto', email: 'oto@example.com' });
    const customerId = await customerOf(dealer, { first_name: 'Ayşe', last_name: 'Borçlu', email: 'ayse@example.com' });
    const guarantor = async (input: Shown) =>
      dataOf(
        await dealer.post(`customers/${customerId}/guarantors`, {
          first_name: 'Veli',
          last_name: 'Kefil',
          phone: '05331112233',
          ...input,
        }),
      ).id;
    const guarantor_ids = [
      await guarantor({ email: 'veli@example.com' }),
      await guarantor({}),
      await guarantor({ email: 'AYSE@example.com' }),
    ];
    const { rows } = await soldBy(dealer, '2026-02-12', {}, { customer_id: customerId, guarantor_ids });

    moveTo(api, '2026-02-08'); // Four days before: not its day.
    expect(await round()).toBe(0);
    moveTo(api, '2026-02-09', '06:59:00'); // 08:59 in Lefkoşa.
    expect(await round()).toBe(0);
    moveTo(api, '2026-02-09', '07:00:00');
    expect(await round()).toBe(2);
    // No address gets two, and the guarantor without one none.
    expect(mailsTo().toSorted()).toEqual(['ayse@example.com', 'veli@example.com']);
    // Both were queued at the same moment, so either may be sent first.
    const [hers, his] = office.letters.map(bodyOf).toSorted((one) => (one.includes('Sayın Ayşe') ? -1 : 1)) as [string, string];
    expect(hers).toContain('Sayın Ayşe Borçlu,');
    expect(hers).toContain('12.02.2026 vadeli 1.000,00 STG tutarındaki 1/2. taksit ödemenizi hatırlatmak isteriz.');
    expect(his).toContain('Sayın Veli Kefil, kefili olduğunuz Ayşe Borçlu adına');
    expect(office.letters[0]).toMatch(/^From: =\?UTF-8\?[QB]\?[^?]+\?= <panel@galeri\.example>$/m);
    expect(office.letters[0]).toMatch(/^Reply-To: .*<oto@example\.com>$/m);
    const activity = await activityOf(dealer, customerId, 'E-posta');
    expect(activity).toMatchObject([
      { source: 'system', staff_id: null, resource_type: 'installment', resource_id: rows[0]!.id },
      { source: 'system' },
    ]);
    // No customer data stays in the queue, and no one is mailed again.
    expect(await waiting()).toEqual([]);
    moveTo(api, '2026-02-09', '15:00:00');
    expect(await round()).toBe(0);
  });

  test('once over several processes, and after one that ended between sending and dequeuing', async () => {
    moveTo(api, '2026-03-01');
    const { dealer } = await shopWith([rule(0, 'E-posta')]);
    await soldBy(dealer, '2026-03-02');
    moveTo(api, '2026-03-02');
    await Promise.all([1, 2, 3].map(() => queueReminders(parts().writer, api.clock.times())));
    const [queued] = await waiting();
    const copy = await api.database.onPlatform('read', (db) => db.rows<Shown>(sql`select * from mails`));
    expect(copy).toHaveLength(1);
    const rounds = await Promise.all([1, 2, 3].map(() => sendMails(parts(), api.clock.times())));
    expect(rounds.reduce((sum, { sent }) => sum + sent, 0)).toBe(1);
    // As if the process had been killed before it dequeued the mail.
    const { recipient, subject, text_encrypted, data_set, reminder } = copy[0]!;
    await api.database.onPlatform('write', (db) =>
      db.exec(sql`insert into mails (id, recipient, subject, text_encrypted, data_set, reminder, next_try_at)
        values (${queued!.id}, ${recipient}, ${subject}, ${text_encrypted}, ${data_set}, ${reminder}, ${api.clock.realNow()})`),
    );
    expect(await round()).toBe(0);
    expect(office.letters).toHaveLength(1);
    expect(await waiting()).toEqual([]);
  });

  test('not for rows paid while the mail server was unavailable; partly paid ones are rewritten', async () => {
    moveTo(api, '2026-03-10');
    const { dealer } = await shopWith([rule(0, 'E-posta')]);
    const whole = await soldBy(dealer, '2026-03-11', { email: 'whole@example.com' });
    const half = await soldBy(dealer, '2026-03-11', { email: 'half@example.com' });
    moveTo(api, '2026-03-11');
    office.refuses = 'MAIL';
    expect(await round()).toBe(0);
    expect(await waiting()).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
    expect(await activityOf(dealer, half.customerId, 'E-posta')).toEqual([]);
    dataOf(await collect(dealer, whole.saleId, '1000.00'));
    dataOf(await collect(dealer, half.saleId, '400.00'));
    office.refuses = null;
    office.commands.length = 0;
    moveTo(api, '2026-03-11', '12:02:00');
    expect(await round()).toBe(1);
    expect(mailsTo()).toEqual(['half@example.com']);
    expect(bodyOf(office.letters[0]!)).toContain('600,00 STG');
    expect(await waiting()).toEqual([]);
  });

  test('not at night or the day after if it could not be sent by eight in the evening', async () => {
    moveTo(api, '2026-03-20');
    const { dealer } = await shopWith([rule(0, 'E-posta')]);
    await soldBy(dealer, '2026-03-21');
    moveTo(api, '2026-03-21', '17:59:30'); // 19:59:30 in Lefkoşa: summer time starts a week later.
    office.refuses = 'MAIL';
    expect(await round()).toBe(0);
    office.refuses = null;
    moveTo(api, '2026-03-21', '18:01:00');
    expect(await round()).toBe(0);
    expect(await waiting()).toEqual([]);
    moveTo(api, '2026-03-22');
    expect(await round()).toBe(0);
    expect(office.letters).toEqual([]);
  });

  test('within the hours of the account’s time zone, in summer too', async () => {
    moveTo(api, '2026-06-01');
    const { dealer } = await shopWith([rule(0, 'E-posta')], { timezone: 'Asia/Famagusta' });
    await soldBy(dealer, '2026-06-15');
    moveTo(api, '2026-06-15', '05:59:00');
    expect(await round()).toBe(0);
    moveTo(api, '2026-06-15', '06:00:00');
    expect(await round()).toBe(1);
  });

  test('again on its days for a moved due date', async () => {
    moveTo(api, '2026-07-01');
    const { dealer } = await shopWith([rule(-3, 'E-posta')]);
    const { rows } = await soldBy(dealer, '2026-07-10');
    moveTo(api, '2026-07-07');
    expect(await round()).toBe(1);
    dataOf(await dealer.post(`installments/${rows[0]!.id}/postpone`, { new_due_date: '2026-08-10', reason: 'Maaş gününe' }));
    expect(await round()).toBe(0);
    moveTo(api, '2026-08-07');
    expect(await round()).toBe(1);
    expect(bodyOf(office.letters[1]!)).toContain('10.08.2026');
  });

  test('not by a disabled rule, and not from a suspended dealer or a demonstration', async () => {
    moveTo(api, '2026-09-01');
    const { dealer, owner } = await shopWith([rule(0, 'E-posta', false), rule(0, 'WhatsApp')]);
    await soldBy(dealer, '2026-09-02');
    moveTo(api, '2026-09-02');
    expect(await round()).toBe(0);
    await owner.api('settings', { method: 'PATCH', body: { reminders: [rule(0, 'E-posta')] } });
    const set = (what: Sql) =>
      api.database.onPlatform('write', (db) => db.exec(sql`update accounts set ${what} where id = ${dealer.accountId}`));
    for (const what of [sql`is_demo = true`, sql`is_demo = false, status = 'Askıda'`]) {
      await set(what);
      expect(await round()).toBe(0);
    }
    await set(sql`status = 'Aktif'`);
    expect(await round()).toBe(1);
  });
});

describe('who may not be reminded', () => {
  /** What today's list and the manual message report about the first row. */
  async function outcomesOf({ owner }: Shop, { saleId, rows, customerId }: Sold): Promise<readonly [string | null, string]> {
    const shown = dataOf(await owner.api(`sales/${saleId}/reminders?installment_id=${rows[0]!.id}`)).row.recipients[0];
    expect(shown.id).toBe(customerId);
    const body = { recipient_id: customerId };
    return [shown.blocked, verdictOf(await owner.api(`installments/${rows[0]!.id}/reminders`, { method: 'POST', body }))];
  }
  const listed = async ({ owner }: Shop): Promise<string[]> =>
    (dataOf(await owner.api('receivables/reminders')) as Shown[]).map(({ installment_id }) => installment_id);

  test('opted out, in legal collection, paid or within the grace period', async () => {
    moveTo(api, '2026-10-01');
    const shop = await shopWith([rule(2, 'WhatsApp'), rule(2, 'E-posta')], { overdue_grace_days: 1 });
    const { dealer, owner } = shop;
    const optedOut = await soldBy(dealer, '2026-10-10', { reminder_opt_out: true });
    const legal = await soldBy(dealer, '2026-10-10');
    dataOf(await dealer.patch(`sales/${legal.saleId}`, { legal_stage: 'Avukatta' }));
    const paid = await soldBy(dealer, '2026-10-10');
    dataOf(await collect(dealer, paid.saleId, '1000.00'));
    const late = await soldBy(dealer, '2026-10-10');
    moveTo(api, '2026-10-12');
    expect(await outcomesOf(shop, optedOut)).toEqual(['opted_out', '409 reminder_not_allowed']);
    expect(await outcomesOf(shop, legal)).toEqual(['legal_stage', '409 reminder_not_allowed']);
    expect(await outcomesOf(shop, paid)).toEqual(['paid', '409 reminder_not_allowed']);
    expect(await listed(shop)).toEqual([late.rows[0]!.id]);
    expect(await round()).toBe(1);
    expect(await outcomesOf(shop, late)).toEqual([null, '200']);
    await owner.api('settings', { method: 'PATCH', body: { overdue_grace_days: 2 } });
    const graced = await soldBy(dealer, '2026-10-10');
    expect(await outcomesOf(shop, graced)).toEqual(['in_grace', '409 reminder_not_allowed']);
    expect(await listed(shop)).toEqual([]);
    expect(await round()).toBe(0);
  });

  test('a message is recorded with the person who opened it, once a day per customer; never at night', async () => {
    moveTo(api, '2026-11-01');
    const shop = await shopWith([rule(0, 'WhatsApp')]);
    const sold = await soldBy(shop.dealer, '2026-11-05');
    moveTo(api, '2026-11-05', '19:00:00');
    expect(await outcomesOf(shop, sold)).toEqual(['hours', '409 reminder_not_allowed']);
    expect(await listed(shop)).toEqual([sold.rows[0]!.id]);
    moveTo(api, '2026-11-05', '19:10:00');
    api.clock.advance(14 * 3_600_000); // The next morning: one day late, no rule, but manually.
    expect(await listed(shop)).toEqual([]);
    const id = sold.rows[0]!.id;
    const send = () =>
      shop.owner.api(`installments/${id}/reminders`, { method: 'POST', body: { recipient_id: sold.customerId } });
    const verdicts = (await Promise.all([send(), send(), send()])).map(verdictOf);
    expect(verdicts.toSorted()).toEqual(['200', '409 reminder_not_allowed', '409 reminder_not_allowed']);
    expect(await outcomesOf(shop, sold)).toEqual(['sent', '409 reminder_not_allowed']);
    // The database enforces it too, for a concurrent write.
    const again = sql`insert into sent_reminders select account_id, ${newId()}, installment_id, sale_id, customer_id, seq, due_date, day, channel,
      recipient_role, recipient_id, amount_minor, currency, staff_id, sent_at from ${own('sent_reminders')}`;
    await expect(api.database.inTenant(shop.dealer.accountId, 'write', (db) => db.exec(again))).rejects.toThrow(
      'sent_reminders_once',
    );
    const [entry] = await activityOf(shop.dealer, sold.customerId, 'WhatsApp');
    expect(entry).toMatchObject({ source: 'manual', resource_type: 'installment', resource_id: id });
    expect(entry!.staff_id).not.toBeNull();
    expect(entry!.note).toContain('Sayın Ali Geç,');
    expect(entry!.note).toContain('1 gün gecikti');
    const log = dataOf(await shop.owner.api(`sales/${sold.saleId}/reminders`));
    expect(log.sent).toMatchObject([
      {
        channel: 'WhatsApp',
        day: 1,
        seq: 1,
        amount: '1000.00',
        currency: 'STG',
        recipient: 'Ali Geç',
        recipient_role: 'Müşteri',
      },
    ]);
    expect(log.sent[0].sent_by).toMatch(/^Kişi/);
    expect(verdictOf(await shop.owner.api(`installments/${id}/reminders`, { method: 'POST', body: { recipient_id: id } }))).toBe(
      '422 unknown_reference',
    );
  });

  test('another dealer’s row returns 404', async () => {
    const [mine, theirs] = [await shopWith([]), await shopWith([])];
    const sold = await soldBy(mine.dealer, '2026-12-01');
    expect((await theirs.owner.api(`sales/${sold.saleId}/reminders`)).status).toBe(404);
    const body = { recipient_id: sold.customerId };
    const noted = await theirs.owner.api(`installments/${sold.rows[0]!.id}/reminders`, { method: 'POST', body });
    expect(noted.status).toBe(404);
  });
});

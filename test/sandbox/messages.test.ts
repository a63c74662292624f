// Mail and messages of a world stay in it: signing links and codes, reminders, reports. The database refuses what forgets this.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findLinkedPage, readPageToken } from '../../src/domain/customer-page/page-link.ts';
import { createPageLink, enterPageCode, requestPageCode } from '../../src/domain/customer-page/page-writes.ts';
import { sendDocument } from '../../src/domain/documents/signing/sale-document-send.ts';
import { enterCode, readSigning, requestCode } from '../../src/domain/documents/signing/signing.ts';
import { findLinked, type Linked, readToken } from '../../src/domain/documents/signing/signing-link.ts';
import { invite } from '../../src/domain/identity/invitations.ts';
import { readReminders } from '../../src/domain/reminders/reminder.ts';
import { logWhatsApp } from '../../src/domain/reminders/reminder-log.ts';
import { sealingKeys } from '../../src/domain/vault/vault.ts';
import { dropMessage, listMessages, MAX_MESSAGES, type SandboxMessage } from '../../src/domain/worlds/messages.ts';
import type { WriteCall, Writer } from '../../src/domain/writes/write.ts';
import { signingPage } from '../../src/http/public/signing-page.ts';
import { queueReminders } from '../../src/jobs/queue-reminders.ts';
import { queueReportMails } from '../../src/jobs/queue-report-mails.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql, theAccount } from '../../src/kit/sql.ts';
import type { Work } from '../../src/kit/work.ts';
import { canMailFor } from '../../src/panel/kit/can-mail.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { dropReminders, dueReminders } from '../../src/sandbox/world-reminders.ts';
import { dropReports, dueReports } from '../../src/sandbox/world-reports.ts';
import { asWorld, type TestWorld } from '../support/as-world.ts';
import { dataOf, rowsOf } from '../support/books.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { generate, paperDealer, type SoldCar, soldCar } from '../writes/documents/papers.ts';

/** As the transitions of a world do. Returns how many installments and reports were due. */
const dropDueMails = (writer: Writer, call: WriteCall): Promise<number> =>
  writer.write(call, async (work) => {
    const reminders = await dueReminders(work, []);
    await dropReminders(work, reminders);
    const reports = await dueReports(work, []);
    await dropReports(work, reports);
    return reminders.length + reports.length;
  });

let api: TestService;
let admin: Session;
let dealer: Dealer;
let sold: SoldCar;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  admin = await openSession(api.adminUrl);
});
beforeEach(async () => {
  dealer = await paperDealer(api);
  sold = await soldCar(dealer);
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const world = (): Promise<TestWorld> => asWorld(api.adminUrl, dealer.accountId);
const inWorld = <T>(of: TestWorld, run: (work: Work) => Promise<T>): Promise<T> => api.service.parts.writer.write(of.call(), run);
const messages = (of: { readonly id: string }, page: { limit?: number; to?: string } = {}): Promise<SandboxMessage[]> =>
  api.database.inTenant(of.id, 'read', (db) =>
    listMessages(db, sealingKeys(api.secrets, of.id), { limit: 100, offset: 0, ...page }),
  );
const queued = async (): Promise<number> => (await admin.rows<{ count: number }>('select count(*)::int from mails'))[0]!.count;
const draft = async (): Promise<string> => dataOf(await generate(dealer, sold.sale.id, 'teslim_tutanagi')).id;

const linkIn = (text: string): string => /\/sign\/([\w-]{64})/.exec(text)![1]!;
const linked = (of: TestWorld, token: string): Promise<Linked> =>
  api.database.inTenant(of.id, 'read', async (db) => (await findLinked(db, readToken(token)!))!);
const codeIn = (text: string): string => /kodunuz: (\d{6})/.exec(text)![1]!;

test('a customer’s page: link and code are in the drop, and no mail is queued', async () => {
  const of = await world();
  const before = await queued();
  for (const [channel, to] of [
    ['E-posta', 'ayse@example.com'],
    ['Bağlantı', '+905331234567'],
  ] as const) {
    await inWorld(of, (work) => createPageLink(work, sold.customer, channel, false));
    const [sent] = await messages(of, { limit: 1 });
    expect(sent).toMatchObject({ to, about: { kind: 'customer', id: sold.customer } });
    const token = readPageToken(/\/m\/([\w-]{48})/.exec(sent!.text)![1]!);
    const page = (await api.database.inTenant(of.id, 'read', (db) => findLinkedPage(db, token)))!;
    await inWorld(of, (work) => requestPageCode(work, page, false));
    const [code] = await messages(of, { limit: 1 });
    expect(code).toMatchObject({ to });
    expect(await inWorld(of, (work) => enterPageCode(work, page, codeIn(code!.text), randomBytes(32)))).toBe('ok');
  }
  expect(await queued()).toBe(before);
});

describe('a document that is sent for signing', () => {
  test('by mail, without a mail server: link and code are in the drop, and they open the document', async () => {
    const id = await draft();
    const of = await world();
    const before = await queued();
    const { signing_links } = await inWorld(of, (work) => sendDocument(work, id, { channel: 'E-posta' }, false));
    expect(signing_links).toEqual([]);
    const sent = await messages(of, { to: 'ayse@example.com' });
    expect(sent).toMatchObject([{ channel: 'E-posta', about: { kind: 'document', id }, attachments: [] }]);
    expect(await messages(of)).toHaveLength(2);
    const link = await linked(of, linkIn(sent[0]!.text));
    expect(await inWorld(of, (work) => requestCode(work, link, false))).toBe('mailed');
    const [code] = await messages(of, { limit: 1 });
    expect(code).toMatchObject({ to: 'ayse@example.com', channel: 'E-posta' });
    expect(await inWorld(of, (work) => enterCode(work, link, codeIn(code!.text), randomBytes(32)))).toBe('ok');
    expect(await queued()).toBe(before);
  });

  test('by link: the dealer gets the links as in production, and the drop has links and codes', async () => {
    const id = await draft();
    const of = await world();
    const { signing_links } = await inWorld(of, (work) => sendDocument(work, id, { channel: 'Bağlantı' }, false));
    expect(signing_links).toHaveLength(2);
    const [last] = await messages(of, { to: '+905428765432' });
    expect(last).toMatchObject({ channel: 'WhatsApp', subject: null });
    expect(last!.text).toContain(signing_links[1]!.url);
    const link = await linked(of, linkIn(last!.text));
    expect(await inWorld(of, (work) => requestCode(work, link, false))).toBe('shown');
    const [code] = await messages(of, { limit: 1 });
    expect(await inWorld(of, (work) => enterCode(work, link, codeIn(code!.text), randomBytes(32)))).toBe('ok');
  });

  test('the limit per recipient follows the clock of the world', async () => {
    const id = await draft();
    const of = await world();
    const send = () => inWorld(of, (work) => sendDocument(work, id, { channel: 'E-posta' }, false));
    await send();
    await expect(send()).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    await of.moveClock(1);
    await send();
    expect(await messages(of)).toHaveLength(4);
  });

  test('its signing page says that it is a sandbox', async () => {
    const id = await draft();
    const of = await world();
    const { signing_links } = await inWorld(of, (work) => sendDocument(work, id, { channel: 'Bağlantı' }, false));
    const link = await linked(of, linkIn(signing_links[0]!.url));
    const signing = await api.database.inTenant(of.id, 'read', (db) =>
      readSigning(db, link, { now: of.now(), realNow: new Date(), session: null }),
    );
    const pageIn = (locale: 'tr' | 'en') =>
      signingPage({ locale, path: '/sign/x' }, { signing, canMail: false, note: null, shown: null });
    expect(pageIn('tr')).toContain('sandbox (deneme ortamı)');
    expect(pageIn('en')).toContain('sandbox (test environment)');
  });
});

test('the text is encrypted, and the newest 500 messages are kept', async () => {
  const of = await world();
  const drop = (count: number) =>
    inWorld(of, async ({ db, keys, now }) => {
      for (let at = 0; at < count; at += 1)
        await dropMessage(db, keys, { channel: 'SMS', to: '+905330000000', text: `secret ${at}` }, now);
    });
  await drop(MAX_MESSAGES + 3);
  const kept = await messages(of, { limit: MAX_MESSAGES + 10 });
  expect(kept.map(({ text }) => text)).toEqual(
    Array.from({ length: MAX_MESSAGES }, (_, at) => `secret ${MAX_MESSAGES + 2 - at}`),
  );
  const legible = await admin.rows(
    `select from sandbox_messages where account_id = $1 and position('secret'::bytea in text_encrypted) > 0`,
    [of.id],
  );
  expect(legible).toEqual([]);
});

describe('reminders', () => {
  const rules = [{ day: 0, channel: 'E-posta', active: true }];
  const setRules = () =>
    admin.rows('update accounts set reminders = $2 where id = $1', [dealer.accountId, JSON.stringify(rules)]);
  /** 10:00 in Northern Cyprus on the due date of the first installment. */
  const dueTime = async (): Promise<Date> => {
    const due = (await rowsOf(dealer, sold.sale.id)).find(({ seq }) => seq === 1)!.due_date;
    return new Date(`${due}T08:00:00Z`);
  };

  test('by mail: customer and guarantor, once, in the drop; the job of production leaves the world out', async () => {
    await setRules();
    const now = await dueTime();
    const of = await world();
    const { writer } = api.service.parts;
    expect(await queueReminders(writer, { now, realNow: new Date() })).toBe(0);
    expect(await dropDueMails(writer, { ...of.call(), now })).toBe(1);
    expect(await dropDueMails(writer, { ...of.call(), now })).toBe(0);
    const dropped = await messages(of);
    expect(dropped.map(({ to }) => to).toSorted()).toEqual(['ayse@example.com', 'mehmet@example.com']);
    expect(dropped[0]).toMatchObject({
      channel: 'E-posta',
      about: { kind: 'installment' },
      created_at: now.toISOString(),
    });
    const logged = await admin.rows('select from sent_reminders where account_id = $1', [of.id]);
    expect(logged).toHaveLength(2);
  });

  test('by WhatsApp: production opens it, a world keeps the message', async () => {
    const now = await dueTime();
    const at = { now, timezone: 'Asia/Famagusta' };
    const { id, due_date } = (await rowsOf(dealer, sold.sale.id)).find(({ seq }) => seq === 1)!;
    const read = async () => (await api.database.inTenant(dealer.accountId, 'read', (db) => readReminders(db, [id], at)))[0]!;
    const inProduction = await read();
    expect(inProduction.due_date).toBe(due_date);
    expect(inProduction.recipients.map(({ is_sandbox }) => is_sandbox)).toEqual([false, false]);
    const of = await world();
    const inWorldRow = await read();
    expect(inWorldRow.recipients.map(({ is_sandbox }) => is_sandbox)).toEqual([true, true]);
    const to = inWorldRow.recipients[0]!;
    await api.service.parts.writer.write({ ...of.call(), now }, (work) =>
      logWhatsApp(work, id, { recipient_id: to.id, staff_id: null }),
    );
    expect(await messages(of)).toMatchObject([{ channel: 'WhatsApp', to: to.phone, text: to.text, about: { id } }]);
  });
});

test('a report by mail is in the drop with the name of its file; the job of production leaves the world out', async () => {
  const schedule = newId();
  await api.database.inTenant(dealer.accountId, 'write', (db) =>
    db.exec(sql`insert into report_schedules (account_id, id, report, frequency, email, sent_on, created_at)
      values (${theAccount}, ${schedule}, 'sales-summary', 'Haftalık', 'patron@example.com', '2020-01-01', now())`),
  );
  const of = await world();
  const { writer } = api.service.parts;
  expect(await queueReportMails(writer, { now: of.now(), realNow: new Date() })).toBe(0);
  expect(await dropDueMails(writer, of.call())).toBe(1);
  expect(await dropDueMails(writer, of.call())).toBe(0);
  const [dropped] = await messages(of);
  expect(dropped).toMatchObject({ to: 'patron@example.com', about: { kind: 'report_schedule', id: schedule } });
  expect(dropped!.attachments).toMatchObject([{ name: expect.stringMatching(/\.xlsx$/), size_bytes: expect.any(Number) }]);
});

test('the panel offers mail in a world, also without a mail server', async () => {
  const offered = () => api.database.inTenant(dealer.accountId, 'read', (db) => canMailFor(db, { canMail: false }));
  expect(await offered()).toBe(false);
  await world();
  expect(await offered()).toBe(true);
});

describe('the database refuses', () => {
  const columns = 'id, recipient, subject, text_encrypted, next_try_at, created_at';
  const mailFor = (more: string, ids: readonly string[]) =>
    admin.rows(
      `insert into mails (${columns}${more}) values (gen_random_uuid(), 'a@example.com', 's', '\\x00', now(), now()${ids
        .map((_, at) => `, $${at + 1}`)
        .join('')})`,
      [...ids],
    );

  test('mail that names an account of a world, and accepts it for production', async () => {
    await mailFor(', turn_of', [dealer.accountId]);
    await mailFor(', data_set, reminder', [dealer.accountId, '{}']);
    const of = await world();
    await expect(mailFor(', turn_of', [of.id])).rejects.toThrow('isolated sandbox');
    await expect(mailFor(', data_set, reminder', [of.id, '{}'])).rejects.toThrow('isolated sandbox');
  });

  test('any mail from the connection of a world', async () => {
    const of = await world();
    const insert = api.database.inTenant(of.id, 'write', (db) =>
      db.exec(sql`insert into mails (id, recipient, subject, text_encrypted, next_try_at, created_at)
        values (${newId()}, 'a@example.com', 's', ${Buffer.of(0)}, now(), now())`),
    );
    await expect(insert).rejects.toThrow('isolated sandbox');
  });

  test('an invitation to a world', async () => {
    const of = await world();
    const body = { accountId: of.id, email: 'a@example.com', fullName: 'A B', role: 'viewer' as const, invitedBy: newId() };
    const invited = api.database.onPlatform('write', (db) => invite(db, { ...body, memberId: null }, TEST_ACTOR, new Date()));
    await expect(invited).rejects.toMatchObject({ code: 'not_found' });
    const insert = admin.rows(
      `insert into invitations (account_id, id, digest, email, full_name, role, invited_by, expires_at, created_at)
       values ($1, gen_random_uuid(), '\\x00', 'a@example.com', 'A B', 'viewer', gen_random_uuid(), now(), now())`,
      [of.id],
    );
    await expect(insert).rejects.toThrow('isolated sandbox');
  });
});

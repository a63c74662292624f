// Mail: a real conversation with a mail server (one that only listens), encrypted until it is sent, retried when it fails.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { queueDealerMail, queueMail } from '../../src/domain/mail/mail-queue.ts';
import { sendMail } from '../../src/domain/mail/smtp.ts';
import { vaultKeys } from '../../src/domain/vault/vault.ts';
import { purgeOldRows } from '../../src/jobs/purge-old-rows.ts';
import { sendMails } from '../../src/jobs/send-mails.ts';
import { sql } from '../../src/kit/sql.ts';
import { asPlatform } from '../support/platform.ts';
import { bodyOf, openPostOffice, type PostOffice } from '../support/post-office.ts';
import { type TestService, testService } from '../support/service.ts';
import { testWriter } from '../support/test-writer.ts';
import { Browser, newPerson, PASSWORD, signedIn } from './people.ts';

const sendFrom = (service: TestService, at: Date) =>
  sendMails({ writer: testWriter(service), smtpUrl: office.url }, { now: at, realNow: at });

let office: PostOffice;
beforeEach(async () => {
  office = await openPostOffice();
});
afterEach(() => office.close());

describe('a message', () => {
  const at = new Date('2026-11-15T10:00:00Z');
  const message = {
    id: 'x',
    at,
    to: 'ayse@example.com',
    subject: 'Şifreniz için',
    text: '.nokta ile başlar\n\nğüşiöç '.repeat(20),
  };

  test('arrives complete, with Turkish letters', async () => {
    await sendMail(office.url, message);
    expect(office.commands).toContain(`AUTH PLAIN ${Buffer.from('\0someone\0p@ss').toString('base64')}`);
    expect(office.commands).toContain('MAIL FROM:<panel@galeri.example>');
    expect(office.commands).toContain('RCPT TO:<ayse@example.com>');
    const [letter] = office.letters;
    expect(letter).toMatch(/^Subject: =\?UTF-8\?[QB]\?[!-~]+\?=$/m);
    expect(letter).toContain('Date: Sun, 15 Nov 2026 10:00:00 +0000');
    expect(bodyOf(letter!)).toBe(message.text);
    expect(Math.max(...letter!.split('\n').map((line) => line.length))).toBeLessThan(200);
  });

  test('refuses an address that carries a second command', async () => {
    const to = 'a@example.com>\r\nRCPT TO:<b@example.com';
    await expect(sendMail(office.url, { ...message, to })).rejects.toThrow(/address/);
    expect(office.letters).toEqual([]);
  });

  test('reports a refusal with its reason', async () => {
    office.refuses = 'RCPT';
    await expect(sendMail(office.url, message)).rejects.toThrow('451 not now');
  });
});

describe('a queued message', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } });
  });
  afterAll(() => service.close());

  const send = (at: Date) => sendFrom(service, at);
  const waiting = () =>
    service.database.onPlatform('read', (db) =>
      db.rows<{ sent: boolean; text: Buffer | null; attempts: number; last_error: string | null }>(
        sql`select sent_at is not null as sent, text_encrypted as text, attempts, last_error from mails order by created_at, id`,
      ),
    );

  test('is encrypted, sent once, and leaves no text', async () => {
    const vault = vaultKeys(service.secrets);
    const now = service.clock.now();
    await service.database.onPlatform('write', (db) =>
      queueMail(db, vault, { to: 'a@example.com', subject: 's', text: 'gizli' }, now),
    );
    expect((await waiting())[0]!.text!.toString('latin1')).not.toContain('gizli');
    office.refuses = 'MAIL';
    expect(await send(now)).toEqual({ sent: 0, failed: 1 });
    expect(await waiting()).toMatchObject([{ sent: false, attempts: 1, last_error: 'Mail command failed: 451 not now' }]);
    office.refuses = null;
    expect(await send(now)).toEqual({ sent: 0, failed: 0 });
    const later = new Date(now.getTime() + 61_000);
    const rounds = await Promise.all([1, 2, 3].map(() => send(later)));
    expect(rounds.reduce((sum, { sent }) => sum + sent, 0)).toBe(1);
    expect(office.letters).toHaveLength(1);
    expect(await waiting()).toMatchObject([{ sent: true, text: null }]);
    await purgeOldRows(service.database, { now, realNow: new Date(now.getTime() + 31 * 86_400_000) });
    expect(await waiting()).toEqual([]);
  });

  test('of a dealer leaves no address once it was sent or given up', async () => {
    const account = await service.account();
    const start = service.clock.now();
    const queue = () =>
      asPlatform(service, account, (work) =>
        queueDealerMail(
          work,
          { to: 'musteri@example.com', subject: 's', text: 'x' },
          { isSandbox: false, about: { kind: 'customer', id: account } },
        ),
      );
    await queue();
    const soon = new Date(start.getTime() + 60_000);
    expect(await send(soon)).toEqual({ sent: 1, failed: 0 });
    expect(await waiting()).toEqual([]);
    await queue();
    office.refuses = 'RCPT';
    for (let day = 1; day <= 7; day += 1) {
      expect(await waiting()).toHaveLength(1);
      expect(await send(new Date(soon.getTime() + day * 86_400_000))).toEqual({ sent: 0, failed: 1 });
    }
    expect(await waiting()).toEqual([]);
  });

  test('a forgotten password: the same reply for everyone, a link only for existing people', async () => {
    const person = await newPerson(service, { accountId: await service.account() });
    const browser = new Browser(service.service.url);
    expect((await browser.send('/panel/giris')).text).toContain('href="/panel/parola-sifirla"');
    const ask = (email: string) => browser.submit('/panel/parola-sifirla?lang=tr', { email });
    const [known, unknown] = [await ask(person.email.toUpperCase()), await ask('nobody@example.com')];
    expect(known.status).toBe(200);
    expect(known.text).toBe(unknown.text);
    await send(new Date(service.clock.now().getTime() + 1000));
    expect(office.letters).toHaveLength(1);
    expect(office.letters[0]).toContain(`To: ${person.email}`);
    const link = /\/panel\/parola-sifirla\/[\w-]{43}/.exec(bodyOf(office.letters[0]!))![0];
    const NEW = 'bambaşka uzun bir cümle';
    expect((await browser.submit(link, { password: NEW })).status).toBe(303);
    expect((await browser.signIn(person.email, PASSWORD)).status).toBe(422);
    expect((await browser.signIn(person.email, NEW)).status).toBe(303);
  });
});

test('an invitation created in the panel is mailed, and shown to its creator as well', async () => {
  const service = await testService({ env: { SMTP_URL: office.url } });
  try {
    const accountId = await service.account({ name: 'Çınar Oto' });
    const owner = await signedIn(service, await newPerson(service, { accountId }));
    const body = { email: 'davetli@example.com', full_name: 'Davetli Kişi', role: 'sales' };
    const made = (await owner.api('invitations', { method: 'POST', body })).json.data;
    expect(made).toMatchObject({ mailed: true, email: body.email });
    await sendFrom(service, new Date(service.clock.now().getTime() + 1000));
    expect(office.letters).toHaveLength(1);
    expect(bodyOf(office.letters[0]!)).toContain(made.link);
    expect(bodyOf(office.letters[0]!)).toContain('Çınar Oto');
  } finally {
    await service.close();
  }
});

test('without a mail server the page is not offered', async () => {
  const service = await testService();
  try {
    const browser = new Browser(service.service.url);
    expect((await browser.send('/panel/giris')).text).not.toContain('href="/panel/parola-sifirla"');
    expect((await browser.send('/panel/parola-sifirla')).status).toBe(303);
  } finally {
    await service.close();
  }
});

test('an account that sends endless invitations still gets its links, but fills no other account’s queue', async () => {
  const service = await testService({ env: { SMTP_URL: office.url } });
  try {
    const [owner, neighbour] = await Promise.all(
      [1, 2].map(async () => signedIn(service, await newPerson(service, { accountId: await service.account() }))),
    );
    const invite = async (browser: Browser, name: string) =>
      (
        await browser.api('invitations', {
          method: 'POST',
          body: { email: `${name}@example.com`, full_name: name, role: 'sales' },
        })
      ).json.data;
    const mailed: boolean[] = [];
    for (let index = 0; index < 35; index += 1) {
      const made = await invite(owner!, `davetli${index}`);
      expect(made.link).toContain('/panel/davet/');
      mailed.push(made.mailed);
    }
    expect(mailed.filter(Boolean)).toHaveLength(30);
    expect((await invite(neighbour!, 'komsu')).mailed).toBe(true);
  } finally {
    await service.close();
  }
});

test('one address is mailed five invitations of an account a day; the links are still handed over', async () => {
  const service = await testService({ env: { SMTP_URL: office.url } });
  try {
    const owners = await Promise.all(
      [1, 2].map(async () => signedIn(service, await newPerson(service, { accountId: await service.account() }))),
    );
    const invite = async (owner: Browser, email: string) =>
      (await owner.api('invitations', { method: 'POST', body: { email, full_name: 'Biri', role: 'sales' } })).json.data;
    const addresses = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'biri@example.com' : 'BIRI@example.com'));
    const made = await Promise.all(addresses.map((email) => invite(owners[0]!, email)));
    for (const { link } of made) expect(link).toContain('/panel/davet/');
    expect(made.filter(({ mailed }) => mailed)).toHaveLength(5);
    expect((await invite(owners[0]!, 'baska@example.com')).mailed).toBe(true);
    expect((await invite(owners[1]!, 'biri@example.com')).mailed).toBe(true);
  } finally {
    await service.close();
  }
});

// Every place that queues mail has decided what happens in a world. A new one fails here until it has.
import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

/** Mail of the platform names no account, so the database cannot refuse it for a world. */
const PLATFORM_MAIL: Readonly<Record<string, string>> = {
  'src/domain/agents/agent-mail.ts': 'to people who decide a write of an agent; not for keys of a sandbox',
  'src/domain/identity/reset-requests.ts': 'to people who sign in; people of a world do not',
  'src/domain/identity/owner-requests.ts': 'to owners of accounts that the platform sees; it does not see those of worlds',
  'src/domain/releases/release-mail.ts': 'to members of accounts that the platform sees; it does not see those of worlds',
  'src/panel/account/members.ts': 'after an invitation or a reset; invitations to a world are refused',
  'src/panel/admin/owners.ts': 'after an invitation; invitations to a world are refused',
};
/** Mail of a dealer: in a world it is dropped. */
const DEALER_MAIL = [
  'src/domain/customer-page/page-writes.ts',
  'src/domain/documents/signing/sale-document-send.ts',
  'src/domain/documents/signing/signing.ts',
];
/** Jobs of production, which do not see the accounts of worlds. */
const JOBS = ['src/jobs/queue-reminders.ts', 'src/jobs/queue-report-mails.ts'];
const QUEUE = 'src/domain/mail/mail-queue.ts';
/** The panel's own components for links that leave the service: they check for a sandbox. */
const LINKS = 'web/src/parts/outside-link.tsx';

async function filesWith(pattern: RegExp, folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob(`${folder}/**/*.{ts,tsx}`)) if (pattern.test(await readFile(path, 'utf8'))) found.push(path);
  return found.sort();
}

test('mail of the platform is queued in the known places only', async () => {
  expect(await filesWith(/\bqueueMail\b/, 'src')).toEqual([...Object.keys(PLATFORM_MAIL), QUEUE].sort());
});

test('mail of dealers is queued in the known places only', async () => {
  expect(await filesWith(/\bqueueDealerMail\b/, 'src')).toEqual([...DEALER_MAIL, QUEUE].sort());
  expect(await filesWith(/\bqueueReminders as queueMails\b/, 'src')).toEqual(JOBS);
});

test('rows of the queue are written in one file, and one job sends them', async () => {
  expect(await filesWith(/insert into mails\b/, 'src')).toEqual([QUEUE]);
  expect(await filesWith(/mail\/smtp\.ts'|import\('nodemailer'\)/, 'src')).toEqual([
    'src/domain/mail/smtp.ts',
    'src/domain/reports/report-mail.ts',
    'src/jobs/send-mails.ts',
  ]);
});

test('links to phones, mailboxes and WhatsApp are made in the known places only', async () => {
  // The code of a window sticker and the showroom open the dealer's own number; nothing is sent.
  expect(await filesWith(/wa\.me/, 'src')).toEqual([
    'src/domain/sale-papers/car-paper.ts',
    'src/http/public/showroom-car-page.ts',
  ]);
  expect(await filesWith(/\b(tel|sms|mailto):|wa\.me\/|whatsapp:\/\//, 'web/src')).toEqual([LINKS]);
});

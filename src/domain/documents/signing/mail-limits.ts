// How often a document may be mailed: a recipient at most once in ten minutes and five times a day, and all of it within the mail budget of
// the account.
import { fail, type Text } from '../../../kit/errors.ts';
import { own, sql, theAccount } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';
import { MAILS_PER_MINUTE, takeMailBudget } from '../../mail/mail-budget.ts';
import { MAX_RECIPIENTS } from './recipients.ts';

const PAUSE_MS = 600_000;
const DAY_MS = 86_400_000;
const MAX_A_DAY = 5;

interface Mailed {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly mailed_at: Date | null;
  readonly mails_from: Date | null;
  readonly mails_made: number;
}

/** Two recipients with the same address share one mail. */
export const addressKey = (email: string): string => email.trim().toLowerCase();

/** Counts one mail to each address of the recipients, whose rows are locked; refuses all of them if one was mailed too often. */
export async function countDocumentMails(
  { db, realNow }: Pick<Work, 'db' | 'realNow'>,
  mailed: readonly { readonly id: string }[],
): Promise<void> {
  const recipientIds = mailed.map(({ id }) => id);
  if (recipientIds.length === 0) return;
  if (recipientIds.length > MAX_RECIPIENTS) tooMany();
  const recipients =
    await db.rows<Mailed>(sql`select id, name, email, mailed_at, mails_from, mails_made from ${own('document_recipients')}
    where id = any(${recipientIds}::uuid[]) order by "position"`);
  for (const recipient of recipients) {
    const waitMs = waitOf(recipient, realNow);
    if (waitMs > 0) tooOften(recipient.name, Math.ceil(waitMs / 1000));
  }
  const addresses = new Set(recipients.map(({ email }) => addressKey(email)));
  if (!(await takeMailBudget(db, theAccount, addresses.size, realNow))) overBudget();
  const dayAgo = new Date(realNow.getTime() - DAY_MS);
  await db.exec(sql`update document_recipients set mailed_at = ${realNow},
      mails_from = case when mails_from > ${dayAgo} then mails_from else ${realNow} end,
      mails_made = case when mails_from > ${dayAgo} then mails_made + 1 else 1 end
    where account_id = ${theAccount} and id = any(${recipientIds}::uuid[])`);
}

/** By default a document goes to the customer and all guarantors of the sale. */
function tooMany(): never {
  const message = {
    en: `at most ${MAX_RECIPIENTS} recipients can receive a document by e-mail; list them in recipients, or pass the links on yourself`,
    tr: `bir belge e-postayla en çok ${MAX_RECIPIENTS} alıcıya gider; alıcıları verin ya da bağlantıları kendiniz iletin`,
  };
  return fail('validation_failed', { details: [{ field: 'recipients', code: 'too_many', message }] });
}

function waitOf({ mailed_at, mails_from, mails_made }: Mailed, realNow: Date): number {
  const since = (from: Date | null) => (from === null ? Infinity : realNow.getTime() - from.getTime());
  const isUsedUp = mails_made >= MAX_A_DAY && since(mails_from) < DAY_MS;
  return Math.max(PAUSE_MS - since(mailed_at), isUsedUp ? DAY_MS - since(mails_from) : 0);
}

function tooOften(name: string, seconds: number): never {
  const message = {
    en: `${name} can receive one e-mail per document every 10 minutes and at most ${MAX_A_DAY} per day; retry in ${seconds} s`,
    tr: `${name} için bir belge hakkında 10 dakikada bir, günde en çok ${MAX_A_DAY} e-posta gönderilebilir; ${seconds} sn sonra yeniden deneyin`,
  };
  return refuse(seconds, message);
}

function overBudget(): never {
  const message = {
    en: `Your account can send ${MAILS_PER_MINUTE} mails per minute; retry in 60 s`,
    tr: `Hesabınızdan dakikada en çok ${MAILS_PER_MINUTE} e-posta gönderilebilir; 60 sn sonra yeniden deneyin`,
  };
  return refuse(60, message);
}

const refuse = (seconds: number, message: Text): never =>
  fail('rate_limit_exceeded', {
    message,
    headers: { 'Retry-After': String(seconds) },
    details: [{ field: 'recipients', code: 'too_many_mails', message }],
  });

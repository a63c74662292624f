// The queue of mails. A mail is queued in the transaction that it reports, so that neither happens without the other.
import { createHash } from 'node:crypto';
import type { Db } from '../../kit/db.ts';
import type { Locale } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { unlinked } from '../formats/unlinked.ts';
import { type CellAddress, type KeyRing, seal, unseal } from '../vault/vault.ts';
import { dropMessage } from '../worlds/messages.ts';
import { takeMailBudget } from './mail-budget.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** For mail that is not from the service itself: the sender's name and the reply address. */
  readonly fromName?: string;
  readonly replyTo?: string;
}

/** The text may contain a secret link, so it is encrypted until it is sent and deleted then. */
const sealedCell = (id: string): CellAddress => ({ account: 'platform', table: 'mails', column: 'text_encrypted', row: id });

/**
 * Mail of the platform (resets, invitations, releases), which is sent before mail of dealers. With the platform role. It is sent
 * only if SMTP_URL is set (PanelServices.canMail).
 */
export async function queueMail(db: Db, vault: KeyRing, { to, subject, text }: Mail, realNow: Date): Promise<void> {
  const id = newId(realNow.getTime());
  await db.exec(sql`insert into mails (id, recipient, subject, text_encrypted, next_try_at, created_at)
    values (${id}, ${to}, ${subject}, ${seal(vault, sealedCell(id), text)}, ${realNow}, ${realNow})`);
}

/**
 * Mail of a dealer, which takes turns with that of the others. With the tenant role; the caller has taken it from the budget
 * (mail-budget.ts). In a world it is kept there and not sent.
 */
export async function queueDealerMail(
  { db, keys, now, realNow }: Pick<Work, 'db' | 'keys' | 'now' | 'realNow'>,
  { to, subject, text }: Mail,
  { isSandbox, about }: { readonly isSandbox: boolean; readonly about: { readonly kind: string; readonly id: string } },
): Promise<void> {
  if (isSandbox) return dropMessage(db, keys, { channel: 'E-posta', to, subject, text, about }, now);
  const id = newId(realNow.getTime());
  await db.exec(sql`insert into mails (id, recipient, subject, text_encrypted, next_try_at, created_at, turn_of)
    values (${id}, ${to}, ${subject}, ${seal(keys.ring, sealedCell(id), text)}, ${realNow}, ${realNow}, ${theAccount})`);
}

/** Mails of the account to an erased person are not sent any more. With the tenant role. */
export async function dropMailsTo(db: Db, address: string): Promise<void> {
  await db.rows(sql`select drop_mails_to(${address})`);
}

/** A mail about a dealer's record. Whether it is sent, and its text, are decided when it is sent. */
export interface RecordMail {
  readonly id: string;
  readonly dataSet: string;
  /** JSON that identifies the record, for the function that writes the text. */
  readonly reminder: string;
  readonly mail: Mail;
}

/** The same on every node and after a restart, so that the mail is queued once. */
export function mailId(parts: readonly unknown[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest();
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/**
 * With the platform role. A mail that is already queued is left as it is; mails over the account's budget are queued by a later
 * call. Returns how many are new.
 */
export async function queueReminders(db: Db, vault: KeyRing, due: readonly RecordMail[], realNow: Date): Promise<number> {
  const ids = due.map(({ id }) => id);
  const queued = new Set(
    (await db.rows<{ id: string }>(sql`select id from mails where id = any(${ids}::uuid[])`)).map(({ id }) => id),
  );
  let added = 0;
  for (const { id, dataSet, reminder, mail } of due.filter((one) => !queued.has(one.id))) {
    if (!(await takeMailBudget(db, dataSet, 1, realNow))) break;
    added +=
      await db.exec(sql`insert into mails (id, recipient, subject, text_encrypted, next_try_at, created_at, data_set, reminder)
      values (${id}, ${mail.to}, ${mail.subject}, ${seal(vault, sealedCell(id), mail.text)}, ${realNow}, ${realNow}, ${dataSet}, ${reminder})
      on conflict do nothing`);
  }
  return added;
}

/** The pause after each failure; after the last one the mail is given up. */
const WAITS_MIN = [1, 5, 15, 60, 240, 720] as const;

export interface DueMail extends Mail {
  readonly id: string;
  /** For a mail about a dealer's record. */
  readonly about: { readonly dataSet: string; readonly reminder: string } | null;
}

const AT_ONCE = 20;

/**
 * Claims due mails for this process by moving their next time, so that no other process sends them too. Mail of the platform goes
 * first; then accounts take turns, however many mails each of them has waiting.
 */
export async function claimMails(db: Db, vault: KeyRing, realNow: Date): Promise<DueMail[]> {
  const due = await db.rows<Waiting>(sql`
    with waiting as (
      select id as waiting_id, coalesce(turn_of, data_set) as owner, next_try_at as since,
        row_number() over (partition by coalesce(turn_of, data_set) order by next_try_at, id) as place
      from mails where sent_at is null and text_encrypted is not null and next_try_at <= ${realNow}
        and (coalesce(turn_of, data_set) is null or not is_closed(coalesce(turn_of, data_set)))
    ), next as (
      select waiting_id, owner, since, place from waiting
      order by owner is not null, place, random() limit ${AT_ONCE}
    )
    select id, recipient, subject, text_encrypted, attempts, data_set, reminder from mails join next on id = waiting_id
    where sent_at is null and next_try_at <= ${realNow}
    order by owner is not null, place, since for update of mails skip locked`);
  const claimed: Waiting[] = [];
  for (const one of due) {
    const wait = WAITS_MIN[Math.min(one.attempts, WAITS_MIN.length - 1)]!;
    // Mail of a dealer who is being closed for a move is not claimed, and so must not be sent.
    const isClaimed =
      (await db.exec(sql`update mails set attempts = attempts + 1, next_try_at = ${new Date(realNow.getTime() + wait * 60_000)}
      where id = ${one.id}`)) > 0;
    if (isClaimed) claimed.push(one);
  }
  return claimed.map(({ id, recipient, subject, text_encrypted, data_set, reminder }) => ({
    id,
    to: recipient,
    subject,
    text: unseal(vault, sealedCell(id), text_encrypted),
    about: data_set === null ? null : { dataSet: data_set, reminder: reminder! },
  }));
}

interface Waiting {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text_encrypted: Buffer;
  readonly attempts: number;
  readonly data_set: string | null;
  readonly reminder: string | null;
}

/** The text of a mail about a dealer's record is not stored, because it names a customer. */
export async function deleteMail(db: Db, id: string): Promise<void> {
  await db.exec(sql`delete from mails where id = ${id}`);
}

/** Mail of a dealer leaves the queue, because it names a customer who may be erased later. */
export async function mailSent(db: Db, id: string, realNow: Date): Promise<void> {
  if ((await db.exec(sql`delete from mails where id = ${id} and turn_of is not null`)) > 0) return;
  await db.exec(sql`update mails set sent_at = ${realNow}, text_encrypted = null, last_error = null where id = ${id}`);
}

/** The text is deleted too when a mail is given up; mail of a dealer leaves the queue. */
export async function mailFailed(db: Db, id: string, reason: string): Promise<void> {
  const isLast = sql`turn_of is not null and attempts > ${WAITS_MIN.length}`;
  if ((await db.exec(sql`delete from mails where id = ${id} and ${isLast}`)) > 0) return;
  await db.exec(sql`update mails set last_error = ${reason.slice(0, 300)},
      text_encrypted = case when attempts > ${WAITS_MIN.length} then null else text_encrypted end where id = ${id}`);
}

/** The mails that carry a link, in both languages. */
export const LINK_MAILS = {
  invitation: {
    tr: (link: string, dealer: string, account = unlinked(dealer)) => ({
      subject: `${account} sizi Galeri paneline davet ediyor`,
      text: `Merhaba,\n\n${account} sizi Galeri paneline davet etti. Katılmak için bu bağlantıyı açın (7 gün geçerlidir):\n\n${link}\n\nBu daveti beklemiyorsanız bu e-postayı dikkate almayın.\n`,
    }),
    en: (link: string, dealer: string, account = unlinked(dealer)) => ({
      subject: `${account} invites you to the Galeri panel`,
      text: `Hello,\n\n${account} has invited you to the Galeri panel. Open this link to join (valid for 7 days):\n\n${link}\n\nIf you did not expect this invitation, you can ignore this e-mail.\n`,
    }),
  },
  reset: {
    tr: (link: string) => ({
      subject: 'Galeri panelinde yeni parola',
      text: `Merhaba,\n\nYeni bir parola belirlemek için bu bağlantıyı açın (24 saat geçerlidir):\n\n${link}\n\nBunu siz istemediyseniz bu e-postayı dikkate almayın; parolanız değişmez.\n`,
    }),
    en: (link: string) => ({
      subject: 'A new password for the Galeri panel',
      text: `Hello,\n\nOpen this link to set a new password (valid for 24 hours):\n\n${link}\n\nIf you did not ask for this, you can ignore this e-mail; your password stays as it is.\n`,
    }),
  },
} as const satisfies Record<string, Record<Locale, (link: string, account: string) => Omit<Mail, 'to'>>>;

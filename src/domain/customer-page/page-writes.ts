// Creating, sending and revoking the link to a customer's page, and the codes that open it. The link ends by business time; codes and
// sessions use real time.
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { OFFERED_CHANNELS } from '../documents/documents-states.ts';
import { personName, readCustomer, readPaperDealer, type StoredPerson } from '../documents/sale-paper.ts';
import { newSigningLink } from '../documents/signing/signing-link.ts';
import { unlinked } from '../formats/unlinked.ts';
import { takeMailBudget } from '../mail/mail-budget.ts';
import { dropMailsTo, queueDealerMail } from '../mail/mail-queue.ts';
import { maskEmail } from '../privacy/mask.ts';
import { dropMessage } from '../worlds/messages.ts';
import { audit } from '../writes/audit.ts';
import { linksOf, PAGE_CODES } from './page-codes.ts';
import { type LinkedPage, newPageToken } from './page-link.ts';
import { waitingPapers } from './page-papers.ts';

export type PageChannel = (typeof OFFERED_CHANNELS)[number];

const DAY_MS = 86_400_000;
export const LINK_DAYS = 90;
/** Links that are mailed to one customer within a day. */
const MAX_MAILS_A_DAY = 5;

export interface NewPageLink {
  /** Null if it was mailed: then only the customer has it. */
  readonly url: string | null;
}

/** The link before it is revoked. If no mail can be sent, the dealer passes the link on. */
export async function createPageLink(
  work: Work,
  customerId: string,
  channel: PageChannel,
  canMail: boolean,
): Promise<NewPageLink> {
  const { db, now, actor, account, publicUrl, keys } = work;
  const customer = await lockCustomer(work, customerId);
  const dealer = await readPaperDealer(db);
  const isMailed = channel === 'E-posta' && (canMail || dealer.is_sandbox);
  if (channel === 'E-posta') requireEmail(customer);
  if (isMailed) await requireMailsLeft(work, customerId, dealer.is_sandbox);
  await endLinks(work, customerId);
  const { path, hash } = newPageToken(keys.account);
  const [id, url] = [newId(now.getTime()), `${publicUrl}${path}`];
  const address = isMailed ? maskEmail(customer.email!) : null;
  await db.exec(sql`insert into customer_links (account_id, id, customer_id, token_hash, channel, address, created_by, created_at, expires_at)
    values (${theAccount}, ${id}, ${customerId}, ${hash}, ${channel}, ${address}, ${actor.fullName ?? actor.name}, ${now},
      ${new Date(now.getTime() + LINK_DAYS * DAY_MS)})`);
  const mail = linkMail(dealer.name, personName(customer), url);
  const about = { kind: 'customer', id: customerId };
  if (isMailed) await queueDealerMail(work, { to: customer.email!, ...mail }, { isSandbox: dealer.is_sandbox, about });
  else if (dealer.is_sandbox)
    await dropMessage(db, keys, { channel: 'WhatsApp', to: customer.phone, text: mail.text, about }, now);
  await audit(db, actor, 'customer_page.link_created', customerId, { accountId: account.id, after: { channel } });
  return { url: isMailed ? null : url };
}

/** Its codes and its session end too. Revoking twice changes nothing. */
export async function revokePageLink(work: Work, customerId: string): Promise<void> {
  const { db, actor, account } = work;
  await lockCustomer(work, customerId);
  if ((await endLinks(work, customerId)) === 0) return;
  await audit(db, actor, 'customer_page.link_revoked', customerId, { accountId: account.id });
}

/** Of an erased customer: the link ends, where it was sent is forgotten, and no mail leaves any more. */
export async function forgetPageOf(work: Work, customerId: string): Promise<void> {
  const { db } = work;
  const { email } = await db.one<{ email: string | null }>(sql`select email from ${own('customers')} where id = ${customerId}`);
  if (email !== null) await dropMailsTo(db, email);
  await endLinks(work, customerId);
  await db.exec(sql`update customer_links set address = null where account_id = ${theAccount} and customer_id = ${customerId}`);
  await db.exec(sql`update customer_page_codes set address = null where account_id = ${theAccount}
    and link_id in (${linksOf(customerId)})`);
}

async function endLinks(work: Work, customerId: string): Promise<number> {
  await PAGE_CODES.void(work, linksOf(customerId));
  return work.db.exec(sql`update customer_links set revoked_at = ${work.now}
    where account_id = ${theAccount} and customer_id = ${customerId} and revoked_at is null`);
}

async function lockCustomer({ db }: Work, id: string): Promise<StoredPerson> {
  await db.one(sql`select id from ${own('customers')} where id = ${id} and deleted_at is null for update`);
  return readCustomer(db, id);
}

function requireEmail({ email }: StoredPerson): void {
  if (email !== null) return;
  const message = { en: 'The customer has no email', tr: 'Müşterinin e-postası kayıtlı değil' };
  fail('recipient_contact_missing', { details: [{ field: 'channel', code: 'recipient_contact_missing', message }] });
}

/** No mail of a world leaves it, so its limits follow its own clock. */
async function requireMailsLeft({ db, now, realNow }: Work, customerId: string, isSandbox: boolean): Promise<void> {
  const { sent } = await db.one<{ sent: number }>(sql`select count(*)::int as sent from ${own('customer_links')}
    where customer_id = ${customerId} and address is not null and created_at > ${new Date(now.getTime() - DAY_MS)}`);
  if (sent < MAX_MAILS_A_DAY && (await takeMailBudget(db, theAccount, 1, isSandbox ? now : realNow))) return;
  const message = {
    en: `A customer can receive at most ${MAX_MAILS_A_DAY} links by e-mail per day; pass the link on yourself or retry later`,
    tr: `Bir müşteriye günde en çok ${MAX_MAILS_A_DAY} bağlantı e-postayla gönderilir; bağlantıyı kendiniz iletin ya da sonra deneyin`,
  };
  fail('rate_limit_exceeded', {
    message,
    headers: { 'Retry-After': '60' },
    details: [{ field: 'channel', code: 'too_many_mails', message }],
  });
}

/** Returns not_found if the link was revoked since. */
const lockLink = ({ db }: Work, { link_id }: LinkedPage): Promise<{ readonly channel: PageChannel }> =>
  db.one(sql`select channel from ${own('customer_links')} where id = ${link_id} and revoked_at is null for update`);

/** Sent by the link's channel; if nothing can send it, a member of staff reads it out from the panel. */
export async function requestPageCode(
  work: Work,
  linked: LinkedPage,
  canMail: boolean,
): Promise<'mailed' | 'shown' | 'too_many'> {
  const { db, keys, now, realNow } = work;
  const { link_id: linkId, customer_id: customerId } = linked;
  const { channel } = await lockLink(work, linked);
  const customer = await readCustomer(db, customerId);
  const { name: dealer, is_sandbox: isSandbox } = await readPaperDealer(db);
  const email = channel === 'E-posta' && (canMail || isSandbox) ? customer.email : null;
  const code = await PAGE_CODES.make(work, {
    ownerId: linkId,
    owners: linksOf(customerId),
    email,
    budgetAt: isSandbox ? now : realNow,
  });
  if (code === null) return 'too_many';
  const about = { kind: 'customer', id: customerId };
  const text = `${unlinked(dealer)} müşteri sayfanız için kodunuz: ${code}\n\nKod 10 dakika geçerlidir; kimseyle paylaşmayın. Bu kodu siz istemediyseniz bu e-postayı dikkate almayın.\n`;
  if (email !== null) {
    await queueDealerMail(work, { to: email, subject: 'Müşteri sayfası kodunuz', text }, { isSandbox, about });
    return 'mailed';
  }
  if (isSandbox) {
    await dropMessage(db, keys, { channel: 'WhatsApp', to: customer.phone, text, about }, now);
    // No one reads it out: its message is the delivery.
    await PAGE_CODES.logSeen(db, await PAGE_CODES.openIds(db, linkId), { type: 'system', name: 'Sandbox' }, realNow);
  }
  return 'shown';
}

export async function enterPageCode(
  work: Work,
  linked: LinkedPage,
  entered: string,
  session: Buffer,
): Promise<'ok' | 'wrong' | 'none'> {
  await lockLink(work, linked);
  return PAGE_CODES.take(work, linked.link_id, entered, session);
}

/** A new link to the signing page of one of the customer's papers; that page asks for a code of its own. */
export async function openSigning(work: Work, linked: LinkedPage, documentId: string): Promise<string> {
  const { db, actor, account, now } = work;
  await lockLink(work, linked);
  const { recipient_id } = await db.one<{ recipient_id: string }>(
    sql`select recipient_id from (${waitingPapers(linked.customer_id, now)}) waiting where id = ${documentId}`,
  );
  const path = await newSigningLink(work, recipient_id);
  await audit(db, actor, 'customer_page.signing_opened', documentId, { accountId: account.id });
  return path;
}

/** Mails to customers are in Turkish, as their papers are. */
function linkMail(dealerName: string, customerName: string, url: string) {
  const [dealer, name] = [unlinked(dealerName), unlinked(customerName)];
  return {
    subject: `${dealer}: müşteri sayfanız`,
    text: `Merhaba ${name},\n\n${dealer} ile satışlarınızı, taksitlerinizi ve makbuzlarınızı bu sayfada görebilirsiniz:\n\n${url}\n\nBağlantı ${LINK_DAYS} gün geçerlidir ve yalnızca size özeldir; kimseyle paylaşmayın. Açarken bir kod istenir. Bu e-postayı beklemiyorsanız dikkate almayın.\n`,
  };
}

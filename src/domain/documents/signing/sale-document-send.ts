// Sending a sale's document for signature, and reminders: by mail if it is configured, otherwise the dealer hands over the links.
import { fail } from '../../../kit/errors.ts';
import { arrayOf, object, oneOf, text } from '../../../kit/schema.ts';
import { own, sql, theAccount } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';
import { unlinked } from '../../formats/unlinked.ts';
import { queueDealerMail } from '../../mail/mail-queue.ts';
import { lockSale } from '../../sales/sale.ts';
import { dropMessage } from '../../worlds/messages.ts';
import {
  emitDocumentEvent,
  findDocument,
  type LockedDocument,
  lockRecipients,
  lockSaleDocument,
  SaleDocument,
  type StoredDocument,
  type StoredRecipient,
} from '../document.ts';
import { logDocument } from '../document-events.ts';
import { type Channel, isOut, OFFERED_CHANNELS, RECIPIENT_ROLES } from '../documents-states.ts';
import { readPaperDealer } from '../sale-paper.ts';
import { addressKey, countDocumentMails } from './mail-limits.ts';
import { addRecipients, defaultRecipients, type NewRecipient, requireContacts, type SendBody } from './recipients.ts';
import { voidCodes } from './signing-codes.ts';
import { newSigningLink } from './signing-link.ts';

const SigningLink = object({
  role: oneOf(RECIPIENT_ROLES),
  name: text('Ayşe Yılmaz'),
  url: text('https://galeri.example.com/sign/AZqL3kQ…'),
});

/** Links are returned only if no mail brings them to the recipients. */
export const SentDocument = object({ ...SaleDocument.shape, signing_links: arrayOf(SigningLink) });

interface SentLink {
  readonly role: StoredRecipient['role'];
  readonly name: string;
  readonly url: string;
}

export interface Sent {
  readonly document: StoredDocument;
  readonly signing_links: readonly SentLink[];
}

const DAY_MS = 86_400_000;

export async function sendDocument(work: Work, id: string, body: SendBody, canMail: boolean): Promise<Sent> {
  const { db } = work;
  requireSender(body.channel);
  const { sale_id } = await db.one<{ sale_id: string }>(
    sql`select sale_id from ${own('documents')} where id = ${id} and origin = 'Üretildi'`,
  );
  const sale = (await lockSale(db, sale_id)) ?? fail('not_found');
  const document = await lockSaleDocument(db, id);
  if (document.signature === 'Islak') fail('wet_signature_required');
  const isReminder = isOut(document.status);
  if (!isReminder && document.status !== 'Taslak')
    fail('invalid_transition', { words: { from: document.status, to: 'Gönderildi' } });
  if (sale.status === 'İptal') fail('sale_cancelled');
  // A reversal may have reopened the debt that the document declares paid.
  if (document.template_code === 'ibraname' && sale.status !== 'Tamamlandı') fail('sale_not_completed');
  const recipients = isReminder ? await remind(work, document, body) : await sendFirst(work, document, body);
  const verb = isReminder ? 'reminded' : 'sent';
  for (const { name } of recipients) logDocument(work, id, verb, { recipient_name: name, channel: body.channel });
  const signing_links = await bring(work, document, recipients, body, canMail);
  emitDocumentEvent(work, `sale_document.${verb}`, document);
  return { document: await findDocument(db, id), signing_links };
}

async function sendFirst(
  work: Work,
  { id, sale_id }: LockedDocument,
  { channel, recipients }: SendBody,
): Promise<StoredRecipient[]> {
  const { db, now } = work;
  const people = recipients?.map(asRecipient) ?? (await defaultRecipients(work, { sale_id }));
  requireContacts(people, channel);
  const added = await addRecipients(work, id, people, 'Bekliyor');
  const { document_valid_days: days } = await readPaperDealer(db);
  const ends = new Date(now.getTime() + days * DAY_MS);
  await db.exec(sql`update documents set status = 'Gönderildi', channel = ${channel}, sent_at = ${now}, expires_at = ${ends}, updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and id = ${id}`);
  work.endsAt(ends);
  return added;
}

const asRecipient = ({ role, name, email = null, phone = null }: NonNullable<SendBody['recipients']>[number]): NewRecipient => ({
  role: role!,
  name: name!,
  email,
  phone,
});

/** Recipients who have not signed yet, by the requested channel. */
async function remind(
  work: Work,
  { id, channel: before }: LockedDocument,
  { channel, recipients }: SendBody,
): Promise<StoredRecipient[]> {
  const { db } = work;
  if (recipients !== undefined) {
    const message = {
      en: 'A reminder is sent to the document’s recipients; remove recipients from the request',
      tr: 'Hatırlatma, belgenin gönderildiği alıcılara gider; recipients göndermeyin',
    };
    fail('recipients_fixed', { details: [{ field: 'recipients', code: 'recipients_fixed', message }] });
  }
  const waiting = (await lockRecipients(db, id)).filter(({ status }) => status !== 'İmzaladı');
  requireContacts(waiting, channel);
  if (channel !== before)
    await voidCodes(
      work,
      waiting.map(({ id }) => id),
    );
  await db.exec(
    sql`update documents set channel = ${channel}, updated_at = ${work.updatedAt()} where account_id = ${theAccount} and id = ${id}`,
  );
  return waiting;
}

/** No SMS gateway can be configured, and a code that staff read out must not be recorded as an SMS. */
function requireSender(channel: Channel): void {
  if ((OFFERED_CHANNELS as readonly Channel[]).includes(channel)) return;
  const message = {
    en: 'SMS cannot be used: no SMS gateway is configured. Use E-posta or Bağlantı',
    tr: 'SMS kullanılamaz: SMS sağlayıcısı tanımlı değil. E-posta ya da Bağlantı kullanın',
  };
  fail('validation_failed', { details: [{ field: 'channel', code: 'channel_not_available', message }] });
}

/** Mails the links, one mail per address even if several people share it; without mail the dealer gets them. */
async function bring(
  work: Work,
  document: LockedDocument,
  recipients: readonly StoredRecipient[],
  { channel, message = null }: SendBody,
  canMail: boolean,
): Promise<SentLink[]> {
  const { db, publicUrl } = work;
  const dealer = await readPaperDealer(db);
  const { is_sandbox: isSandbox } = dealer;
  const about = { kind: 'document', id: document.id };
  const isByMail = isMailed(channel, canMail || isSandbox);
  const mailed = isByMail ? recipients.filter(({ email }) => email !== null) : [];
  // No mail of a world leaves it, so its limits follow its own clock.
  await countDocumentMails(isSandbox ? { db, realNow: work.now } : work, mailed);
  const links: (SentLink & Pick<StoredRecipient, 'email' | 'phone'>)[] = [];
  for (const { id, role, name, email, phone } of recipients)
    links.push({ role, name, email, phone, url: `${publicUrl}${await newSigningLink(work, id)}` });
  const isHandedOver = ({ email }: Pick<StoredRecipient, 'email'>) => !isByMail || email === null;
  const byAddress = Map.groupBy(
    links.filter((link) => !isHandedOver(link)),
    ({ email }) => addressKey(email!),
  );
  for (const shared of byAddress.values())
    await queueDealerMail(
      work,
      { to: shared[0]!.email!, ...mailOf(dealer.name, document.title, shared, message) },
      { isSandbox, about },
    );
  if (isSandbox)
    await dropLinks(work, links.filter(isHandedOver), (link) => mailOf(dealer.name, document.title, [link], message), about);
  return links.filter(isHandedOver).map(({ role, name, url }) => ({ role, name, url }));
}

/** In a world no one hands the links over by WhatsApp, so they are also kept as messages. */
async function dropLinks<Link extends SentLink & Pick<StoredRecipient, 'phone'>>(
  { db, keys, now }: Work,
  links: readonly Link[],
  mailFor: (link: Link) => { readonly text: string },
  about: { readonly kind: string; readonly id: string },
): Promise<void> {
  for (const link of links)
    await dropMessage(db, keys, { channel: 'WhatsApp', to: link.phone ?? link.name, text: mailFor(link).text, about }, now);
}

export const isMailed = (channel: Channel, canMail: boolean): boolean => channel === 'E-posta' && canMail;

/** The dealer's own text is marked line by line, so that readers do not take it for the platform's. */
const quoted = (text: string): string =>
  text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join('\n');

/** Documents are in Turkish, and so are these mails. */
function mailOf(dealerName: string, documentTitle: string, sent: readonly SentLink[], message: string | null) {
  const [dealer, title] = [unlinked(dealerName), unlinked(documentTitle)];
  const links = sent.map((link) => ({ ...link, name: unlinked(link.name) }));
  const names = links.map(({ name }) => name).join(', ');
  const isOne = links.length === 1;
  const urls = isOne ? links[0]!.url : links.map(({ name, url }) => `${name}:\n${url}`).join('\n\n');
  const [open, secret] = isOne
    ? ['bu bağlantıyı açın', 'Bağlantı yalnızca size özeldir; kimseyle paylaşmayın.']
    : [
        'herkes kendi adının altındaki bağlantıyı açsın',
        'Her bağlantı yalnızca adı yazılı kişiye özeldir; başkasıyla paylaşmayın.',
      ];
  const note = message === null ? '' : `${dealer} adlı galerinin notu:\n${quoted(message)}\n\n`;
  return {
    subject: `${dealer}: ${title} onayınızı bekliyor`,
    text: `Merhaba ${names},\n\n${dealer}, «${title}» belgesini onayınıza gönderdi. Belgeyi okumak ve onaylamak için ${open}:\n\n${urls}\n\n${note}${secret} Bu belgeyi beklemiyorsanız bu e-postayı dikkate almayın.\n`,
  };
}

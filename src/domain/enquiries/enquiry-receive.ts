// Receiving an enquiry: from the showroom's form, from a consumer's offer, or entered by the dealer. A person with an open enquiry gets no
// second one: the new message becomes part of its history.

import { startOf } from '../../kit/clock.ts';
import { newId } from '../../kit/ids.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { writtenSum } from '../formats/written.ts';
import { addNotification } from '../notifications/notification.ts';
import type { CreateBody } from '../records/body.ts';
import { requireReferences } from '../records/references.ts';
import { auditEnquiry, type ENQUIRY_FIELDS, isSeenBy, lockOpenOf, logEntry, type Seller, sealPerson } from './enquiry.ts';
import { type EnquirySource, MAX_A_DAY } from './enquiry-states.ts';
import { setNextStep } from './enquiry-steps.ts';

export interface NewEnquiry {
  readonly source: EnquirySource;
  readonly name: string;
  readonly phone: string;
  readonly message?: string | null | undefined;
  readonly vehicle_id?: string | null | undefined;
  readonly owner_id?: string | null | undefined;
  readonly offer?: { readonly id: string; readonly sum: string };
}

export interface ReceivedEnquiry {
  readonly id: string;
  readonly isNew: boolean;
  /** False for the open enquiry of a colleague: the salesperson adds the message and learns and changes nothing else. */
  readonly isSeen: boolean;
}

/** The references in it are checked by the caller. */
export async function receiveEnquiry(work: Work, asked: NewEnquiry, seller: Seller = null): Promise<ReceivedEnquiry> {
  const { db } = work;
  const { vehicle_id = null, message = null, offer, source } = asked;
  const made = await insertEnquiry(work, asked);
  const open = made === null ? (await lockOpenOf(work, asked.phone))! : null;
  const id = made ?? open!.id;
  const isSeen = open === null || isSeenBy(seller, open);
  // The newest car is what the person asks about now; an offer for the car before is not one for this car.
  if (open !== null && isSeen && vehicle_id !== null)
    db.send(sql`update enquiries set vehicle_id = ${vehicle_id},
      offer_id = case when ${offer?.id ?? null}::uuid is null and vehicle_id = ${vehicle_id} then offer_id else ${offer?.id ?? null}::uuid end
      where account_id = ${theAccount} and id = ${id}`);
  logEntry(work, id, {
    kind: 'received',
    value: offer === undefined ? source : `${source}: ${offer.sum}`,
    text: message,
    vehicle_id,
  });
  return { id, isNew: made !== null, isSeen };
}

/** Null if the person has an open enquiry. */
async function insertEnquiry(work: Work, asked: NewEnquiry): Promise<string | null> {
  const { db, keys, now } = work;
  const id = newId(now.getTime());
  const { source, vehicle_id = null, owner_id = null, offer } = asked;
  const { name_encrypted, phone_encrypted, phone_index } = sealPerson(keys, id, asked);
  const open = await lockOpenOf(work, asked.phone);
  if (open !== null) return null;
  const added =
    await db.exec(sql`insert into enquiries (account_id, id, source, name_encrypted, phone_encrypted, phone_index, vehicle_id,
      owner_id, offer_id, last_activity_at, created_at, updated_at)
    values (${theAccount}, ${id}, ${source}, ${name_encrypted}, ${phone_encrypted}, ${phone_index}, ${vehicle_id}, ${owner_id},
      ${offer?.id ?? null}, ${now}, ${now}, ${now})
    on conflict (account_id, phone_index) where stage not in ('Kazanıldı', 'Kaybedildi') do nothing`);
  return added === 0 ? null : id;
}

/** Entered by the dealer. */
export async function enterEnquiry(
  work: Work,
  body: CreateBody<typeof ENQUIRY_FIELDS>,
  seller: Seller = null,
): Promise<ReceivedEnquiry> {
  const { next_step_on, ...asked } = body;
  await requireReferences(work.db, [
    ['vehicle_id', 'vehicles', body.vehicle_id],
    ['owner_id', 'members', body.owner_id],
  ]);
  const received = await receiveEnquiry(work, asked, seller);
  if (next_step_on && received.isSeen) await setNextStep(work, received.id, next_step_on);
  await auditEnquiry(work, received.isNew ? 'created' : 'changed', received.id);
  return received;
}

/** From the showroom's form about a published car. Null beyond the account's limit of a day. */
export async function receiveShown(
  work: Work,
  asked: { readonly name: string; readonly phone: string; readonly message: string | null; readonly listingId: string },
): Promise<ReceivedEnquiry | null> {
  const { db, today, account } = work;
  const [listing] = await db.rows<{ vehicle_id: string }>(
    sql`select vehicle_id from ${own('listings')} where id = ${asked.listingId} and status = 'Yayında'`,
  );
  if (listing === undefined) return null;
  const since = startOf({ day: today }, account.timezone);
  // Entries, not enquiries: further messages of the same people count too.
  const { count } = await db.one<{ count: number }>(sql`select count(*)::int as count from (select from ${own('enquiry_entries')}
    where kind = 'received' and value = 'Vitrin' and created_at >= ${since} limit ${MAX_A_DAY}) received`);
  if (count >= MAX_A_DAY) {
    await notifyFull(work, since);
    return null;
  }
  const received = await receiveEnquiry(work, { ...asked, source: 'Vitrin', vehicle_id: listing.vehicle_id });
  await notifyReceived(work, received.id, listing.vehicle_id);
  return received;
}

interface ConsumerOffer {
  readonly vehicle_id: string;
  readonly name: string;
  readonly phone: string;
  readonly amount: string;
  readonly currency: string;
  readonly message: string | null;
}

/** Consequence: a consumer made an offer. The dealer is notified of the offer itself. */
export async function enquiryOfOffer(work: Work, { id }: { readonly id: string }): Promise<void> {
  const { amount, currency, ...person } =
    await work.db.one<ConsumerOffer>(sql`select vehicle_id, buyer_name as name, buyer_phone as phone,
    money_text(amount_minor) as amount, currency, message from ${own('marketplace_offers')} where id = ${id}`);
  await receiveEnquiry(work, { ...person, source: 'Pazar teklifi', offer: { id, sum: writtenSum(amount, currency).tr } });
}

/** Once a day: further enquiries of the day are lost. */
async function notifyFull(work: Work, since: Date): Promise<void> {
  const sent = await work.db.rows(
    sql`select from ${own('notifications')} where created_at >= ${since} and resource_type = 'showroom' limit 1`,
  );
  if (sent.length > 0) return;
  await addNotification(work, {
    kind: 'notification.created',
    title: { en: 'The showroom has reached its daily enquiry limit', tr: 'Vitrin bugün yeni aday almıyor' },
    body: {
      en: `${MAX_A_DAY} enquiries have come from the showroom today, which is the daily limit. Further enquiries are not stored until tomorrow.`,
      tr: `Bugün vitrinden ${MAX_A_DAY} aday geldi; günlük limit doldu. Sonrakiler yarına kadar kaydedilmez.`,
    },
    resource_type: 'showroom',
  });
}

/** Without the person's name, because everyone who works for the dealer reads notifications. */
async function notifyReceived(work: Work, id: string, vehicleId: string): Promise<void> {
  const { brand, model, plate } = await work.db.one<{ brand: string; model: string; plate: string }>(
    sql`select brand, model, plate from ${own('vehicles')} where id = ${vehicleId}`,
  );
  await addNotification(work, {
    kind: 'notification.created',
    title: { en: 'A new enquiry from the showroom', tr: 'Vitrinden yeni aday' },
    body: { en: `About ${brand} ${model} (${plate}).`, tr: `${brand} ${model} (${plate}) için.` },
    resource_type: 'enquiry',
    resource_id: id,
  });
}

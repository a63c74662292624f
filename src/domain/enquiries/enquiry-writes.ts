// What a dealer does with an enquiry: stages, owner, next step, notes, a counter-offer, the customer and the sale.
import { Failure, fail } from '../../kit/errors.ts';
import { formatMoney } from '../../kit/money.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import { cutText } from '../../kit/text.ts';
import type { Work } from '../../kit/work.ts';
import { lockCustomer } from '../customers/customer.ts';
import { addCustomer } from '../customers/customer-writes.ts';
import { writtenSum } from '../formats/written.ts';
import { forgetOffersBy } from '../marketplace/marketplace-offer-writes.ts';
import type { CreateBody } from '../records/body.ts';
import { type Fields, moneyField, required, textField, uuidField, type Values } from '../records/fields.ts';
import { refuseUnknown, requireReferences } from '../records/references.ts';
import { SALE_FIELDS } from '../sales/sale.ts';
import type { SaleDetail } from '../sales/sale-view.ts';
import { createSale } from '../sales/sale-writes.ts';
import { lockNamedVehicle } from '../stock/vehicle.ts';
import { audit } from '../writes/audit.ts';
import {
  auditEnquiry,
  type ENQUIRY_EDIT_FIELDS,
  lockEnquiry,
  logEntry,
  openPerson,
  peekEnquiry,
  phoneIndexes,
  type Seller,
  type StoredEnquiry,
} from './enquiry.ts';
import { isOpenStage } from './enquiry-states.ts';
import { endStep, moveStep, setNextStep } from './enquiry-steps.ts';

export async function editEnquiry(
  work: Work,
  id: string,
  values: Values<typeof ENQUIRY_EDIT_FIELDS>,
  seller: Seller,
): Promise<void> {
  const { db } = work;
  const stored = await lockEnquiry(db, id, seller);
  requireOpen(stored);
  await requireReferences(db, [
    ['vehicle_id', 'vehicles', values.vehicle_id],
    ['owner_id', 'members', values.owner_id],
    ['sale_id', 'sales', values.sale_id],
  ]);
  if (values.sale_id && values.stage !== 'Kazanıldı') {
    const message = { en: 'sale_id is allowed only with the stage Kazanıldı', tr: 'sale_id yalnızca Kazanıldı ile verilir' };
    fail('validation_failed', { details: [{ field: 'sale_id', code: 'invalid', message }] });
  }
  if (values.lost_reason && values.stage !== 'Kaybedildi') {
    const message = {
      en: 'lost_reason is allowed only with the stage Kaybedildi',
      tr: 'lost_reason yalnızca Kaybedildi ile verilir',
    };
    fail('validation_failed', { details: [{ field: 'lost_reason', code: 'invalid', message }] });
  }
  // A seller gives an enquiry to another person no more than one can take another's.
  if (seller !== null && values.owner_id && values.owner_id !== seller.memberId) fail('not_permitted');
  if (values.vehicle_id !== undefined)
    // An offer for the car before is not one for this car.
    await db.exec(sql`update enquiries set vehicle_id = ${values.vehicle_id},
        offer_id = case when vehicle_id = ${values.vehicle_id}::uuid then offer_id end
      where account_id = ${theAccount} and id = ${id}`);
  if (values.owner_id !== undefined && values.owner_id !== stored.owner_id) await giveTo(work, id, values.owner_id);
  if (values.next_step_on !== undefined) await setNextStep(work, id, values.next_step_on);
  const { stage = stored.stage } = values;
  if (stage === 'Kaybedildi') await lose(work, id, values.lost_reason ?? null);
  else if (stage === 'Kazanıldı') await winWith(work, stored, values.sale_id ?? null);
  else if (stage !== stored.stage) await moveTo(work, id, stage);
  await auditEnquiry(work, 'changed', id);
}

function requireOpen({ stage, erased_at }: StoredEnquiry): void {
  if (erased_at !== null) fail('not_found');
  if (!isOpenStage(stage)) fail('enquiry_closed');
}

async function giveTo(work: Work, id: string, ownerId: string | null): Promise<void> {
  const { db } = work;
  await db.exec(sql`update enquiries set owner_id = ${ownerId} where account_id = ${theAccount} and id = ${id}`);
  const [member] = await db.rows<{ full_name: string }>(sql`select full_name from ${own('members')} where id = ${ownerId}::uuid`);
  logEntry(work, id, { kind: 'owner', value: member === undefined ? null : cutText(member.full_name, 200) });
  await moveStep(work, id);
}

async function moveTo(work: Work, id: string, stage: StoredEnquiry['stage']): Promise<void> {
  await work.db.exec(sql`update enquiries set stage = ${stage} where account_id = ${theAccount} and id = ${id}`);
  logEntry(work, id, { kind: 'stage', value: stage });
}

async function lose(work: Work, id: string, reason: string | null): Promise<void> {
  if (reason === null) {
    const message = { en: 'lost_reason is required with Kaybedildi', tr: 'Kaybedildi için lost_reason zorunludur' };
    fail('validation_failed', { details: [{ field: 'lost_reason', code: 'required', message }] });
  }
  await endStep(work, id, false);
  await work.db.exec(
    sql`update enquiries set stage = 'Kaybedildi', lost_reason = ${reason} where account_id = ${theAccount} and id = ${id}`,
  );
  logEntry(work, id, { kind: 'stage', value: 'Kaybedildi' });
}

/** With a sale that was made elsewhere. It is not cancelled, and its customer is that of the enquiry. */
async function winWith(work: Work, stored: StoredEnquiry, saleId: string | null): Promise<void> {
  if (saleId === null) {
    const message = { en: 'sale_id is required with Kazanıldı', tr: 'Kazanıldı için sale_id zorunludur' };
    fail('validation_failed', { details: [{ field: 'sale_id', code: 'required', message }] });
  }
  const [sale] = await work.db.rows<{ customer_id: string; sale_no: string }>(
    sql`select customer_id, sale_no from ${own('sales')} where id = ${saleId} and status <> 'İptal'`,
  );
  if (sale === undefined || (stored.customer_id !== null && stored.customer_id !== sale.customer_id))
    return refuseUnknown('sale_id');
  await win(work, stored.id, { id: saleId, ...sale });
}

async function win(
  work: Work,
  id: string,
  sale: { readonly id: string; readonly customer_id: string; readonly sale_no: string },
): Promise<void> {
  await endStep(work, id, true);
  await work.db.exec(sql`update enquiries set stage = 'Kazanıldı', sale_id = ${sale.id}, customer_id = ${sale.customer_id}
    where account_id = ${theAccount} and id = ${id}`);
  logEntry(work, id, { kind: 'sale', value: sale.sale_no });
}

export async function noteEnquiry(work: Work, id: string, text: string, seller: Seller): Promise<void> {
  const { erased_at } = await lockEnquiry(work.db, id, seller);
  if (erased_at !== null) fail('not_found');
  logEntry(work, id, { kind: 'note', text });
  await auditEnquiry(work, 'changed', id);
}

export const COUNTER_FIELDS = { amount: required(moneyField({ above: 0n })) } as const satisfies Fields;

/** A counter-offer to a consumer, who has no account: it is recorded here, and the dealer sends it. */
export async function counterOffer(work: Work, id: string, amount: bigint, seller: Seller): Promise<void> {
  const { db } = work;
  const stored = await lockEnquiry(db, id, seller);
  requireOpen(stored);
  if (stored.offer_id === null) fail('no_consumer_offer');
  const { currency } = await db.one<{ currency: string }>(
    sql`select currency from ${own('marketplace_offers')} where id = ${stored.offer_id}`,
  );
  logEntry(work, id, { kind: 'counter', value: writtenSum(formatMoney(amount), currency).tr });
  if (stored.stage !== 'Teklif') await moveTo(work, id, 'Teklif');
  await auditEnquiry(work, 'changed', id);
}

export const CONVERT_FIELDS = {
  /** A customer who exists already; without it a new one is made of the enquiry's person. */
  customer_id: uuidField,
  first_name: textField(80),
  last_name: textField(80),
} as const satisfies Fields;

/** Customers with the telephone number of the enquiry. */
export async function matchingCustomers(
  work: Pick<Work, 'db' | 'keys'>,
  id: string,
  seller: Seller,
): Promise<readonly { readonly id: string; readonly first_name: string; readonly last_name: string }[]> {
  const { phone } = openPerson(work.keys, await peekEnquiry(work.db, id, seller));
  if (phone === null) return [];
  return work.db.rows(sql`select id, first_name, last_name from ${own('customers')} where phone = ${phone} and deleted_at is null
    order by created_at, id limit 20`);
}

/** Turns the person into a customer. Another customer with the same telephone number has to be chosen or the new one confirmed by name. */
export async function toCustomer(work: Work, id: string, values: Values<typeof CONVERT_FIELDS>, seller: Seller): Promise<string> {
  const { db } = work;
  // Customers are locked before enquiries, as their erasure does.
  if (values.customer_id !== undefined) await lockNamed(work, values.customer_id);
  const stored = await lockEnquiry(db, id, seller);
  requireOpen(stored);
  await auditEnquiry(work, 'changed', id);
  return customerOf(work, stored, values);
}

async function lockNamed({ db }: Work, customerId: string): Promise<void> {
  await lockCustomer(db, customerId).catch((error) => {
    if (error instanceof Failure) refuseUnknown('customer_id');
    throw error;
  });
}

async function customerOf(work: Work, stored: StoredEnquiry, values: Values<typeof CONVERT_FIELDS>): Promise<string> {
  const { db } = work;
  if (values.customer_id === undefined && stored.customer_id !== null) return stored.customer_id;
  const customerId = values.customer_id ?? (await newCustomerOf(work, stored, values));
  await db.exec(sql`update enquiries set customer_id = ${customerId} where account_id = ${theAccount} and id = ${stored.id}`);
  const { first_name, last_name } = await db.one<{ first_name: string; last_name: string }>(
    sql`select first_name, last_name from ${own('customers')} where id = ${customerId}`,
  );
  logEntry(work, stored.id, { kind: 'customer', text: `${first_name} ${last_name}` });
  return customerId;
}

async function newCustomerOf(work: Work, stored: StoredEnquiry, values: Values<typeof CONVERT_FIELDS>): Promise<string> {
  const { name, phone } = openPerson(work.keys, stored);
  const words = name!.split(/\s+/);
  const first_name = values.first_name ?? (words.slice(0, -1).join(' ') || words[0]!);
  const last_name = values.last_name ?? (words.length > 1 ? words.at(-1)! : '-');
  const { id } = await addCustomer(work, { first_name, last_name, phone: phone! });
  await logAs(work, 'POST customers', id, 'customer.created');
  return id;
}

/** As if the catalog's own endpoint had made it: histories and the audit screen read these actions. */
const logAs = ({ db, actor, account, now }: Work, action: string, id: string, event: string): Promise<void> =>
  audit(db, actor, action, id, { accountId: account.id, after: { event, at: now.toISOString() } });

const { customer_id: _, vehicle_id: __, ...TERMS } = SALE_FIELDS;
export const ENQUIRY_SALE_FIELDS = { ...CONVERT_FIELDS, vehicle_id: uuidField, ...TERMS } as const satisfies Fields;

async function activeOwner({ db }: Work, { owner_id }: StoredEnquiry): Promise<string | null> {
  const [found] = await db.rows<{ id: string }>(sql`select id from ${own('members')} where id = ${owner_id}::uuid and active`);
  return found?.id ?? null;
}

/**
 * The customer and the sale in one write; the enquiry is won. The sale is the salesperson's, or the enquiry's owner's, unless another is
 * named. Cars are locked first, as in every sale.
 */
export async function sellToEnquiry(
  work: Work,
  id: string,
  body: CreateBody<typeof ENQUIRY_SALE_FIELDS>,
  seller: Seller,
): Promise<SaleDetail> {
  const { db } = work;
  const { customer_id, first_name, last_name, vehicle_id, ...terms } = body;
  const peeked = await peekEnquiry(db, id, seller);
  const car = vehicle_id ?? peeked.vehicle_id;
  if (car === null) return refuseUnknown('vehicle_id');
  await lockNamedVehicle(db, car);
  if (customer_id !== undefined) await lockNamed(work, customer_id);
  const stored = await lockEnquiry(db, id, seller);
  requireOpen(stored);
  const given = { customer_id, first_name, last_name };
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const customer = await customerOf(work, stored, values);
  const salesperson_id = terms.salesperson_id ?? seller?.memberId ?? (await activeOwner(work, stored));
  const sale = await createSale(work, { ...terms, salesperson_id, vehicle_id: car, customer_id: customer });
  await win(work, id, { id: sale.id, customer_id: customer, sale_no: sale.sale_no });
  await logAs(work, 'POST sales', sale.id, 'sale.created');
  await auditEnquiry(work, 'changed', id);
  return sale;
}

/** Removes name, telephone number and texts; stages, days and records stay. */
export async function eraseEnquiry(work: Work, id: string): Promise<void> {
  const { db } = work;
  const { erased_at } = await lockEnquiry(db, id, null);
  if (erased_at === null) await erase(work, [id]);
}

/** `before`: later offers of the same person stay. */
async function erase(work: Work, ids: readonly string[], before: Date | null = null): Promise<void> {
  const { db, keys, now } = work;
  const stored = await db.rows<Pick<StoredEnquiry, 'id' | 'name_encrypted' | 'phone_encrypted' | 'offer_id'>>(
    sql`select id, name_encrypted, phone_encrypted, offer_id from ${own('enquiries')} where id = any(${ids}::uuid[])`,
  );
  const phones = stored.map((one) => openPerson(keys, one).phone).filter((phone) => phone !== null);
  const offers = stored.map(({ offer_id }) => offer_id).filter((id) => id !== null);
  await forgetOffersBy(work, { phones, ids: offers, before });
  for (const id of ids) await endStep(work, id, false);
  await db.exec(
    sql`update enquiry_entries set text_encrypted = null where account_id = ${theAccount} and enquiry_id = any(${ids}::uuid[])`,
  );
  await db.exec(sql`update enquiries set name_encrypted = null, phone_encrypted = null, phone_index = null, erased_at = ${now},
      lost_reason = case when stage = 'Kazanıldı' then null else 'Silindi' end,
      stage = case when stage = 'Kazanıldı' then stage else 'Kaybedildi' end, updated_at = ${now}
    where account_id = ${theAccount} and id = any(${ids}::uuid[])`);
  for (const id of ids) {
    logEntry(work, id, { kind: 'erased' });
    await auditEnquiry(work, 'erased', id);
  }
}

/** Those without activity since then; returns how many were erased. */
export async function eraseOldEnquiries(work: Work, before: Date, max: number): Promise<number> {
  const old = await work.db.rows<{ id: string }>(sql`select id from ${own('enquiries')} where erased_at is null
    and last_activity_at < ${before} order by last_activity_at, id limit ${max} for update`);
  if (old.length > 0)
    await erase(
      work,
      old.map(({ id }) => id),
      before,
    );
  return old.length;
}

/** Consequence: the enquiries of an erased customer, and those with the same telephone number. */
export async function forgetEnquiriesOf(work: Work, customerId: string): Promise<void> {
  const { db, keys } = work;
  const { phone } = await db.one<{ phone: string }>(sql`select phone from ${own('customers')} where id = ${customerId}`);
  const found = await db.rows<{ id: string }>(sql`select id from ${own('enquiries')} where erased_at is null
    and (customer_id = ${customerId} or phone_index = any(${phoneIndexes(keys, phone)}::bytea[])) order by id for update`);
  if (found.length > 0)
    await erase(
      work,
      found.map(({ id }) => id),
    );
}

// Buying and cancelling a boost (its start and end are in boost-times.ts). The price is debited in the transaction that creates the order, and
// refunded in the one that cancels it.

import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { own, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { requireCapability } from '../parties/capability.ts';
import type { CreateBody } from '../records/body.ts';
import { violatedConstraint } from '../records/record.ts';
import { inAccountLanguage, post } from '../wallet/ledger.ts';
import {
  type BOOST_ORDER_FIELDS,
  type BoostOrder,
  emitBoostEvent,
  lockBoostOrders,
  type StoredBoostOrder,
  showBoostOrder,
} from './boost-order.ts';
import { BOOST_PACKAGES, type BoostPackage } from './boost-packages.ts';

const MAX_DAYS_AHEAD = 60;
const DAY_MS = 86_400_000;
/** Clocks differ: a start slightly in the past means now. */
const GRACE_MS = 60_000;

export async function buyBoost(work: Work, values: CreateBody<typeof BOOST_ORDER_FIELDS>): Promise<BoostOrder> {
  const { db, now } = work;
  await requireCapability(db, 'marketplace');
  const bought = packageOf(values.package);
  const starts = startOf(values.starts_at, now);
  const vehicleId = await lockListing(db, values.listing_id);
  const order = { id: newId(now.getTime()), charge: newId(now.getTime()) };
  const isNow = starts <= now;
  const ends = new Date(starts.getTime() + bought.days * DAY_MS);
  await db
    .exec(sql`insert into boost_orders (account_id, id, listing_id, vehicle_id, package, kind, days, price_minor, currency, starts_at, ends_at,
        status, charge_transaction_id, created_at, updated_at)
      values (${theAccount}, ${order.id}, ${values.listing_id}, ${vehicleId}, ${bought.code}, ${bought.kind}, ${bought.days}, ${bought.price_minor},
        ${bought.currency}, ${starts}, ${ends}, ${isNow ? 'Aktif' : 'Beklemede'}, ${order.charge}, ${now}, ${work.updatedAt()})`)
    .catch((error) => {
      if (violatedConstraint(error) === 'boost_orders_no_overlap') fail('boost_overlap');
      throw error;
    });
  const shown = await showBoostOrder(db, order.id);
  emitBoostEvent(work, 'created', shown);
  await charge(work, order, bought);
  if (isNow) emitBoostEvent(work, 'started', shown, { ...shown, status: 'Beklemede' });
  work.endsAt(isNow ? ends : starts);
  return shown;
}

function packageOf(code: string): BoostPackage {
  const found = BOOST_PACKAGES.find((one) => one.code === code);
  if (found !== undefined) return found;
  const codes = BOOST_PACKAGES.map((one) => one.code).join(', ');
  const message = { en: `package must be one of ${codes}`, tr: `package, ${codes} değerlerinden biri olmalı` };
  return fail('unknown_package', { details: [{ field: 'package', code: 'unknown_package', message }] });
}

function startOf(startsAt: Date | undefined, now: Date): Date {
  if (startsAt === undefined) return now;
  const ahead = startsAt.getTime() - now.getTime();
  if (ahead > MAX_DAYS_AHEAD * DAY_MS || ahead < -GRACE_MS) {
    const message = {
      en: `starts_at must be within the next ${MAX_DAYS_AHEAD} days`,
      tr: `starts_at şimdi ile ${MAX_DAYS_AHEAD} gün sonrası arasında olmalı`,
    };
    fail('validation_failed', { details: [{ field: 'starts_at', code: 'out_of_range', message }] });
  }
  return ahead <= 0 ? now : startsAt;
}

/**
 * A listing of another dealer, one that does not exist and one that is not «Yayında» are refused with the same error. The car is locked before
 * its listing, as where it is sold: the order refers to it, and PostgreSQL would lock it last.
 */
async function lockListing(db: Db, id: string): Promise<string> {
  await db.rows(
    sql`select id from ${own('vehicles')} where id = (select vehicle_id from ${own('listings')} where id = ${id}) for key share`,
  );
  const [listing] = await db.rows<{ vehicle_id: string; status: string }>(
    sql`select vehicle_id, status from ${own('listings')} where id = ${id} for no key update`,
  );
  if (listing?.status !== 'Yayında') return fail('listing_not_active');
  return listing.vehicle_id;
}

async function charge(work: Work, order: { id: string; charge: string }, { price_minor, name }: BoostPackage): Promise<void> {
  const description = await inAccountLanguage(work, { en: `Boost: ${name}`, tr: `Doping: ${name}` });
  await post(work, {
    id: order.charge,
    type: 'Boost',
    amount: -price_minor,
    reference: { type: 'boost_order', id: order.id },
    description,
  });
}

const NOT_CANCELLABLE = { Aktif: 'boost_active', Tamamlandı: 'boost_finished', İptal: 'boost_already_cancelled' } as const;

export async function cancelBoost(work: Work, id: string): Promise<BoostOrder> {
  await requireCapability(work.db, 'marketplace');
  const [order] = await lockBoostOrders(work.db, sql`id = ${id}`);
  if (order === undefined) return fail('not_found');
  if (order.status !== 'Beklemede') fail(NOT_CANCELLABLE[order.status]);
  return cancelWaiting(work, order);
}

/** The order is locked and scheduled: its price is refunded in full by a transaction that reverses the charge. */
export async function cancelWaiting(work: Work, order: StoredBoostOrder): Promise<BoostOrder> {
  const { db, now } = work;
  const before = await showBoostOrder(db, order.id);
  const refund = newId(now.getTime());
  const change = sql`status = 'İptal', refund_transaction_id = ${refund}, cancelled_at = ${now}`;
  const shown = await changeOrder(work, order.id, change);
  emitBoostEvent(work, 'cancelled', shown, before);
  await post(work, {
    id: refund,
    type: 'Boost İadesi',
    amount: order.price,
    reference: { type: 'boost_order', id: order.id },
    reverses: order.charge_transaction_id,
    description: await inAccountLanguage(work, { en: `Boost refund: ${order.package}`, tr: `Doping iadesi: ${order.package}` }),
  });
  return shown;
}

export async function changeOrder(work: Work, id: string, change: Sql): Promise<BoostOrder> {
  await work.db.exec(
    sql`update boost_orders set ${change}, updated_at = ${work.updatedAt()} where account_id = ${theAccount} and id = ${id}`,
  );
  return showBoostOrder(work.db, id);
}

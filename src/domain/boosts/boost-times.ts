// Timed transitions of boosts, and the effect of closing a listing: started, finished, or cancelled with a refund.
import type { Db } from '../../kit/db.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { Look } from '../writes/timed-transition.ts';
import { idsOf, without } from '../writes/transition-failures.ts';
import { emitBoostEvent, lockBoostOrders, type StoredBoostOrder, showBoostOrder } from './boost-order.ts';
import { cancelWaiting, changeOrder } from './boost-order-writes.ts';

const DUE = (now: Date) => sql`((status = 'Beklemede' and starts_at <= ${now}) or (status = 'Aktif' and ends_at <= ${now}))`;
const MAX_AT_ONCE = 200;

export const dueBoosts = ({ db, now }: Look, skip: readonly string[]): Promise<string[]> =>
  idsOf(
    db,
    sql`select id from ${own('boost_orders')} where ${DUE(now)} and ${without(skip)} order by created_at, id limit ${MAX_AT_ONCE}`,
  );

/** A boost whose whole period passed unprocessed is started and finished in one run, so that both events are emitted. */
export async function runBoosts(work: Work, ids: readonly string[]): Promise<void> {
  const { db, now } = work;
  for (const order of await lockBoostOrders(db, sql`id = any(${ids}::uuid[]) and ${DUE(now)}`)) {
    const started = order.status === 'Beklemede' ? await move(work, order, 'Aktif') : await showBoostOrder(db, order.id);
    if (Date.parse(started.ends_at) <= now.getTime()) await move(work, order, 'Tamamlandı');
  }
}

async function move(work: Work, { id }: StoredBoostOrder, status: 'Aktif' | 'Tamamlandı') {
  const before = await showBoostOrder(work.db, id);
  const shown = await changeOrder(work, id, sql`status = ${status}`);
  emitBoostEvent(work, status === 'Aktif' ? 'started' : 'finished', shown, before);
  return shown;
}

export async function nextBoostMoment(db: Db, _timezone: string, skip: readonly string[]): Promise<Date | null> {
  const { next } = await db.one<{ next: Date | null }>(sql`select least(
      (select min(starts_at) from ${own('boost_orders')} where status = 'Beklemede' and ${without(skip)}),
      (select min(ends_at) from ${own('boost_orders')} where status = 'Aktif' and ${without(skip)})) as next`);
  return next;
}

/** The listing is closed for good: running boosts end without a refund, scheduled ones are refunded. */
export async function endBoostsOf(work: Work, listing: { readonly id: string }): Promise<void> {
  const open = await lockBoostOrders(work.db, sql`listing_id = ${listing.id} and status in ('Beklemede', 'Aktif')`);
  for (const order of open) {
    if (order.status === 'Aktif') await move(work, order, 'Tamamlandı');
    else await cancelWaiting(work, order);
  }
}

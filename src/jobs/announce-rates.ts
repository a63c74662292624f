// Emits `exchange_rate.updated` once to every account that uses the bank of a new bulletin. Each account gets its own write, so
// that no account waits for another; after an interruption the next process continues.
import type { RateNews } from '../domain/exchange-rates/bulletin-store.ts';
import { findWorld, showWorlds } from '../domain/worlds/world.ts';
import { isFree, leaseEnd } from '../domain/writes/lease.ts';
import { SYSTEM, type WriteCall, type Writer } from '../domain/writes/write.ts';
import type { Times } from '../kit/clock.ts';
import { type Database, type Db, Rollback } from '../kit/db.ts';
import { firstEventId } from '../kit/ids.ts';
import { own, sql } from '../kit/sql.ts';
import type { Work } from '../kit/work.ts';

export interface AnnounceParts {
  readonly writer: Writer;
  readonly signal?: AbortSignal;
  /** SANDBOX=isolated: dealers in worlds get the event too. */
  readonly worlds?: boolean;
}

interface News {
  readonly id: string;
  readonly object: RateNews;
  readonly previous: { readonly rates: RateNews['rates'] } | null;
  readonly told_up_to: string | null;
  readonly created_at: Date;
}

interface Listener {
  readonly dataSet: string;
  readonly id: string;
  readonly timezone: string;
  readonly world: string | null;
}

const BATCH = 100;

/** Returns how many accounts got the event. */
export async function announceRates(parts: AnnounceParts, times: () => Times): Promise<number> {
  let announced = 0;
  for (;;) {
    const news = await claimNews(parts.writer.database, times().realNow);
    if (news === undefined || parts.signal?.aborted) return announced;
    announced += await announceToAll(parts, news, times);
  }
}

/**
 * Claims the oldest bulletin of a bank and no other at the same time, so that a correction never comes before what it corrects.
 */
async function claimNews(database: Database, realNow: Date): Promise<News | undefined> {
  const [news] = await database.onPlatform('write', (db) =>
    db.rows<News>(sql`update rate_news set claimed_until = ${leaseEnd(realNow)} where id = (
        select id from rate_news where told_at is null and ${isFree(realNow)}
          and not exists (select from rate_news earlier
            where earlier.source = rate_news.source and earlier.place < rate_news.place and earlier.told_at is null)
        order by place limit 1 for update skip locked)
      returning id, object, previous, told_up_to, created_at`),
  );
  return news;
}

async function announceToAll({ writer, signal, worlds = false }: AnnounceParts, news: News, times: () => Times): Promise<number> {
  const { database } = writer;
  let announced = 0;
  for (let after = news.told_up_to; ; ) {
    const listeners = await database.onPlatform('read', (db) => listenersAfter(db, news, after, worlds));
    for (const listener of listeners) {
      if (signal?.aborted) break;
      announced += await (listener.world === null
        ? announceToOne(writer, news, listener, { now: times().now })
        : announceInWorld(writer, news, listener));
      after = listener.dataSet;
    }
    const stopped = signal?.aborted ?? false;
    const ended = listeners.length < BATCH && !stopped;
    const until = stopped ? null : leaseEnd(times().realNow);
    await database.onPlatform('write', (db) =>
      db.exec(sql`update rate_news set told_up_to = ${after}, claimed_until = ${until}, told_at = ${ended ? times().realNow : null}
        where id = ${news.id}`),
    );
    if (ended || stopped) return announced;
  }
}

/** Of a world the dealer's own account only. */
async function listenersAfter(db: Db, { object, created_at }: News, after: string | null, worlds: boolean): Promise<Listener[]> {
  if (worlds) showWorlds(db);
  return db.rows<Listener>(sql`select d.id as "dataSet", a.id, a.timezone, a.world_id as world
    from data_sets d join accounts a on a.id = d.account_id
    where a.rate_source = ${object.source} and d.created_at <= ${created_at} and (${after}::uuid is null or d.id > ${after}::uuid)
      and (a.world_id is null or a.world_id = a.id) and not is_closed(a.id) order by d.id limit ${BATCH}`);
}

class ClockMoved extends Rollback {}

const MAX_TRIES = 5;

/** At the time of the world, also in the middle of a move of its clock: no other account waits until that ends. */
async function announceInWorld(writer: Writer, news: News, listener: Listener): Promise<number> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const world = await writer.database.onPlatform('read', (db) => findWorld(db, listener.dataSet));
    if (world === null) return 0;
    const { now } = world;
    const call = { now, world: { id: world.id, offsetMs: world.offsetMs, isClock: true } };
    try {
      return await announceToOne(writer, news, listener, call, async ({ db }) => {
        const { at } = await db.one<{ at: Date }>(sql`select business_now() as at`);
        if (Math.abs(at.getTime() - now.getTime()) > 1000) throw new ClockMoved('the clock of the world has moved');
      });
    } catch (error) {
      if (!(error instanceof ClockMoved)) throw error;
    }
  }
  return 0;
}

function announceToOne(
  writer: Writer,
  news: News,
  { dataSet, id, timezone }: Listener,
  at: Pick<WriteCall, 'now'>,
  check?: (work: Work) => Promise<void>,
): Promise<number> {
  return writer.write({ dataSet, account: { id, timezone }, actor: SYSTEM, ...at }, async (work) => {
    await check?.(work);
    if (await isTold(work, news)) return 0;
    const { object, previous } = news;
    const change = previous === null ? {} : { changed: ['rates'], previous };
    work.emit({
      kind: 'exchange_rate.updated',
      id: news.id,
      path: `exchange-rates?date=${object.rate_date}&source=${object.source}`,
      object,
      ...change,
    });
    return 1;
  });
}

/** Checked under the lock that numbers the account's events, so that no other process emits it at the same time. */
async function isTold(work: Work, { id, created_at }: News): Promise<boolean> {
  work.holdDataSet();
  // An hour earlier than the bulletin, because the clocks of processes may differ a little.
  const since = firstEventId(created_at.getTime() - 3_600_000);
  const found = await work.db.rows(sql`select from ${own('events')} where id >= ${since} and kind = 'exchange_rate.updated'
    and resource_id = ${id} limit 1`);
  return found.length > 0;
}

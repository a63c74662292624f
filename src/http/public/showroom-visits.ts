// Visits of a showroom's cars, collected in memory and stored together every few seconds, so that a visitor costs no statement. A second
// visit of the same network within half an hour is not counted. What a crash loses is seconds of counts.
import { countManyVisits, type Visits } from '../../domain/marketplace/listing-visits.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db.ts';
import type { Log } from '../../kit/log.ts';
import { createLru } from '../wire/lru.ts';

export interface ShowroomVisits {
  count(listingId: string, kind: 'view' | 'contact', network: string, userAgent: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_MS = 5000;
/** Listings with visits that are not stored yet; with more, a visit of a further one is not counted. */
const MAX_LISTINGS = 5000;
const MAX_SEEN = 20_000;
const SEEN_MS = 30 * 60_000;
/** Programs that read pages for search engines and for previews of links. */
const PROGRAM = /bot|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|curl|wget|python|headless/i;

export function createShowroomVisits(
  { database, clock, log }: { readonly database: Database; readonly clock: Clock; readonly log: Log },
  everyMs = FLUSH_MS,
): ShowroomVisits {
  let waiting = new Map<string, { views: number; contacts: number }>();
  const seen = createLru<number>(MAX_SEEN);
  const flush = async () => {
    if (waiting.size === 0) return;
    const visits = [...waiting].map(([listingId, counts]): Visits => ({ listingId, ...counts }));
    waiting = new Map();
    await database
      .onPlatform('write', (db) => countManyVisits(db, visits, clock.now()))
      .catch((error: Error) => log.warn('visits of showrooms could not be stored', { reason: String(error) }));
  };
  const timer = setInterval(flush, everyMs);
  timer.unref();
  return {
    count: (listingId, kind, network, userAgent) => {
      if (userAgent === '' || PROGRAM.test(userAgent)) return;
      const key = `${kind} ${listingId} ${network}`;
      const at = performance.now();
      const before = seen.get(key);
      if (before !== undefined && at - before < SEEN_MS) return;
      const counts = waiting.get(listingId) ?? { views: 0, contacts: 0 };
      if (!waiting.has(listingId) && waiting.size >= MAX_LISTINGS) return;
      seen.set(key, at);
      if (kind === 'view') counts.views += 1;
      else counts.contacts += 1;
      waiting.set(listingId, counts);
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}

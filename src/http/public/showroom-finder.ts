// Finds a showroom by its address and reads its pages, within the share of the database that strangers have.
import type { Semaphore } from '../../domain/sharing/semaphore.ts';
import { findShowroom } from '../../domain/showroom/showroom-lookup.ts';
import { readShowroom, type Showroom } from '../../domain/showroom/showroom-settings.ts';
import { REDIRECT_DAYS } from '../../domain/showroom/showroom-states.ts';
import type { OpenWorld } from '../../domain/worlds/open-world.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Db } from '../../kit/db.ts';
import type { Locale } from '../../kit/errors.ts';
import type { CatchUp } from '../api/catch-up.ts';
import { requireWorld, type Worlds } from '../api/worlds.ts';
import { createLru } from '../wire/lru.ts';
import type { ShowroomView } from './showroom-frame.ts';

export interface FoundShowroom {
  readonly dataSet: string;
  readonly showroom: Showroom;
  /** The isolated sandbox of the showroom; null in production. */
  readonly world: OpenWorld | null;
  /** Business time of its pages. */
  readonly now: Date;
}

interface FinderParts {
  readonly database: Database;
  readonly catchUp: CatchUp;
  readonly worlds: Worlds | null;
  readonly clock: Clock;
  readonly publicUrl: () => string;
  readonly isPublished: boolean;
}

interface Asking {
  readonly network: string;
  readonly now: Date;
  readonly locale: Locale;
  readonly query: URLSearchParams;
}

export interface Finder {
  /** Null: there is no such showroom, or it is off. Its slug is another one if the address was changed. */
  find(slug: string, asking: Asking): Promise<FoundShowroom | null>;
  /** False if a timed transition is due, for example the end of a reservation, which changes what is published. */
  isCurrent(found: FoundShowroom, now: Date): boolean;
  /** Null if `make` returns null, or the showroom has been switched off since. */
  read<T>(
    found: FoundShowroom,
    asking: Asking,
    make: (db: Db, view: ShowroomView) => Promise<T | null>,
  ): Promise<{ readonly found: FoundShowroom; readonly answer: T } | null>;
}

const MAX_SLUGS = 20_000;
/** An address may be given to another dealer a year after it was changed. */
const SLUG_KEPT_MS = 60_000;

export function createFinder(parts: FinderParts, turns: Semaphore): Finder {
  const { database, catchUp, worlds, clock } = parts;
  const slugs = createLru<{ readonly dataSet: string; readonly at: number }>(MAX_SLUGS);

  async function dataSetOf(slug: string, network: string): Promise<string | null> {
    const known = slugs.get(slug);
    if (known !== undefined && performance.now() - known.at < SLUG_KEPT_MS) return known.dataSet;
    const since = new Date(clock.realNow().getTime() - REDIRECT_DAYS * 86_400_000);
    const found = await turns.take(network, () => database.onPlatform('read', (db) => findShowroom(db, slug, since)));
    if (found !== null) slugs.set(slug, { dataSet: found.dataSet, at: performance.now() });
    return found?.dataSet ?? null;
  }

  const catchUpWith = ({ dataSet, showroom, world }: FoundShowroom, now: Date) =>
    catchUp.ensure({ dataSetId: dataSet, accountId: showroom.account_id, timezone: showroom.timezone, world }, now);

  return {
    async find(slug, { network, now }) {
      const dataSet = await dataSetOf(slug, network);
      if (dataSet === null) return null;
      const showroom = await turns.take(network, () => database.inTenant(dataSet, 'read', (db) => readShowroom(db, now)));
      if (showroom === null) return null;
      const world = showroom.kind === 'sandbox' ? await requireWorld(worlds, dataSet) : null;
      return { dataSet, showroom, world, now: world?.now ?? now };
    },
    isCurrent: (found, now) => {
      const due = catchUpWith(found, now);
      // The page is then read again, which waits for the transitions and reports their failure.
      due?.catch(() => {});
      return due === null;
    },
    async read(found, { network, locale, query }, make) {
      await catchUpWith(found, found.now);
      const read = await turns.take(network, () =>
        database.inTenant(found.dataSet, 'read', async (db) => {
          // The version is read first: what changes after it makes the page old.
          const showroom = await readShowroom(db, found.now);
          if (showroom === null) return null;
          const view = viewOf(parts, showroom, locale, query);
          const answer = await make(db, view);
          return answer === null ? null : { showroom, answer };
        }),
      );
      return read && { found: { ...found, showroom: read.showroom }, answer: read.answer };
    },
  };
}

const viewOf = (
  { publicUrl, isPublished }: FinderParts,
  showroom: Showroom,
  locale: Locale,
  query: URLSearchParams,
): ShowroomView => ({
  showroom,
  locale,
  keepsLocale: query.has('lang'),
  publicUrl: publicUrl(),
  isPublished: isPublished && showroom.kind === 'production' && !showroom.is_demo,
});

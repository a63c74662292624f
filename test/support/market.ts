// What the public marketplace site reports, through the platform's commands: consumers' offers and views of a listing.
import { countVisits } from '../../src/domain/marketplace/listing-visits.ts';
import { receiveOffer } from '../../src/domain/marketplace/marketplace-offer-writes.ts';
import type { VisitKind } from '../../src/domain/marketplace/marketplace-states.ts';
import { parseMoney } from '../../src/kit/money.ts';
import { dataOf, type Shown } from './books.ts';
import { TEST_ACTOR, type TestService } from './service.ts';
import { testWriter } from './test-writer.ts';
import type { Dealer } from './writer.ts';

type Site = Pick<TestService, 'database' | 'secrets' | 'clock'>;

export const CONSUMER = { buyer_name: 'Mehmet Demir', buyer_phone: '+905338001122' } as const;

export const consumerOffers = (
  site: Site,
  { accountId }: Pick<Dealer, 'accountId'>,
  listingId: string,
  amount: string,
  overrides: { buyer_name?: string; buyer_phone?: string; message?: string } = {},
): Promise<Shown> =>
  testWriter(site).write(
    {
      dataSet: accountId,
      account: { id: accountId, timezone: 'Asia/Famagusta' },
      actor: TEST_ACTOR,
      now: site.clock.now(),
    },
    (work) => receiveOffer(work, listingId, { ...CONSUMER, ...overrides, amount: parseMoney(amount)! }),
  );

export const consumersLook = (site: Site, listingId: string, kind: VisitKind, count = 1): Promise<void> =>
  site.database.onPlatform('write', (db) => countVisits(db, { listingId, kind, count }, site.clock.now()));

/** A vehicle of the dealer on the marketplace. */
export async function listedCar(dealer: Dealer, car: string): Promise<Shown> {
  return dataOf(await dealer.post('marketplace/listings', { vehicle_id: car }));
}

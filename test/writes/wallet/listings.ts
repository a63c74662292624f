// A vehicle's listing, whose id is used to buy a boost.
import { own, sql } from '../../../src/kit/sql.ts';
import { dataOf } from '../../support/books.ts';
import type { TestService } from '../../support/service.ts';
import type { Dealer } from '../../support/writer.ts';

export async function listingOf(api: TestService, dealer: Dealer, car: string): Promise<string> {
  dataOf(await dealer.post(`vehicles/${car}/publish`));
  return api.database.inTenant(dealer.accountId, 'read', async (db) => {
    const { id } = await db.one<{ id: string }>(
      sql`select id from ${own('listings')} where vehicle_id = ${car} and status = 'Yayında'`,
    );
    return id;
  });
}

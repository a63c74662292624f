// Tells the sides of auctions and lots of accepted bids (domain/auctions/auction-news.ts). Whichever process comes first takes the news.
import { tellNewsOf } from '../domain/auctions/auction-news.ts';
import { SYSTEM, type Writer } from '../domain/writes/write.ts';
import type { Clock } from '../kit/clock.ts';
import { sql } from '../kit/sql.ts';

const MAX_AT_ONCE = 50;

interface Untold {
  readonly dataSet: string;
  readonly id: string;
  readonly timezone: string;
  readonly item_id: string;
  readonly is_lot: boolean;
}

/** Returns how many auctions and lots had news. */
export async function tellAuctionNews(writer: Writer, clock: Clock): Promise<number> {
  const untold = await writer.database.onPlatform('read', (db) =>
    db.rows<Untold>(sql`select distinct news.account_id as "dataSet", account_id as id, timezone, item_id, is_lot
      from auction_news news join accounts on accounts.id = news.account_id limit ${MAX_AT_ONCE}`),
  );
  let failure: unknown = null;
  for (const { dataSet, id, timezone, item_id, is_lot } of untold)
    await writer
      .write({ dataSet, account: { id, timezone }, actor: SYSTEM, now: clock.now() }, (work) =>
        tellNewsOf(work, { id: item_id, isLot: is_lot }),
      )
      .catch((error) => {
        // One auction whose sides are busy does not keep the others waiting.
        failure ??= error;
      });
  if (failure !== null) throw failure;
  return untold.length;
}

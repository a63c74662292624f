// Events of a live event for everyone involved: its operator, the sellers of its lots and their bidders.
import { allAnswers } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { lookAtEvent, showEvent } from './live-event.ts';

/** `work` is the operator's, and the event is locked. */
export async function emitLiveEvent(work: Work, id: string, verb: 'started' | 'ended' | 'cancelled'): Promise<void> {
  const sides = await work.db.rows<{ id: string }>(sql`select sides_of_event as id from sides_of_event(${id})`);
  await work.inAccounts(
    sides.map((side) => side.id),
    async (works) => {
      const sides = [...works.values()];
      const seen = await allAnswers(sides.map(({ db }) => lookAtEvent(db, id)));
      for (const [index, side] of sides.entries())
        side.emit({
          kind: `live_auction.${verb}`,
          id,
          path: `live-auctions/${id}`,
          object: showEvent(seen[index]!),
          changed: ['status'],
        });
    },
  );
}

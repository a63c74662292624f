// A world made of dealers whose records were made before, and what a move of its clock did to it.
import type { World } from '../../src/domain/worlds/world.ts';
import type { Session } from '../../src/postgres/database.ts';
import type { Dealer } from '../support/writer.ts';

/** The accounts and their data sets move into a world that begins now; the first dealer is the owner's own. */
export async function makeWorld(admin: Session, owner: Dealer, dealers: readonly Dealer[]): Promise<Pick<World, 'id'>> {
  const ids = dealers.map(({ accountId }) => accountId);
  const id = ids[0]!;
  await admin.rows(
    `insert into worlds (id, owner_id, data, data_version, created_at, started_at, last_used_at)
     values ($1, $2, 'sample', 1, now(), now(), now())`,
    [id, owner.accountId],
  );
  await admin.rows('update accounts set world_id = $1 where id = any($2)', [id, ids]);
  // Set by a trigger where the seller is in the world already.
  await admin.rows('update network_auctions set world_id = $1 where account_id = any($2)', [id, ids]);
  await admin.rows(`update data_sets set kind = 'sandbox' where id = any($1)`, [ids]);
  return { id };
}

export interface StoredEvent {
  readonly kind: string;
  readonly at: Date;
  readonly sequence: number;
}

/** Events of a data set after a sequence, in their order. */
export const eventsAfter = (admin: Session, dataSet: string, sequence = 0): Promise<StoredEvent[]> =>
  admin.rows<StoredEvent>(
    'select kind, created_at as at, sequence::int from events where account_id = $1 and sequence > $2 order by sequence',
    [dataSet, sequence],
  );

export const sequenceOf = async (admin: Session, dataSet: string): Promise<number> =>
  (await admin.rows<{ sequence: number }>('select sequence::int from data_sets where id = $1', [dataSet]))[0]!.sequence;

export interface ClockRow {
  readonly status: string;
  readonly now: Date;
  readonly reached_at: Date | null;
  readonly target_at: Date | null;
  readonly failure: string | null;
}

export const clockRow = async (admin: Session, id: string): Promise<ClockRow> =>
  (
    await admin.rows<ClockRow>(
      `select status, coalesce(reached_at, clock_timestamp() + offset_ms * interval '1 ms') as now, reached_at, target_at, failure
       from worlds where id = $1`,
      [id],
    )
  )[0]!;

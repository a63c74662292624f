// The endpoints that dealers ask for, over all accounts; it decides which endpoints go live first.
import type { Db } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';

export interface VoteCount {
  readonly votes: number;
  readonly blocking: number;
}

/** With the platform role: how many accounts ask for each endpoint. Only numbers, because who asks and why is for administrators alone. */
export async function countVotes(db: Db): Promise<Map<string, VoteCount>> {
  const rows = await db.rows<VoteCount & { endpoint: string }>(sql`select endpoint, count(*)::int as votes,
    count(*) filter (where blocks_go_live)::int as blocking from endpoint_votes group by endpoint`);
  return new Map(rows.map(({ endpoint, votes, blocking }) => [endpoint, { votes, blocking }]));
}

/** Most asked for first; those that block a go-live break a tie, then the catalog's own order. */
export function byDemand(counts: ReadonlyMap<string, VoteCount>): (one: string, other: string) => number {
  const of = (id: string) => counts.get(id) ?? { votes: 0, blocking: 0 };
  return (one, other) => of(other).votes - of(one).votes || of(other).blocking - of(one).blocking;
}

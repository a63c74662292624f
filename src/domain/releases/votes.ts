// Votes for opening an endpoint: one for each account, cast by any of its members.
import type { Db } from '../../kit/db.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import { type Actor, audit } from '../writes/audit.ts';

export interface Vote {
  readonly use_case: string | null;
  readonly blocks_go_live: boolean;
}

/** With the tenant role. A second vote, even at the same time, replaces the first. */
export async function castVote(
  db: Db,
  accountId: string,
  endpoint: string,
  { use_case, blocks_go_live }: Vote,
  { actor, personId, realNow }: { readonly actor: Actor; readonly personId: string; readonly realNow: Date },
): Promise<Vote> {
  const made =
    await db.exec(sql`insert into endpoint_votes (account_id, endpoint, use_case, blocks_go_live, person_id, created_at, updated_at)
    values (${theAccount}, ${endpoint}, ${use_case}, ${blocks_go_live}, ${personId}, ${realNow}, ${realNow}) on conflict do nothing`);
  const after = { use_case, blocks_go_live };
  if (made === 1) {
    await audit(db, actor, 'vote.cast', endpoint, { accountId, after });
    return after;
  }
  const before = await db.one<Vote>(
    sql`select use_case, blocks_go_live from ${own('endpoint_votes')} where endpoint = ${endpoint}`,
  );
  await db.exec(sql`update endpoint_votes set use_case = ${use_case}, blocks_go_live = ${blocks_go_live}, person_id = ${personId},
    updated_at = ${realNow} where account_id = ${theAccount} and endpoint = ${endpoint}`);
  await audit(db, actor, 'vote.changed', endpoint, { accountId, before: { ...before }, after });
  return after;
}

/** With the tenant role. False if there was no vote. */
export async function withdrawVote(db: Db, accountId: string, endpoint: string, actor: Actor): Promise<boolean> {
  const [before] = await db.rows<Vote>(sql`delete from endpoint_votes where account_id = ${theAccount} and endpoint = ${endpoint}
    returning use_case, blocks_go_live`);
  if (before !== undefined) await audit(db, actor, 'vote.withdrawn', endpoint, { accountId, before: { ...before } });
  return before !== undefined;
}

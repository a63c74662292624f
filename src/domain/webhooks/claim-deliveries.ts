// Claims due deliveries for one sender process.
import type { Database } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import { isFree, isTaken, type Leased, releaseLeases, taking } from '../writes/lease.ts';

export interface ClaimedDelivery extends Leased {
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly attempt_count: number;
  readonly once_more: boolean;
  /** When this attempt was due. */
  readonly next_attempt_at: Date;
  /** Of the write that caused the event, if it was traced. */
  readonly traceparent: string | null;
  readonly payload: string;
  readonly url: string;
  readonly secret_encrypted: Buffer;
  readonly previous_secret_encrypted: Buffer | null;
  readonly previous_valid_until: Date | null;
  /** Whether the endpoint's last few attempts, of any events, all failed. */
  readonly failing: boolean;
}

export interface Room {
  /** How many more deliveries this sender can handle. */
  readonly any: number;
  /** How many of those may go to endpoints that are failing. */
  readonly failing: number;
}

const MAX_PER_ENDPOINT = 4;
/** After this many failures in a row an endpoint gets one delivery at a time, so that it does not occupy the others' slots. */
const FAILING_FROM = 4;
const MAX_PER_FAILING_ENDPOINT = 1;
const MAX_PER_ACCOUNT = 16;

/**
 * First the endpoints that have waiting deliveries (a walk in the index from endpoint to endpoint, not over the deliveries), then
 * the oldest few of each, then in turns: the first of every account, the second of every account … Rows are locked last, so that
 * two senders never claim the same.
 */
export async function claimDeliveries(database: Database, realNow: Date, room: Room): Promise<ClaimedDelivery[]> {
  if (room.any <= 0) return [];
  return database.onPlatform('write', (db) =>
    db.rows<ClaimedDelivery>(sql`
    with recursive endpoints as (
      (select account_id, webhook_id from webhook_deliveries where status = 'Bekliyor' order by account_id, webhook_id limit 1)
      union all
      select further.account_id, further.webhook_id from endpoints cross join lateral (
        select account_id, webhook_id from webhook_deliveries
        where status = 'Bekliyor' and (account_id, webhook_id) > (endpoints.account_id, endpoints.webhook_id)
        order by account_id, webhook_id limit 1) further
    ), busy as (
      select account_id, webhook_id, (select count(*) from webhook_deliveries
        where account_id = endpoints.account_id and webhook_id = endpoints.webhook_id
          and status = 'Bekliyor' and ${isTaken(realNow)}) as claimed
      from endpoints where exists (select from webhook_deliveries
        where account_id = endpoints.account_id and webhook_id = endpoints.webhook_id
          and status = 'Bekliyor' and next_attempt_at <= ${realNow})
    ), open as (
      select busy.account_id, busy.webhook_id, webhooks.status = 'Aktif' as active, consecutive_failures >= ${FAILING_FROM} as failing,
        case when consecutive_failures < ${FAILING_FROM} then ${MAX_PER_ENDPOINT}::int else ${MAX_PER_FAILING_ENDPOINT}::int end - claimed as room,
        ${MAX_PER_ACCOUNT}::int - sum(claimed) over (partition by busy.account_id) as account_room
      from busy join webhooks on webhooks.account_id = busy.account_id and webhooks.id = busy.webhook_id
      where deleted_at is null
    ), due as (
      select open.account_id, oldest.id, next_attempt_at, failing, account_room,
        row_number() over (partition by open.account_id order by place, next_attempt_at) as turn
      from open cross join lateral (
        select id, next_attempt_at, row_number() over (order by next_attempt_at) as place from webhook_deliveries
        where account_id = open.account_id and webhook_id = open.webhook_id and status = 'Bekliyor'
          and next_attempt_at <= ${realNow} and ${isFree(realNow)}
          and (open.active or event_type = 'test.ping')
        order by next_attempt_at limit greatest(open.room, 0)) oldest
    ), chosen as (
      select account_id, id from (select *, row_number() over (partition by failing order by turn, next_attempt_at) as place from due) ranked
      where turn <= account_room and (not failing or place <= ${room.failing})
      order by turn, next_attempt_at limit ${room.any}
    ), ${taking({ table: 'webhook_deliveries', from: 'chosen', still: sql`status = 'Bekliyor'` }, realNow)}
    select claimed.account_id, claimed.id, claimed.webhook_id, claimed.event_id, claimed.event_type, claimed.attempt_count, claimed.once_more,
      claimed.next_attempt_at, claimed.claimed_until, events.payload, events.traceparent, webhooks.url, webhooks.secret_encrypted, webhooks.previous_secret_encrypted,
      webhooks.previous_valid_until, webhooks.consecutive_failures >= ${FAILING_FROM} as failing
    from claimed
      join webhooks on webhooks.account_id = claimed.account_id and webhooks.id = claimed.webhook_id
      join events on events.account_id = claimed.account_id and events.id = claimed.event_id`),
  );
}

/** Releases deliveries that this sender claimed but will not send, so that another can claim them at once. */
export async function releaseDeliveries(database: Database, claims: readonly ClaimedDelivery[]): Promise<void> {
  if (claims.length > 0) await database.onPlatform('write', (db) => releaseLeases(db, 'webhook_deliveries', claims));
}

// A live event as dealers see it: an operator runs it, lot by lot.
import { endOf, type Moment, startOf } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { Page, Paging } from '../../kit/page.ts';
import { flag, integer, nullable as maybe, type Of, object, oneOf, text, timestamp, uuid } from '../../kit/schema.ts';
import { sql } from '../../kit/sql.ts';
import { requireCapability } from '../parties/capability.ts';
import { Party } from '../parties/party.ts';
import { EVENT_STATUSES, type EventStatus } from './auction-states.ts';
import { pageOf, walkArguments } from './network-auction.ts';

export const LiveEvent = object({
  id: uuid(),
  title: text('Kasım müzayedesi'),
  starts_at: timestamp(),
  status: oneOf(EVENT_STATUSES),
  lot_count: integer(),
  sold_count: integer(),
  current_lot_id: maybe(uuid()),
  operator: Party,
  am_i_operator: flag(),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type LiveEvent = Of<typeof LiveEvent>;

/** A row of live_event_seen. */
export interface SeenEvent {
  readonly id: string;
  readonly operator_id: string;
  readonly title: string;
  readonly starts_at: Date;
  readonly status: EventStatus;
  readonly lot_count: number;
  readonly sold_count: number;
  readonly current_lot_id: string | null;
  readonly operator: Party;
  readonly is_operator: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const showEvent = ({ operator_id: _, is_operator, ...seen }: SeenEvent): LiveEvent => ({
  id: seen.id,
  title: seen.title,
  starts_at: seen.starts_at.toISOString(),
  status: seen.status,
  lot_count: seen.lot_count,
  sold_count: seen.sold_count,
  current_lot_id: seen.current_lot_id,
  operator: seen.operator,
  am_i_operator: is_operator,
  created_at: seen.created_at.toISOString(),
  updated_at: seen.updated_at.toISOString(),
});

export const lookAtEvent = (db: Db, id: string): Promise<SeenEvent> =>
  db.one<SeenEvent>(sql`select * from live_event_seen(${id})`);

export async function readEvent(db: Db, id: string): Promise<LiveEvent> {
  await requireCapability(db, 'live_auctions');
  return showEvent(await lookAtEvent(db, id));
}

export interface EventFilter {
  readonly status?: EventStatus | undefined;
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
}

/** Running events first, then coming ones, then past ones. */
export async function listEvents(
  db: Db,
  { status = undefined, from, to }: EventFilter,
  timezone: string,
  page: Paging,
): Promise<Page> {
  await requireCapability(db, 'live_auctions');
  const walk = walkArguments(page);
  const [start, end] = [from && startOf(from, timezone), to && endOf(to, timezone)];
  const rows = await db.rows<
    SeenEvent & { readonly position_at: string }
  >(sql`select seen.*, page.position_at::text as position_at
    from live_events_page(${status ?? null}, ${start ?? null}::timestamptz, ${end ?? null}::timestamptz, ${walk.isWalk},
      ${walk.afterAt}::timestamptz, ${walk.afterId}::uuid, ${page.limit + 1}, ${page.offset}) with ordinality as page(id, position_at, place)
    cross join lateral live_event_seen(page.id) seen order by place`);
  return pageOf(rows, page, showEvent);
}

// Live events for administrators (P5): plan one for an operator, reschedule or cancel it; order and withdraw its lots and, where the
// platform is the auctioneer, open, call and strike them. Each is a write in the operator's data, like the operator's own.
import type { EventStatus, LotStatus } from '../../domain/auctions/auction-states.ts';
import type { LiveEvent } from '../../domain/auctions/live-event.ts';
import {
  cancelEvent,
  EVENT_FIELDS,
  MOVE_FIELDS,
  moveEvent,
  orderLots,
  planEvent,
  REASON_FIELDS,
  withdrawLot,
} from '../../domain/auctions/live-event-writes.ts';
import type { LiveLot } from '../../domain/auctions/live-lot.ts';
import { HAMMER_FIELDS, hammer, startLot } from '../../domain/auctions/live-lot-writes.ts';
import { CALL_FIELDS, callLot, type LotCall } from '../../domain/auctions/lot-call.ts';
import { NO_LINKS } from '../../domain/parties/vehicle-card.ts';
import { listField, required, uuidField } from '../../domain/records/fields.ts';
import type { Database } from '../../kit/db.ts';
import { oneOfParam, paging, textParam } from '../../kit/params.ts';
import { sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { watchRoom } from '../auctions/rooms.ts';
import { listed, panelGet, panelPatch, panelPost, panelStream } from '../kit/endpoint.ts';
import { type Administering, writeForDealer } from './dealer-write.ts';

/** A line of `GET admin/live-events`. */
export interface AdminEventLine {
  readonly id: string;
  readonly title: string;
  readonly starts_at: string;
  readonly status: EventStatus;
  readonly operator_id: string;
  readonly operator: string;
  readonly lot_count: number;
  readonly waiting_count: number;
  readonly sold_count: number;
}

export interface AdminLot {
  readonly id: string;
  readonly lot_no: number;
  readonly status: LotStatus;
  readonly seller: string;
  readonly car: string;
  readonly currency: string;
  readonly start_price: string;
  readonly min_increment: string;
  readonly reserve_price: string | null;
  readonly current_bid: string | null;
  readonly bid_count: number;
}

export interface AdminEvent extends AdminEventLine {
  readonly lots: readonly AdminLot[];
}

const EVENT_COLUMNS = sql`e.id, e.title, utc_text(e.starts_at) as starts_at, e.status, e.account_id as operator_id, a.name as operator,
  (select count(*)::int from live_lots l where l.event_id = e.id) as lot_count,
  (select count(*)::int from live_lots l where l.event_id = e.id and l.status = 'Sırada') as waiting_count,
  (select count(*)::int from live_lots l where l.event_id = e.id and l.status in ('Satıldı', 'Bozuldu')) as sold_count`;

const STATUSES = ['open', 'over'] as const;
const NO_SHOW = { linkTo: NO_LINKS, isDry: false };

export const adminEventEndpoints = [
  panelGet('admin/live-events', {
    who: 'admin',
    databaseRole: 'platform',
    query: { ...paging, status: oneOfParam(STATUSES) },
    run: async ({ db, query }) => {
      const { limit, offset, status } = query;
      const isOpen = sql`e.status in ('Planlandı', 'Canlı')`;
      const which = status === undefined ? sql`true` : status === 'open' ? isOpen : sql`not ${isOpen}`;
      const order = status === 'open' ? sql`e.starts_at, e.id` : sql`e.starts_at desc, e.id`;
      const found =
        await db.rows<AdminEventLine>(sql`select ${EVENT_COLUMNS} from live_events e join accounts a on a.id = e.account_id
        where ${which} order by ${order} limit ${limit + 1} offset ${offset}`);
      return listed(found, query);
    },
  }),
  panelGet('admin/live-events/{event_id}', {
    who: 'admin',
    databaseRole: 'platform',
    run: async ({ db, params }): Promise<AdminEvent> => {
      const event =
        await db.one<AdminEventLine>(sql`select ${EVENT_COLUMNS} from live_events e join accounts a on a.id = e.account_id
        where e.id = ${params.event_id}`);
      const lots =
        await db.rows<AdminLot>(sql`select l.id, l.lot_no, l.status, a.name as seller, car_named(l.account_id, l.vehicle_id) as car,
          l.currency, money_text(l.start_price_minor) as start_price, money_text(l.min_increment_minor) as min_increment,
          money_text(l.reserve_price_minor) as reserve_price, money_text(l.current_bid_minor) as current_bid, l.bid_count
        from live_lots l join accounts a on a.id = l.account_id where l.event_id = ${params.event_id} order by l.lot_no`);
      return { ...event, lots };
    },
  }),
  panelPost('admin/accounts/{account_id}/live-events', {
    who: 'admin',
    databaseRole: 'none',
    bodySchema: EVENT_FIELDS,
    run: (context): Promise<LiveEvent> =>
      writeForDealer(context, context.params.account_id, (work) => planEvent(work, context.body)),
  }),
  panelPatch('admin/live-events/{event_id}', {
    who: 'admin',
    databaseRole: 'none',
    bodySchema: MOVE_FIELDS,
    run: (context): Promise<LiveEvent> => ofEvent(context, (work, id) => moveEvent(work, id, context.body.starts_at)),
  }),
  panelPost('admin/live-events/{event_id}/cancel', {
    who: 'admin',
    databaseRole: 'none',
    bodySchema: REASON_FIELDS,
    run: (context): Promise<LiveEvent> => ofEvent(context, (work, id) => cancelEvent(work, id, context.body.reason ?? null)),
  }),
  panelPost('admin/live-events/{event_id}/order', {
    who: 'admin',
    databaseRole: 'none',
    bodySchema: { lot_ids: required(listField(uuidField, 500)) },
    run: (context): Promise<LiveEvent> => ofEvent(context, (work, id) => orderLots(work, id, context.body.lot_ids)),
  }),
  panelStream('admin/live-events/{event_id}/room', {
    who: 'admin',
    query: { since: textParam(60) },
    admit: async ({ params, services }) => void (await operatorOf(services.database, params.event_id)),
    stream: ({ params, query, services }, stream) => watchRoom(services, stream, params.event_id, null, query.since),
  }),
];

export const adminLotEndpoints = [
  panelPost('admin/live-lots/{lot_id}/withdraw', {
    who: 'admin',
    databaseRole: 'none',
    bodySchema: REASON_FIELDS,
    run: (context): Promise<LiveLot> => ofLot(context, (work, id) => withdrawLot(work, id, context.body.reason ?? null)),
  }),
  panelPost('admin/live-lots/{lot_id}/start', {
    who: 'admin',
    databaseRole: 'none',
    run: (context): Promise<LiveLot> => ofLot(context, (work, id) => startLot(work, id, NO_SHOW)),
  }),
  panelPost('admin/live-lots/{lot_id}/call', {
    who: 'admin',
    databaseRole: 'none',
    bodySchema: CALL_FIELDS,
    run: (context): Promise<LotCall> => ofLot(context, (work, id) => callLot(work, id, context.body)),
  }),
  panelPost('admin/live-lots/{lot_id}/end', {
    who: 'admin',
    databaseRole: 'none',
    recent: true,
    bodySchema: HAMMER_FIELDS,
    run: (context): Promise<LiveLot> => ofLot(context, (work, id) => hammer(work, id, context.body, NO_SHOW)),
  }),
];

type Write<T> = (work: Work, id: string) => Promise<T>;

/** In the data of the dealer who runs the event. */
async function ofEvent<T>(
  context: Administering & { readonly params: { readonly event_id: string } },
  write: Write<T>,
): Promise<T> {
  const { event_id } = context.params;
  return writeForDealer(context, await operatorOf(context.services.database, event_id), (work) => write(work, event_id));
}

/** In the data of the dealer who runs the event of the lot. */
async function ofLot<T>(context: Administering & { readonly params: { readonly lot_id: string } }, write: Write<T>): Promise<T> {
  const { lot_id } = context.params;
  return writeForDealer(context, await operatorOfLot(context.services.database, lot_id), (work) => write(work, lot_id));
}

const operatorOf = (database: Database, eventId: string): Promise<string> =>
  database.onPlatform('read', async (db) => {
    const { id } = await db.one<{ id: string }>(sql`select account_id as id from live_events where id = ${eventId}`);
    return id;
  });

const operatorOfLot = (database: Database, lotId: string): Promise<string> =>
  database.onPlatform('read', async (db) => {
    const { id } = await db.one<{ id: string }>(sql`select operator_id as id from live_lots where id = ${lotId}`);
    return id;
  });

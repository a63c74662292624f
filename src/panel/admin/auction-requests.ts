// Requests of all dealers for a live event, and the decision on them (P4).
import type { AuctionRequest } from '../../domain/auctions/auction-request.ts';
import { APPROVAL_FIELDS, approveRequest, rejectRequest } from '../../domain/auctions/auction-request-writes.ts';
import { REQUEST_STATUSES, type RequestStatus } from '../../domain/auctions/auction-states.ts';
import { required, textField } from '../../domain/records/fields.ts';
import { oneOfParam, paging } from '../../kit/params.ts';
import { sql } from '../../kit/sql.ts';
import { listed, panelGet, panelPost } from '../kit/endpoint.ts';
import { writeForDealer } from './dealer-write.ts';

/** A line of `GET admin/auction-requests`. */
export interface AdminAuctionRequest {
  readonly id: string;
  readonly status: RequestStatus;
  readonly account_id: string;
  readonly account: string;
  readonly car: string;
  readonly start_price: string;
  readonly reserve_price: string | null;
  readonly min_increment: string | null;
  readonly currency: string;
  readonly note: string | null;
  /** The event that the dealer requests. */
  readonly event_id: string | null;
  readonly event: string | null;
  readonly lot_no: number | null;
  readonly decision_note: string | null;
  readonly decided_at: string | null;
  readonly created_at: string;
}

export const adminAuctionRequestEndpoints = [
  panelGet('admin/auction-requests', {
    who: 'admin',
    databaseRole: 'platform',
    query: { ...paging, status: oneOfParam(REQUEST_STATUSES) },
    run: async ({ db, query }) => {
      const { limit, offset, status } = query;
      const which = status === undefined ? sql`true` : sql`status = ${status}`;
      // Pending requests, the oldest first; then decided ones, the newest first.
      const order = status === 'Beklemede' ? sql`created_at, id` : sql`created_at desc, id desc`;
      const found = await db.rows<AdminAuctionRequest>(sql`
        with page as (select *, row_number() over (order by ${order}) as place from auction_requests where ${which}
          order by place limit ${limit + 1} offset ${offset})
        select r.id, r.status, r.account_id, a.name as account, car_named(r.account_id, r.vehicle_id) as car,
          money_text(r.start_price_minor) as start_price, money_text(r.reserve_price_minor) as reserve_price,
          money_text(r.min_increment_minor) as min_increment, r.currency, r.note, event.id as event_id, event.title as event, lot.lot_no,
          r.decision_note, utc_text(r.decided_at) as decided_at, utc_text(r.created_at) as created_at
        from page r join accounts a on a.id = r.account_id
        left join live_lots lot on lot.id = r.lot_id
        left join live_events event on event.id = coalesce(lot.event_id, r.event_id)
        order by r.place`);
      return listed(found, query);
    },
  }),
  panelPost('admin/accounts/{account_id}/auction-requests/{request_id}/approve', {
    who: 'admin',
    databaseRole: 'none',
    bodySchema: APPROVAL_FIELDS,
    run: (context): Promise<AuctionRequest> =>
      writeForDealer(context, context.params.account_id, (work) => approveRequest(work, context.params.request_id, context.body)),
  }),
  panelPost('admin/accounts/{account_id}/auction-requests/{request_id}/reject', {
    who: 'admin',
    databaseRole: 'none',
    bodySchema: { note: required(textField(2000, { lines: true })) },
    run: (context): Promise<AuctionRequest> =>
      writeForDealer(context, context.params.account_id, (work) =>
        rejectRequest(work, context.params.request_id, context.body.note),
      ),
  }),
];

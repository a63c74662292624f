// The live room of an event: what happens in it as it happens, and the auctioneer's calls.

import { readEvent } from '../../domain/auctions/live-event.ts';
import { CALL_FIELDS, callLot } from '../../domain/auctions/lot-call.ts';
import { rolesFor } from '../../domain/identity/roles.ts';
import { takeSeat } from '../../domain/identity/sessions.ts';
import { audit } from '../../domain/writes/audit.ts';
import { textParam } from '../../kit/params.ts';
import { type PanelStream, panelGet, panelPost, panelStream } from '../kit/endpoint.ts';
import type { PanelServices } from '../kit/services.ts';
import { writeInAccount } from '../kit/write.ts';
import { roomWatchOf } from './room-watch.ts';

const READERS = rolesFor({ scope: 'live-auctions:read', risk: 'read' });
const BIDDERS = rolesFor({ scope: 'live-auctions:write', risk: 'sensitive' });

export const roomEndpoints = [
  panelStream('live-auctions/{event_id}/room', {
    who: READERS,
    query: { since: textParam(60) },
    seatsIn: 'event_id',
    admit: async ({ params, account, services }) => {
      await services.database.inTenant(account.id, 'read', (db) => readEvent(db, params.event_id));
    },
    stream: ({ params, query, account, services }, stream) =>
      watchRoom(services, stream, params.event_id, account.id, query.since),
  }),
  panelGet('live-auctions/{event_id}/seat', {
    who: BIDDERS,
    databaseRole: 'none',
    run: async ({ session, account, params, services }) => {
      await services.database.inTenant(account.id, 'read', (db) => readEvent(db, params.event_id));
      return { taken: session.seat === params.event_id, may_be_taken: session.recent };
    },
  }),
  panelPost('live-auctions/{event_id}/seat', {
    who: BIDDERS,
    databaseRole: 'none',
    recent: true,
    run: async ({ session, account, params, services, actor, realNow }) => {
      await services.database.inTenant(account.id, 'read', (db) => readEvent(db, params.event_id));
      await services.database.onPlatform('write', async (db) => {
        await takeSeat(db, session.id, params.event_id, realNow);
        await audit(db, actor, 'live_auction.seat_taken', params.event_id, { accountId: account.id });
      });
      return { taken: true, may_be_taken: true };
    },
  }),
  panelPost('live-auctions/lots/{lot_id}/call', {
    who: BIDDERS,
    databaseRole: 'none',
    bodySchema: CALL_FIELDS,
    run: (context) => writeInAccount(context, (work) => callLot(work, context.params.lot_id, context.body)),
  }),
];

/** `since` is for a page that opens a new connection; a browser that reconnects sends Last-Event-ID. */
export function watchRoom(
  services: PanelServices,
  stream: PanelStream,
  eventId: string,
  accountId: string | null,
  since: string | undefined,
): Promise<void> {
  return roomWatchOf(services.database, services.onWritten, services.log).follow({
    eventId,
    accountId,
    since: stream.lastEventId ?? since ?? null,
    closed: stream.closed,
    send: (data, id) => stream.send({ id, event: 'news', data }),
    sendStanding: (data) => stream.send({ event: 'standing', data }),
  });
}

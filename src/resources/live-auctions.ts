// Auction events run by the platform, lot by lot. Hidden from every key: the bidders' names (aliases only; seller and winner
// learn each other's at the end) and, for all but seller and operator, the reserve price. Start, bid and end need a specially
// authorized key.
import { EVENT_STATUSES, LOT_STATUSES } from '../domain/auctions/auction-states.ts';
import { BID_FIELDS, bidsCursor } from '../domain/auctions/bids.ts';
import { LiveEvent, listEvents, readEvent } from '../domain/auctions/live-event.ts';
import { LiveLot, LiveLotDetail, listLots, readLot } from '../domain/auctions/live-lot.ts';
import { bidOnLot, HAMMER_FIELDS, hammer, LotBidPlaced, startLot } from '../domain/auctions/live-lot-writes.ts';
import { createBody } from '../domain/records/body.ts';
import { get, post, resource } from '../kit/endpoint.ts';
import { momentParam, oneOfParam } from '../kit/params.ts';

export const liveAuctions = resource('Live auctions', 'Canlı müzayedeler', [
  get('live-auctions', 'live-auctions:read', 'read', 'Yakında', ['List live auctions', 'Canlı müzayedeleri listele'], {
    about: [
      'Returns live auction events: the running one, then scheduled ones, then ended ones. `from` and `to` filter by start time.',
      'Canlı müzayedeler, sıradaki önce: süren, başlayacak ve biten. `from` ile `to` başlangıca göredir.',
    ],
    query: { status: oneOfParam(EVENT_STATUSES), from: momentParam, to: momentParam },
    refuses: ['capability_not_enabled'],
    lists: LiveEvent,
    fresh: true,
    run: ({ db, query, account, page }) => listEvents(db, query, account.timezone, page),
  }),
  get('live-auctions/{event_id}', 'live-auctions:read', 'read', 'Yakında', ['Read a live auction', 'Canlı müzayedeyi getir'], {
    about: [
      'Returns an event: start time, operator, number of lots, and the open lot.',
      'Bir müzayede: ne zaman başladığı, kimin yönettiği, kaç lotu olduğu ve hangisinin açık olduğu.',
    ],
    refuses: ['capability_not_enabled'],
    returns: LiveEvent,
    fresh: true,
    run: ({ db, params }) => readEvent(db, params.event_id),
  }),
  get(
    'live-auctions/{event_id}/lots',
    'live-auctions:read',
    'read',
    'Yakında',
    ["List a live auction's lots", 'Müzayedenin lotlarını listele'],
    {
      about: ['Returns the lots of an event by number.', 'Müzayedenin lotları, numarasına göre.'],
      query: { status: oneOfParam(LOT_STATUSES) },
      refuses: ['capability_not_enabled'],
      lists: LiveLot,
      fresh: true,
      run: ({ db, params, query, page, linkTo }) => listLots(db, params.event_id, query.status, page, linkTo),
    },
  ),
  get(
    'live-auctions/lots/{lot_id}',
    'live-auctions:read',
    'read',
    'Yakında',
    ['Read a lot with its last bids', 'Lotu son peyleriyle getir'],
    {
      about: [
        'Returns a lot with its last 20 bids, under aliases. To read and verify all bids, start with `bids_cursor=0` and repeat with the returned `bids_cursor` until it is null; each page has up to 100 bids, oldest first. Only the seller and the operator see the reserve price.',
        'Bir lot ve takma adlarla son 20 peyi. Tüm peyleri okuyup denetlemek için, yanıttaki `bids_cursor` ile `0`dan başlayıp null olana dek yeniden çağırın: her sayfada eskiden yeniye en çok 100 pey vardır. Taban fiyatı satıcı ile müzayedeyi yöneten görür.',
      ],
      query: { bids_cursor: bidsCursor },
      refuses: ['capability_not_enabled'],
      returns: LiveLotDetail,
      fresh: true,
      run: ({ db, params, query, linkTo }) => readLot(db, params.lot_id, query.bids_cursor, linkTo),
    },
  ),
  post('live-auctions/lots/{lot_id}/start', 'live-auctions:write', 'sensitive', 'Yakında', ['Open a lot', 'Lotu aç'], {
    about: [
      'Opens a lot for bids; for the operator of the event, from 15 minutes before its start. One lot can be open at a time; the first one starts the event.',
      'Müzayedeyi yöneten, en erken müzayede saatinden 15 dakika önce lotu peye açar. Aynı anda tek lot açıktır; ilki müzayedeyi başlatır.',
    ],
    refuses: [
      'special_authorization_required',
      'capability_not_enabled',
      'not_operator',
      'lot_not_waiting',
      'another_lot_open',
      'event_not_started',
      'event_closed',
    ],
    emits: ['live_lot.started', 'live_auction.started'],
    returns: LiveLot,
    run: ({ work, params, linkTo, isDry }) => startLot(work, params.lot_id, { linkTo, isDry }),
  }),
  post('live-auctions/lots/{lot_id}/bid', 'live-auctions:write', 'sensitive', 'Yakında', ['Bid on a lot', 'Lota pey ver'], {
    about: [
      'Places a binding bid on the open lot. The rules of network auctions apply, except that the operator ends the lot, not a clock. The seller and the operator cannot bid.',
      'Açık lota bağlayıcı pey verir; kurallar ağ müzayedelerindeki gibidir, saat yerine çekiç bitirir. Satıcı ile müzayedeyi yöneten pey veremez.',
    ],
    refuses: [
      'special_authorization_required',
      'membership_cancelled',
      'capability_not_enabled',
      'lot_not_open',
      'own_lot',
      'already_highest_bidder',
      'bid_too_low',
    ],
    emits: ['live_lot.bid_placed', 'live_lot.outbid'],
    bodySchema: createBody(BID_FIELDS),
    returns: LotBidPlaced,
    successStatus: 201,
    creates: 'lot',
    serializedBy: 'lot_id',
    run: ({ work, params, body, linkTo, isDry }) => bidOnLot(work, params.lot_id, body.amount, { linkTo, isDry }),
  }),
  post('live-auctions/lots/{lot_id}/end', 'live-auctions:write', 'sensitive', 'Yakında', ['Close a lot', 'Lotu kapat'], {
    about: [
      'Ends the lot: sold to the highest bidder if the reserve price is met, otherwise unsold. `award: true` sells below the reserve price and records the seller’s consent. The event ends after its last lot.',
      'Çekiç: taban fiyata ulaşıldıysa en yüksek pey sahibine satılır, yoksa satılmaz; `award: true` satıcının onayı not edilerek taban fiyatın altında satar. Son lottan sonra müzayede biter.',
    ],
    refuses: ['special_authorization_required', 'capability_not_enabled', 'not_operator', 'lot_not_open', 'no_bids'],
    emits: [
      'live_lot.bid_placed',
      'live_lot.sold',
      'live_lot.unsold',
      'live_lot.won',
      'vehicle.reserved',
      'vehicle.status_changed',
      'live_auction.ended',
    ],
    bodySchema: createBody(HAMMER_FIELDS),
    returns: LiveLot,
    run: ({ work, params, body, linkTo, isDry }) => hammer(work, params.lot_id, body, { linkTo, isDry }),
  }),
]);

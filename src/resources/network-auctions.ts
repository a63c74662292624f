// Auctions among dealers of the network. Hidden from every key: the bidders' names (aliases only; seller and winner learn each
// other's at the end) and, for all but the seller, the reserve price. Placing a bid needs a specially authorized key.
import { AUCTION_ROLES, AUCTION_STATUSES } from '../domain/auctions/auction-states.ts';
import { AuctionBid, BID_FIELDS, listBids } from '../domain/auctions/bids.ts';
import {
  AuctionResult,
  listAuctions,
  NetworkAuction,
  readAuction,
  readAuctionOf,
  readResult,
  seenAuction,
} from '../domain/auctions/network-auction.ts';
import {
  AUCTION_FIELDS,
  BidPlaced,
  bidInAuction,
  createAuction,
  END_FIELDS,
  endEarly,
} from '../domain/auctions/network-auction-writes.ts';
import { createBody } from '../domain/records/body.ts';
import { startOf } from '../kit/clock.ts';
import { get, post, resource } from '../kit/endpoint.ts';
import { CURRENCIES } from '../kit/money.ts';
import { momentParam, oneOfParam, textParam } from '../kit/params.ts';

export const networkAuctions = resource('Dealer-network auctions', 'Galeri ağı müzayedeleri', [
  get('network-auctions', 'network-auctions:read', 'read', 'Yakında', ['List network auctions', 'Ağdaki müzayedeleri listele'], {
    about: [
      'Returns the auctions of the dealer network: running ones (earliest end first), then scheduled ones, then ended ones.',
      'Galeri ağının müzayedeleri: önce sürenler (en yakın bitecek başta), sonra başlayacaklar, en sonda bitenler.',
    ],
    query: {
      status: oneOfParam(AUCTION_STATUSES),
      role: oneOfParam(AUCTION_ROLES),
      brand: textParam(80),
      currency: oneOfParam(CURRENCIES),
      ending_before: momentParam,
    },
    refuses: ['capability_not_enabled'],
    lists: NetworkAuction,
    fresh: true,
    run: ({ db, query, page, account, linkTo }) => {
      const { ending_before, ...filter } = query;
      const before = ending_before && startOf(ending_before, account.timezone);
      return listAuctions(db, { ...filter, ending_before: before }, page, linkTo);
    },
  }),
  get('network-auctions/{auction_id}', 'network-auctions:read', 'read', 'Yakında', ['Read an auction', 'Müzayedeyi getir'], {
    about: [
      'Returns an auction. Only the seller sees the reserve price. `server_time` is the time of the response.',
      'Çağıranın görebileceği hâliyle bir müzayede: taban fiyatı yalnızca satıcı görür, `server_time` yanıtın anıdır.',
    ],
    refuses: ['capability_not_enabled'],
    returns: NetworkAuction,
    fresh: true,
    run: ({ db, params, linkTo }) => readAuction(db, params.auction_id, linkTo),
  }),
  get(
    'network-auctions/{auction_id}/bids',
    'network-auctions:read',
    'read',
    'Yakında',
    ["List an auction's bids", 'Müzayedenin peylerini listele'],
    {
      about: [
        'Returns the bids, highest first, under aliases. Each bid contains a hash of the previous one, so anyone can verify that no bid was added, changed or removed.',
        'Takma adlarla peyler, en yükseği önce. Her pey öncekine zincirlidir; araya pey sokulmadığını, hiçbirinin değiştirilmediğini ve silinmediğini herkes denetleyebilir.',
      ],
      refuses: ['capability_not_enabled'],
      lists: AuctionBid,
      fresh: true,
      run: async ({ db, params, page }) => {
        await seenAuction(db, params.auction_id);
        return listBids(db, params.auction_id, page);
      },
    },
  ),
  post(
    'network-auctions/{auction_id}/bid',
    'network-auctions:write',
    'sensitive',
    'Yakında',
    ['Bid in an auction', 'Müzayedede pey ver'],
    {
      about: [
        'Places a binding bid: the first must be at least the start price, each later one at least one step above the highest. A bid in the last 120 seconds extends the auction. A bid cannot be withdrawn.',
        'Bağlayıcı pey verir: ilki en az başlangıç fiyatı, sonrakiler en yüksek peyden en az bir artış fazla olmalı. Son 120 saniyedeki pey bitişi uzatır. Pey geri alınamaz.',
      ],
      refuses: [
        'special_authorization_required',
        'capability_not_enabled',
        'membership_cancelled',
        'auction_not_live',
        'auction_ended',
        'own_auction',
        'already_highest_bidder',
        'bid_too_low',
      ],
      emits: ['network_auction.bid_placed', 'network_auction.outbid', 'network_auction.extended'],
      bodySchema: createBody(BID_FIELDS),
      returns: BidPlaced,
      successStatus: 201,
      creates: 'auction',
      serializedBy: 'auction_id',
      run: ({ work, params, body, linkTo, isDry }) => bidInAuction(work, params.auction_id, body.amount, { linkTo, isDry }),
    },
  ),
  post(
    'network-auctions',
    'network-auctions:write',
    'write',
    'Yakında',
    ['Put a vehicle up for auction', 'Aracı müzayedeye çıkar'],
    {
      about: [
        "Starts an auction for a vehicle that is «Stokta», now or up to 30 days ahead, for one hour to 14 days. The vehicle becomes «Auction'da» and its listing is closed.",
        "«Stokta» bir aracı hemen ya da 30 güne kadar ileri bir zamanda, bir saatten 14 güne kadar müzayedeye çıkarır. Araç «Auction'da» olur, ilanı kapanır.",
      ],
      refuses: ['capability_not_enabled', 'unknown_reference', 'vehicle_deleted', 'auction_exists', 'vehicle_not_in_stock'],
      emits: [
        'network_auction.created',
        'vehicle.status_changed',
        'listing.closed',
        'auction_request.cancelled',
        'network_offer.rejected',
        'trade_request.rejected',
        'trade_request.cancelled',
        'marketplace_offer.rejected',
        'boost_order.cancelled',
        'boost_order.finished',
      ],
      bodySchema: createBody(AUCTION_FIELDS),
      returns: NetworkAuction,
      successStatus: 201,
      run: ({ work, body, linkTo }) => createAuction(work, body, linkTo),
    },
  ),
  post(
    'network-auctions/{auction_id}/end',
    'network-auctions:write',
    'sensitive',
    'Yakında',
    ['End my auction early', 'Müzayedeyi erken bitir'],
    {
      about: [
        'Ends your own auction now. `award: true` awards the vehicle to the highest bidder, even below the reserve price. `award: false` ends it unsold; this is possible while there is no bid or the reserve price is not met. An auction that has not started is cancelled.',
        'Kendi müzayedenizi hemen bitirir. `award: true` aracı, taban fiyatın altında da olsa, en yüksek pey sahibine verir; `award: false` pey yoksa ya da taban fiyata ulaşılmadıysa satmadan bitirir. Başlamamış müzayede iptal olur.',
      ],
      refuses: ['capability_not_enabled', 'not_seller', 'auction_ended', 'no_bids', 'reserve_met_must_award'],
      emits: [
        'network_auction.bid_placed',
        'network_auction.extended',
        'network_auction.ended',
        'network_auction.cancelled',
        'network_auction.won',
        'network_auction.lost',
        'vehicle.reserved',
        'vehicle.status_changed',
      ],
      bodySchema: createBody(END_FIELDS),
      returns: NetworkAuction,
      run: ({ work, params, body, linkTo, isDry }) => endEarly(work, params.auction_id, body, { linkTo, isDry }),
    },
  ),
  get(
    'network-auctions/{auction_id}/winner',
    'network-auctions:read',
    'read',
    'Yakında',
    ["Read an auction's result", 'Müzayedenin sonucunu getir'],
    {
      about: [
        'Returns the result of an ended auction. Seller and winner see each other’s name and phone number; others see the amount and the alias.',
        'Biten müzayedenin sonucu. Satıcı ile kazanan birbirinin adını ve telefonunu görür; diğerleri yalnızca tutarı ve takma adı.',
      ],
      refuses: ['capability_not_enabled', 'auction_not_ended'],
      returns: AuctionResult,
      fresh: true,
      run: ({ db, params }) => readResult(db, params.auction_id),
    },
  ),
  get(
    'vehicles/{vehicle_id}/network-auction',
    'network-auctions:read',
    'read',
    'Yakında',
    ["Read my vehicle's auction", 'Aracın müzayedesini getir'],
    {
      about: [
        'Returns the current auction of your vehicle, or its last one.',
        'Kendi aracınızın bulunduğu müzayede; yoksa en son bulunduğu.',
      ],
      refuses: ['capability_not_enabled'],
      returns: NetworkAuction,
      fresh: true,
      run: ({ db, params, linkTo }) => readAuctionOf(db, params.vehicle_id, linkTo),
    },
  ),
]);

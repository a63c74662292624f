// The dealer's requests that the platform sells a vehicle in a live auction. The platform decides.
import {
  AuctionRequest,
  listRequests,
  REQUEST_EDIT_FIELDS,
  REQUEST_FIELDS,
  readRequest,
} from '../domain/auctions/auction-request.ts';
import { askForAuction, editRequest, withdrawRequest } from '../domain/auctions/auction-request-writes.ts';
import { REQUEST_STATUSES } from '../domain/auctions/auction-states.ts';
import { createBody, patchBody } from '../domain/records/body.ts';
import { del, get, patch, post, resource } from '../kit/endpoint.ts';
import { oneOfParam, uuidParam } from '../kit/params.ts';

export const auctionRequests = resource('Auction requests', 'Müzayede talepleri', [
  get('auction-requests', 'auction-requests:read', 'read', 'Yakında', ['List auction requests', 'Müzayede taleplerini listele'], {
    about: ['Returns your requests for live auctions, newest first.', 'Kendi müzayede talepleriniz, en yenisi önce.'],
    query: { status: oneOfParam(REQUEST_STATUSES), vehicle_id: uuidParam },
    lists: AuctionRequest,
    synced: true,
    fresh: true,
    run: ({ db, query, page }) => listRequests(db, query, page),
  }),
  post(
    'auction-requests',
    'auction-requests:write',
    'write',
    'Yakında',
    ['Request a live auction for a vehicle', 'Araç için müzayede talep et'],
    {
      about: [
        'Requests the sale of a vehicle that is «Stokta» in a live auction, optionally in a specific event. The vehicle stays in stock until the platform approves the request.',
        'Platformdan, «Stokta» bir aracı canlı müzayedede satmasını ister; istenirse belirli bir müzayedede. Platform onaylayana kadar araç stokta kalır.',
      ],
      refuses: [
        'capability_not_enabled',
        'unknown_reference',
        'vehicle_deleted',
        'auction_exists',
        'vehicle_not_in_stock',
        'request_already_open',
        'event_not_open',
      ],
      emits: ['auction_request.created'],
      bodySchema: createBody(REQUEST_FIELDS),
      returns: AuctionRequest,
      successStatus: 201,
      run: ({ work, body }) => askForAuction(work, body),
    },
  ),
  get(
    'auction-requests/{request_id}',
    'auction-requests:read',
    'read',
    'Yakında',
    ['Read an auction request', 'Müzayede talebini getir'],
    {
      about: ['Returns a request and the platform’s decision.', 'Bir talep ve platformun kararı.'],
      refuses: ['capability_not_enabled'],
      returns: AuctionRequest,
      fresh: true,
      run: ({ db, params }) => readRequest(db, params.request_id),
    },
  ),
  patch(
    'auction-requests/{request_id}',
    'auction-requests:write',
    'write',
    'Yakında',
    ['Change a pending auction request', 'Bekleyen müzayede talebini değiştir'],
    {
      about: [
        'Updates a request that is «Beklemede». A decided request cannot be changed.',
        '«Beklemede» durumundaki talebi değiştirir; karar verilmiş talep değişmez.',
      ],
      refuses: ['capability_not_enabled', 'request_closed', 'event_not_open'],
      emits: ['auction_request.updated'],
      bodySchema: patchBody(REQUEST_EDIT_FIELDS),
      returns: AuctionRequest,
      run: ({ work, params, body }) => editRequest(work, params.request_id, body),
    },
  ),
  del(
    'auction-requests/{request_id}',
    'auction-requests:write',
    'destructive',
    'Yakında',
    ['Withdraw a pending auction request', 'Bekleyen müzayede talebini geri çek'],
    {
      about: [
        'Withdraws a request that is «Beklemede». Only the platform can withdraw an approved lot.',
        '«Beklemede» durumundaki talebi geri çeker. Onaylanmış lotu platform çeker.',
      ],
      refuses: ['capability_not_enabled', 'request_closed'],
      emits: ['auction_request.cancelled'],
      returns: AuctionRequest,
      run: ({ work, params }) => withdrawRequest(work, params.request_id),
    },
  ),
]);

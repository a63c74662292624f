// Money offers between two dealers on a published listing. Hidden from every key: threads between other dealers, the other
// dealer's vehicle id and plate, and their phone until an offer is accepted.
import { OFFER_SIDES, OFFER_STATUSES } from '../domain/network/network-states.ts';
import {
  ACCEPT_FIELDS,
  COUNTER_FIELDS,
  listOffers,
  listReceived,
  listVehicleOffers,
  NetworkOffer,
  NetworkOfferThread,
  OFFER_FIELDS,
  REJECT_FIELDS,
  readOffer,
  readThread,
  withoutPhones,
} from '../domain/network/offer.ts';
import { acceptOffer, counterOffer, makeOffer, rejectOffer, withdrawOffer } from '../domain/network/offer-writes.ts';
import { EMPTY_PAGE, hasCapability, requireCapability } from '../domain/parties/capability.ts';
import { createBody } from '../domain/records/body.ts';
import { get, post, resource } from '../kit/endpoint.ts';
import { oneOfParam, trueParam, uuidParam } from '../kit/params.ts';

const ONE_OFFER = ['not_your_turn', 'offer_closed', 'capability_not_enabled'] as const;

export const networkOffers = resource('Dealer-network offers', 'Galeri ağı teklifleri', [
  get(
    'network-offers',
    'network-offers:read',
    'read',
    'Yakında',
    ['List my offers, made and received', 'Verilen ve alınan teklifleri listele'],
    {
      about: [
        'Returns the offers in which you are buyer or seller, newest first. `my_role` is your role; `awaiting_me` is true if you must respond. Empty without the capability dealer_network.',
        'Taraf olduğunuz teklifler, en yeniden eskiye; her biri size göre: `my_role` ve sıra sizdeyse `awaiting_me`. `dealer_network` özelliği kapalıysa boştur.',
      ],
      fresh: true,
      query: {
        role: oneOfParam(OFFER_SIDES),
        status: oneOfParam(OFFER_STATUSES),
        listing_id: uuidParam,
        thread_id: uuidParam,
        awaiting_me: trueParam,
      },
      lists: NetworkOffer,
      run: async ({ db, query, page, linkTo }) =>
        (await hasCapability(db, 'dealer_network')) ? listOffers(db, query, page, linkTo) : EMPTY_PAGE,
    },
  ),
  post(
    'network-offers',
    'network-offers:write',
    'write',
    'Yakında',
    ["Make an offer on a dealer's vehicle", 'Başka galerinin aracına teklif ver'],
    {
      about: [
        'Makes an offer for a vehicle that another dealer has published, in the currency of the listing. You can have one open offer per listing. It expires after your `offer_valid_hours` unless you set another time.',
        'Ağdaki başka bir galerinin yayındaki aracına, ilanın para biriminde teklif verir. İlan başına bir teklifiniz açık olur; başka bir süre vermezseniz `offer_valid_hours` ayarınıza göre sona erer.',
      ],
      refuses: [
        'capability_not_enabled',
        'membership_cancelled',
        'listing_not_available',
        'own_listing',
        'offer_already_open',
        'currency_mismatch',
      ],
      emits: ['network_offer.created'],
      bodySchema: createBody(OFFER_FIELDS),
      returns: NetworkOffer,
      successStatus: 201,
      run: async ({ work, body, linkTo }) => readOffer(work.db, await makeOffer(work, body), linkTo),
    },
  ),
  get(
    'network-offers/{offer_id}',
    'network-offers:read',
    'read',
    'Yakında',
    ['Read an offer with its thread', 'Teklifi pazarlık geçmişiyle getir'],
    {
      about: [
        'Returns an offer and, in `thread`, all offers between the two dealers for this listing, oldest first. Other dealers receive 404.',
        'Bir teklif ve `thread` içinde iki tarafın bu ilan için birbirine verdiği tüm teklifler, en eskiden yeniye. Taraf olmayan 404 alır.',
      ],
      refuses: ['capability_not_enabled'],
      fresh: true,
      returns: NetworkOfferThread,
      run: async ({ db, params, linkTo }) => {
        await requireCapability(db, 'dealer_network');
        return readThread(db, params.offer_id, linkTo);
      },
    },
  ),
  post('network-offers/{offer_id}/accept', 'network-offers:write', 'write', 'Yakında', ['Accept an offer', 'Teklifi kabul et'], {
    about: [
      'Accepts an offer of the other dealer. The vehicle is reserved for the buyer, its listing is suspended, other open offers for it are rejected, and both dealers see each other’s phone number. This is not a sale: the seller completes it with mark-sold, or cancels it by releasing the reservation.',
      'Karşı tarafın teklifini kabul eder. Araç alıcı için rezerve edilir, ilanı askıya alınır, araçtaki öteki açık teklifler reddedilir ve taraflar birbirinin telefonunu görür. Satış değildir: satıcı aracı satıldı olarak işaretler ya da rezervasyonu kaldırır.',
    ],
    refuses: [...ONE_OFFER, 'offer_expired', 'vehicle_not_available'],
    emits: [
      'network_offer.accepted',
      'vehicle.reserved',
      'vehicle.status_changed',
      'listing.suspended',
      'network_offer.rejected',
      'trade_request.rejected',
      'trade_request.cancelled',
    ],
    bodySchema: createBody(ACCEPT_FIELDS),
    returns: NetworkOffer,
    run: async ({ work, params, body, linkTo, isDry }) => {
      await acceptOffer(work, params.offer_id, body);
      const shown = await readOffer(work.db, params.offer_id, linkTo);
      return isDry ? withoutPhones(shown) : shown;
    },
  }),
  post('network-offers/{offer_id}/reject', 'network-offers:write', 'write', 'Yakında', ['Reject an offer', 'Teklifi reddet'], {
    about: [
      'Rejects an offer of the other dealer. They see the reason if you send one.',
      'Karşı tarafın teklifini, isterseniz onun da göreceği bir gerekçeyle reddeder.',
    ],
    refuses: [...ONE_OFFER],
    emits: ['network_offer.rejected'],
    bodySchema: createBody(REJECT_FIELDS),
    returns: NetworkOffer,
    run: async ({ work, params, body, linkTo }) => {
      await rejectOffer(work, params.offer_id, body);
      return readOffer(work.db, params.offer_id, linkTo);
    },
  }),
  post(
    'network-offers/{offer_id}/counter',
    'network-offers:write',
    'write',
    'Yakında',
    ['Make a counter-offer', 'Karşı teklif ver'],
    {
      about: [
        'Responds to an offer with another amount. Returns the new offer; the original one becomes «Karşı Teklif».',
        'Karşı tarafın teklifine başka bir tutarla yanıt verir. Yanıt yeni tekliftir; yanıtlanan «Karşı Teklif» olur.',
      ],
      refuses: [...ONE_OFFER, 'membership_cancelled', 'same_amount', 'vehicle_not_available'],
      emits: ['network_offer.countered', 'network_offer.created'],
      bodySchema: createBody(COUNTER_FIELDS),
      returns: NetworkOffer,
      successStatus: 201,
      run: async ({ work, params, body, linkTo }) => readOffer(work.db, await counterOffer(work, params.offer_id, body), linkTo),
    },
  ),
  post(
    'network-offers/{offer_id}/withdraw',
    'network-offers:write',
    'write',
    'Yakında',
    ['Withdraw my offer', 'Teklifimi geri çek'],
    {
      about: [
        'Withdraws your own offer, as long as the other dealer has not responded.',
        'Karşı taraf yanıtlamadan kendi teklifinizi geri alır.',
      ],
      refuses: ['not_your_offer', 'offer_closed', 'capability_not_enabled'],
      emits: ['network_offer.withdrawn'],
      returns: NetworkOffer,
      run: async ({ work, params, linkTo }) => {
        await withdrawOffer(work, params.offer_id);
        return readOffer(work.db, params.offer_id, linkTo);
      },
    },
  ),
  get(
    'vehicles/{vehicle_id}/network-offers',
    'network-offers:read',
    'read',
    'Yakında',
    ['List offers on my vehicle', 'Araca gelen teklifleri listele'],
    {
      about: [
        'Returns all offers for one of your vehicles, including your counter-offers, newest first.',
        'Araçlarınızdan biri üzerindeki pazarlıkların, kendi karşı teklifleriniz dahil tüm teklifleri, en yeniden eskiye.',
      ],
      refuses: ['capability_not_enabled'],
      fresh: true,
      query: { status: oneOfParam(OFFER_STATUSES) },
      lists: NetworkOffer,
      run: async ({ db, params, query, page, linkTo }) => {
        await requireCapability(db, 'dealer_network');
        return listVehicleOffers(db, params.vehicle_id, query.status, page, linkTo);
      },
    },
  ),
  get('network-offers/received', 'network-offers:read', 'read', 'Yakında', ['List offers received', 'Gelen teklifleri listele'], {
    about: [
      'Returns the offers made by other dealers, open and closed, whether you buy or sell.',
      'Alıcı ya da satıcı olun, karşı tarafın verdiği açık ve geçmiş teklifler: sıranın sizde olduğu ya da olmuş olanlar.',
    ],
    fresh: true,
    query: { status: oneOfParam(OFFER_STATUSES) },
    lists: NetworkOffer,
    run: async ({ db, query, page, linkTo }) =>
      (await hasCapability(db, 'dealer_network')) ? listReceived(db, query.status, page, linkTo) : EMPTY_PAGE,
  }),
]);

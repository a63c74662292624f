// Proposals to swap vehicles between two dealers, with a cash difference. Hidden from every key: requests between other dealers,
// the other dealer's vehicle id and plate, and their phone until the swap is accepted.
import { TRADE_SIDES, TRADE_STATUSES } from '../domain/network/network-states.ts';
import { REJECT_FIELDS, withoutPhones } from '../domain/network/offer.ts';
import { listTrades, readTrade, TRADE_FIELDS, TradeRequest } from '../domain/network/trade.ts';
import { acceptTrade, cancelTrade, proposeTrade, rejectTrade } from '../domain/network/trade-writes.ts';
import { EMPTY_PAGE, hasCapability, requireCapability } from '../domain/parties/capability.ts';
import { createBody } from '../domain/records/body.ts';
import { del, get, post, resource } from '../kit/endpoint.ts';
import { oneOfParam } from '../kit/params.ts';

export const tradeRequests = resource('Trade requests', 'Takas talepleri', [
  get('trade-requests', 'trade-requests:read', 'read', 'Yakında', ['List trade requests', 'Takas taleplerini listele'], {
    about: [
      'Returns the trades that you proposed or received, newest first, with the id of your vehicle and the card of the other one. Empty without the capability dealer_network.',
      'Taraf olduğunuz takaslar, en yeniden eskiye: kendi aracınızın kimliği ve ötekinin kartı. `dealer_network` özelliği kapalıysa boştur.',
    ],
    fresh: true,
    query: { role: oneOfParam(TRADE_SIDES), status: oneOfParam(TRADE_STATUSES) },
    lists: TradeRequest,
    run: async ({ db, query, page, linkTo }) =>
      (await hasCapability(db, 'dealer_network')) ? listTrades(db, query, page, linkTo) : EMPTY_PAGE,
  }),
  post('trade-requests', 'trade-requests:write', 'write', 'Yakında', ['Propose a trade', 'Takas teklif et'], {
    about: [
      'Proposes to trade one of your vehicles that is «Stokta» for a published vehicle of another dealer. If `cash_difference` is positive, you pay it; if negative, they pay it.',
      '«Stokta» olan aracınızı başka bir galerinin yayındaki aracıyla takas etmeyi önerir. `cash_difference` sıfırdan büyükse siz, küçükse karşı taraf öder.',
    ],
    refuses: [
      'capability_not_enabled',
      'membership_cancelled',
      'unknown_reference',
      'listing_not_available',
      'own_listing',
      'vehicle_not_in_stock',
      'request_already_open',
    ],
    emits: ['trade_request.created'],
    bodySchema: createBody(TRADE_FIELDS),
    returns: TradeRequest,
    successStatus: 201,
    run: async ({ work, body, linkTo }) => readTrade(work.db, await proposeTrade(work, body), linkTo),
  }),
  get('trade-requests/{request_id}', 'trade-requests:read', 'read', 'Yakında', ['Read a trade request', 'Takas talebini getir'], {
    about: [
      'Returns a trade from your point of view. Other dealers receive 404.',
      'Sizin gördüğünüz biçimiyle bir takas. Taraf olmayan 404 alır.',
    ],
    refuses: ['capability_not_enabled'],
    fresh: true,
    returns: TradeRequest,
    run: async ({ db, params, linkTo }) => {
      await requireCapability(db, 'dealer_network');
      return readTrade(db, params.request_id, linkTo);
    },
  }),
  post(
    'trade-requests/{request_id}/accept',
    'trade-requests:write',
    'write',
    'Yakında',
    ['Accept a trade request', 'Takas talebini kabul et'],
    {
      about: [
        'Accepts a trade that was proposed to you. Both vehicles are reserved for the other dealer, competing offers and requests for them are closed, and both dealers see each other’s phone number. The trade is complete when both vehicles are marked as sold; releasing either one cancels it.',
        'Size önerilen takası kabul eder: iki araç da öteki galeri için rezerve edilir, üzerlerindeki öteki teklif ve talepler sona erer, taraflar birbirinin telefonunu görür. İki araç da «satıldı» olunca tamamlanır; birinin rezervasyonunu kaldırmak takası bozar.',
      ],
      refuses: ['not_your_turn', 'request_closed', 'vehicle_not_available', 'capability_not_enabled'],
      emits: [
        'trade_request.accepted',
        'vehicle.reserved',
        'vehicle.status_changed',
        'listing.suspended',
        'network_offer.rejected',
        'trade_request.rejected',
        'trade_request.cancelled',
      ],
      returns: TradeRequest,
      run: async ({ work, params, linkTo, isDry }) => {
        await acceptTrade(work, params.request_id);
        const shown = await readTrade(work.db, params.request_id, linkTo);
        return isDry ? withoutPhones(shown) : shown;
      },
    },
  ),
  post(
    'trade-requests/{request_id}/reject',
    'trade-requests:write',
    'write',
    'Yakında',
    ['Reject a trade request', 'Takas talebini reddet'],
    {
      about: [
        'Rejects a trade that was proposed to you. They see the reason if you send one.',
        'Size önerilen takası, isterseniz karşı tarafın da göreceği bir gerekçeyle reddeder.',
      ],
      refuses: ['not_your_turn', 'request_closed', 'capability_not_enabled'],
      emits: ['trade_request.rejected'],
      bodySchema: createBody(REJECT_FIELDS),
      returns: TradeRequest,
      run: async ({ work, params, body, linkTo }) => {
        await rejectTrade(work, params.request_id, body);
        return readTrade(work.db, params.request_id, linkTo);
      },
    },
  ),
  del(
    'trade-requests/{request_id}',
    'trade-requests:write',
    'destructive',
    'Yakında',
    ['Withdraw my trade request', 'Takas talebimi geri çek'],
    {
      about: [
        'Withdraws a trade that you proposed, as long as the other dealer has not responded. It becomes «İptal».',
        'Önerdiğiniz takası, karşı taraf yanıtlamadan geri alır; «İptal» olur.',
      ],
      refuses: ['not_your_request', 'request_closed', 'capability_not_enabled'],
      emits: ['trade_request.cancelled'],
      returns: TradeRequest,
      run: async ({ work, params, linkTo }) => {
        await cancelTrade(work, params.request_id);
        return readTrade(work.db, params.request_id, linkTo);
      },
    },
  ),
]);

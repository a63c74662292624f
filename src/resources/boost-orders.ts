// Paid boosts (doping) for a listing, charged to the wallet when ordered. Only an order that is not active can be cancelled.
import {
  BOOST_ORDER_FIELDS,
  BoostOrder,
  BoostOrderFilters,
  listBoostOrders,
  readBoostOrder,
} from '../domain/boosts/boost-order.ts';
import { buyBoost, cancelBoost } from '../domain/boosts/boost-order-writes.ts';
import { createBody } from '../domain/records/body.ts';
import { del, get, post, resource } from '../kit/endpoint.ts';

export const boostOrders = resource('Boost orders', 'Öne çıkarma (doping)', [
  get('boost-orders', 'boost:read', 'read', 'Yakında', ['List boost orders', 'Doping siparişlerini listele'], {
    about: [
      'Returns all boost orders, newest first. Empty without the marketplace capability.',
      'Satın alınmış bütün dopingler, en yeniden eskiye. Pazarı kapalı hesapta boştur.',
    ],
    query: BoostOrderFilters,
    lists: BoostOrder,
    synced: true,
    sorts: true,
    run: ({ db, query, page }) => listBoostOrders(db, query, page),
  }),
  post('boost-orders', 'boost:write', 'write', 'Yakında', ['Order a boost', 'Doping satın al'], {
    about: [
      'Buys a package of `account/capabilities` for a listing that is «Yayında», starting now or up to 60 days ahead. The full price is charged to the wallet in the same transaction.',
      '`account/capabilities` içindeki bir paketi «Yayında» olan bir ilan için, şimdi ya da en çok 60 gün sonrası için satın alır. Bedelin tamamı siparişle birlikte cüzdandan düşer; bakiye yetmezse sipariş oluşmaz.',
    ],
    refuses: ['capability_not_enabled', 'unknown_package', 'listing_not_active', 'boost_overlap', 'insufficient_balance'],
    emits: ['boost_order.created', 'wallet_transaction.created', 'boost_order.started'],
    bodySchema: createBody(BOOST_ORDER_FIELDS),
    returns: BoostOrder,
    successStatus: 201,
    idempotency: 'required',
    run: ({ work, body }) => buyBoost(work, body),
  }),
  get('boost-orders/{order_id}', 'boost:read', 'read', 'Yakında', ['Read a boost order', 'Doping siparişini getir'], {
    about: ['Returns a boost order with the amounts charged and refunded.', 'Bir sipariş; ne çekildiği ve ne iade edildiğiyle.'],
    refuses: ['capability_not_enabled'],
    returns: BoostOrder,
    run: ({ db, params }) => readBoostOrder(db, params.order_id),
  }),
  del(
    'boost-orders/{order_id}',
    'boost:write',
    'destructive',
    'Yakında',
    ['Cancel a boost order', 'Doping siparişini iptal et'],
    {
      about: [
        'Cancels a boost that has not started and refunds its price to the wallet immediately. A running or completed boost is not refunded.',
        'Başlamamış dopingi iptal eder; bedeli hemen cüzdana döner. Başlamış ya da bitmiş olan iade edilmez.',
      ],
      refuses: ['capability_not_enabled', 'boost_active', 'boost_finished', 'boost_already_cancelled'],
      emits: ['boost_order.cancelled', 'wallet_transaction.created'],
      returns: BoostOrder,
      run: ({ work, params }) => cancelBoost(work, params.order_id),
    },
  ),
]);

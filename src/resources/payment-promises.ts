// A customer's promise to pay an amount by a day. Whether it was kept is computed from collections, never set by hand.

import { PROMISE_STATUSES } from '../domain/installments/sales-states.ts';
import { createBody, patchBody } from '../domain/records/body.ts';
import { listPromises, PaymentPromise, PROMISE_EDIT_FIELDS, PROMISE_FIELDS, readPromise } from '../domain/sales/promise.ts';
import { addPromise, editPromise } from '../domain/sales/promise-writes.ts';
import { WITH_SALE } from '../domain/sales/sale-view.ts';
import { get, patch, post, resource } from '../kit/endpoint.ts';
import { momentParam, oneOfParam, uuidParam } from '../kit/params.ts';

export const paymentPromises = resource('Payment promises', 'Ödeme sözleri', [
  get('payment-promises', 'payment-promises:read', 'read', 'Yakında', ['List payment promises', 'Ödeme sözlerini listele'], {
    about: ['Returns payment promises, soonest first.', 'Müşterilerin ödeme sözleri, en yakını önce.'],
    query: {
      status: oneOfParam(PROMISE_STATUSES),
      customer_id: uuidParam,
      sale_id: uuidParam,
      from: momentParam,
      to: momentParam,
    },
    includes: WITH_SALE,
    lists: PaymentPromise,
    synced: true,
    sorts: true,
    run: ({ db, query, account, page }) => listPromises(db, query, account.timezone, page),
  }),
  post('payment-promises', 'payment-promises:write', 'write', 'Yakında', ['Record a payment promise', 'Ödeme sözü kaydet'], {
    about: [
      'Records a customer’s promise to pay an amount by a date, at most 90 days ahead, for a sale or one of its installments. A sale can have one open promise. Due dates do not change.',
      'Müşterinin bir satış ya da taksit için, en çok 90 gün sonrasına, bir tutarı ödeme sözünü kaydeder. Satış başına tek söz bekler; vadeleri değiştirmez.',
    ],
    refuses: ['unknown_reference', 'promise_already_open', 'sale_cancelled', 'sale_completed', 'amount_exceeds_balance'],
    refusesAs: { amount_exceeds_balance: 422 },
    emits: ['payment_promise.created'],
    bodySchema: createBody(PROMISE_FIELDS),
    returns: PaymentPromise,
    successStatus: 201,
    run: ({ work, body }) => addPromise(work, body),
  }),
  get(
    'payment-promises/{promise_id}',
    'payment-promises:read',
    'read',
    'Yakında',
    ['Read a payment promise', 'Ödeme sözünü getir'],
    {
      about: ['Returns a promise and the amount received for it.', 'Bir söz ve ne kadarının geldiği.'],
      returns: PaymentPromise,
      run: ({ db, params }) => readPromise(db, params.promise_id),
    },
  ),
  patch(
    'payment-promises/{promise_id}',
    'payment-promises:write',
    'write',
    'Yakında',
    ['Change or call off an open promise', 'Bekleyen sözü değiştir veya iptal et'],
    {
      about: [
        'Updates a promise that is «Bekliyor», or cancels it with `status: "İptal"`. Whether it was kept is computed from collections and cannot be set.',
        '«Bekliyor» durumundaki sözü değiştirir ya da `status: "İptal"` ile iptal eder. Tutulup tutulmadığı tahsilatlardan hesaplanır, verilemez.',
      ],
      refuses: ['promise_closed', 'status_not_settable', 'unknown_reference', 'amount_exceeds_balance'],
      refusesAs: { amount_exceeds_balance: 422 },
      emits: ['payment_promise.updated', 'payment_promise.cancelled', 'payment_promise.kept'],
      bodySchema: patchBody(PROMISE_EDIT_FIELDS),
      returns: PaymentPromise,
      run: ({ work, params, body }) => editPromise(work, params.promise_id, body),
    },
  ),
]);

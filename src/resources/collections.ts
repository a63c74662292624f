// Money received from customers. Append-only: a collection is never edited or deleted, only reversed by a second record.

import { CollectionSummary, SUMMARY_GROUPS, summarizeCollections } from '../domain/receivables/collection-summary.ts';
import { createBody } from '../domain/records/body.ts';
import { Collection, CollectionFilters, listCollections, readCollection } from '../domain/sales/collection.ts';
import { REVERSE_FIELDS, Reversal, reverseCollection } from '../domain/sales/collection-reverse.ts';
import { COLLECTION_FIELDS, collect } from '../domain/sales/collection-writes.ts';
import { WITH_SALE } from '../domain/sales/sale-view.ts';
import { get, post, resource } from '../kit/endpoint.ts';
import { momentParam, oneOfParam, requiredParam, withFallback } from '../kit/params.ts';

export const collections = resource('Collections', 'Tahsilatlar', [
  get('collections', 'collections:read', 'read', 'Yakında', ['List collections', 'Tahsilatları listele'], {
    about: [
      'Returns all collections, latest date first: payments, deposits, discounts, reversals and refunds.',
      'Bütün para kayıtları, en yeni günden eskiye: tahsilat, kapora, indirim, ters kayıt ve iade.',
    ],
    query: CollectionFilters,
    includes: WITH_SALE,
    lists: Collection,
    synced: true,
    sorts: true,
    run: ({ db, query, account, page }) => listCollections(db, query, account.timezone, page),
  }),
  post('collections', 'collections:write', 'write', 'Yakında', ['Record a collection', 'Tahsilat gir'], {
    about: [
      'Records a payment for a sale, a discount, or both. It is allocated to the chosen installments or to the oldest debt first. More than the open balance is refused. Another currency is converted at the bank rate of the day or at the agreed rate, which is stored permanently.',
      'Satış için tahsilat, indirim ya da ikisini birlikte yazar. Seçilen taksitlere ya da en eski borca sayılır; fazlası reddedilir; başka para birimi günün kuru ya da anlaşılan kurla alınır ve kayıtta kalır.',
    ],
    refuses: [
      'unknown_reference',
      'sale_cancelled',
      'sale_completed',
      'installment_not_of_sale',
      'installment_paid',
      'installment_cancelled',
      'note_not_in_hand',
      'day_closed',
      'exchange_rate_not_needed',
      'exchange_rate_out_of_range',
      'rate_not_available',
      'currency_mismatch',
      'amount_exceeds_balance',
    ],
    emits: [
      'collection.created',
      'installment.partially_paid',
      'installment.paid',
      'promissory_note.collected',
      'payment_promise.kept',
      'payment_promise.cancelled',
      'sale.completed',
      'installment_plan.completed',
      'task.created',
    ],
    bodySchema: createBody(COLLECTION_FIELDS),
    returns: Collection,
    successStatus: 201,
    idempotency: 'required',
    run: ({ work, body }) => collect(work, body),
  }),
  get(
    'collections/{collection_id}',
    'collections:read',
    'read',
    'Yakında',
    ['Read a collection with its allocations', 'Tahsilatı dağılımıyla getir'],
    {
      about: ['Returns a collection and its allocation to installments.', 'Bir tahsilatı ve hangi taksitlere sayıldığını verir.'],
      includes: WITH_SALE,
      returns: Collection,
      run: ({ db, params }) => readCollection(db, params.collection_id),
    },
  ),
  post(
    'collections/{collection_id}/reverse',
    'collections:write',
    'destructive',
    'Yakında',
    ['Reverse a collection', 'Tahsilatı ters kayıtla iptal et'],
    {
      about: [
        'Reverses a collection with a second record that has the exact negative amounts, at the original rate. Installments, sale and promises are restored. If the collection is one of a pair, both are reversed. A reversal cannot be reversed; record the collection again.',
        'Tahsilatı, kendi kuruyla, eksi tutarlı bir ters kayıt yazarak iptal eder; taksitler, satış ve ödeme sözleri eski durumuna döner. Birlikte yazılan indirim ya da tahsilat da iptal olur. Ters kayıt geri alınmaz: tahsilat yeniden girilir.',
      ],
      refuses: ['already_reversed', 'not_reversible', 'sale_cancelled', 'day_closed'],
      emits: [
        'collection.reversed',
        'installment.reopened',
        'promissory_note.status_changed',
        'payment_promise.reopened',
        'payment_promise.broken',
        'sale.reopened',
      ],
      bodySchema: createBody(REVERSE_FIELDS),
      returns: Reversal,
      successStatus: 201,
      creates: 'reversal',
      idempotency: 'required',
      run: ({ work, params, body }) => reverseCollection(work, params.collection_id, body),
    },
  ),
  get(
    'collections/summary',
    'collections:read',
    'read',
    'Yakında',
    ['Total collections for a period', 'Dönemin tahsilat toplamlarını getir'],
    {
      about: [
        'Returns cash totals for up to 366 days by currency and by method, day, month, staff or branch. A reversal counts on its own day. Offsets and discounts are not included.',
        'En çok 366 günün kasa toplamları: para birimine ve yönteme, güne, aya, çalışana ya da şubeye göre. Ters kayıt kendi gününde sayılır; mahsup ve indirim girmez.',
      ],
      query: {
        from: requiredParam(momentParam),
        to: requiredParam(momentParam),
        group_by: withFallback(oneOfParam(SUMMARY_GROUPS), 'method'),
      },
      returns: CollectionSummary,
      run: ({ db, query, account }) => summarizeCollections(db, query, account.timezone),
    },
  ),
]);

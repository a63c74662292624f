// Sales of vehicles to customers, for cash or by installments. Hidden from every key: the car's cost, and so the profit on a
// sale.
import { Document, listSaleDocuments } from '../domain/documents/document.ts';
import { DOCUMENT_KINDS, DOCUMENT_ORIGINS } from '../domain/documents/documents-states.ts';
import { COLLECTION_STATUSES, COLLECTION_TYPES } from '../domain/installments/sales-states.ts';
import { createBody, patchBody } from '../domain/records/body.ts';
import { Collection, listCollectionsOfSale } from '../domain/sales/collection.ts';
import { PlanWithInstallments, readPlanWithInstallments } from '../domain/sales/plan.ts';
import { SALE_EDIT_FIELDS, SALE_FIELDS } from '../domain/sales/sale.ts';
import { CANCEL_FIELDS, cancelSale, deleteSale } from '../domain/sales/sale-cancel.ts';
import { editSale } from '../domain/sales/sale-edit.ts';
import { listSales, SaleFilters } from '../domain/sales/sale-list.ts';
import { OF_SALE, readSale, Sale, SaleDetail } from '../domain/sales/sale-view.ts';
import { createSale } from '../domain/sales/sale-writes.ts';
import { dayIn } from '../kit/clock.ts';
import { del, get, patch, post, resource } from '../kit/endpoint.ts';
import { oneOfParam, trueParam } from '../kit/params.ts';

const CANCELLED = [
  'sale.cancelled',
  'vehicle.status_changed',
  'installment_plan.cancelled',
  'promissory_note.cancelled',
  'payment_promise.cancelled',
  'collection.refunded',
  'vehicle.deleted',
  'listing.closed',
  'boost_order.finished',
  'boost_order.cancelled',
  'wallet_transaction.created',
] as const;

export const sales = resource('Sales', 'Satışlar', [
  get('sales', 'sales:read', 'read', 'Yakında', ['List sales', 'Satışları listele'], {
    about: [
      'Returns the sales, latest sale date first, including cancelled ones. Filters are combined with AND.',
      'Galerinin satışları, iptal edilenler dahil, en yeni satış gününden eskiye; filtreler birlikte uygulanır.',
    ],
    query: SaleFilters,
    includes: OF_SALE,
    lists: Sale,
    synced: true,
    sorts: true,
    run: ({ db, query, page, account: { timezone }, now, masked }) =>
      listSales(db, query, { today: dayIn(now, timezone), timezone }, masked, page),
  }),
  post('sales', 'sales:write', 'write', 'Yakında', ['Sell a vehicle', 'Araç satışı yap'], {
    about: [
      'Sells a vehicle to a customer and creates the plan: cash, equal installments, or your own installments, which must add up exactly. An open deposit of the customer becomes the first payment, and a traded-in car is added to the stock. No other money is recorded.',
      'Aracı müşteriye satar ve planı kurar: peşin, eşit taksitli ya da toplamı kuruşu kuruşuna tutan kendi taksitlerinizle. Müşterinin açık kaporası ilk ödeme olur, takas aracı stoğa alınır; başka tahsilat yazılmaz.',
    ],
    refuses: [
      'unknown_reference',
      'unknown_guarantor',
      'vehicle_deleted',
      'vehicle_already_sold',
      'vehicle_in_auction',
      'vehicle_reserved_for_other',
      'customer_blocked',
      'currency_not_allowed',
      'down_payment_exceeds_total',
      'installments_sum_mismatch',
      'external_ref_in_use',
      'plate_in_use',
      'chassis_in_use',
      'plan_limit_reached',
      'amount_exceeds_balance',
      'rate_not_available',
      'deposit_open',
    ],
    emits: [
      'sale.created',
      'installment_plan.created',
      'vehicle.sold',
      'vehicle.status_changed',
      'vehicle.created',
      'listing.closed',
      'marketplace_offer.completed',
      'marketplace_offer.rejected',
      'network_offer.rejected',
      'trade_request.rejected',
      'trade_request.cancelled',
      'boost_order.finished',
      'boost_order.cancelled',
      'wallet_transaction.created',
      'collection.created',
      'installment.partially_paid',
      'installment.paid',
      'sale.completed',
      'installment_plan.completed',
      'membership.limit_reached',
    ],
    bodySchema: createBody(SALE_FIELDS),
    returns: SaleDetail,
    successStatus: 201,
    idempotency: 'required',
    run: ({ work, body }) => createSale(work, body),
  }),
  get('sales/{sale_id}', 'sales:read', 'read', 'Yakında', ['Read a sale with totals', 'Satışı toplamlarıyla getir'], {
    about: [
      'Returns a sale with the amounts collected, open and overdue, and `payoff`, the amount that would settle it today.',
      'Bir satış: tahsil edilen, açık ve geciken tutarlarıyla; `payoff` bugün kapatmanın tutarını gösterir.',
    ],
    includes: OF_SALE,
    returns: SaleDetail,
    run: ({ db, params, now, account }) => readSale(db, params.sale_id, dayIn(now, account.timezone)),
  }),
  patch('sales/{sale_id}', 'sales:write', 'write', 'Yakında', ['Edit a sale or its terms', 'Satışı veya koşullarını düzenle'], {
    about: [
      'Updates the fields you send. Terms can be changed until the sale has a collection, a promissory note or a document; the plan is then created again. `restructure` cannot be combined with other fields; it spreads the open amount over new installments.',
      'Verilen alanları değiştirir. Koşullar yalnızca tahsilat, senet ya da belge dayanana kadar değişir ve plan yeniden kurulur; `restructure` tek başına, açık tutarı yeni taksitlere yayar.',
    ],
    refuses: [
      'unknown_reference',
      'unknown_guarantor',
      'sale_cancelled',
      'sale_completed',
      'sale_terms_locked',
      'guarantor_bound',
      'external_ref_in_use',
      'currency_not_allowed',
      'down_payment_exceeds_total',
      'installments_sum_mismatch',
      'nothing_to_restructure',
      'promissory_note_active',
    ],
    emits: ['sale.updated', 'sale.restructured', 'installment_plan.updated', 'payment_promise.cancelled'],
    bodySchema: patchBody(SALE_EDIT_FIELDS),
    returns: SaleDetail,
    run: ({ work, params, body }) => editSale(work, params.sale_id, body),
  }),
  del(
    'sales/{sale_id}',
    'sales:write',
    'destructive',
    'Yakında',
    ['Cancel a sale with nothing collected', 'Tahsilatı olmayan satışı iptal et'],
    {
      about: [
        'Cancels a sale without collections. The vehicle becomes «Stokta» and a traded-in car is returned. The record is kept.',
        'Tahsilatı olmayan satışı iptal eder; araç yeniden «Stokta» olur, takas aracı geri verilir. Kayıt silinmez.',
      ],
      refuses: [
        'sale_already_cancelled',
        'sale_has_collections',
        'note_not_in_hand',
        'trade_in_not_returnable',
        'plate_in_use',
        'chassis_in_use',
      ],
      emits: CANCELLED,
      returns: SaleDetail,
      idempotency: 'required',
      run: ({ work, params }) => deleteSale(work, params.sale_id),
    },
  ),
  get(
    'sales/{sale_id}/installment-plan',
    'installments:read',
    'read',
    'Yakında',
    ["Read a sale's installment plan", 'Satışın taksit planını getir'],
    {
      about: ['Returns the plan of a sale with all its installments.', 'Bir satışın ödeme planını bütün taksitleriyle verir.'],
      returns: PlanWithInstallments,
      run: ({ db, params, now, account }) => readPlanWithInstallments(db, params.sale_id, dayIn(now, account.timezone)),
    },
  ),
  get(
    'sales/{sale_id}/collections',
    'collections:read',
    'read',
    'Yakında',
    ["List a sale's collections", 'Satışın tahsilatlarını listele'],
    {
      about: [
        'Returns all collections of a sale, including reversals, oldest first.',
        'Bir satışın bütün para kayıtları, ters kayıtlar dahil, eskiden yeniye.',
      ],
      query: { type: oneOfParam(COLLECTION_TYPES), status: oneOfParam(COLLECTION_STATUSES) },
      lists: Collection,
      synced: true,
      run: ({ db, params, query, account, page }) => listCollectionsOfSale(db, params.sale_id, query, account.timezone, page),
    },
  ),
  get(
    'sales/{sale_id}/documents',
    'documents:read',
    'read',
    'Yakında',
    ["List a sale's documents", 'Satışın belgelerini listele'],
    {
      about: [
        'Returns the uploaded and generated documents of a sale, newest first.',
        'Satışın yüklenen ve üretilen belgeleri, en yenisi önce.',
      ],
      query: { kind: oneOfParam(DOCUMENT_KINDS), origin: oneOfParam(DOCUMENT_ORIGINS), deleted: trueParam },
      lists: Document,
      synced: true,
      fresh: true,
      run: ({ db, params, query, page, linkTo, masked }) =>
        listSaleDocuments(db, params.sale_id, query, page, { linkTo, masked }),
    },
  ),
  post(
    'sales/{sale_id}/cancel',
    'sales:write',
    'destructive',
    'Yakında',
    ['Cancel a sale and settle the refund', 'Satışı iptal et, iadesini kapat'],
    {
      about: [
        'Cancels a sale: the vehicle becomes «Stokta», the collected amount is refunded up to the ceiling and the rest is retained, and the traded-in car is returned or kept.',
        'Satışı geri alır: araç yeniden «Stokta» olur, tahsil edilen tavana kadar iade edilir, kalanı gelir kalır, takas aracı geri verilir ya da kalır.',
      ],
      refuses: [
        'sale_already_cancelled',
        'note_not_in_hand',
        'trade_in_not_returnable',
        'day_closed',
        'rate_not_available',
        'refund_exceeds_collected',
        'refund_currency_not_received',
        'exchange_rate_out_of_range',
        'exchange_rate_not_needed',
        'retention_not_allowed',
        'plate_in_use',
        'chassis_in_use',
      ],
      emits: CANCELLED,
      bodySchema: createBody(CANCEL_FIELDS),
      returns: SaleDetail,
      idempotency: 'required',
      run: ({ work, params, body }) => cancelSale(work, params.sale_id, body),
    },
  ),
]);

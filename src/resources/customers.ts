// The dealer's customers and the log of contact with them. Hidden from every key: identity and tax number, address, monthly
// income, birth date.

import { ACTIVITY_FIELDS, Activity, createActivity, listActivity } from '../domain/customers/activity.ts';
import { CUSTOMER_FIELDS } from '../domain/customers/customer.ts';
import { CustomerFilters, customersWhere } from '../domain/customers/customer-list.ts';
import { ACTIVITY_KINDS, ACTIVITY_SOURCES } from '../domain/customers/customer-states.ts';
import { Customer, CustomerDetail, readCustomer } from '../domain/customers/customer-view.ts';
import { addCustomer, deleteCustomer, editCustomer } from '../domain/customers/customer-writes.ts';
import { Document, listCustomerDocuments } from '../domain/documents/document.ts';
import { DOCUMENT_KINDS, DOCUMENT_ORIGINS } from '../domain/documents/documents-states.ts';
import { COLLECTION_STATUSES, COLLECTION_TYPES, SALE_STATUSES } from '../domain/installments/sales-states.ts';
import { createBody, patchBody } from '../domain/records/body.ts';
import { Collection, listCollectionsOf } from '../domain/sales/collection.ts';
import { listSalesOf } from '../domain/sales/sale-list.ts';
import { OF_SALE, Sale, WITH_SALE } from '../domain/sales/sale-view.ts';
import { dayIn } from '../kit/clock.ts';
import { del, get, patch, post, resource } from '../kit/endpoint.ts';
import { CURRENCIES } from '../kit/money.ts';
import { listPage } from '../kit/page.ts';
import { momentParam, oneOfParam, trueParam } from '../kit/params.ts';

export type { Customer, CustomerDetail };

export const customers = resource('Customers', 'Müşteriler', [
  get('customers', 'customers:read', 'read', 'Aktif', ['List customers', 'Müşterileri listele'], {
    about: [
      'Returns the customers, newest first. Identity number, tax number, address, income and birth date are never returned.',
      'Galerinin müşterileri, en yeniden eskiye. Kimlik ve vergi numarası, adres, gelir ve doğum tarihi hiçbir zaman gösterilmez.',
    ],
    query: CustomerFilters,
    lists: Customer,
    synced: true,
    sorts: true,
    run: ({ db, query, page, account, masked }) =>
      listPage(db, { table: 'customers', shows: 'list_json', where: customersWhere(query, account.timezone, masked) }, page),
  }),
  post('customers', 'customers:write', 'write', 'Yakında', ['Add a customer', 'Müşteri ekle'], {
    about: [
      'Creates a customer. A company (`kind: "Kurumsal"`) requires `company_name`; the names are then those of its contact. Identity number and `external_ref` must be unique among customers that are not deleted. Identity and tax number are stored encrypted and never returned.',
      'Müşteri ekler; kurumsal müşteride (`kind: "Kurumsal"`) `company_name` zorunludur, ad ve soyad yetkilinindir. Kimlik numarası ve `external_ref` silinmemiş müşteriler arasında tektir; kimlik ve vergi numarası şifreli saklanır, gösterilmez.',
    ],
    refuses: ['duplicate_customer', 'external_ref_in_use'],
    emits: ['customer.created'],
    bodySchema: createBody(CUSTOMER_FIELDS),
    returns: CustomerDetail,
    successStatus: 201,
    run: ({ work, body }) => addCustomer(work, body),
  }),
  get(
    'customers/{customer_id}',
    'customers:read',
    'read',
    'Yakında',
    ['Read a customer with balances', 'Müşteriyi bakiyeleriyle getir'],
    {
      about: ['Returns a customer with the balance in each currency.', 'Bir müşteri, para birimi başına bakiyeleriyle.'],
      returns: CustomerDetail,
      run: ({ db, params, now, account }) => readCustomer(db, params.customer_id, dayIn(now, account.timezone)),
    },
  ),
  patch('customers/{customer_id}', 'customers:write', 'write', 'Yakında', ['Edit a customer', 'Müşteriyi düzenle'], {
    about: [
      'Updates the fields you send; `null` clears a field. The identity number must not belong to another customer or to a guarantor of this customer.',
      'Verilen alanları değiştirir; `null` boşaltır. Kimlik numarası başka bir müşterinin ya da müşterinin kendi kefilinin numarası olamaz.',
    ],
    refuses: ['duplicate_customer', 'external_ref_in_use', 'guarantor_is_customer'],
    emits: ['customer.updated'],
    bodySchema: patchBody(CUSTOMER_FIELDS),
    returns: CustomerDetail,
    run: ({ work, params, body }) => editCustomer(work, params.customer_id, body),
  }),
  del('customers/{customer_id}', 'customers:write', 'destructive', 'Yakında', ['Delete a customer', 'Müşteriyi sil'], {
    about: [
      'Deletes a customer. Fails while the customer has an open sale, reservation or deposit.',
      'Müşteriyi listelerden çıkarır. Açık satışı, rezervasyonu ya da kaporası varken reddedilir.',
    ],
    refuses: ['customer_has_active_sale', 'customer_has_reservation', 'deposit_open'],
    emits: ['customer.deleted'],
    returns: CustomerDetail,
    run: ({ work, params }) => deleteCustomer(work, params.customer_id),
  }),
  get(
    'customers/{customer_id}/sales',
    'customers:read',
    'read',
    'Yakında',
    ["List a customer's sales", 'Müşterinin satışlarını listele'],
    {
      about: [
        'Returns the sales to a customer, including cancelled ones.',
        'Bu müşteriye yapılan satışlar, iptal edilenler dahil.',
      ],
      query: { status: oneOfParam(SALE_STATUSES) },
      includes: OF_SALE,
      lists: Sale,
      synced: true,
      run: ({ db, params, query, now, account, page }) =>
        listSalesOf(db, params.customer_id, query.status, dayIn(now, account.timezone), page),
    },
  ),
  get(
    'customers/{customer_id}/collections',
    'collections:read',
    'read',
    'Yakında',
    ["List a customer's collections", 'Müşterinin tahsilatlarını listele'],
    {
      about: [
        'Returns all collections of a customer, latest date first.',
        'Bu müşterinin bütün para kayıtları, en yeni günden eskiye.',
      ],
      query: {
        from: momentParam,
        to: momentParam,
        currency: oneOfParam(CURRENCIES),
        type: oneOfParam(COLLECTION_TYPES),
        status: oneOfParam(COLLECTION_STATUSES),
      },
      includes: WITH_SALE,
      lists: Collection,
      synced: true,
      run: ({ db, params, query, account, page }) => listCollectionsOf(db, params.customer_id, query, account.timezone, page),
    },
  ),
  get(
    'customers/{customer_id}/documents',
    'documents:read',
    'read',
    'Yakında',
    ["List a customer's documents", 'Müşterinin belgelerini listele'],
    {
      about: [
        'Returns the documents of a customer and of their sales, newest first.',
        'Müşteriye ya da satışlarından birine bağlı belgeler, en yenisi önce.',
      ],
      query: { kind: oneOfParam(DOCUMENT_KINDS), origin: oneOfParam(DOCUMENT_ORIGINS), deleted: trueParam },
      lists: Document,
      synced: true,
      fresh: true,
      run: ({ db, params, query, page, linkTo, masked }) =>
        listCustomerDocuments(db, params.customer_id, query, page, { linkTo, masked }),
    },
  ),
  get(
    'customers/{customer_id}/activity',
    'customers:read',
    'read',
    'Yakında',
    ["List a customer's activity", 'Müşteri hareketlerini listele'],
    {
      about: [
        'Returns the calls, visits, messages and notes of a customer, newest first.',
        'Bu müşteriyle ilgili aramalar, ziyaretler, mesajlar ve notlar, en yeniden eskiye.',
      ],
      query: { kind: oneOfParam(ACTIVITY_KINDS), source: oneOfParam(ACTIVITY_SOURCES), from: momentParam, to: momentParam },
      lists: Activity,
      run: ({ db, params, query, account, page }) => listActivity(db, params.customer_id, query, account.timezone, page),
    },
  ),
  post(
    'customers/{customer_id}/activity',
    'customers:write',
    'write',
    'Yakında',
    ['Log a call, visit or note', 'Arama, ziyaret veya not kaydet'],
    {
      about: [
        'Records a contact with the customer. It cannot be changed afterwards. `occurred_at` must not be in the future.',
        'Müşteriyle bir teması kaydeder; sonradan değiştirilemez. `occurred_at` gelecekte olamaz.',
      ],
      refuses: ['unknown_reference'],
      emits: ['customer_activity.created'],
      bodySchema: createBody(ACTIVITY_FIELDS),
      returns: Activity,
      successStatus: 201,
      run: ({ work, params, body }) => createActivity(work, params.customer_id, body),
    },
  ),
]);

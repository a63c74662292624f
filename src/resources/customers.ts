// The dealer's customers and the log of contact with them. Kept from every key: identity number, address, monthly income, birth
// date.
import { ACTIVITY_FIELDS, Activity, listActivity, logActivity } from '../domain/customers/activity.ts';
import { CUSTOMER_FIELDS } from '../domain/customers/customer.ts';
import { CustomerFilters, customersWhere } from '../domain/customers/customer-list.ts';
import { ACTIVITY_KINDS, ACTIVITY_SOURCES } from '../domain/customers/customer-states.ts';
import { Customer, CustomerDetail, readCustomer } from '../domain/customers/customer-view.ts';
import { addCustomer, deleteCustomer, editCustomer } from '../domain/customers/customer-writes.ts';
import { createBody, patchBody } from '../domain/records/body.ts';
import { del, get, patch, post, resource } from '../kit/endpoint.ts';
import { listPage } from '../kit/page.ts';
import { momentParam, oneOfParam } from '../kit/params.ts';

export type { Customer, CustomerDetail };

export const customers = resource('Customers', 'Müşteriler', [
  get('customers', 'customers:read', 'read', 'Aktif', ['List customers', 'Müşterileri listele'], {
    query: CustomerFilters,
    lists: Customer,
    run: ({ db, query, page, account, masked }) =>
      listPage(db, { table: 'customers', shows: 'list_json', where: customersWhere(query, account.timezone, masked) }, page),
  }),
  post('customers', 'customers:write', 'write', 'Yakında', ['Add a customer', 'Müşteri ekle'], {
    takes: createBody(CUSTOMER_FIELDS),
    returns: CustomerDetail,
    answers: 201,
    run: ({ work, body }) => addCustomer(work, body),
  }),
  get(
    'customers/{customer_id}',
    'customers:read',
    'read',
    'Yakında',
    ['Read a customer with balances', 'Müşteriyi bakiyeleriyle getir'],
    {
      returns: CustomerDetail,
      run: ({ db, params }) => readCustomer(db, params.customer_id),
    },
  ),
  patch('customers/{customer_id}', 'customers:write', 'write', 'Yakında', ['Edit a customer', 'Müşteriyi düzenle'], {
    takes: patchBody(CUSTOMER_FIELDS),
    returns: CustomerDetail,
    run: ({ work, params, body }) => editCustomer(work, params.customer_id, body),
  }),
  del('customers/{customer_id}', 'customers:write', 'destructive', 'Yakında', ['Delete a customer', 'Müşteriyi sil'], {
    returns: CustomerDetail,
    run: ({ work, params }) => deleteCustomer(work, params.customer_id),
  }),
  get('customers/{customer_id}/sales', 'customers:read', 'read', 'Yakında', [
    "List a customer's sales",
    'Müşterinin satışlarını listele',
  ]),
  get('customers/{customer_id}/collections', 'collections:read', 'read', 'Yakında', [
    "List a customer's collections",
    'Müşterinin tahsilatlarını listele',
  ]),
  get('customers/{customer_id}/documents', 'documents:read', 'read', 'Yakında', [
    "List a customer's documents",
    'Müşterinin belgelerini listele',
  ]),
  get(
    'customers/{customer_id}/activity',
    'customers:read',
    'read',
    'Yakında',
    ["List a customer's activity", 'Müşteri hareketlerini listele'],
    {
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
      takes: createBody(ACTIVITY_FIELDS),
      returns: Activity,
      answers: 201,
      run: ({ work, params, body }) => logActivity(work, params.customer_id, body),
    },
  ),
]);

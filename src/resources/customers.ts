// The dealer's customers and the log of contact with them. Kept from every key: identity number, address, monthly income, birth
// date.
import { RISK_LEVELS } from '../domain/customer.ts';
import { startOf } from '../kit/clock.ts';
import { type Context, del, get, patch, post, resource } from '../kit/endpoint.ts';
import { listPage } from '../kit/page.ts';
import { momentParam, oneOfParam, textParam } from '../kit/params.ts';
import {
  arrayOf,
  columnsOf,
  currency,
  integer,
  money,
  nullable,
  type Of,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../kit/schema.ts';
import { own, type Sql, sql } from '../kit/sql.ts';

const Customer = object({
  id: uuid(),
  first_name: text('Ayşe'),
  last_name: text('Yılmaz'),
  phone: text('+905331234567'),
  email: nullable(text('ayse@example.com')),
  risk_level: oneOf(RISK_LEVELS),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Customer = Of<typeof Customer>;

/** What the customer's own row holds, as the detail shows it. */
const CustomerRecord = object({
  ...Customer.shape,
  note: nullable(text('Cumartesi aranmak istiyor.')),
  deleted_at: nullable(timestamp()),
});

const { deleted_at, ...shownFirst } = CustomerRecord.shape;
const CustomerDetail = object({
  ...shownFirst,
  open_sale_count: integer(),
  balances: arrayOf(object({ currency: currency(), outstanding: money(), overdue: money() })),
  deleted_at,
});
export type CustomerDetail = Of<typeof CustomerDetail>;

export const CustomerFilters = { q: textParam(80), risk_level: oneOfParam(RISK_LEVELS), updated_since: momentParam } as const;

export const customers = resource('Customers', 'Müşteriler', [
  get('customers', 'customers:read', 'read', 'Aktif', ['List customers', 'Müşterileri listele'], {
    query: CustomerFilters,
    lists: Customer,
    run: ({ db, query, page, account, masked }) =>
      listPage(db, { table: 'customers', shows: 'list_json', where: customersWhere(query, account.timezone, masked) }, page),
  }),
  post('customers', 'customers:write', 'write', 'Yakında', ['Add a customer', 'Müşteri ekle']),
  get(
    'customers/{customer_id}',
    'customers:read',
    'read',
    'Yakında',
    ['Read a customer with balances', 'Müşteriyi bakiyeleriyle getir'],
    {
      returns: CustomerDetail,
      run: async ({ db, params }) => {
        const { deleted_at, ...record } = await db.last<Of<typeof CustomerRecord>>(
          sql`select ${columnsOf(CustomerRecord)} from ${own('customers')} where id = ${params.customer_id} and deleted_at is null`,
        );
        // Nothing makes a sale yet, so nobody owes anything.
        return { ...record, open_sale_count: 0, balances: [], deleted_at };
      },
    },
  ),
  patch('customers/{customer_id}', 'customers:write', 'write', 'Yakında', ['Edit a customer', 'Müşteriyi düzenle']),
  del('customers/{customer_id}', 'customers:write', 'destructive', 'Yakında', ['Delete a customer', 'Müşteriyi sil']),
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
  get('customers/{customer_id}/activity', 'customers:read', 'read', 'Yakında', [
    "List a customer's activity",
    'Müşteri hareketlerini listele',
  ]),
  post('customers/{customer_id}/activity', 'customers:write', 'write', 'Yakında', [
    'Log a call, visit or note',
    'Arama, ziyaret veya not kaydet',
  ]),
]);

export function customersWhere(
  query: Context<string, typeof CustomerFilters>['query'],
  timezone: string,
  masked: boolean,
): Sql[] {
  const where = [sql`deleted_at is null`];
  // Contains, so that part of a name or the end of a phone number is enough; strpos has no wildcards to escape.
  const searched = masked ? sql`fold_tr(first_name || ' ' || last_name)` : sql`search`;
  if (query.q !== undefined) where.push(sql`strpos(${searched}, fold_tr(${query.q})) > 0`);
  if (query.risk_level !== undefined) where.push(sql`risk_level = ${query.risk_level}`);
  if (query.updated_since !== undefined) where.push(sql`updated_at >= ${startOf(query.updated_since, timezone)}`);
  return where;
}

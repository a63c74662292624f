// A customer as the API shows them: eight fields in lists, and a detail with what they owe. Never identity or tax number, address,
// income or birth date.
import type { Db } from '../../kit/db.ts';
import {
  arrayOf,
  columnsOf,
  currency,
  day,
  flag,
  integer,
  money,
  nullable,
  type Of,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, sql } from '../../kit/sql.ts';
import { CUSTOMER_KINDS, RISK_LEVELS } from './customer-states.ts';

export const Customer = object({
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

/** The fields of the detail that are in the customer's own row. */
const CustomerRecord = object({
  ...Customer.shape,
  kind: oneOf(CUSTOMER_KINDS),
  company_name: nullable(text('Akdeniz Turizm Ltd.')),
  tax_office: nullable(text('Girne')),
  notice_given_on: nullable(day()),
  reminder_opt_out: flag(),
  external_ref: nullable(text('CRM-204')),
  note: nullable(text('Cumartesi aranmak istiyor.')),
  deleted_at: nullable(timestamp()),
});

const { deleted_at, ...shownFirst } = CustomerRecord.shape;
export const CustomerDetail = object({
  ...shownFirst,
  open_sale_count: integer(),
  balances: arrayOf(object({ currency: currency(), outstanding: money(), overdue: money() })),
  deleted_at,
});
export type CustomerDetail = Of<typeof CustomerDetail>;

/** Only the write that deletes a customer finds a deleted one (`any`). */
export async function readCustomer(db: Db, id: string, today: string, which: 'live' | 'any' = 'live'): Promise<CustomerDetail> {
  const { deleted_at, open_sale_count, balances, ...record } = await db.last<CustomerDetail>(
    sql`select ${columnsOf(CustomerRecord)},
        (select count(*)::int from ${own('sales')} where customer_id = customers.id and status = 'Aktif') as open_sale_count,
        coalesce((select json_agg(owed order by currency) from (select currency, money_text(sum(remaining_amount_minor)::bigint) as outstanding,
            money_text(coalesce(sum(remaining_amount_minor) filter (where due_date < ${today}::date), 0)::bigint) as overdue
          from ${own('installments')} where customer_id = customers.id and status in ('Bekliyor', 'Kısmi Ödendi') group by currency) owed), '[]'::json)
          as balances
      from ${own('customers')} where id = ${id} and (deleted_at is null or ${which === 'any'})`,
  );
  return { ...record, open_sale_count, balances, deleted_at };
}

export interface CompanyName {
  readonly id: string;
  readonly company_name: string;
}

/** Which of these customers are companies; lists of customers have only the specification's fields, which do not include it. */
export const readCompanyNames = (db: Db, ids: readonly string[]): Promise<CompanyName[]> =>
  db.rows<CompanyName>(
    sql`select id, company_name from ${own('customers')} where id = any(${ids}::uuid[]) and kind = 'Kurumsal'`,
  );

/** For records below a customer: they return not_found if the customer does. */
export async function requireCustomer(db: Db, id: string): Promise<void> {
  await db.one(sql`select id from ${own('customers')} where id = ${id} and deleted_at is null`);
}

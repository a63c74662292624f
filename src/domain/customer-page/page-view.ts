// What a customer's page shows: their own sales and installments, what they owe in each currency, receipts, papers to sign, and how to pay.
// Nothing of guarantors, remarks, risk or other customers is read.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import { type DealerBankAccount, listDealerBankAccounts } from '../accounts/bank-accounts.ts';
import { readPaperDealer } from '../documents/sale-paper.ts';
import type { InstallmentKind, SaleStatus } from '../installments/sales-states.ts';
import { type DealerFace, faceOf } from '../papers/dealer-face.ts';
import { maskEmail } from '../privacy/mask.ts';
import { IS_OPEN, isOverdueOn, placeOf } from '../sales/installment.ts';
import { PAGE_CODES } from './page-codes.ts';
import type { LinkedPage } from './page-link.ts';
import { listWaitingPapers, type PagePaper } from './page-papers.ts';
import type { PageChannel } from './page-writes.ts';

/** What the link shows before a code: the dealer, and how the code comes. */
export interface PageDoor {
  readonly face: DealerFace;
  readonly isSandbox: boolean;
  /** Masked; null where staff read the code out. */
  readonly mailedTo: string | null;
  readonly hasCode: boolean;
  /** The code was entered in this browser. */
  readonly isOpen: boolean;
}

export async function readPageDoor(
  db: Db,
  { link_id, customer_id }: LinkedPage,
  { realNow, session, canMail }: { readonly realNow: Date; readonly session: Buffer | null; readonly canMail: boolean },
): Promise<PageDoor> {
  const dealer = await readPaperDealer(db);
  const { channel, email } = await db.one<{ channel: PageChannel; email: string | null }>(sql`select channel, email
    from ${own('customer_links')} join ${own('customers')} on customers.id = customer_id
    where customer_links.id = ${link_id} and customer_id = ${customer_id}`);
  const isMailed = channel === 'E-posta' && (canMail || dealer.is_sandbox) && email !== null;
  return {
    face: faceOf(dealer),
    isSandbox: dealer.is_sandbox,
    mailedTo: isMailed ? maskEmail(email) : null,
    ...(await db.one<Pick<PageDoor, 'hasCode' | 'isOpen'>>(sql`select ${PAGE_CODES.state(link_id, realNow, session)}`)),
  };
}

export interface PageDebt {
  readonly currency: Currency;
  readonly remaining: bigint;
  readonly overdue: bigint;
  readonly next_due: string | null;
}

export interface PageInstallment {
  readonly sale_id: string;
  /** The position in the plan, 0 for the down payment. */
  readonly place: number;
  readonly kind: InstallmentKind;
  readonly due_date: string;
  readonly amount: bigint;
  readonly remaining: bigint;
  readonly is_overdue: boolean;
}

export interface PageSale {
  readonly id: string;
  readonly sale_no: string;
  readonly sale_date: string;
  readonly status: SaleStatus;
  readonly currency: Currency;
  readonly price: bigint;
  readonly car: string;
  readonly plate: string | null;
  readonly installments: readonly PageInstallment[];
}

export interface PageReceipt {
  readonly id: string;
  readonly receipt_no: string;
  readonly type: 'Tahsilat' | 'Kapora' | 'İade';
  readonly day: string;
  readonly amount: bigint;
  readonly currency: Currency;
}

export interface CustomerPage {
  readonly name: string;
  readonly debts: readonly PageDebt[];
  readonly sales: readonly PageSale[];
  readonly receipts: readonly PageReceipt[];
  readonly papers: readonly PagePaper[];
  readonly bank_accounts: readonly DealerBankAccount[];
}

const MAX_SALES = 50;
const MAX_RECEIPTS = 200;

/** Valid receipts; other kinds of collections have none. */
const OWN_RECEIPTS = (customerId: string): Sql => sql`customer_id = ${customerId} and type in ('Tahsilat', 'Kapora', 'İade')
  and status = 'Geçerli'`;

export async function readCustomerPage(
  db: Db,
  customerId: string,
  { now, today }: { readonly now: Date; readonly today: string },
): Promise<CustomerPage> {
  const [{ name }, debts, sales, installments, receipts, papers, bank_accounts] = await Promise.all([
    db.one<{ name: string }>(sql`select coalesce(company_name, first_name || ' ' || last_name) as name
      from ${own('customers')} where id = ${customerId}`),
    db.rows<PageDebt>(sql`select currency, sum(remaining_amount_minor)::bigint as remaining,
        coalesce(sum(remaining_amount_minor) filter (where ${isOverdueOn(today)}), 0)::bigint as overdue,
        min(due_date) filter (where due_date >= ${today}::date) as next_due
      from ${own('installments')} where customer_id = ${customerId} and ${IS_OPEN} group by currency order by currency`),
    db.rows<Omit<PageSale, 'installments'>>(sql`select sales.id, sale_no, sale_date, sales.status, sales.currency,
        sale_price_minor as price, concat_ws(' ', brand, model, model_year) as car, plate
      from ${own('sales')} join ${own('vehicles')} on vehicles.id = sales.vehicle_id
      where sales.customer_id = ${customerId} order by sale_date desc, sale_no desc limit ${MAX_SALES}`),
    db.rows<PageInstallment>(sql`select sale_id, case seq when 0 then 0 else ${placeOf(sql`installments.seq`, sql`installments.sale_id`)} end as place,
        kind, due_date, amount_minor as amount, remaining_amount_minor as remaining, ${isOverdueOn(today)} as is_overdue
      from ${own('installments')} where customer_id = ${customerId} and status not in ('Yapılandırıldı', 'İptal')
      order by sale_id, due_date, seq`),
    db.rows<PageReceipt>(sql`select id, receipt_no, type, collected_on as day, amount_minor as amount, currency
      from ${own('collections')} where ${OWN_RECEIPTS(customerId)} order by collected_on desc, number desc limit ${MAX_RECEIPTS}`),
    listWaitingPapers(db, customerId, now),
    listDealerBankAccounts(db),
  ]);
  const bySale = Map.groupBy(installments, ({ sale_id }) => sale_id);
  return {
    name,
    debts,
    sales: sales.map((sale) => ({ ...sale, installments: sale.status === 'İptal' ? [] : (bySale.get(sale.id) ?? []) })),
    receipts,
    papers,
    bank_accounts,
  };
}

/** Another customer's receipt is not found. */
export async function requireOwnReceipt(db: Db, customerId: string, id: string): Promise<void> {
  const found = await db.rows(sql`select 1 from ${own('collections')} where id = ${id} and ${OWN_RECEIPTS(customerId)}`);
  if (found.length === 0) fail('not_found');
}

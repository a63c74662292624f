// Invoices of the membership: listed for the dealer, issued by an administrator (P7). Payment from the wallet is in
// wallet/invoice-payment.ts.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { listPage, type Page, type Paging } from '../../kit/page.ts';
import { momentParam, oneOfParam } from '../../kit/params.ts';
import {
  columnsOf,
  currency,
  day,
  nullable as maybe,
  money,
  type Of,
  object,
  oneOf,
  percent,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { writtenDay, writtenSum } from '../formats/written.ts';
import { addNotification } from '../notifications/notification.ts';
import type { CreateBody } from '../records/body.ts';
import { dayField, type Field, type Fields, moneyField, Refused, required } from '../records/fields.ts';
import { type Between, instantsBetween } from '../records/instants.ts';
import { audit } from '../writes/audit.ts';
import { emitChange } from '../writes/record-events.ts';
import { INVOICE_STATUSES, type InvoiceStatus } from './membership-states.ts';

export const MembershipInvoice = object({
  id: uuid(),
  invoice_no: text('F-2026-00001'),
  period_start: day(),
  period_end: day(),
  amount: money('1500.00'),
  tax_rate: percent(),
  tax_amount: money('300.00'),
  total: money('1800.00'),
  currency: currency(),
  status: oneOf(INVOICE_STATUSES),
  due_date: day(),
  paid_at: maybe(timestamp()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type MembershipInvoice = Of<typeof MembershipInvoice>;

export const InvoiceFilters = { status: oneOfParam(INVOICE_STATUSES), from: momentParam, to: momentParam } as const;

export function listInvoices(
  db: Db,
  filter: Between & { readonly status?: InvoiceStatus | undefined },
  timezone: string,
  page: Paging,
): Promise<Page> {
  const where = instantsBetween('created_at', filter, timezone);
  if (filter.status !== undefined) where.push(sql`status = ${filter.status}`);
  return listPage(db, { table: 'membership_invoices', shows: MembershipInvoice, where }, page);
}

export const readInvoice = (db: Db, id: string): Promise<MembershipInvoice> =>
  db.last<MembershipInvoice>(sql`select ${columnsOf(MembershipInvoice)} from ${own('membership_invoices')} where id = ${id}`);

const HUNDRED_PERCENT = 10_000n;
/** Twelve digits before the decimal point, as for all money. */
const MOST_TOTAL = 99_999_999_999_999n;

/** Hundredths of a percent, 0 to 100 %. */
const taxRateField: Field<bigint> = {
  ...moneyField(),
  read: (value, context) => {
    const rate = moneyField().read(value, context);
    const allowed = { en: 'a percentage from 0 to 100, such as 20', tr: '20 gibi, 0–100 arasında bir yüzde' };
    return typeof rate === 'bigint' && rate <= HUNDRED_PERCENT ? rate : new Refused('out_of_range', allowed);
  },
};

export const INVOICE_FIELDS = {
  amount: required(moneyField({ above: 0n })),
  tax_rate: required(taxRateField),
  period_start: required(dayField()),
  period_end: required(dayField()),
  due_date: required(dayField()),
} as const satisfies Fields;

/** Half up, once. */
export const taxOn = (amount: bigint, rate: bigint): bigint => (amount * rate + HUNDRED_PERCENT / 2n) / HUNDRED_PERCENT;

export async function issueInvoice(work: Work, body: CreateBody<typeof INVOICE_FIELDS>): Promise<MembershipInvoice> {
  const { db, now, actor, account } = work;
  const { amount, tax_rate, period_start, period_end, due_date } = body;
  if (period_end < period_start) refusePeriod();
  const tax = taxOn(amount, tax_rate);
  if (amount + tax > MOST_TOTAL) refuseTotal();
  const id = newId(now.getTime());
  const invoice_no = await nextNumber(work);
  await db.exec(sql`insert into membership_invoices (account_id, id, invoice_no, period_start, period_end, amount_minor, tax_rate_minor,
      tax_amount_minor, total_minor, due_date, created_at, updated_at)
    values (${theAccount}, ${id}, ${invoice_no}, ${period_start}, ${period_end}, ${amount}, ${tax_rate}, ${tax}, ${amount + tax},
      ${due_date}, ${now}, ${work.updatedAt()})`);
  const shown = await readInvoice(db, id);
  emitInvoiceEvent(work, 'issued', shown);
  await audit(db, actor, 'membership_invoice.issued', id, { accountId: account.id, after: { invoice_no, total: shown.total } });
  const [total, due] = [writtenSum(shown.total, shown.currency), writtenDay(due_date)];
  await addNotification(work, {
    kind: 'membership_invoice.issued',
    title: { en: 'A membership invoice was issued', tr: 'Üyelik faturası kesildi' },
    body: {
      en: `${invoice_no}: ${total.en}, due on ${due.en}.`,
      tr: `${invoice_no}: ${total.tr}, son ödeme ${due.tr}.`,
    },
    resource_type: 'membership_invoice',
    resource_id: id,
  });
  return shown;
}

function refusePeriod(): never {
  const message = { en: 'period_end must not be before period_start', tr: 'period_end, period_start tarihinden önce olamaz' };
  return fail('validation_failed', { details: [{ field: 'period_end', code: 'out_of_range', message }] });
}

function refuseTotal(): never {
  const message = {
    en: 'amount with its tax must stay below 1000000000000.00',
    tr: 'amount vergisiyle birlikte 1000000000000.00 altında kalmalı',
  };
  return fail('validation_failed', { details: [{ field: 'amount', code: 'out_of_range', message }] });
}

/** The membership is locked and invoices are never deleted, so the next number is their count plus one. */
async function nextNumber({ db, today }: Work): Promise<string> {
  await db.exec(sql`select from ${own('memberships')} for update`);
  const series = `F-${today.slice(0, 4)}-`;
  const { count } = await db.one<{ count: bigint }>(
    sql`select count(*) from ${own('membership_invoices')} where starts_with(invoice_no, ${series})`,
  );
  return `${series}${String(count + 1n).padStart(5, '0')}`;
}

export const emitInvoiceEvent = (
  work: Work,
  verb: 'issued' | 'paid',
  shown: MembershipInvoice,
  before?: MembershipInvoice,
): void => emitChange(work, { kind: 'membership_invoice', path: 'membership/invoices' }, verb, shown, before);

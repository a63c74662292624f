// Billing of a membership in a world. In production an administrator issues the invoice and charges the wallet; a world has no
// administrator, so the clock does both with the same functions at the end of each period.

import { addDays, addMonths, dayOfMonth, monthsAndDays } from '../domain/clock/days.ts';
import { issueInvoice } from '../domain/membership/invoices.ts';
import { setMembership } from '../domain/membership/membership.ts';
import { settleInvoice } from '../domain/wallet/invoice-payment.ts';
import type { Look } from '../domain/writes/timed-transition.ts';
import { idsOf, without } from '../domain/writes/transition-failures.ts';
import { startOfDay } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { Failure } from '../kit/errors.ts';
import { own, sql } from '../kit/sql.ts';
import type { Work } from '../kit/work.ts';

const RENEWS = sql`auto_renew and status in ('Aktif', 'Gecikmiş') and price_minor > 0`;
/** Hundredths of a percent: the tax on services. */
const TAX_RATE = 2000n;
const DAYS_TO_PAY = 14;

export const dueMemberships = ({ db, today }: Look, skip: readonly string[]): Promise<string[]> =>
  idsOf(db, sql`select id from ${own('memberships')} where ${RENEWS} and period_end < ${today}::date and ${without(skip)}`);

interface Period {
  readonly period_start: string;
  readonly period_end: string;
  readonly price: bigint;
}

/** Renews the period, issues its invoice, and charges the wallet for what is unpaid; what it cannot pay makes the membership overdue. */
export async function billMemberships(work: Work): Promise<void> {
  const { db, today } = work;
  const [found] = await db.rows<Period>(sql`select period_start, period_end, price_minor as price from ${own('memberships')}
    where ${RENEWS} and period_end < ${today}::date for update`);
  if (found === undefined) return;
  const { period_start, period_end } = nextPeriod(found);
  const due_date = addDays(period_start, DAYS_TO_PAY);
  await issueInvoice(work, { amount: found.price, tax_rate: TAX_RATE, period_start, period_end, due_date });
  await setMembership(work, { period_start, period_end, status: (await chargeUnpaid(work)) ? 'Aktif' : 'Gecikmiş' });
}

/** As long as the one before: whole months from its first day, or else its days. */
function nextPeriod({ period_start, period_end }: Period): Pick<Period, 'period_start' | 'period_end'> {
  const start = addDays(period_end, 1);
  const { months, days } = monthsAndDays(period_start, start);
  const end = addDays(addMonths(start, months, dayOfMonth(start)), days);
  return { period_start: start, period_end: addDays(end, -1) };
}

/** Oldest first. False if the balance was too small for one of them. */
async function chargeUnpaid(work: Work): Promise<boolean> {
  const unpaid = await work.db.rows<{ id: string }>(
    sql`select id from ${own('membership_invoices')} where status = 'Ödenmedi' order by created_at, invoice_no`,
  );
  for (const { id } of unpaid) if (!(await charge(work, id))) return false;
  return true;
}

async function charge(work: Work, id: string): Promise<boolean> {
  try {
    await work.step(() => settleInvoice(work, id, { from: 'wallet', decisionId: null }));
    return true;
  } catch (error) {
    if (error instanceof Failure && error.code === 'insufficient_balance') return false;
    throw error;
  }
}

export async function nextMembershipBill(db: Db, timezone: string, skip: readonly string[]): Promise<Date | null> {
  const [found] = await db.rows<{ day: string }>(
    sql`select period_end as day from ${own('memberships')} where ${RENEWS} and ${without(skip)}`,
  );
  return found === undefined ? null : startOfDay(addDays(found.day, 1), timezone);
}

// Settling a membership invoice (P7): from the wallet, by one «Üyelik» of its total, or as paid outside it.
import { fail } from '../../kit/errors.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { emitInvoiceEvent, type MembershipInvoice, readInvoice } from '../membership/invoices.ts';
import { audit } from '../writes/audit.ts';
import { inAccountLanguage, post } from './ledger.ts';

export const PAID_FROM = ['wallet', 'outside'] as const;
export type PaidFrom = (typeof PAID_FROM)[number];

/** `decisionId`: the decision of two administrators; required for an invoice above MONEY_ALONE_UP_TO. */
export async function settleInvoice(
  work: Work,
  id: string,
  { from, decisionId }: { readonly from: PaidFrom; readonly decisionId: string | null },
): Promise<MembershipInvoice> {
  const { db, now, actor, account } = work;
  const stored = await db.one<{ status: string; total: bigint; invoice_no: string }>(
    sql`select status, total_minor as total, invoice_no from ${own('membership_invoices')} where id = ${id} for update`,
  );
  if (stored.status !== 'Ödenmedi') fail('invoice_settled');
  const before = await readInvoice(db, id);
  const transaction = from === 'wallet' ? await pay(work, id, stored) : null;
  await db.exec(sql`update membership_invoices set status = 'Ödendi', paid_at = ${now}, transaction_id = ${transaction},
      decision_id = ${decisionId}, updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and id = ${id}`);
  const shown = await readInvoice(db, id);
  emitInvoiceEvent(work, 'paid', shown, before);
  await audit(db, actor, 'membership_invoice.paid', id, { accountId: account.id, after: { from, total: shown.total } });
  return shown;
}

async function pay(work: Work, id: string, { total, invoice_no }: { total: bigint; invoice_no: string }): Promise<string> {
  const words = { en: `Membership invoice ${invoice_no}`, tr: `Üyelik faturası ${invoice_no}` };
  const description = await inAccountLanguage(work, words);
  return post(work, { type: 'Üyelik', amount: -total, reference: { type: 'membership_invoice', id }, description });
}

// A restructuring's annex: the payment plan is generated again and replaces the previous one.
import { fail } from '../../../kit/errors.ts';
import { sql, theAccount } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';
import { lockSaleWithInstallments } from '../../sales/sale-money.ts';
import { lockGenerated } from '../document.ts';
import { findTemplate } from '../document-templates.ts';
import { readPaperDealer } from '../sale-paper.ts';
import { draft } from './sale-document-generate.ts';
import { voidDocument } from './sale-document-void.ts';

/** Consequence: an unsigned plan is void, a signed one is superseded. */
export async function renewPaymentPlan(work: Work, { id }: { readonly id: string }): Promise<void> {
  const { db, now } = work;
  const plans = await lockGenerated(
    db,
    sql`sale_id = ${id} and template_code = 'odeme_plani' and status <> 'İptal' and superseded_at is null`,
  );
  for (const plan of plans)
    if (plan.status === 'İmzalandı')
      await db.exec(
        sql`update documents set superseded_at = ${now}, updated_at = ${work.updatedAt()} where account_id = ${theAccount} and id = ${plan.id}`,
      );
    else await voidDocument(work, plan, 'yapılandırma');
  const dealer = await readPaperDealer(db);
  const template = findTemplate(dealer.country, { code: 'odeme_plani' })!;
  const locked = (await lockSaleWithInstallments(db, id)) ?? fail('not_found');
  await draft(work, { dealer, template, locked, note: null, standing: undefined });
}

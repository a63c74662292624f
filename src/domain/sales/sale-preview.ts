// Previews for the panel with more than the API's response: the plan, the refund.

import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { CreateBody } from '../records/body.ts';
import { type Collection, readCollections } from './collection.ts';
import { type PlanWithInstallments, readPlanWithInstallments } from './plan.ts';
import { type CANCEL_FIELDS, cancelSale } from './sale-cancel.ts';
import { readSale, type SaleDetail } from './sale-view.ts';

export interface SalePreview {
  readonly sale: SaleDetail;
  readonly plan: PlanWithInstallments;
}

export const showSalePreview = async ({ db, today }: Work, id: string): Promise<SalePreview> => ({
  sale: await readSale(db, id, today),
  plan: await readPlanWithInstallments(db, id, today),
});

export interface CancelPreview {
  readonly sale: SaleDetail;
  /** The refund in the currency of payment; null if there is none. */
  readonly refund: Collection | null;
}

export async function previewCancel(work: Work, id: string, body: CreateBody<typeof CANCEL_FIELDS>): Promise<CancelPreview> {
  const sale = await cancelSale(work, id, body);
  const [made] = await work.db.rows<{ id: string }>(
    sql`select id from ${own('collections')} where sale_id = ${id} and type = 'İade'`,
  );
  return { sale, refund: made === undefined ? null : (await readCollections(work.db, [made.id]))[0]! };
}

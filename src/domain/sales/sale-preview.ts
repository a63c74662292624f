// What a sale would come to, row by row: it is made for real and rolled back, so that the preview cannot differ from the sale.
import { Undone } from '../../kit/db.ts';
import type { Work } from '../../kit/work.ts';
import type { CreateBody } from '../records/body.ts';
import { type PlanWithRows, readPlanWithRows } from './plan.ts';
import type { SALE_FIELDS } from './sale.ts';
import type { SaleDetail } from './sale-view.ts';
import { createSale } from './sale-writes.ts';

export interface SalePreview {
  readonly sale: SaleDetail;
  readonly plan: PlanWithRows;
}

class Previewed extends Undone {
  readonly preview: SalePreview;
  constructor(preview: SalePreview) {
    super('nothing is written');
    this.preview = preview;
  }
}

/** A dry run of `POST sales` answers the sale alone; a person wants to see the plan too. */
export async function previewSale(
  write: (run: (work: Work) => Promise<never>) => Promise<never>,
  asked: CreateBody<typeof SALE_FIELDS>,
): Promise<SalePreview> {
  try {
    return await write(async (work) => {
      const sale = await createSale(work, asked);
      throw new Previewed({ sale, plan: await readPlanWithRows(work.db, sale.id, work.today) });
    });
  } catch (error) {
    if (error instanceof Previewed) return error.preview;
    throw error;
  }
}

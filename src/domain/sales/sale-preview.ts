// What an act on a sale would come to, row by row: it is done for real and rolled back, so that the preview cannot differ from it.
import { Undone } from '../../kit/db.ts';
import type { Work } from '../../kit/work.ts';
import { type PlanWithRows, readPlanWithRows } from './plan.ts';
import { readSale, type SaleDetail } from './sale-view.ts';

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

/** A dry run of a catalog row answers the record alone; a person wants to see the plan too. `act` answers the id of the sale. */
export async function previewSale(
  write: (run: (work: Work) => Promise<never>) => Promise<never>,
  act: (work: Work) => Promise<string>,
): Promise<SalePreview> {
  try {
    return await write(async (work) => {
      const { db, today } = work;
      const id = await act(work);
      throw new Previewed({ sale: await readSale(db, id, today), plan: await readPlanWithRows(db, id, today) });
    });
  } catch (error) {
    if (error instanceof Previewed) return error.preview;
    throw error;
  }
}

// A write of the panel's own, in one transaction with its events like a write of the catalog.
import { Rollback } from '../../kit/db.ts';
import type { Actor, Work } from '../../kit/work.ts';
import type { PanelAccount, PanelSession } from './endpoint.ts';
import type { PanelServices } from './services.ts';

export interface Writing {
  readonly services: PanelServices;
  readonly account: PanelAccount;
  readonly session: PanelSession;
  readonly actor: Actor;
  readonly now: Date;
}

export const writeInAccount = <T>(
  { services, account, session, actor, now }: Writing,
  run: (work: Work) => Promise<T>,
): Promise<T> =>
  services.writer.write({ dataSet: account.id, account, actor, requestId: session.requestId, now, world: account.world }, run);

class Previewed<T> extends Rollback {
  readonly preview: T;
  constructor(preview: T) {
    super('nothing is written');
    this.preview = preview;
  }
}

/** A preview of a write: the write runs and is rolled back, so that the preview cannot differ from it. */
export async function previewInAccount<T>(writing: Writing, run: (work: Work) => Promise<T>): Promise<T> {
  try {
    return await writeInAccount<never>(writing, async (work) => {
      throw new Previewed(await run(work));
    });
  } catch (error) {
    if (error instanceof Previewed) return error.preview as T;
    throw error;
  }
}

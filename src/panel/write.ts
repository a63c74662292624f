// A write of the panel's own, in one transaction with its events like a write of the catalog.
import type { Actor, Work } from '../kit/work.ts';
import type { PanelAccount, PanelSession } from './endpoint.ts';
import type { PanelServices } from './services.ts';

interface Writing {
  readonly services: PanelServices;
  readonly account: PanelAccount;
  readonly session: PanelSession;
  readonly actor: Actor;
  readonly now: Date;
}

export const writeInAccount = <T>(
  { services, account, session, actor, now }: Writing,
  run: (work: Work) => Promise<T>,
): Promise<T> => services.writer.write({ dataSet: account.id, account, actor, requestId: session.requestId, now }, run);

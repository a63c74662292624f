// A write of an administrator in a dealer's own data: the same domain function, with the same events, as everybody's.
import type { Database } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import type { Actor, Work } from '../../kit/work.ts';
import type { PanelSession } from '../kit/endpoint.ts';
import type { PanelServices } from '../kit/services.ts';

export interface Dealer {
  readonly id: string;
  readonly timezone: string;
}

export const findDealer = (database: Database, accountId: string): Promise<Dealer> =>
  database.onPlatform('read', (db) => db.one<Dealer>(sql`select id, timezone from accounts where id = ${accountId}`));

export interface Administering {
  readonly services: PanelServices;
  readonly session: PanelSession;
  readonly actor: Actor;
  readonly now: Date;
}

export async function writeForDealer<T>(
  { services, session, actor, now }: Administering,
  accountId: string,
  run: (work: Work) => Promise<T>,
): Promise<T> {
  const account = await findDealer(services.database, accountId);
  return services.writer.write(
    { dataSet: account.id, account, actor: { ...actor, role: 'admin' }, requestId: session.requestId, now },
    run,
  );
}

// The events of a dealer's writes, in order.
import { own, sql } from '../../src/kit/sql.ts';
import type { TestService } from './service.ts';

export interface SeenEvent {
  readonly kind: string;
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
  readonly payload: any;
}

export async function eventsOf(api: TestService, accountId: string): Promise<SeenEvent[]> {
  const rows = await api.database.inTenant(accountId, 'read', (db) =>
    db.rows<{ kind: string; resource_id: string; payload: string }>(
      sql`select kind, resource_id, payload from ${own('events')} order by sequence`,
    ),
  );
  return rows.map(({ kind, resource_id, payload }) => ({ kind, id: resource_id, payload: JSON.parse(payload) }));
}

/** The events that the given calls add. */
export async function eventsBy(api: TestService, accountId: string, act: () => Promise<unknown>): Promise<SeenEvent[]> {
  const before = (await eventsOf(api, accountId)).length;
  await act();
  return (await eventsOf(api, accountId)).slice(before);
}

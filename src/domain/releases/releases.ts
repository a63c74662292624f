// Release status: which catalog endpoints are open on this deployment. An endpoint that is not in the table has the status it ships with.
import type { Db } from '../../kit/db.ts';
import type { Endpoint, Status } from '../../kit/endpoint.ts';
import { sql } from '../../kit/sql.ts';
import { type Actor, audit } from '../writes/audit.ts';

export async function liveEndpoints(db: Db, endpoints: readonly Endpoint[]): Promise<Set<string>> {
  const changed = await db.rows<{ endpoint: string; status: Status }>(sql`select endpoint, status from releases`);
  const status = new Map(changed.map((row) => [row.endpoint, row.status]));
  // An endpoint that has no body in this version cannot be served, regardless of the table.
  return new Set(
    endpoints
      .filter((endpoint) => endpoint.body !== null && (status.get(endpoint.id) ?? endpoint.status) === 'Aktif')
      .map((endpoint) => endpoint.id),
  );
}

export class ReleaseRefusal extends Error {}

/** Opens or closes endpoints; the others are not changed. An endpoint without a body cannot be opened. */
export async function setRelease(db: Db, endpoints: readonly Endpoint[], status: Status, actor: Actor): Promise<Endpoint[]> {
  const empty = status === 'Aktif' ? endpoints.filter((endpoint) => endpoint.body === null) : [];
  if (empty.length > 0) {
    const names = empty.slice(0, 3).map((endpoint) => `'${endpoint.id}'`);
    throw new ReleaseRefusal(
      `not built yet, so it cannot be activated: ${names.join(', ')}${empty.length > 3 ? ` and ${empty.length - 3} more` : ''}`,
    );
  }
  // One release at a time, so that key owners are notified of exactly what changed.
  await db.exec(sql`select pg_advisory_xact_lock(hashtext('galeri.release'))`);
  const live = await liveEndpoints(db, endpoints);
  const changed = endpoints.filter((endpoint) => live.has(endpoint.id) !== (status === 'Aktif'));
  for (const endpoint of changed) {
    await db.exec(sql`insert into releases (endpoint, status) values (${endpoint.id}, ${status})
      on conflict (endpoint) do update set status = excluded.status, changed_at = now()`);
    await audit(db, actor, status === 'Aktif' ? 'release.activated' : 'release.deactivated', endpoint.id);
  }
  return changed;
}

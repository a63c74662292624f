// Release status: which catalog rows are open on this deployment. A row that is not in the table has the status it ships with.
import type { Db } from '../../kit/db.ts';
import type { Row, Status } from '../../kit/endpoint.ts';
import { sql } from '../../kit/sql.ts';
import { type Actor, audit } from '../writes/audit.ts';

export async function liveRows(db: Db, rows: readonly Row[]): Promise<Set<string>> {
  const changed = await db.rows<{ endpoint: string; status: Status }>(sql`select endpoint, status from releases`);
  const status = new Map(changed.map((row) => [row.endpoint, row.status]));
  // A row that has no body in this version cannot be served, regardless of the table.
  return new Set(rows.filter((row) => row.body !== null && (status.get(row.id) ?? row.status) === 'Aktif').map((row) => row.id));
}

export class ReleaseRefusal extends Error {}

/** Opens or closes rows; the others are not changed. A row without a body cannot be opened. */
export async function setRelease(db: Db, rows: readonly Row[], status: Status, actor: Actor): Promise<Row[]> {
  const empty = status === 'Aktif' ? rows.filter((row) => row.body === null) : [];
  if (empty.length > 0) {
    const names = empty.slice(0, 3).map((row) => `'${row.id}'`);
    throw new ReleaseRefusal(
      `not built yet, so it cannot be activated: ${names.join(', ')}${empty.length > 3 ? ` and ${empty.length - 3} more` : ''}`,
    );
  }
  // One release at a time, so that key owners are notified of exactly what changed.
  await db.exec(sql`select pg_advisory_xact_lock(hashtext('galeri.release'))`);
  const live = await liveRows(db, rows);
  const changed = rows.filter((row) => live.has(row.id) !== (status === 'Aktif'));
  for (const row of changed) {
    await db.exec(sql`insert into releases (endpoint, status) values (${row.id}, ${status})
      on conflict (endpoint) do update set status = excluded.status, changed_at = now()`);
    await audit(db, actor, status === 'Aktif' ? 'release.activated' : 'release.deactivated', row.id);
  }
  return changed;
}

// A world as /sandbox/v1 shows it.
import { addMonths } from '../../domain/clock/days.ts';
import { CEILINGS, type Ceiling, countWorld } from '../../domain/worlds/ceilings.ts';
import type { Database } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import type { OpenWorld } from '../api/worlds.ts';

/** The clock moves at most five years beyond the beginning of the world. */
const MAX_MONTHS = 60;

interface Move {
  readonly from?: string;
  readonly transitions?: Readonly<Record<string, number>>;
}

export async function clockView(database: Database, world: OpenWorld): Promise<Readonly<Record<string, unknown>>> {
  const { now, status, startedAt, targetAt, failure } = world;
  const view = { now: now.toISOString(), status, started_at: startedAt.toISOString(), latest: latestOf(startedAt).toISOString() };
  if (status === 'ready') return { ...view, move: null, failure: null };
  const { progress } = await database.onPlatform('read', (db) =>
    db.one<{ progress: string }>(sql`select progress from worlds where id = ${world.id}`),
  );
  const { from = null, transitions = {} } = JSON.parse(progress) as Move;
  return { ...view, move: { from, to: targetAt!.toISOString(), transitions }, failure };
}

const latestOf = (startedAt: Date): Date => {
  const text = startedAt.toISOString();
  return new Date(`${addMonths(text.slice(0, 10), MAX_MONTHS)}${text.slice(10)}`);
};

export async function worldView(database: Database, world: OpenWorld): Promise<Readonly<Record<string, unknown>>> {
  const counts = await database.inTenant(world.id, 'read', countWorld);
  const { at } = await database.onPlatform('read', (db) =>
    db.one<{ at: Date | null }>(sql`select reset_at as at from worlds where id = ${world.id}`),
  );
  const names = Object.keys(CEILINGS) as Ceiling[];
  return {
    id: world.id,
    data: world.data,
    data_version: world.dataVersion,
    created_at: world.createdAt.toISOString(),
    last_reset_at: at?.toISOString() ?? null,
    clock: await clockView(database, world),
    counts: Object.fromEntries(names.map((name) => [name, { count: counts[name], limit: CEILINGS[name] }])),
  };
}

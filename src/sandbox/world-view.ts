// A world as /sandbox/v1 and the panel show it.
import { addMonths } from '../domain/clock/days.ts';
import { CEILINGS, type Ceiling, countWorld } from '../domain/worlds/ceilings.ts';
import type { OpenWorld } from '../domain/worlds/open-world.ts';
import type { World } from '../domain/worlds/world.ts';
import type { WorldData } from '../domain/worlds/world-states.ts';
import type { Database } from '../kit/db.ts';
import { sql } from '../kit/sql.ts';

/** The clock moves at most five years beyond the beginning of the world. */
const MAX_MONTHS = 60;

interface Move {
  readonly from?: string;
  readonly transitions?: Readonly<Record<string, number>>;
}

export interface ClockView {
  readonly now: string;
  readonly status: World['status'];
  readonly started_at: string;
  readonly latest: string;
  /** Of a clock that moves, or stopped at a failure: from where to where, and what has happened until now. */
  readonly move: {
    readonly from: string | null;
    readonly to: string;
    readonly transitions: Readonly<Record<string, number>>;
  } | null;
  readonly failure: string | null;
}

export interface WorldView {
  readonly id: string;
  readonly data: WorldData;
  readonly data_version: number;
  readonly created_at: string;
  readonly last_reset_at: string | null;
  readonly clock: ClockView;
  readonly counts: Readonly<Record<Ceiling, { readonly count: number; readonly limit: number }>>;
}

export async function clockView(database: Database, world: OpenWorld): Promise<ClockView> {
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

export async function worldView(database: Database, world: OpenWorld): Promise<WorldView> {
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
    counts: Object.fromEntries(
      names.map((name) => [name, { count: counts[name], limit: CEILINGS[name] }]),
    ) as unknown as WorldView['counts'],
  };
}

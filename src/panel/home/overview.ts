// The home screen: open work, this month compared with the last, the stock, and API usage. One request, from rollups and counts.
import { type KeyConcern, keyConcerns, keyState } from '../../domain/keys/key-health.ts';
import { type Desk, type DeskEvent, readDesk } from '../../domain/reports/desk-figures.ts';
import { VEHICLE_STATUSES, type VehicleStatus } from '../../domain/stock/stock-states.ts';
import { readTimeline, type TimelinePoint } from '../../domain/usage/account-usage.ts';
import { TROUBLE } from '../../domain/usage/outcome.ts';
import { dayIn } from '../../kit/clock.ts';
import { allAnswers, type Db, inLog } from '../../kit/db.ts';
import type { Period } from '../../kit/period.ts';
import { own, sql } from '../../kit/sql.ts';
import { panelGet } from '../kit/endpoint.ts';
import { withThumbnails } from '../kit/thumbnails.ts';

export interface KeyToLookAt {
  readonly id: string;
  readonly name: string;
  readonly concerns: readonly KeyConcern[];
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly calls_24h: number;
  readonly errors_24h: number;
}

export interface KeysAtAGlance {
  /** Usable keys. */
  readonly working: number;
  /** The most urgent first. */
  readonly to_look_at: readonly KeyToLookAt[];
}

export interface TrafficAtAGlance {
  /** One per hour, the present hour last. */
  readonly points: readonly TimelinePoint[];
  /** Calls of the 24 hours before those. */
  readonly calls_before: number;
}

/** With a link to the photo for fifteen minutes; null where there is none, or only one on another server. */
export interface ShownEvent extends Omit<DeskEvent, 'thumbnail_id'> {
  readonly thumbnail_url: string | null;
}

export interface ShownDesk extends Omit<Desk, 'events'> {
  readonly events: readonly ShownEvent[];
}

export interface Overview {
  readonly desk: ShownDesk;
  /** Only for a developer: the others' home shows nothing of the API. Null too while usage cannot be read. */
  readonly keys: KeysAtAGlance | null;
  readonly traffic: TrafficAtAGlance | null;
  readonly stock: Readonly<Record<VehicleStatus, number>>;
  /** The first steps of a new account, and which are done. */
  readonly steps: {
    readonly has_key: boolean;
    readonly has_call: boolean;
    /** A logo, a city and a phone, which are printed on papers. */
    readonly has_identity: boolean;
    readonly has_vehicle: boolean;
    /** Exchange rates of the account's bank. */
    readonly has_rates: boolean;
    readonly has_reminder_rule: boolean;
    readonly has_colleague: boolean;
    readonly has_sale: boolean;
  };
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MAX_KEYS = 8;

export const overviewEndpoints = [
  panelGet('overview', {
    who: 'member',
    databaseRole: 'tenant',
    run: async ({ db, account, services, now, realNow }) => {
      const { id, role, member_id, timezone } = account;
      const developer = role === 'developer';
      const [{ events, ...desk }, keys, stock, steps] = await allAnswers([
        readDesk(db, { role, member_id, timezone, now, today: dayIn(now, timezone) }),
        developer ? findKeys(db) : Promise.resolve(null),
        stockOf(db),
        stepsOf(db),
      ]);
      const shown = withThumbnails(events, { services, account: id, realNow });
      const view = { desk: { ...desk, events: shown }, stock };
      return inLog(
        async (log): Promise<Overview> => {
          const [glance, traffic, has_call] = await allAnswers([
            keys === null ? Promise.resolve(null) : keysAtAGlance(log, keys, realNow),
            developer ? trafficAtAGlance(log, realNow, timezone) : Promise.resolve(null),
            hasCall(log),
          ]);
          return { desk: view.desk, keys: glance, traffic, stock, steps: { ...steps, has_call } };
        },
        // A step that may be done is not asked for.
        (): Overview => ({ ...view, keys: null, traffic: null, steps: { ...steps, has_call: true } }),
      );
    },
  }),
];

interface KeyFound {
  id: string;
  name: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  any_address: boolean;
}

const findKeys = (db: Db): Promise<KeyFound[]> =>
  db.rows<KeyFound>(sql`select id, name, created_at, expires_at, revoked_at, cardinality(allowed_ips) = 0 as any_address
    from ${own('api_keys')} where revoked_at is null order by created_at desc, id desc limit 500`);

interface KeyUse {
  id: string;
  last_used_at: Date | null;
  calls: number;
  errors: number;
}

async function keysAtAGlance(log: Db, keys: readonly KeyFound[], realNow: Date): Promise<KeysAtAGlance> {
  const uses = await log.rows<KeyUse>(sql`select id,
      (select max(last_used_at) from ${own('usage_secrets')} where key_id = id) as last_used_at, used.calls, used.errors
    from unnest(${keys.map(({ id }) => id)}::uuid[]) as wanted(id) cross join lateral (
      select coalesce(sum(calls), 0)::float8 as calls, ${TROUBLE.calls} as errors
      from ${own('usage_calls')} where key_id = id and hour > ${new Date(realNow.getTime() - DAY)}) used`);
  const useOf = new Map(uses.map((use) => [use.id, use]));
  const judged = keys.map((found) => {
    const key = { ...found, ...useOf.get(found.id)! };
    const state = keyState(key, realNow);
    return { key, concerns: keyConcerns({ ...key, state, old_secret_used: false }, realNow) };
  });
  const pressing = judged.filter(({ concerns }) => concerns.length > 0).sort((one, other) => weightOf(other) - weightOf(one));
  return {
    working: keys.filter(({ expires_at }) => expires_at === null || expires_at > realNow).length,
    to_look_at: pressing.slice(0, MAX_KEYS).map(({ key, concerns }) => ({
      id: key.id,
      name: key.name,
      concerns,
      expires_at: key.expires_at?.toISOString() ?? null,
      last_used_at: key.last_used_at?.toISOString() ?? null,
      calls_24h: key.calls,
      errors_24h: key.errors,
    })),
  };
}

/** A missing address list is only advice; a key that expires soon or fails is urgent. */
const WEIGHTS: Readonly<Record<KeyConcern, number>> = { expiring: 8, errors: 8, old_secret: 4, unused: 2, any_address: 1 };
const weightOf = ({ concerns }: { concerns: readonly KeyConcern[] }): number =>
  concerns.reduce((sum, concern) => sum + WEIGHTS[concern], 0);

const hoursIn = ({ from, end }: Period) =>
  sql`key_id in (select key_id from ${own('usage_secrets')}) and hour >= ${from} and hour < ${end}`;

/** The last 24 whole hours, including the present one. */
async function trafficAtAGlance(log: Db, realNow: Date, timezone: string): Promise<TrafficAtAGlance> {
  const end = new Date(realNow.getTime() + 1);
  const from = new Date(Math.floor(realNow.getTime() / HOUR) * HOUR - DAY + HOUR);
  const [points, calls_before] = await allAnswers([
    readTimeline(log, { period: { from, end }, step: 'hour', timezone }),
    callsWithin(log, { from: new Date(from.getTime() - DAY), end: from }),
  ]);
  return { points, calls_before };
}

async function callsWithin(log: Db, period: Period): Promise<number> {
  const [row] = await log.rows<{ calls: number }>(
    sql`select coalesce(sum(calls), 0)::float8 as calls from ${own('usage_calls')} where ${hoursIn(period)}`,
  );
  return row!.calls;
}

async function stockOf(db: Db): Promise<Record<VehicleStatus, number>> {
  const counted = await db.rows<{ status: VehicleStatus; count: number }>(
    sql`select status, count(*)::int as count from ${own('vehicles')} where deleted_at is null group by status`,
  );
  const found = new Map(counted.map(({ status, count }) => [status, count]));
  return Object.fromEntries(VEHICLE_STATUSES.map((status) => [status, found.get(status) ?? 0])) as Record<VehicleStatus, number>;
}

async function hasCall(log: Db): Promise<boolean> {
  const [row] = await log.rows<{ has: boolean }>(sql`select exists (select from ${own('usage_secrets')}) as has`);
  return row!.has;
}

async function stepsOf(db: Db): Promise<Omit<Overview['steps'], 'has_call'>> {
  const [row] = await db.rows<Omit<Overview['steps'], 'has_call'>>(sql`select exists (select from ${own('api_keys')}) as has_key,
    exists (select from ${own('vehicles')}) as has_vehicle,
    exists (select from ${own('sales')}) as has_sale, (select count(*) > 1 from ${own('members')} where active) as has_colleague,
    (select paper_logo_file_id is not null and city is not null and phone is not null from ${own('accounts')}) as has_identity,
    (select exists (select from exchange_rates where source = rate_source) from ${own('accounts')}) as has_rates,
    (select exists (select from jsonb_array_elements(reminders::jsonb) rule where (rule ->> 'active')::boolean) from ${own('accounts')}) as has_reminder_rule`);
  return row!;
}

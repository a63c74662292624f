// Checks of the database for every stock harness: history and outbox agree, and events have no gaps.
import type { World } from './world.ts';

/** The event of each history entry of a vehicle, in this order (listings emit their own). */
const EVENTS_OF: Readonly<Record<string, readonly string[]>> = {
  created: ['created'],
  updated: ['updated'],
  price_changed: ['updated', 'price_changed'],
  status_changed: ['status_changed'],
  reserved: ['reserved', 'status_changed'],
  sold: ['sold', 'status_changed'],
  published: ['published'],
  deleted: ['deleted'],
};

export interface VehicleStory {
  readonly id: string;
  readonly plate: string;
  readonly price: string;
  readonly status: string;
  readonly is_deleted: boolean;
  readonly is_visible: boolean;
  readonly reservations: readonly string[];
  readonly listings: readonly string[];
  /** Entries of its history, oldest first. */
  readonly history: readonly string[];
  /** `reserved` for vehicle.reserved, in the order of `sequence`. */
  readonly events: readonly string[];
}

export function readStories({ query }: Pick<World, 'query'>, accountId: string): Promise<VehicleStory[]> {
  return query<VehicleStory>(
    `select id, plate, money_text(price_minor) as price, status, deleted_at is not null as is_deleted,
       is_marketplace_visible as is_visible,
       array(select r.status from reservations r where r.account_id = $1 and r.vehicle_id = v.id order by r.created_at) as reservations,
       array(select l.status from listings l where l.account_id = $1 and l.vehicle_id = v.id order by l.created_at) as listings,
       array(select h.event from vehicle_history h where h.account_id = $1 and h.vehicle_id = v.id order by h.created_at, h.id) as history,
       array(select split_part(e.kind, '.', 2) from events e where e.account_id = $1 and e.resource_kind = 'vehicle'
         and e.resource_id = v.id order by e.sequence) as events
     from vehicles v where account_id = $1 order by created_at, id`,
    [accountId],
  );
}

/** Compared as counts: of two concurrent writers the later one may commit first. */
export function disagreements({ id, history, events }: VehicleStory): string[] {
  const expected = history.flatMap((entry) => EVENTS_OF[entry] ?? [`unknown ${entry}`]);
  return expected.toSorted().join() === events.toSorted().join() ? [] : [`${id}: history ${history} but events ${events}`];
}

/** Numbers from 1 to the data set's own, each once, with as many deliveries and events. */
export async function gapsIn({ query }: Pick<World, 'query'>, accountId: string): Promise<string[]> {
  const [{ numbered, lowest, highest, sequence }] = (await query(
    `select count(*) as numbered, coalesce(min(e.sequence), 1) as lowest, coalesce(max(e.sequence), 0) as highest,
       (select sequence from data_sets where id = $1) as sequence from events e where account_id = $1 and e.sequence is not null`,
    [accountId],
  )) as [{ numbered: bigint; lowest: bigint; highest: bigint; sequence: bigint }];
  return numbered === sequence && highest === sequence && lowest === 1n
    ? []
    : [`the sequence has gaps: ${numbered} events from ${lowest} to ${highest}, while the data set has ${sequence}`];
}

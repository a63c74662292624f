// Deterministic random values: the demonstration's data depends on names and numbers only, so every load produces the same.
import { hash } from 'node:crypto';

export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  chance(probability: number): boolean;
  /** A whole number, both ends included. */
  between(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
}

/** The mulberry32 generator, seeded from a name. */
export function randomOf(...name: (string | number)[]): Random {
  let state = Number.parseInt(hash('sha256', name.join('/'), 'hex').slice(0, 8), 16);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (list) => list[between(0, list.length - 1)]!,
  };
}

/** The id of a world, which names in a world contain. */
const OF_WORLD = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const MADE_HERE = /([0-9a-f]{8}-[0-9a-f]{4})-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}/g;

/**
 * A uuid (version 8: application-defined) that is the same at every load. The first 48 bits are the same in every world: what happens at
 * one time happens in the order of ids, so that worlds with the same records have the same order of events.
 */
export function idOf(...name: (string | number)[]): string {
  const text = `galeri demo/${name.join('/')}`;
  const own = hash('sha256', text, 'hex');
  const order = text.replace(OF_WORLD, '');
  const hex = order === text ? own : hash('sha256', order.replace(MADE_HERE, '$1'), 'hex').slice(0, 12) + own.slice(12);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * The id of a car's listing. In a world it begins as the car's id does, so that listings of one time have the same order in every world.
 */
export function listingIdOf({ scope }: { readonly scope: string | number }, vehicleId: string): string {
  const hex = hash('md5', `listing ${vehicleId}`, 'hex');
  const own = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return String(scope).search(OF_WORLD) === -1 ? own : vehicleId.slice(0, 13) + own.slice(13);
}

/** A permutation of the numbers below `size` in which neighbours lie far apart. */
export function scattered(index: number, size: number, start: number): number {
  // A prime that divides none of the sizes used here, so that the walk meets every number before it repeats one.
  return (index * 600_011 + start * 7_919) % size;
}

const DAY = 86_400_000;
const SPAN_DAYS = 548;

/**
 * During working hours of a day in the year and a half before `now`, at least `days` before it. Nine to six in both countries is
 * six to three in UTC, so the UTC date is also the dealer's date.
 */
export function pastMoment(random: Random, now: Date, days = 0): Date {
  const day = Math.floor(now.getTime() / DAY - days - random.next() * (SPAN_DAYS - days));
  const at = day * DAY + random.between(6 * 3600, 15 * 3600) * 1000;
  return new Date(at > now.getTime() ? at - DAY : at);
}

/** A moment between the two, usually soon after the first. */
export const laterMoment = (random: Random, from: Date, to: Date): Date =>
  new Date(from.getTime() + Math.round(random.next() ** 3 * (to.getTime() - from.getTime())));

export const dateOf = (at: Date): string => at.toISOString().slice(0, 10);

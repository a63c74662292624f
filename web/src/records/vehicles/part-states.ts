// The states of a car's body parts.
import type { BodyPart } from '../../../../src/domain/stock/stock-states.ts';

export const PART_STATES = ['original', 'locally_painted', 'painted', 'replaced'] as const;
export type PartState = (typeof PART_STATES)[number];

/** The parts that are not original. */
export type BodyParts = Readonly<Record<Exclude<PartState, 'original'>, readonly string[]>>;

export const stateOf = (parts: BodyParts, part: BodyPart): PartState =>
  PART_STATES.find((state) => state !== 'original' && parts[state].includes(part)) ?? 'original';

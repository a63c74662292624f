// Timed transitions of the data sets of a world.
import { TIMED_TRANSITIONS } from '../domain/timed-transitions.ts';
import type { TimedTransition } from '../domain/writes/timed-transition.ts';
import { SANDBOX_ACTS } from './people/acts.ts';

/** Acts come first: a bid at the end of an auction is placed before the clock ends it. */
export const WORLD_TRANSITIONS: readonly TimedTransition[] = [SANDBOX_ACTS, ...TIMED_TRANSITIONS];

// A moment as the clocks of a deployment without a test clock have it: the same on both.
import type { Times } from '../../src/kit/clock.ts';

export const unmoved = (at: Date): Times => ({ now: at, realNow: at });

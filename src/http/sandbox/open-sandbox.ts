// The actions of /sandbox/v1 on real worlds: src/sandbox makes, resets and moves them.
import { listMessages } from '../../domain/worlds/messages.ts';
import { ensureWorld, resetWorld } from '../../sandbox/create-world.ts';
import { SANDBOX_RULES } from '../../sandbox/people/rules.ts';
import { advanceClock } from '../../sandbox/world-clock.ts';
import type { OpenSandbox } from './sandbox-actions.ts';

export const openSandbox: OpenSandbox = (parts) => ({
  ensure: (ownerId, times) => ensureWorld(parts, ownerId, times),
  reset: (ownerId, how, times) => resetWorld(parts, ownerId, how, times),
  advance: (world, to) => advanceClock(parts, world, to),
  messages: listMessages,
  rules: SANDBOX_RULES,
});

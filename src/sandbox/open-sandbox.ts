// The actions of /sandbox/v1 and the panel on real worlds.
import { listMessages } from '../domain/worlds/messages.ts';
import { ensureWorld, resetWorld } from './create-world.ts';
import { SANDBOX_RULES } from './people/rules.ts';
import type { OpenSandbox } from './sandbox-actions.ts';
import { advanceClock } from './world-clock.ts';

export const openSandbox: OpenSandbox = (parts) => ({
  ensure: (ownerId, times) => ensureWorld(parts, ownerId, times),
  reset: (ownerId, how, times) => resetWorld(parts, ownerId, how, times),
  advance: (world, to) => advanceClock(parts, world, to),
  messages: listMessages,
  rules: SANDBOX_RULES,
});

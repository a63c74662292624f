// A service that is repeatedly killed with -9, alone or with its PostgreSQL, and restarted.
import { setTimeout as wait } from 'node:timers/promises';
import type { Started } from '../start/process.ts';
import { end } from '../support/child-processes.ts';
import { deadline } from '../support/patience.ts';
import { ask } from './ask.ts';
import type { Random } from './random.ts';
import type { ServeOptions, World } from './world.ts';

export type Victim = 'service' | 'postgres' | 'both';

export interface KilledService {
  /** Another one after each start. */
  api(): string;
  /** Returns when it answers again, with the milliseconds it was down. `whileDown` runs while the service is down. */
  kill(victim: Victim, whileDown?: () => Promise<void>): Promise<number>;
}

export async function startKilled(world: World, random: Random, options: ServeOptions = {}): Promise<KilledService> {
  let service = await serveAgain(world, options);
  return {
    api: () => service.ready.api,
    kill: async (victim, whileDown) => {
      const killed = performance.now();
      if (victim !== 'service') await world.killPostgres();
      if (victim !== 'postgres') {
        await end(service.child, 'SIGKILL');
        await whileDown?.();
        service = await serveAgain(world, options);
      }
      await untilAnswering(world, random, service);
      return Math.round(performance.now() - killed);
    },
  };
}

/** As a supervisor does: restarts a service that exits because PostgreSQL is not up yet. */
async function serveAgain(world: World, options: ServeOptions): Promise<Started> {
  for (const isOver = deadline(); ; await wait(200)) {
    try {
      return await world.serve(options);
    } catch (error) {
      if (isOver() || !(error as Error).message.includes('no connection to the database')) throw error;
    }
  }
}

/** A dealer's read that reaches the database. */
async function untilAnswering(world: World, random: Random, service: Started): Promise<void> {
  const { key } = world.dealers[0]!;
  for (const isOver = deadline(); !isOver(); await wait(20)) {
    const path = `vehicles?limit=1&brand=${random.below(1e9)}`;
    const answer = await ask(service.ready.api, { method: 'GET', path, key }).catch(() => null);
    if (answer?.status === 200) return;
  }
  throw new Error(`the service did not come back (exit code ${service.child.exitCode}): ${service.output().slice(-2000)}`);
}

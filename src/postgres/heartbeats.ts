// Waits until every process that serves a database has read what was just committed: each reads the clock with every heartbeat (changes.ts).
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { CHANNEL, SERVING_NODES } from './changes.ts';
import { openSession } from './database.ts';

const CHECK_MS = 50;

/**
 * Runs `commit`, then returns when each process has begun a heartbeat after it; false if one has not within `limitMs`. The first
 * heartbeat that is received after the commit may have begun before it, the second cannot.
 */
export async function untilHeard(url: string, commit: () => Promise<void>, limitMs: number): Promise<boolean> {
  const session = await openSession(url);
  try {
    const mark = randomUUID();
    let isMarked = false;
    const beats = new Map<string, number>();
    session.onNotice((_, payload) => {
      const [topic, process = ''] = payload.split(':');
      if (topic !== 'beat') return;
      if (process === mark) isMarked = true;
      else if (isMarked) beats.set(process, (beats.get(process) ?? 0) + 1);
    });
    await session.rows(`listen ${CHANNEL}`);
    await commit();
    await session.rows('select pg_notify($1, $2)', [CHANNEL, `beat:${mark}:0`]);
    const [row] = await session.rows<{ nodes: number }>(`select ${SERVING_NODES} as nodes`);
    const isHeard = () => beats.size >= row!.nodes && [...beats.values()].every((count) => count > 1);
    for (const until = performance.now() + limitMs; !isHeard(); await wait(CHECK_MS)) if (performance.now() > until) return false;
    return true;
  } finally {
    await session.close();
  }
}

// Only one service may use a DATA_DIR. The lock is held in its database, so it ends with the process in any case.
import { setTimeout as wait } from 'node:timers/promises';
import type { Connected } from '../postgres/connect.ts';
import { openSession, type Session } from '../postgres/database.ts';
import { UsageError } from './command.ts';

const LOCK = `hashtext('galeri.data-dir')`;

export async function holdDataDir({ embedded, urls }: Connected): Promise<{ close(): Promise<void> } | null> {
  if (embedded === null) return null;
  let closed = false;
  let session = await take(urls.platformUrl);
  const keep = (held: Session) =>
    held.onLost(async () => {
      // PostgreSQL was restarted, so the lock has to be taken again.
      while (!closed) {
        await wait(500, undefined, { ref: false });
        try {
          session = await take(urls.platformUrl);
          keep(session);
          return;
        } catch {
          // PostgreSQL is not up yet.
        }
      }
    });
  keep(session);
  return {
    close: async () => {
      closed = true;
      await session.close().catch(() => {});
    },
  };
}

async function take(url: string): Promise<Session> {
  const session = await openSession(url);
  // A service that was just killed holds the lock until PostgreSQL notices that its connection is dead.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const [row] = await session.rows<{ taken: boolean }>(`select pg_try_advisory_lock(${LOCK}) as taken`);
    if (row!.taken) return session;
    await wait(200);
  }
  await session.close();
  throw new UsageError('another service already runs on this DATA_DIR; stop it, or give this one a DATA_DIR and PORT of its own');
}

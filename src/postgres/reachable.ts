// Checks whether the database answers, on a separate connection, so that a busy pool does not make a node unready. Concurrent
// checks share one query. If requests get no connection, an old one that still answers proves nothing: a new one is opened.
import { openSession, type Session } from './database.ts';

export interface Probe {
  isReachable(): Promise<boolean>;
  close(): Promise<void>;
}

const WITHIN_MS = 2000;

export function createProbe(url: string, isRefused: () => boolean): Probe {
  let session: Session | null = null;
  let asking: Promise<boolean> | null = null;
  let isClosed = false;

  const drop = (): Promise<void> => {
    const gone = session;
    session = null;
    return gone?.close().catch(() => {}) ?? Promise.resolve();
  };
  const ask = async (): Promise<boolean> => {
    try {
      if (isRefused()) void drop();
      session ??= await openSession(url, { timeoutMs: WITHIN_MS, deadlineMs: WITHIN_MS });
      session.onLost(() => {
        session = null;
      });
      await session.rows('select 1');
      return !isClosed;
    } catch {
      void drop();
      return false;
    } finally {
      asking = null;
      if (isClosed) await drop();
    }
  };
  return {
    isReachable: () => {
      asking ??= ask();
      return asking;
    },
    close: async () => {
      isClosed = true;
      await asking;
      await drop();
    },
  };
}

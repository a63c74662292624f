// Live views of the request log: one reader for the whole process, however many views are open. It queries the database a few
// times a second while anyone watches, and not at all otherwise.
import { setTimeout as wait } from 'node:timers/promises';
import {
  type LogPosition,
  type News,
  positionText,
  readNews,
  readPosition,
  type Watched,
} from '../../domain/usage/log-tail-reader.ts';
import type { Database } from '../../kit/db.ts';
import type { Log } from '../../kit/log.ts';

export interface TailOptions {
  readonly accountId: string;
  /** The position at which the view stopped; null: from now on. */
  readonly since: string | null;
  readonly closed: AbortSignal;
  /** Called with new lines, and sometimes without any so that the position moves on. */
  readonly send: (news: News, position: string) => void;
}

export interface LogTail {
  /** Runs until `closed`. */
  follow(options: TailOptions): Promise<void>;
  followers(): number;
}

/** Lines are written within a fifth of a second, so they are on the screen well within a second. */
const EVERY_MS = 250;
/** The interval while there are more lines than a view can show. */
const EVERY_CROWDED_MS = 1000;
const AFTER_FAILURE_MS = 1000;
const HEARTBEAT_MS = 10_000;

interface Follower {
  readonly options: TailOptions;
  position: LogPosition | null;
  readonly lost: boolean;
  sentAt: number;
}

export function createLogTail(database: Database, log: Log): LogTail {
  const followers = new Set<Follower>();
  let reading = false;

  async function readOn(): Promise<void> {
    if (reading) return;
    reading = true;
    let failing = false;
    while (followers.size > 0) {
      let pause = EVERY_MS;
      try {
        if (await readOnce(database, [...followers])) pause = EVERY_CROWDED_MS;
        failing = false;
      } catch (error) {
        // Positions do not move, so lines written in the outage are read once the database is available again.
        if (!failing) log.warn('live views of the log cannot be read', { reason: (error as Error).message });
        failing = true;
      }
      await wait(failing ? AFTER_FAILURE_MS : pause, undefined, { ref: false });
    }
    reading = false;
  }

  return {
    follow: (options) => {
      const since = options.since === null ? null : readPosition(options.since);
      // With an unreadable position the view starts from now, with a note that lines may be missing.
      const follower: Follower = { options, position: since, lost: options.since !== null && since === null, sentAt: 0 };
      if (options.closed.aborted) return Promise.resolve();
      followers.add(follower);
      void readOn();
      return new Promise((resolve) => {
        const end = () => {
          followers.delete(follower);
          resolve();
        };
        options.closed.addEventListener('abort', end, { once: true });
      });
    },
    followers: () => followers.size,
  };
}

/**
 * Views of one account at the same position share one query, which after the first reading are all of them. Returns true where
 * there were more lines than are shown.
 */
async function readOnce(database: Database, followers: readonly Follower[]): Promise<boolean> {
  const questions = new Map<string, { watched: Watched; asking: Follower[] }>();
  for (const follower of followers) {
    if (follower.position === null) continue;
    const { accountId } = follower.options;
    const name = `${accountId} ${follower.position.snapshot}`;
    const question = questions.get(name) ?? { watched: { accountId, since: follower.position }, asking: [] };
    question.asking.push(follower);
    questions.set(name, question);
  }
  const distinct = [...questions.values()];
  const { position, news } = await readNews(
    database,
    distinct.map(({ watched }) => watched),
  );
  for (const follower of followers)
    if (follower.position === null) sendNews(follower, { lines: [], missed: follower.lost }, position);
  distinct.forEach(({ asking }, index) => {
    for (const follower of asking) sendNews(follower, news[index]!, position);
  });
  return news.some(({ missed }) => missed);
}

function sendNews(follower: Follower, news: News, position: LogPosition): void {
  follower.position = position;
  if (follower.options.closed.aborted) return;
  const now = performance.now();
  if (news.lines.length === 0 && !news.missed && follower.sentAt > 0 && now - follower.sentAt < HEARTBEAT_MS) return;
  follower.sentAt = now;
  follower.options.send(news, positionText(position));
}

const tails = new WeakMap<Database, LogTail>();

/** One reader per database, which all live views share. */
export function logTailOf(database: Database, log: Log): LogTail {
  const tail = tails.get(database) ?? createLogTail(database, log);
  tails.set(database, tail);
  return tail;
}

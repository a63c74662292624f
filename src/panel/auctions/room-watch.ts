// Live rooms: one reader for the whole process, for any number of viewers. It reads after a write on any node, at most a few times a
// second, in one query for all rooms, and sends the result to every viewer at that position.
import { setTimeout as wait } from 'node:timers/promises';
import {
  positionText,
  type RoomMessage,
  type RoomNews,
  type RoomPosition,
  type RoomQuestion,
  type RoomStanding,
  readPosition,
  readRooms,
  readWatchers,
} from '../../domain/auctions/live-room.ts';
import { allAnswers, type Database } from '../../kit/db.ts';
import type { Log } from '../../kit/log.ts';

export interface RoomOptions {
  readonly eventId: string;
  /** Null for an administrator, who watches for no dealer. */
  readonly accountId: string | null;
  /** The position at which the view stopped; null: it comes in now. */
  readonly since: string | null;
  readonly closed: AbortSignal;
  readonly send: (message: RoomMessage, position: string) => void;
  /** Called with this dealer's position in the lot, which no other dealer sees. */
  readonly sendStanding: (standing: RoomStanding) => void;
}

export interface RoomWatch {
  /** Runs until `closed`, or until the dealer may no longer watch. */
  follow(options: RoomOptions): Promise<void>;
  followers(): number;
}

/** Changes within this time are read together: at most ten readings a second. */
const REST_MS = 100;
/** The interval without a change, in case the change channel missed one. */
const AT_LEAST_MS = 2000;
const AFTER_FAILURE_MS = 1000;
/** Browsers set their clocks by it and see that the stream is alive. */
const HEARTBEAT_MS = 10_000;

interface Follower {
  readonly options: RoomOptions;
  position: RoomPosition | null;
  /** The state that was sent last. */
  state: string;
  standing: string;
  sentAt: number;
  leave(): void;
}

export function createRoomWatch(database: Database, onWritten: (listener: () => void) => void, log: Log): RoomWatch {
  const followers = new Set<Follower>();
  let reading = false;
  let news = Promise.withResolvers<void>();
  onWritten(() => news.resolve());

  async function readOn(): Promise<void> {
    if (reading) return;
    reading = true;
    let failing = false;
    while (followers.size > 0) {
      news = Promise.withResolvers<void>();
      let isDone = true;
      try {
        isDone = await readOnce(database, [...followers]);
        failing = false;
      } catch (error) {
        // Positions do not move, so events of the outage are read once the database is available again.
        if (!failing) log.warn('live rooms cannot be read', { reason: (error as Error).message });
        failing = true;
      }
      await wait(failing ? AFTER_FAILURE_MS : REST_MS, undefined, { ref: false });
      if (isDone) await Promise.race([news.promise, wait(AT_LEAST_MS, undefined, { ref: false })]);
    }
    reading = false;
  }

  return {
    follow: (options) =>
      new Promise((resolve) => {
        if (options.closed.aborted) return resolve();
        const position = options.since === null ? null : readPosition(options.since);
        const leave = () => {
          followers.delete(follower);
          resolve();
        };
        const follower: Follower = { options, position, state: '', standing: '', sentAt: 0, leave };
        followers.add(follower);
        options.closed.addEventListener('abort', leave, { once: true });
        news.resolve();
        void readOn();
      }),
    followers: () => followers.size,
  };
}

/** Viewers at one position share one query; after the first reading that is the whole room. False if there is more to read. */
async function readOnce(database: Database, followers: readonly Follower[]): Promise<boolean> {
  const questions = new Map<string, { question: RoomQuestion; asking: Follower[] }>();
  for (const follower of followers) {
    const { eventId } = follower.options;
    const name = `${eventId} ${follower.position === null ? '' : positionText(follower.position)}`;
    const entry = questions.get(name) ?? { question: { eventId, since: follower.position }, asking: [] };
    entry.asking.push(follower);
    questions.set(name, entry);
  }
  const distinct = [...questions.values()];
  const accounts = [...new Set(followers.flatMap(({ options }) => options.accountId ?? []))];
  const [rooms, { allowed, standings }] = await database.onPlatform('read', async (db) => {
    const found = await readRooms(
      db,
      distinct.map(({ question }) => question),
    );
    const lots = [...new Set(found.flatMap((room) => room?.message.lot?.id ?? []))];
    return allAnswers([Promise.resolve(found), readWatchers(db, accounts, lots)]);
  });
  for (const [index, { asking }] of distinct.entries()) {
    const room = rooms[index]!;
    const state = room === null ? '' : stateText(room.message);
    for (const follower of asking) {
      const { accountId } = follower.options;
      if (room === null || (accountId !== null && !allowed.has(accountId))) follower.leave();
      else sendNews(follower, room, state, standings.get(`${accountId} ${room.message.lot?.id}`));
    }
  }
  return !rooms.some((room) => room?.hasMore);
}

const stateText = ({ event, lot, lots_version }: RoomMessage): string => JSON.stringify([event, lot, lots_version]);

function sendNews(follower: Follower, { message, position }: RoomNews, state: string, standing: RoomStanding | undefined): void {
  const { options } = follower;
  follower.position = position;
  if (options.closed.aborted) return;
  const isNew = state !== follower.state || message.bids.length > 0;
  const now = performance.now();
  if (isNew || now - follower.sentAt >= HEARTBEAT_MS) {
    follower.state = state;
    follower.sentAt = now;
    options.send(message, positionText(position));
  }
  const own = standing === undefined ? '' : JSON.stringify(standing);
  if (standing === undefined || own === follower.standing) return;
  follower.standing = own;
  options.sendStanding(standing);
}

const watches = new WeakMap<Database, RoomWatch>();

/** One reader per database, which all rooms share. */
export function roomWatchOf(database: Database, onWritten: (listener: () => void) => void, log: Log): RoomWatch {
  const watch = watches.get(database) ?? createRoomWatch(database, onWritten, log);
  watches.set(database, watch);
  return watch;
}

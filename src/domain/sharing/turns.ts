// Limits how many tasks run at once. Owners (accounts, networks) take turns, however many tasks each of them has waiting.
import { Unavailable } from '../../kit/db.ts';

export interface TurnLimits {
  /** Tasks that run at once. */
  readonly atOnce: number;
  /** Tasks of one owner that run at once. Fewer than `atOnce` keeps a place free for the others. */
  readonly each?: number;
  /** Tasks that wait; a further one is refused. */
  readonly waiting?: number;
  /** Tasks of one owner that wait. */
  readonly waitingEach?: number;
  /** How long a task waits before it is refused. */
  readonly waitMs?: number;
  /** What waits, for the error message: `papers`. */
  readonly what?: string;
}

export interface Turns {
  /** Throws `Unavailable` where too many tasks wait. */
  take<T>(owner: string, work: () => Promise<T>): Promise<T>;
  /** Whether a further task of this owner would be refused. */
  isFull(owner: string): boolean;
}

interface Owner {
  running: number;
  readonly queue: (() => void)[];
}

export function createTurns(limits: TurnLimits): Turns {
  const { atOnce, each = atOnce, waiting = Infinity, waitingEach = waiting, waitMs, what = 'tasks' } = limits;
  /** Owners in the order of their turns. */
  const owners = new Map<string, Owner>();
  let [running, queued] = [0, 0];

  const start = (owner: Owner): void => {
    running += 1;
    owner.running += 1;
  };

  const startWaiting = (): void => {
    for (const [name, owner] of owners) {
      if (running >= atOnce) return;
      if (owner.running >= each || owner.queue.length === 0) continue;
      owners.delete(name);
      owners.set(name, owner);
      start(owner);
      queued -= 1;
      owner.queue.shift()!();
    }
  };

  const wait = (owner: Owner): Promise<void> =>
    new Promise((resolve, reject) => {
      const refuse = () => {
        owner.queue.splice(owner.queue.indexOf(enter), 1);
        queued -= 1;
        reject(new Unavailable(`${what} have waited too long for their turn`));
      };
      const late = waitMs === undefined ? undefined : setTimeout(refuse, waitMs);
      const enter = () => {
        clearTimeout(late);
        resolve();
      };
      owner.queue.push(enter);
      queued += 1;
    });

  const isFull = (name: string): boolean => queued >= waiting || (owners.get(name)?.queue.length ?? 0) >= waitingEach;

  return {
    async take(name, work) {
      const owner = owners.get(name) ?? { running: 0, queue: [] };
      if (running < atOnce && owner.running < each) start(owner);
      else {
        if (isFull(name)) throw new Unavailable(`too many ${what} wait for their turn`);
        owners.set(name, owner);
        await wait(owner);
      }
      owners.set(name, owner);
      try {
        return await work();
      } finally {
        running -= 1;
        owner.running -= 1;
        if (owner.running === 0 && owner.queue.length === 0) owners.delete(name);
        startWaiting();
      }
    },
    isFull,
  };
}

// Limits how many tasks run at once. Owners (accounts, networks) take turns, however many tasks each of them has waiting. A sandbox takes
// the turns of its account.
import { Unavailable } from '../../kit/db.ts';
import { turnOf } from './turn-owners.ts';

export interface SemaphoreLimits {
  /** Tasks that run at once. */
  readonly atOnce: number;
  /** Tasks of one owner that run at once. Fewer than `atOnce` keeps a slot free for others. */
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

export interface Semaphore {
  /** Throws `Unavailable` if too many tasks wait. A task whose signal aborts stops waiting. */
  take<T>(owner: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Whether a further task of this owner would be refused. */
  isFull(owner: string): boolean;
  /** Tasks that wait, and tasks that run. */
  load(): { readonly waiting: number; readonly running: number };
}

interface Owner {
  running: number;
  readonly queue: (() => void)[];
}

export function createSemaphore(limits: SemaphoreLimits): Semaphore {
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

  const wait = (owner: Owner, signal: AbortSignal | undefined): Promise<void> => {
    queued += 1;
    return waitInQueue(owner.queue, { waitMs, signal, what }).catch((refused) => {
      queued -= 1;
      throw refused;
    });
  };

  const forget = (name: string, owner: Owner): void => {
    if (owner.running === 0 && owner.queue.length === 0) owners.delete(name);
  };

  const isFull = (name: string): boolean => queued >= waiting || (owners.get(name)?.queue.length ?? 0) >= waitingEach;

  return {
    async take(caller, work, signal) {
      const name = turnOf(caller);
      if (signal?.aborted) throw new Unavailable(`a caller left before its ${what} began`);
      const owner = owners.get(name) ?? { running: 0, queue: [] };
      if (running < atOnce && owner.running < each) start(owner);
      else {
        if (isFull(name)) throw new Unavailable(`too many ${what} wait for their turn`);
        owners.set(name, owner);
        await wait(owner, signal).catch((refused) => {
          forget(name, owner);
          throw refused;
        });
      }
      owners.set(name, owner);
      try {
        return await work();
      } finally {
        running -= 1;
        owner.running -= 1;
        forget(name, owner);
        startWaiting();
      }
    },
    isFull: (caller) => isFull(turnOf(caller)),
    load: () => ({ waiting: queued, running }),
  };
}

interface Waiting {
  readonly waitMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly what: string;
}

/** Adds a function to the queue that ends the wait; its caller has removed it from the queue. */
function waitInQueue(queue: (() => void)[], { waitMs, signal, what }: Waiting): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(late);
      signal?.removeEventListener('abort', leave);
    };
    const refuse = (why: string) => {
      settle();
      queue.splice(queue.indexOf(enter), 1);
      reject(new Unavailable(why));
    };
    const leave = () => refuse(`a caller left while its ${what} waited`);
    const late =
      waitMs === undefined ? undefined : setTimeout(() => refuse(`${what} have waited too long for their turn`), waitMs);
    const enter = () => {
      settle();
      resolve();
    };
    signal?.addEventListener('abort', leave, { once: true });
    queue.push(enter);
  });
}

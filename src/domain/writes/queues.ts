// Writes that would wait for the same record, such as bids on one auction, wait in the process, first come, first served: a wait
// in the database would hold a connection that others could use, and count as slowness of the waiting dealer.
import { Unavailable } from '../../kit/db.ts';

export interface Queues {
  /** Waits for a place in this queue. Returns a function that leaves it. */
  enter(name: string): Promise<() => void>;
}

/** Two at a time: one works while the next one begins, so that the record is never idle. */
const AT_ONCE = 2;
/**
 * The second one gets the record's lock as soon as the first has ended. The next write is started only after the first one's
 * result has been processed; otherwise it would delay that.
 */
const BETWEEN_MS = 1;
/** Longer than a burst of a hundred takes. */
const MAX_WAIT_MS = 5000;

interface Line {
  inside: number;
  readonly waiting: Set<() => void>;
}

export function createQueues(): Queues {
  const lines = new Map<string, Line>();
  const pass = (name: string, line: Line): void => {
    const [next] = line.waiting;
    if (next === undefined) line.inside -= 1;
    else next();
    if (line.inside === 0) lines.delete(name);
  };
  const leave = (name: string, line: Line): void => {
    if (line.waiting.size === 0) pass(name, line);
    else setTimeout(() => pass(name, line), BETWEEN_MS);
  };
  return {
    enter: (name) => {
      const line = lines.get(name) ?? { inside: 0, waiting: new Set() };
      lines.set(name, line);
      const left = () => leave(name, line);
      if (line.inside < AT_ONCE) {
        line.inside += 1;
        return Promise.resolve(left);
      }
      return new Promise((resolve, reject) => {
        const come = () => {
          clearTimeout(timer);
          line.waiting.delete(come);
          resolve(left);
        };
        const timer = setTimeout(() => {
          line.waiting.delete(come);
          reject(new Unavailable('too many want the same record at once'));
        }, MAX_WAIT_MS);
        line.waiting.add(come);
      });
    },
  };
}

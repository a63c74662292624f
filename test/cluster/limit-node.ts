// One of several processes that hammer one key: `node limit-node.ts`, its orders as JSON in argv[2], its report as a message.
import { setTimeout as wait } from 'node:timers/promises';
import { createMemoryLimiter, type Limiter } from '../../src/http/rate-limits/rate-limit.ts';
import { createRedisLimiter } from '../../src/http/rate-limits/rate-limit-redis.ts';

export interface Orders {
  readonly url: string;
  readonly keys: readonly string[];
  readonly limit: number;
  readonly span: number;
  readonly nodes: number;
  /** Until it is sent `stop` where it is left out. */
  readonly forMs?: number;
  /** After this time without an answer Redis counts as lost. */
  readonly timeoutMs: number;
  /** Requests in flight at once. */
  readonly at_once: number;
  /** A planted fault: every process counts for itself. */
  readonly alone?: boolean;
}

export interface Report {
  /** Of each admission: the key, and when it was asked for and answered, in milliseconds of the clock all processes share. */
  readonly admissions: readonly (readonly [key: string, asked: number, answered: number, degraded: boolean])[];
  readonly decisions: number;
  readonly failures: readonly string[];
  /** When Redis was found to be lost (true) or back (false). */
  readonly turns: readonly (readonly [degraded: boolean, at: number])[];
}

/** The monotonic clock of the machine: the same in every process. */
export const machineTime = (): number => Number(process.hrtime.bigint()) / 1e6;

/** What a node tells the others goes through the parent, to every process. */
export const isTold = (message: unknown): message is { tell: string } =>
  typeof message === 'object' && message !== null && 'tell' in message;

async function hammer(orders: Orders): Promise<Report> {
  const report = {
    admissions: [] as [string, number, number, boolean][],
    decisions: 0,
    failures: [] as string[],
    turns: [] as [boolean, number][],
  };
  let degraded = false;
  const quiet = () => {};
  const limiter: Limiter = orders.alone
    ? createMemoryLimiter(undefined, orders.span)
    : await createRedisLimiter({
        url: orders.url,
        nodes: () => orders.nodes,
        span: orders.span,
        timeoutMs: orders.timeoutMs,
        channel: {
          send: async (text) => void process.send!({ tell: text }),
          onMessage: (listener) => process.on('message', (message) => isTold(message) && listener(message.tell)),
        },
        log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
        onDegraded: (is) => {
          degraded = is;
          report.turns.push([is, machineTime()]);
          process.send!({ degraded: is });
        },
      });
  process.on('uncaughtException', (error) => report.failures.push(`uncaught: ${error.message}`));
  process.on('unhandledRejection', (error) => report.failures.push(`unhandled: ${String(error)}`));
  process.send!('ready');
  await new Promise<void>((resolve) => process.on('message', (message) => message === 'go' && resolve()));
  let end = machineTime() + (orders.forMs ?? Number.POSITIVE_INFINITY);
  process.on('message', (message) => {
    if (message === 'stop') end = 0;
  });
  const worker = async (place: number) => {
    for (let turn = place; machineTime() < end; turn += 1) {
      const key = orders.keys[turn % orders.keys.length]!;
      const asked = machineTime();
      try {
        const { admitted } = await limiter.admit(key, orders.limit);
        report.decisions += 1;
        if (admitted) report.admissions.push([key, asked, machineTime(), degraded]);
      } catch (error) {
        report.failures.push((error as Error).message);
      }
      // Often enough to meet every gap, seldom enough to leave the machine some air.
      await wait(2);
    }
  };
  await Promise.all(Array.from({ length: orders.at_once }, (_, place) => worker(place)));
  await limiter.close();
  return report;
}

if (process.send !== undefined && process.argv[2]?.startsWith('{')) {
  process.send(await hammer(JSON.parse(process.argv[2]) as Orders), () => process.exit(0));
}

// One of several processes that send requests with one key: `node limit-node.ts`, its configuration as JSON in argv[2], its
// report as a message.
import { setTimeout as wait } from 'node:timers/promises';
import { createMemoryLimiter, type Limiter } from '../../src/http/rate-limits/rate-limit.ts';
import { createRedisLimiter } from '../../src/http/rate-limits/rate-limit-redis.ts';

export interface Orders {
  readonly url: string;
  readonly keys: readonly string[];
  readonly limit: number;
  readonly span: number;
  readonly nodes: number;
  /** By default until it receives `stop`. */
  readonly forMs?: number;
  /** After this time without a reply Redis counts as lost. */
  readonly timeoutMs: number;
  /** Concurrent requests. */
  readonly at_once: number;
  /** A planted bug: every process counts alone. */
  readonly alone?: boolean;
}

export interface Report {
  /** For each admission: the key, and the times of request and reply, in milliseconds of the clock all processes share. */
  readonly admissions: readonly (readonly [key: string, asked: number, answered: number, degraded: boolean])[];
  readonly decisions: number;
  readonly failures: readonly string[];
  /** When Redis was detected as lost (true) or back (false). */
  readonly turns: readonly (readonly [degraded: boolean, at: number])[];
}

/** The monotonic clock of the machine: the same in every process. */
export const machineTime = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Messages between nodes go through the parent, to every process. */
export const isRelayed = (message: unknown): message is { relayed: string } =>
  typeof message === 'object' && message !== null && 'relayed' in message;

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
          send: async (text) => void process.send!({ relayed: text }),
          onMessage: (listener) => process.on('message', (message) => isRelayed(message) && listener(message.relayed)),
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
      const sentAt = machineTime();
      try {
        const { admitted } = await limiter.admit(key, orders.limit);
        report.decisions += 1;
        if (admitted) report.admissions.push([key, sentAt, machineTime(), degraded]);
      } catch (error) {
        report.failures.push((error as Error).message);
      }
      // Often enough to use every gap, seldom enough not to overload the machine.
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

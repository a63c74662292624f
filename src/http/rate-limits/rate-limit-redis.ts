// The same exact window shared by several processes: an atomic script in Redis, on Redis' clock.
import { createClient, defineScript } from '@redis/client';
import type { Log } from '../../kit/log.ts';
import { createMemoryLimiter, type Limiter, type LimitResult, WINDOW_MS } from './rate-limit.ts';

// KEYS[1] the key's list of admission times (µs) · ARGV limit, window (µs). Lists, not sorted sets: times only ever grow,
// so both ends are O(1) and a million entries cost a few megabytes.
const ADMIT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local limit, span = tonumber(ARGV[1]), tonumber(ARGV[2])
local head = redis.call('LINDEX', KEYS[1], 0)
while head and tonumber(head) <= now - span do
  redis.call('LPOP', KEYS[1])
  head = redis.call('LINDEX', KEYS[1], 0)
end
local used, admitted, retry = redis.call('LLEN', KEYS[1]), 0, 0
if used < limit then
  redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil(span / 1000))
  used, admitted = used + 1, 1
else
  retry = tonumber(redis.call('LINDEX', KEYS[1], used - limit)) + span - now
end
return { admitted, used, (tonumber(head) or now) + span - now, retry }`;

// KEYS[1] as above · ARGV window (µs). Times only grow, so the first one within the window is found by bisection. Nothing is changed.
const USED = `
local time = redis.call('TIME')
local since = time[1] * 1000000 + time[2] - tonumber(ARGV[1])
local low, high = 0, redis.call('LLEN', KEYS[1])
local all = high
while low < high do
  local middle = math.floor((low + high) / 2)
  if tonumber(redis.call('LINDEX', KEYS[1], middle)) <= since then low = middle + 1 else high = middle end
end
return all - low`;

const SCRIPTS = {
  used: defineScript({
    SCRIPT: USED,
    NUMBER_OF_KEYS: 1,
    IS_READ_ONLY: true,
    parseCommand(parser, key: string, span: number) {
      parser.pushKey(key);
      parser.push(String(span));
    },
    transformReply: (reply: unknown) => reply as number,
  }),
  admit: defineScript({
    SCRIPT: ADMIT,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, key: string, limit: number, span: number) {
      parser.pushKey(key);
      parser.push(String(limit), String(span));
    },
    transformReply: (reply: unknown) => reply as number[],
  }),
};

/** After this time Redis is considered lost, and asked again after PAUSE_MS. */
const TIMEOUT_MS = 250;
const PAUSE_MS = 1000;

export interface RedisLimiterOptions {
  readonly url: string;
  /** The number of nodes, among which the limit is divided while Redis is unreachable. */
  readonly nodes: () => number;
  readonly log: Log;
  readonly onDegraded?: (degraded: boolean) => void;
  readonly span?: number;
  readonly timeoutMs?: number;
}

async function connect(url: string) {
  const client = createClient({
    url,
    scripts: SCRIPTS,
    disableOfflineQueue: true,
    socket: { connectTimeout: 2000, reconnectStrategy: (tries) => Math.min(100 * 2 ** tries, 2000) },
  });
  client.on('error', () => {});
  try {
    await within(5000, client.connect(), 'Redis does not answer at REDIS_URL');
    return client;
  } catch (error) {
    // Otherwise the client keeps trying, and a process that failed to start would never end.
    client.destroy();
    throw error;
  }
}

export async function createRedisLimiter({
  url,
  nodes,
  log,
  onDegraded,
  span = WINDOW_MS,
  timeoutMs = TIMEOUT_MS,
}: RedisLimiterOptions): Promise<Limiter> {
  const client = await connect(url);
  // Admissions are counted locally too, so that a node that loses Redis knows what it has admitted itself.
  const local = createMemoryLimiter(undefined, span);
  let lostUntil = 0;

  const degraded = (key: string, limit: number): LimitResult => local.admit(key, Math.max(1, Math.floor(limit / nodes())));

  function lost(reason: string): void {
    if (lostUntil === 0) {
      log.warn('Redis is lost: each node goes on with its share of the limits', { reason });
      onDegraded?.(true);
    }
    lostUntil = performance.now() + PAUSE_MS;
  }

  return {
    async admit(key, limit) {
      if (lostUntil > performance.now()) return degraded(key, limit);
      // A Redis that came back empty does not know what this node admitted meanwhile.
      const mine = local.look(key, limit);
      if (!mine.admitted) return mine;
      try {
        const reply = client.admit(`galeri:window:${key}`, limit, span * 1000);
        const [admitted, used, oldest, retry] = await within(timeoutMs, reply, `no answer in ${timeoutMs} ms`);
        if (lostUntil !== 0) {
          lostUntil = 0;
          log.info('Redis is back: limits are shared again');
          onDegraded?.(false);
        }
        if (admitted === 1) local.admit(key, Number.POSITIVE_INFINITY);
        return { admitted: admitted === 1, used: used!, oldestLeavesIn: oldest! / 1000, retryIn: retry! / 1000 };
      } catch (error) {
        lost((error as Error).message);
        return degraded(key, limit);
      }
    },
    async used(key) {
      const mine = local.used(key);
      if (lostUntil > performance.now()) return mine;
      try {
        // A Redis that came back empty knows less than this node.
        return Math.max(mine, await within(timeoutMs, client.used(`galeri:window:${key}`, span * 1000), 'no answer'));
      } catch {
        // A failure here does not mark Redis as lost, because nobody is admitted or refused by asking.
        return mine;
      }
    },
    close: async () => {
      await local.close();
      client.destroy();
    },
  };
}

/** If our own event loop stalled, the timer is late too and waits once more, so that Redis is not blamed. */
function within<T>(milliseconds: number, reply: Promise<T>, otherwise: string): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    const wait = (since: number) => {
      timer = setTimeout(() => {
        const now = performance.now();
        if (now - since > milliseconds + 50) wait(now);
        else reject(new Error(otherwise));
      }, milliseconds);
    };
    wait(performance.now());
  });
  return Promise.race([reply, late]).finally(() => clearTimeout(timer));
}

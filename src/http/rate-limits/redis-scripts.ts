// The commands of the shared window, each an atomic script in Redis.
import { createClient, defineScript } from '@redis/client';
import type { LimitResult } from './rate-limit.ts';

/** Nodes that count here and have given back what they admitted elsewhere, by when they were last here (µs). */
const NODES = 'galeri:limits:nodes';
/** When the first node found Redis empty (µs). */
const SINCE = 'galeri:limits:since';
/** A node that was not here for this long counts elsewhere, or not at all. */
export const GONE_MS = 5000;
const windowOf = (key: string): string => `galeri:window:${key}`;

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]`;

// KEYS[1] the key's list of admission times (µs), KEYS[2] the nodes, KEYS[3] since when · ARGV limit, window (µs), node, number of nodes,
// how many of them have announced that they left Redis.
// Lists, not sorted sets: times only ever grow, so both ends are O(1) and a million entries cost a few megabytes.
// A node that is not here may use its share of the limit without Redis. For one window after Redis was empty nothing is admitted
// until every node has given back its admissions.
const ADMIT = `${NOW}
local limit, span = tonumber(ARGV[1]), tonumber(ARGV[2])
if not redis.call('ZSCORE', KEYS[2], ARGV[3]) then return { -1, 0, 0, 0 } end
local here, nodes = redis.call('ZCOUNT', KEYS[2], now - ${GONE_MS * 1000}, '+inf'), tonumber(ARGV[4])
if here < nodes and now - tonumber(redis.call('GET', KEYS[3]) or now) < span then return { -2, 0, 0, 0 } end
here = math.min(here, nodes - tonumber(ARGV[5]))
if here < nodes then limit = math.max(1, math.floor(limit * here / nodes)) end
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

// KEYS[1] the key's list · ARGV window (µs). Times only grow, so the first one within the window is found by bisection. Nothing is changed.
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

// KEYS[1] the nodes · ARGV node. Whether the node is known, and the time (µs).
const GREET = `${NOW}
return { redis.call('ZSCORE', KEYS[1], ARGV[1]) and 1 or 0, string.format('%.0f', now) }`;

// KEYS[1] the nodes, KEYS[2] since when · ARGV node, until when (µs) this may be carried out: later the node has stopped waiting for it and
// may already use its share. Nodes that are long gone are forgotten.
const ENTER = `${NOW}
if now > tonumber(ARGV[2]) then return 0 end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 3600000000)
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
redis.call('SETNX', KEYS[2], string.format('%.0f', now))
return 1`;

// KEYS[1] the key's list · ARGV window (µs), then the age of each admission (µs). The list stays in the order of time.
const GIVE_BACK = `${NOW}
local span = tonumber(ARGV[1])
local times = redis.call('LRANGE', KEYS[1], 0, -1)
for place = 1, #times do times[place] = tonumber(times[place]) end
for place = 2, #ARGV do times[#times + 1] = now - tonumber(ARGV[place]) end
table.sort(times)
redis.call('DEL', KEYS[1])
for place = 1, #times do redis.call('RPUSH', KEYS[1], string.format('%.0f', times[place])) end
redis.call('PEXPIRE', KEYS[1], math.ceil(span / 1000))
return 1`;

function script<Reply>(text: string, keys: number) {
  return defineScript({
    SCRIPT: text,
    NUMBER_OF_KEYS: keys,
    parseCommand(parser, names: readonly string[], values: readonly (string | number)[]) {
      for (const name of names) parser.pushKey(name);
      parser.push(...values.map(String));
    },
    transformReply: (reply: unknown) => reply as Reply,
  });
}

const SCRIPTS = {
  admit: script<number[]>(ADMIT, 3),
  used: script<number>(USED, 1),
  greet: script<[number, string]>(GREET, 1),
  enter: script<number>(ENTER, 2),
  giveBack: script<number>(GIVE_BACK, 1),
};

export interface Admission {
  readonly limit: number;
  /** In milliseconds. */
  readonly span: number;
  readonly node: string;
  readonly nodes: number;
  /** How many of them have announced that they left Redis. */
  readonly away: number;
}

export interface RedisWindows {
  /** Rejects where there is no connection after two seconds; it is still tried again and again. */
  connected(): Promise<void>;
  /** `unknown`: Redis does not know this node. `incomplete`: other nodes have not given back their admissions yet. */
  admit(key: string, admission: Admission): Promise<LimitResult | 'unknown' | 'incomplete'>;
  used(key: string, span: number): Promise<number>;
  /** Whether Redis knows this node, and what time it is there (µs). */
  greet(node: string): Promise<{ readonly isKnown: boolean; readonly time: number }>;
  /** The node counts here from now on; it repeats this. False, and without effect, if Redis carries it out after `until` (µs). */
  enter(node: string, until: number): Promise<boolean>;
  /** Adds admissions of so many milliseconds ago. */
  giveBack(key: string, ages: readonly number[], span: number): Promise<void>;
  close(): void;
}

/** One call carries at most so many times, to keep Redis and its clients responsive. */
const CHUNK = 5000;
const CONNECT_MS = 2000;

export function connectRedis(url: string): RedisWindows {
  const client = createClient({
    url,
    scripts: SCRIPTS,
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: (tries) => Math.min(100 * 2 ** tries, 1000) },
  });
  client.on('error', () => {});
  // Tried again and again; until it succeeds every call fails at once.
  const connecting = client.connect().then(() => {});
  connecting.catch(() => {});
  return {
    connected: () => within(CONNECT_MS, connecting, 'no connection to the address in REDIS_URL'),
    admit: async (key, { limit, span, node, nodes, away }) => {
      const reply = await client.admit([windowOf(key), NODES, SINCE], [limit, span * 1000, node, nodes, away]);
      const [admitted, used, oldest, retry] = reply as [number, number, number, number];
      if (admitted < 0) return admitted === -1 ? 'unknown' : 'incomplete';
      return { admitted: admitted === 1, used, oldestLeavesIn: oldest / 1000, retryIn: retry / 1000 };
    },
    used: (key, span) => client.used([windowOf(key)], [span * 1000]),
    greet: async (node) => {
      const [known, time] = await client.greet([NODES], [node]);
      return { isKnown: known === 1, time: Number(time) };
    },
    enter: async (node, until) => (await client.enter([NODES, SINCE], [node, Math.round(until)])) === 1,
    giveBack: async (key, ages, span) => {
      for (let from = 0; from < ages.length; from += CHUNK) {
        const part = ages.slice(from, from + CHUNK).map((age) => Math.round(age * 1000));
        await client.giveBack([windowOf(key)], [span * 1000, ...part]);
      }
    },
    close: () => client.destroy(),
  };
}

/** What Redis reports about itself, as lines `name:value`. Reads only, and tries once. */
export async function readRedisInfo(url: string): Promise<string> {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false },
  });
  client.on('error', () => {});
  try {
    await within(CONNECT_MS, client.connect(), 'it does not answer');
    return await within(CONNECT_MS, client.info(), 'it does not answer');
  } finally {
    client.destroy();
  }
}

/** If our own event loop stalled, the timer is late too and waits once more, so that Redis is not blamed. */
export function within<T>(milliseconds: number, reply: Promise<T>, otherwise: string): Promise<T> {
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

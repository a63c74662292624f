// The commands of the shared window, each an atomic script in Redis.
import { createClient, defineScript } from '@redis/client';
import type { LimitResult } from './rate-limit.ts';

/** Nodes that count here and have given back what they admitted elsewhere, by when they were last here (µs). */
const NODES = 'galeri:limits:nodes';
/** When the first node found Redis empty (µs). */
const SINCE = 'galeri:limits:since';
/** Present if a process that entered began within the last window: one before it may have been killed. */
const NEW = 'galeri:limits:new';
/** The replication ID under which the names without one began. */
const FIRST = 'galeri:limits:first';
/** A node that was not here for this long counts elsewhere, or not at all. */
export const GONE_MS = 5000;
/** What no node has used for this long is deleted. */
const KEPT_MS = 3_600_000;
const windowOf = (key: string): string => `galeri:window:${key}`;
/** What the nodes that entered an emptied Redis knew of a key: how much all had admitted, and how much of it they gave back. */
const lostOf = (key: string): string => `galeri:lost:${key}`;

// A Redis that restarts from a snapshot, and a replica that is promoted, have lost what was counted last. Both have another replication
// ID than before, so their keys get other names and they look empty, which every script sees at once. The first ID since a Redis was
// empty has no part in the names, so that the release before counts with the same ones.
const NAMES = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local history = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
if not history then return redis.error_reply('ERR INFO replication has no master_replid') end
local first = redis.call('GET', '${FIRST}')
local ending = (not first or first == history) and '' or ':' .. history
local NODES, SINCE, NEW = '${NODES}' .. ending, '${SINCE}' .. ending, '${NEW}' .. ending`;

// KEYS[1] the key's list of admission times (µs), KEYS[2] what was lost of it · ARGV limit, window (µs), node, number of nodes in the last
// window, how many of them share the limit, how many of those have announced that they left Redis.
// Lists, not sorted sets: times only ever grow, so both ends are O(1) and a million entries cost a few megabytes.
// A node that is not here may use its share of the limit without Redis. For one window after Redis was empty nothing is admitted
// until every node has given back its admissions; a node that counts in another Redis is missed there after GONE_MS only.
const ADMIT = `${NAMES}
local window, limit, span = KEYS[1] .. ending, tonumber(ARGV[1]), tonumber(ARGV[2])
if not redis.call('ZSCORE', NODES, ARGV[3]) then return { -1, 0, 0, 0 } end
local here, nodes, sharing = redis.call('ZCOUNT', NODES, now - ${GONE_MS * 1000}, '+inf'), tonumber(ARGV[4]), tonumber(ARGV[5])
local age = now - tonumber(redis.call('GET', SINCE) or now)
if here < nodes and age < span + ${GONE_MS * 1000} then return { -2, 0, 0, 0 } end
local lost = 0
if redis.call('EXISTS', NEW) == 1 then
  local known = redis.call('HMGET', KEYS[2] .. ending, 'seen', 'counted')
  lost = math.max(0, (tonumber(known[1]) or 0) - (tonumber(known[2]) or 0))
end
if lost >= limit then
  local left = math.max(0, redis.call('PTTL', KEYS[2] .. ending)) * 1000
  return { 0, lost, left, left }
end
limit = limit - lost
here = math.min(here, sharing - tonumber(ARGV[6]))
if here < sharing then limit = math.max(1, math.floor(limit * here / sharing)) end
local head = redis.call('LINDEX', window, 0)
while head and tonumber(head) <= now - span do
  redis.call('LPOP', window)
  head = redis.call('LINDEX', window, 0)
end
local used, admitted, retry = redis.call('LLEN', window), 0, 0
if used < limit then
  redis.call('RPUSH', window, string.format('%.0f', now))
  redis.call('PEXPIRE', window, math.ceil(span / 1000))
  used, admitted = used + 1, 1
else
  retry = tonumber(redis.call('LINDEX', window, used - limit)) + span - now
end
return { admitted, used + lost, (tonumber(head) or now) + span - now, retry }`;

// KEYS[1] the key's list · ARGV window (µs). Times only grow, so the first one within the window is found by bisection. Nothing is changed.
const USED = `${NAMES}
local window, from = KEYS[1] .. ending, now - tonumber(ARGV[1])
local low, high = 0, redis.call('LLEN', window)
local all = high
while low < high do
  local middle = math.floor((low + high) / 2)
  if tonumber(redis.call('LINDEX', window, middle)) <= from then low = middle + 1 else high = middle end
end
return all - low`;

// ARGV node. Whether the node is known, the time (µs), and since when Redis counts.
const GREET = `${NAMES}
redis.call('SETNX', '${FIRST}', history)
redis.call('SET', SINCE, string.format('%.0f', now), 'NX', 'PX', ${KEPT_MS})
return { redis.call('ZSCORE', NODES, ARGV[1]) and 1 or 0, string.format('%.0f', now), redis.call('GET', SINCE) }`;

// ARGV node, until when (µs) this may be carried out: later the node has stopped waiting for it and may already use its share · since when
// Redis counted as the node was greeted: it may have been emptied since, with what the node gave back · whether the node is new, window (µs).
// Nodes that are long gone are forgotten.
const ENTER = `${NAMES}
if now > tonumber(ARGV[2]) then return 0 end
if redis.call('GET', SINCE) ~= ARGV[3] then return -1 end
redis.call('ZREMRANGEBYSCORE', NODES, '-inf', now - ${KEPT_MS * 1000})
redis.call('ZADD', NODES, string.format('%.0f', now), ARGV[1])
redis.call('PEXPIRE', NODES, ${KEPT_MS})
redis.call('PEXPIRE', SINCE, ${KEPT_MS})
if ARGV[4] == '1' then redis.call('SET', NEW, 1, 'PX', math.ceil(tonumber(ARGV[5]) / 1000)) end
return 1`;

// ARGV node. It has ended: nothing here is left for it.
const LEAVE = `${NAMES}
return redis.call('ZREM', NODES, ARGV[1])`;

// KEYS[1] the key's list, KEYS[2] what was lost of it · ARGV window (µs), how many admissions of all nodes this one had seen, how many of its
// own were among them, then the age of each admission (µs). The list stays in the order of time.
const GIVE_BACK = `${NAMES}
local window, lost, span = KEYS[1] .. ending, KEYS[2] .. ending, tonumber(ARGV[1])
local seen, counted = tonumber(ARGV[2]), tonumber(ARGV[3])
if seen + counted > 0 then
  local known = redis.call('HMGET', lost, 'seen', 'counted')
  seen, counted = math.max(seen, tonumber(known[1]) or 0), counted + (tonumber(known[2]) or 0)
  redis.call('HSET', lost, 'seen', seen, 'counted', counted)
  redis.call('PEXPIRE', lost, math.ceil(span / 1000))
end
if #ARGV == 3 then return 1 end
local times = redis.call('LRANGE', window, 0, -1)
for place = 1, #times do times[place] = tonumber(times[place]) end
for place = 4, #ARGV do times[#times + 1] = now - tonumber(ARGV[place]) end
table.sort(times)
redis.call('DEL', window)
for place = 1, #times do redis.call('RPUSH', window, string.format('%.0f', times[place])) end
redis.call('PEXPIRE', window, math.ceil(span / 1000))
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
  admit: script<number[]>(ADMIT, 2),
  used: script<number>(USED, 1),
  greet: script<[number, string, string]>(GREET, 0),
  enter: script<number>(ENTER, 0),
  leave: script<number>(LEAVE, 0),
  giveBack: script<number>(GIVE_BACK, 2),
};

export interface Admission {
  readonly limit: number;
  /** In milliseconds. */
  readonly span: number;
  readonly node: string;
  /** The largest number of nodes in the last window. */
  readonly nodes: number;
  /** Those of them among which the limit is divided if some are not in Redis. */
  readonly sharing: number;
  /** How many of them have announced that they left Redis. */
  readonly away: number;
}

export interface Greeting {
  readonly isKnown: boolean;
  /** The time there (µs). */
  readonly time: number;
  /** Since when it counts: another value after it was emptied, restarted or replaced by a replica. */
  readonly since: string;
}

export interface Entry {
  readonly node: string;
  /** Redis carries it out until then (µs). */
  readonly until: number;
  /** From the greeting. */
  readonly since: string;
  readonly isNew: boolean;
  readonly span: number;
}

export interface GivenBack {
  readonly key: string;
  /** In milliseconds, oldest first. */
  readonly ages: readonly number[];
  /** How many admissions of all nodes Redis had counted when it last answered this node, and how many of the ages are among them. */
  readonly seen: number;
  readonly counted: number;
}

export interface RedisWindows {
  /** Rejects where there is no connection after two seconds; it is still tried again and again. */
  connected(): Promise<void>;
  /** `unknown`: Redis does not know this node. `incomplete`: other nodes have not given back their admissions yet. */
  admit(key: string, admission: Admission): Promise<LimitResult | 'unknown' | 'incomplete'>;
  used(key: string, span: number): Promise<number>;
  greet(node: string): Promise<Greeting>;
  /** The node counts here from now on; it repeats this. Without effect if it is late, or Redis was emptied since the greeting. */
  enter(entry: Entry): Promise<'entered' | 'late' | 'emptied'>;
  /** The node does not count here any more. */
  leave(node: string): Promise<void>;
  /** Adds what was admitted elsewhere, with one round trip. */
  giveBack(batch: readonly GivenBack[], span: number): Promise<void>;
  close(): void;
}

/** So many admissions in a batch keep Redis and its clients responsive; a command costs as much as some admissions. */
const BATCH = 5000;
const COMMAND_WEIGHT = 10;
const CONNECT_MS = 2000;

/** Parts that are sent one after the other. */
export function* batchesOf(all: readonly GivenBack[]): Generator<readonly GivenBack[]> {
  let batch: GivenBack[] = [];
  let weight = 0;
  for (const { key, ages, seen, counted } of all)
    for (let from = 0; from === 0 || from < ages.length; from += BATCH) {
      const part = ages.slice(from, from + BATCH);
      if (batch.length > 0 && weight + part.length > BATCH) {
        yield batch;
        [batch, weight] = [[], 0];
      }
      batch.push({ key, ages: part, seen: from === 0 ? seen : 0, counted: from === 0 ? counted : 0 });
      weight += part.length + COMMAND_WEIGHT;
    }
  if (batch.length > 0) yield batch;
}

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
    admit: async (key, { limit, span, node, nodes, sharing, away }) => {
      const reply = await client.admit([windowOf(key), lostOf(key)], [limit, span * 1000, node, nodes, sharing, away]);
      const [admitted, used, oldest, retry] = reply as [number, number, number, number];
      if (admitted < 0) return admitted === -1 ? 'unknown' : 'incomplete';
      return { admitted: admitted === 1, used, oldestLeavesIn: oldest / 1000, retryIn: retry / 1000 };
    },
    used: (key, span) => client.used([windowOf(key)], [span * 1000]),
    greet: async (node) => {
      const [known, time, since] = (await client.greet([], [node])) as [number, string, string];
      return { isKnown: known === 1, time: Number(time), since };
    },
    enter: async ({ node, until, since, isNew, span }) => {
      const reply = await client.enter([], [node, Math.round(until), since, isNew ? 1 : 0, span * 1000]);
      return reply === 1 ? 'entered' : reply === 0 ? 'late' : 'emptied';
    },
    leave: async (node) => void (await client.leave([], [node])),
    giveBack: async (batch, span) => {
      const given = batch.map(({ key, ages, seen, counted }) =>
        client.giveBack([windowOf(key), lostOf(key)], [span * 1000, seen, counted, ...ages.map((age) => Math.round(age * 1000))]),
      );
      await Promise.all(given);
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

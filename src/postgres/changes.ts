// How every node learns of every change within a second. Keys, accounts and releases: triggers NOTIFY; each node also receives
// its own heartbeat on the same channel, and since PostgreSQL delivers in commit order, a received heartbeat means that
// everything before it was received too. Dealers' data: the heartbeat reads which data sets were written. A NOTIFY in every write
// would be simpler, but PostgreSQL lets only one transaction with a NOTIFY commit at a time.
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../kit/clock.ts';
import { openSession, type Session } from './database.ts';

export interface Change {
  /**
   * `limits` carries rate limit updates between nodes (rate-limits/peers.ts). `due` and `delivery` name a webhook: a delivery may
   * be due, or the result of one is known.
   */
  readonly topic: 'key' | 'account' | 'release' | 'data' | 'due' | 'delivery' | 'limits';
  readonly id: string;
  readonly version: bigint | null;
  /** For a data set: the time of its next timed transition, in milliseconds; null if there is none. */
  readonly dueAt: number | null;
}

export interface Changes {
  onChange(listener: (change: Change) => void): void;
  /** Called when the channel is back after a loss: caches may have missed a change. */
  onRestored(listener: () => void): void;
  /** True while nothing committed over a second ago can have been missed. False: read from the database instead. */
  isCurrent(): boolean;
  /** Everything that was committed before this moment (of `performance.now()`) has been received. */
  heardUpTo(): number;
  /** Nodes that serve this database now, this one included. */
  nodes(): number;
  /** The name under which this node's heartbeats are stored. */
  readonly node: string;
  /**
   * When a stored heartbeat was sent (in `performance.now()`): data that contains it contains everything committed before.
   * Undefined if it is old, or was sent before the channel was lost.
   */
  beatSentAt(beat: bigint): number | undefined;
  close(): Promise<void>;
}

export interface ChangesOptions {
  readonly url: string;
  readonly clock: Clock;
  /** Alone on the database (no Redis), or one of several nodes. */
  readonly alone: boolean;
  /** False for a worker: it receives everything and does not count as a serving node. */
  readonly serves?: boolean;
  /** Shown to `galeri doctor` on every other node. */
  readonly name?: string;
  /** Heartbeats are stored, so that standbys show how much they have. */
  readonly storesBeats?: boolean;
  readonly report: (what: 'lost' | 'restored', reason?: string) => void;
}

export const CHANNEL = 'galeri_changes';
const HEARTBEAT_MS = 250;
const ANSWER_WITHIN_MS = 2000;
const STALE_MS = 1000;
const NODES_LOCK = `hashtext('galeri.nodes')`;
/** Taken with the node's number: a node that joins again while the server still holds its dead connection counts once. */
const NODE_LOCK = `hashtext('galeri.node')`;

export class AnotherNode extends Error {}

export async function openChanges(options: ChangesOptions): Promise<Changes> {
  const receiver = createReceiver();
  const beats = createBeats(options.storesBeats === true, receiver.node);
  const number = randomInt(2 ** 31);
  const restored: (() => void)[] = [];
  let [nodes, closed] = [1, false];
  let { session, since } = await join(options, number, receiver.receive);

  async function sendHeartbeat(count: number): Promise<void> {
    const before = performance.now();
    const wall = Date.now();
    const [row] = await session.rows<Heartbeat>(beats.sql, beats.values(count, receiver.nextHeartbeat(count), since));
    beats.note(count, before);
    setClock(options.clock, row!, { at: before, wall });
    nodes = Math.max(1, row!.nodes);
    since = row!.since;
    receiver.read(row!.written ?? [], before);
  }

  async function keep(): Promise<void> {
    for (let count = 0; !closed; count += 1) {
      try {
        receiver.requireAll();
        await sendHeartbeat(count);
        await wait(HEARTBEAT_MS, undefined, { ref: false });
      } catch (error) {
        if (closed) return;
        options.report('lost', String(error));
        receiver.forget();
        beats.forget();
        // Not awaited: a half-open connection never answers the goodbye either.
        session.close().catch(() => {});
        await rejoin();
      }
    }
  }

  async function rejoin(): Promise<void> {
    while (!closed) {
      await wait(200, undefined, { ref: false });
      const joined = await join(options, number, receiver.receive).catch(() => null);
      // The database is still unavailable; a restart takes a few seconds.
      if (joined === null) continue;
      ({ session, since } = joined);
      if (closed) return session.close().catch(() => {});
      for (const listener of restored) receiver.attempt(listener);
      options.report('restored');
      return;
    }
  }

  await sendHeartbeat(-1);
  const kept = keep();
  return {
    onChange: (listener) => receiver.listeners.push(listener),
    onRestored: (listener) => restored.push(listener),
    isCurrent: () => performance.now() - receiver.heardUpTo() < STALE_MS,
    heardUpTo: receiver.heardUpTo,
    nodes: () => nodes,
    node: receiver.node,
    beatSentAt: beats.sentAt,
    close: async () => {
      closed = true;
      await session.close().catch(() => {});
      await kept;
    },
  };
}

interface Heartbeat {
  readonly now: number;
  /** The offset of the test clock: read by every heartbeat, so that it applies everywhere within a second. */
  readonly offset: string;
  readonly nodes: number;
  /** Every transaction that this beat did not see has this number or a later one. */
  readonly since: string;
  /**
   * Data sets written since the last heartbeat's number: some are reported twice, none is missed. Numbers in the future are those
   * of another PostgreSQL, from which the data was restored.
   */
  readonly written: readonly Written[] | null;
}

interface Written {
  readonly id: string;
  readonly version: string;
  readonly due: number | null;
}

function setClock(clock: Clock, { now, offset }: Heartbeat, sent: { readonly at: number; readonly wall: number }): void {
  // A slow answer is a poor measure of its time.
  if (performance.now() - sent.at < 200) clock.align(Number(now), sent.wall, Date.now());
  clock.setOffset(Number(offset), sent.at);
}

/** An expression: how many nodes serve this database. */
export const SERVING_NODES = `(select (count(*) filter (where objsubid = 1 and objid = ${NODES_LOCK}::oid)
      - count(*) filter (where objsubid = 2 and classid = ${NODE_LOCK}::oid)
      + count(distinct objid) filter (where objsubid = 2 and classid = ${NODE_LOCK}::oid))::int
    from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database()))`;
const SINCE = 'pg_snapshot_xmin(pg_current_snapshot())::text';
export const HEARTBEAT_SQL = `select pg_notify($1, $2), extract(epoch from clock_timestamp()) * 1000 as now, (select offset_ms from test_clock)::text as offset,
  ${SINCE} as since,
  (select json_agg(json_build_object('id', id, 'version', version::text, 'due', floor(extract(epoch from next_due_at) * 1000)))
    from data_sets where written_in >= $3::xid8 and written_in < pg_snapshot_xmax(pg_current_snapshot())) as written,
  ${SERVING_NODES} as nodes`;

/** In one statement: the snapshot from which `written` is read is older than the stored heartbeat. */
const STORED_HEARTBEAT_SQL = `with stored as (insert into node_beats (node, beat, beat_at) values ($4::uuid, $5::bigint, clock_timestamp())
    on conflict (node) do update set beat = excluded.beat, beat_at = excluded.beat_at)
  ${HEARTBEAT_SQL}`;

const KEPT_BEATS = 40;

/** When heartbeats were sent that a standby may show. */
function createBeats(isStored: boolean, node: string) {
  const sent = new Map<bigint, number>();
  return {
    sql: isStored ? STORED_HEARTBEAT_SQL : HEARTBEAT_SQL,
    values: (count: number, notice: string, since: string): unknown[] => [
      CHANNEL,
      notice,
      since,
      ...(isStored ? [node, count] : []),
    ],
    note: (count: number, at: number): void => {
      sent.set(BigInt(count), at);
      if (sent.size > KEPT_BEATS) sent.delete(sent.keys().next().value!);
    },
    sentAt: (beat: bigint): number | undefined => sent.get(beat),
    // What is written until the channel is back is not reported, so a standby must show a later heartbeat.
    forget: (): void => sent.clear(),
  };
}

/** Separates changes from heartbeats, and knows up to when everything was received. */
function createReceiver() {
  const node = randomUUID();
  const listeners: ((change: Change) => void)[] = [];
  const sent = new Map<number, number>();
  let heardUpTo = Number.NEGATIVE_INFINITY;
  let readUpTo = Number.NEGATIVE_INFINITY;
  // Why a change could not be processed. It counts as missed: the channel reconnects, and all caches are dropped.
  let missed: { readonly because: unknown } | null = null;
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (because) {
      missed = { because };
    }
  };
  return {
    node,
    listeners,
    attempt,
    heardUpTo: () => (missed === null ? Math.min(heardUpTo, readUpTo) : Number.NEGATIVE_INFINITY),
    read: (written: readonly Written[], sent: number) =>
      attempt(() => {
        for (const { id, version, due } of written)
          for (const listener of listeners) listener({ topic: 'data', id, version: BigInt(version), dueAt: due });
        readUpTo = sent;
      }),
    requireAll: () => {
      if (missed !== null) throw missed.because;
    },
    nextHeartbeat: (count: number): string => {
      sent.set(count, performance.now());
      return `beat:${node}:${count}`;
    },
    forget: () => {
      sent.clear();
      heardUpTo = Number.NEGATIVE_INFINITY;
      readUpTo = Number.NEGATIVE_INFINITY;
      missed = null;
    },
    receive: (payload: string) =>
      attempt(() => {
        const [topic, id = '', detail] = payload.split(':');
        if (topic === 'beat') {
          if (id !== node) return;
          heardUpTo = Math.max(heardUpTo, sent.get(Number(detail)) ?? heardUpTo);
          sent.delete(Number(detail));
          return;
        }
        for (const listener of listeners) listener({ topic: topic as Change['topic'], id, version: null, dueAt: null });
      }),
  };
}

interface Joined {
  readonly session: Session;
  readonly since: string;
}

async function join(options: ChangesOptions, number: number, receive: (payload: string) => void): Promise<Joined> {
  const session = await openSession(options.url, { timeoutMs: ANSWER_WITHIN_MS, deadlineMs: ANSWER_WITHIN_MS });
  try {
    session.onNotice((_, payload) => receive(payload));
    if (options.serves !== false) await lockAsNode(session, number, options.alone);
    if (options.name !== undefined) await session.rows("select set_config('application_name', $1, false)", [options.name]);
    await session.rows(`listen ${CHANNEL}`);
    // Of nodes that have ended.
    if (options.storesBeats) await session.rows(`delete from node_beats where beat_at < now() - interval '1 hour'`);
    const [row] = await session.rows<Pick<Heartbeat, 'since'>>(`select ${SINCE} as since`);
    return { session, since: row!.since };
  } catch (error) {
    await session.close().catch(() => {});
    throw error;
  }
}

/** A place among the nodes is a lock held by this session: it ends with the process, even if it is killed. */
async function lockAsNode(session: Session, number: number, alone: boolean): Promise<void> {
  // A killed node keeps its place until its connection is found to be dead.
  for (let attempt = 0; attempt < 15; attempt += 1) {
    const [row] = await session.rows<{ taken: boolean }>(
      `select pg_try_advisory_lock${alone ? '' : '_shared'}(${NODES_LOCK}) as taken`,
    );
    if (row!.taken) {
      await session.rows(`select pg_advisory_lock_shared(${NODE_LOCK}, $1::int)`, [number]);
      return;
    }
    await wait(200);
  }
  throw new AnotherNode('another service already runs on this database; stop it, or set REDIS_URL on every node to run several');
}

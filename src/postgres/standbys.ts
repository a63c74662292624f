// Reads on standbys. A standby's answer is used if it contains what this node knows of the dealer's data; otherwise it is thrown
// away and the primary is asked. A standby that is lost, frozen, late or promoted is left alone until a check of its own
// finds it usable.
import { type Database, type Db, isUnavailable, Rollback, sqlState } from '../kit/db.ts';
import { Failure } from '../kit/errors.ts';
import { own, type Sql, type Statement, sql } from '../kit/sql.ts';
import type { Changes } from './changes.ts';
import { openSession, openStandbyPool, type Session, type StandbyPool } from './database.ts';
import { PrimaryServer } from './hosts.ts';
import type { KnownVersions } from './known-versions.ts';
import { type Judgement, judge, MAX_LAG_MS, pickStandby, type Shown, type StandbyState } from './standby-rules.ts';
import { quietly } from './transaction.ts';

/**
 * How new the data must be. `known`: as the cache promises, with this node's own writes and, a second later, those of others.
 * `latest`: with every acknowledged write, so the primary is asked for the version first. Data outside the dealer's version, such as
 * exchange rates, is at most a second old in both cases.
 */
export type Wanted = 'known' | 'latest';

export interface Copies {
  /** A read of one dealer's data, on a standby if one has it and on the primary otherwise. `work` may run twice. */
  read<T>(dataSet: string, wanted: Wanted, work: (db: Db) => Promise<T>): Promise<T>;
  figures(): readonly StandbyFigures[];
  close(): Promise<void>;
}

export interface StandbyFigures {
  readonly host: string;
  readonly state: StandbyState;
  /** Of what the last check saw; null if it saw nothing. */
  readonly lagSeconds: number | null;
  /** Reads by what became of them. */
  readonly reads: Readonly<Record<Outcome, number>>;
}

type Outcome = 'used' | Judgement | 'lost';

/** Without standbys: every read is the primary's. */
export const primaryOnly = (database: Pick<Database, 'inTenant'>): Copies => ({
  read: (dataSet, _, work) => database.inTenant(dataSet, 'read', work),
  figures: () => [],
  close: async () => {},
});

export interface CopiesOptions {
  readonly database: Pick<Database, 'inTenant'>;
  /** With the tenant role, one host each. */
  readonly urls: readonly string[];
  readonly connections: number;
  readonly changes: Pick<Changes, 'isCurrent' | 'node' | 'beatSentAt'>;
  readonly versions: Pick<KnownVersions, 'of' | 'forgottenAt'>;
  readonly watch?: (statement: Statement) => Statement;
  readonly report: (host: string, state: StandbyState, reason?: string) => void;
}

const FIRST_ANSWER_MS = 1000;

export function openCopies({ database, urls, connections, changes, versions, watch, report }: CopiesOptions): Copies {
  const check = checkOf(changes.node);
  const view = { sentAt: changes.beatSentAt, since: versions.forgottenAt };
  const standbys = urls.map((url) =>
    openStandby({
      pool: openStandbyPool({ url, connections, firstAnswerMs: FIRST_ANSWER_MS, ...(watch ? { watch } : {}) }),
      url,
      node: changes.node,
      sentAt: changes.beatSentAt,
      report,
    }),
  );
  let turn = 0;
  const latestOf = async (dataSet: string): Promise<bigint> =>
    (await database.inTenant(dataSet, 'read', (db) => db.last<{ version: bigint }>(VERSION))).version;
  return {
    async read(dataSet, wanted, work) {
      const askedAt = performance.now();
      const onPrimary = () => database.inTenant(dataSet, 'read', work);
      const standby = changes.isCurrent() ? pickStandby(standbys, turn++) : null;
      if (standby === null) return onPrimary();
      const version = wanted === 'known' ? versions.of(dataSet) : await latestOf(dataSet);
      const asked = { check, judge: (shown: Shown) => judge(shown, { version, askedAt, ...view }) };
      const answer = await standby.read(dataSet, asked, work);
      return answer === null ? onPrimary() : answer.value;
    },
    figures: () => standbys.map((standby) => standby.figures()),
    close: async () => {
      await Promise.all(standbys.map((standby) => standby.close()));
    },
  };
}

const VERSION = sql`select version from ${own('data_sets')}`;

/** Sent before the first statement of a read, in its transaction and so from the same snapshot. */
const checkOf = (node: string): Sql => sql`select pg_is_in_recovery() as is_standby,
  (select beat from node_beats where node = ${node}) as beat, (select version from ${own('data_sets')}) as version`;

/** The answer of a standby is not used, and the primary is asked. */
class NotUsed extends Rollback {
  readonly why: Judgement;
  constructor(why: Judgement) {
    super(`the standby is ${why}`);
    this.why = why;
  }
}

interface Asked {
  readonly check: Sql;
  readonly judge: (shown: Shown) => Judgement | null;
}

interface StandbyParts {
  readonly pool: StandbyPool;
  readonly url: string;
  readonly node: string;
  readonly sentAt: Changes['beatSentAt'];
  readonly report: CopiesOptions['report'];
}

function openStandby({ pool, url, node, sentAt, report }: StandbyParts) {
  const host = decodeURIComponent(new URL(url).host);
  const reads: Record<Outcome, number> = { used: 0, old: 0, late: 0, promoted: 0, lost: 0 };
  let state: StandbyState = 'unknown';
  let reported: StandbyState = 'unknown';
  let lagSeconds: number | null = null;
  const watched = watchStandby({ url, node, sentAt }, (found) => {
    ({ state, lagSeconds } = found);
    if (state !== reported) report(host, state, found.reason);
    reported = state;
  });
  /** Until the next check, which comes soon: one late heartbeat, or one lost connection, must not cost a second of reads. */
  const leave = (found: StandbyState): void => {
    if (state === 'good') watched.hasten();
    state = found;
  };
  /** Null: the primary has to be asked. */
  const refused = (error: unknown, usable: boolean): null => {
    if (error instanceof NotUsed) {
      reads[error.why] += 1;
      // One dealer's data may be older here while that of others is new enough.
      if (error.why !== 'old') leave(error.why);
      return null;
    }
    // What the dealer's data makes the work refuse is an answer like any other.
    if (usable && (error instanceof Failure || error instanceof Rollback)) {
      reads.used += 1;
      throw error;
    }
    reads.lost += 1;
    if (isLoss(error)) leave('lost');
    return null;
  };
  return {
    state: () => state,
    load: pool.load,
    async read<T>(dataSet: string, asked: Asked, work: (db: Db) => Promise<T>): Promise<{ readonly value: T } | null> {
      const checked = { isUsable: true };
      try {
        const value = await pool.read(dataSet, (db) => work(checkedDb(db, asked, checked)));
        // Work that catches errors may have caught this one.
        if (!checked.isUsable) throw new NotUsed('old');
        reads.used += 1;
        return { value };
      } catch (error) {
        return refused(error, checked.isUsable);
      }
    },
    figures: (): StandbyFigures => ({ host, state, lagSeconds, reads: { ...reads } }),
    close: async () => {
      await Promise.all([watched.close(), pool.close()]);
    },
  };
}

/** A conflict with replay or a slow statement says nothing about the server. */
function isLoss(error: unknown): boolean {
  const sqlstate = sqlState(error);
  return sqlstate === null ? isUnavailable(error) && !/connection became free/.test(String(error)) : /^(08|57P)/.test(sqlstate);
}

/** The check is sent with the first statement if that is the only one, and answered before it otherwise: a report takes longer. */
function checkedDb(db: Db, { check, judge }: Asked, checked: { isUsable: boolean }): Db {
  let answer: Promise<void> | null = null;
  const ensure = (): Promise<void> => {
    if (answer !== null) return answer;
    checked.isUsable = false;
    answer = db.one<Shown>(check).then((shown) => {
      const why = judge(shown);
      if (why !== null) throw new NotUsed(why);
      checked.isUsable = true;
    });
    return quietly(answer);
  };
  return {
    rows: async (statement) => {
      await ensure();
      return db.rows(statement);
    },
    one: async (statement, explain) => {
      await ensure();
      return db.one(statement, explain);
    },
    exec: async (statement) => {
      await ensure();
      return db.exec(statement);
    },
    // It has no answer that could be used; a setting, for example.
    send: db.send,
    last: async <T>(statement: Sql) => {
      if (answer !== null) {
        // After the statements that were sent before it and wait for the check too.
        await answer;
        return db.last<T>(statement);
      }
      const isChecked = ensure();
      const found = quietly(db.last<T>(statement));
      await isChecked;
      return found;
    },
  };
}

interface Found {
  readonly state: StandbyState;
  readonly lagSeconds: number | null;
  readonly reason?: string;
}

const EVERY_MS = 1000;
const SOON_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/** Asks the standby once a second what it has; one that does not answer less and less often. */
function watchStandby({ url, node, sentAt }: Pick<StandbyParts, 'url' | 'node' | 'sentAt'>, found: (one: Found) => void) {
  let session: Session | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let pause = EVERY_MS;
  let asking: Promise<void> = Promise.resolve();
  const drop = async () => {
    const gone = session;
    session = null;
    await gone?.close().catch(() => {});
  };
  const ask = async (): Promise<Found> => {
    session ??= await openSession(url, { acceptsStandby: true, timeoutMs: FIRST_ANSWER_MS, deadlineMs: FIRST_ANSWER_MS });
    const askedAt = performance.now();
    const [row] = await session.rows<{ is_standby: boolean; beat: bigint | null }>(
      'select pg_is_in_recovery() as is_standby, (select beat from node_beats where node = $1) as beat',
      [node],
    );
    if (!row!.is_standby) return { state: 'promoted', lagSeconds: null, reason: new PrimaryServer(new URL(url).host).message };
    const sent = row!.beat === null ? undefined : sentAt(row!.beat);
    if (sent === undefined) return { state: 'late', lagSeconds: null };
    return { state: askedAt - sent > MAX_LAG_MS ? 'late' : 'good', lagSeconds: Math.max(0, askedAt - sent) / 1000 };
  };
  const look = async () => {
    try {
      const one = await ask();
      pause = EVERY_MS;
      if (!isClosed) found(one);
    } catch (error) {
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      if (!isClosed) found({ state: 'lost', lagSeconds: null, reason: (error as Error).message });
      void drop();
    }
    plan(pause);
  };
  const plan = (inMs: number) => {
    if (isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      asking = look();
    }, inMs).unref();
  };
  plan(0);
  return {
    /** The next check is due soon, unless one is being made. */
    hasten: () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      plan(SOON_MS);
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await asking;
      await drop();
    },
  };
}

// Worlds while their clocks run at the usual pace: what falls due, scheduled imports, and moves that no process finishes.
import { startDueRunsOf } from '../domain/imports/runs/claim-runs.ts';
import { WorldChanged } from '../domain/worlds/enter-world.ts';
import { findWorld, showWorlds } from '../domain/worlds/world.ts';
import { runTransitions } from '../domain/writes/timed-transition.ts';
import { SYSTEM, type WriteCall, type Writer } from '../domain/writes/write.ts';
import { dayIn } from '../kit/clock.ts';
import { allAnswers, type Database } from '../kit/db.ts';
import { own, type Sql, sql } from '../kit/sql.ts';
import { finishAbandonedMove } from '../sandbox/world-clock.ts';
import { JOBS_AS_TRANSITIONS, WORLD_TRANSITIONS } from '../sandbox/world-transitions.ts';

const MAX_AT_ONCE = 100;
/** A caller whose connection broke repeats the call before; then the worker finishes the move, because writes wait for it. */
const ABANDONED_MS = 120_000;
/** Records change by requests only, and the time of the last one is precise to an hour. */
const RECENT_MS = 2 * 3_600_000;

interface DataSet {
  readonly dataSet: string;
  readonly timezone: string;
  readonly world: string;
}

/** About the business time of each world, to find what may be due; the write reads the clock. */
const worldTime = (realNow: Date): Sql => sql`(${realNow}::timestamptz + worlds.offset_ms * interval '1 millisecond')`;
const IS_RUNNING = sql`worlds.removed_at is null and worlds.status = 'ready'`;
const COLUMNS = sql`data_sets.id as "dataSet", accounts.timezone, worlds.id as world`;
const DATA_SETS = sql`worlds join accounts on accounts.world_id = worlds.id join data_sets on data_sets.account_id = accounts.id`;

const find = (database: Database, where: Sql): Promise<DataSet[]> =>
  database.onPlatform('read', (db) => {
    showWorlds(db);
    return db.rows<DataSet>(sql`select ${COLUMNS} from ${DATA_SETS} where ${IS_RUNNING} and ${where}
      order by data_sets.next_due_at, data_sets.id limit ${MAX_AT_ONCE}`);
  });

type Call = Omit<WriteCall, 'actor'> & { readonly world: { readonly id: string; readonly offsetMs: number } };

/** A write is refused if the clock has moved since; the next round finds it again. */
async function callOf(database: Database, { dataSet, timezone, world: id }: DataSet): Promise<Call> {
  const world = await database.onPlatform('read', (db) => findWorld(db, id));
  if (world === null) throw new WorldChanged(true);
  const { now, offsetMs } = world;
  return { dataSet, account: { id: dataSet, timezone }, now, world: { id, offsetMs } };
}

/** One after the other; one that fails does not delay the others. */
async function forEach(
  { database }: Writer,
  found: readonly DataSet[],
  run: (call: Call) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<number> {
  let failure: unknown = null;
  for (const one of found) {
    if (signal?.aborted) break;
    const ran = callOf(database, one).then(run);
    await ran.catch((error) => {
      // The world was reset, or its clock has moved: the next round sees it as it is then.
      if (!(error instanceof WorldChanged)) failure ??= error;
    });
  }
  if (failure !== null) throw failure;
  return found.length;
}

/** Returns how many data sets were handled. */
export async function runWorlds(writer: Writer, realNow: Date, signal?: AbortSignal): Promise<number> {
  const due = await find(writer.database, sql`data_sets.next_due_at <= ${worldTime(realNow)}`);
  return forEach(writer, due, (call) => runTransitions(writer, call, WORLD_TRANSITIONS), signal);
}

/** Queues imports, finds new reminders and reports, and finishes abandoned moves. Returns how many worlds were handled. */
export async function lookAfterWorlds(writer: Writer, realNow: Date, signal?: AbortSignal): Promise<number> {
  const { database } = writer;
  const importing = await find(
    database,
    sql`exists (select from import_connectors where account_id = data_sets.id and next_run_at <= ${worldTime(realNow)})`,
  );
  const recent = await find(
    database,
    sql`data_sets.id = worlds.id and last_used_at > ${new Date(realNow.getTime() - RECENT_MS)}`,
  );
  const imports = await forEach(writer, importing, (call) => startDueRunsOf(writer, call), signal);
  const looks = await forEach(writer, recent, (call) => findNextJob(writer, call), signal);
  return imports + looks + (await finishAbandoned(writer, realNow, signal));
}

/** A new rule or installment may need a reminder before the data set is looked at next. */
async function findNextJob(writer: Writer, call: Call): Promise<void> {
  const earlier = await writer.database.inTenant(call.dataSet, 'read', async (db) => {
    const { due } = await db.one<{ due: Date | null }>(sql`select next_due_at as due from ${own('data_sets')}`);
    const look = { db, now: call.now, today: dayIn(call.now, call.account.timezone) };
    const next = await allAnswers(
      JOBS_AS_TRANSITIONS.map(async (one) =>
        (await one.due(look, [])).length > 0 ? call.now : one.next(db, call.account.timezone, []),
      ),
    );
    const times = next.filter((at) => at !== null).toSorted((one, other) => one.getTime() - other.getTime());
    return times[0] !== undefined && (due === null || times[0] < due) ? times[0] : null;
  });
  if (earlier !== null) await writer.write({ ...call, actor: SYSTEM }, async (work) => work.endsAt(earlier));
}

async function finishAbandoned(writer: Writer, realNow: Date, signal?: AbortSignal): Promise<number> {
  const before = new Date(realNow.getTime() - ABANDONED_MS);
  const abandoned = await writer.database.onPlatform('read', (db) =>
    db.rows<{
      id: string;
    }>(sql`select id from worlds where removed_at is null and status = 'advancing' and clock_claimed_until < ${before}
      order by clock_claimed_until limit ${MAX_AT_ONCE}`),
  );
  for (const { id } of abandoned) {
    if (signal?.aborted) break;
    // A transition that fails is named in the row of the world.
    await finishAbandonedMove({ writer }, id).catch(() => null);
  }
  return abandoned.length;
}

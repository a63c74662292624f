// Claims queued runs for one worker, and starts scheduled runs that are due.
import { randomUUID } from 'node:crypto';
import type { Database } from '../../../kit/db.ts';
import { own, type Sql, sql, theAccount } from '../../../kit/sql.ts';
import { isFree, taking } from '../../writes/lease.ts';
import { SYSTEM, type WriteCall, type Writer } from '../../writes/write.ts';
import { lockConnector } from '../connectors/connector.ts';
import { nextRun } from '../connectors/connector-schedule.ts';
import type { Claim } from './import-progress.ts';
import { addRun } from './import-run.ts';

export interface ClaimedRun extends Claim {
  /** How often it was claimed without committing a row. */
  readonly attempts: number;
}

/**
 * Claims a free run: only one of each dealer at a time, and first of the dealer whose last run started the longest ago. The runs of a
 * dealer's sandboxes, removed ones too, are later runs of the dealer: otherwise each reset would make a new dealer, who is next. They wait
 * while the sandbox is closed or its clock moves.
 */
export async function claimRun(database: Database, realNow: Date, worlds = false): Promise<ClaimedRun | null> {
  const isShut = worlds ? sql`(world.status <> 'ready' or world.removed_at is not null)` : sql`true`;
  const still = sql`status in ('Sırada', 'Çalışıyor')`;
  const also = sql`, claim = ${randomUUID()}, attempts = attempts + 1`;
  const [claimed] = await database.onPlatform('write', (db) =>
    db.rows<ClaimedRun>(sql`
      with open as (
        select waiting.account_id, waiting.id
        from import_runs waiting left join worlds world on world.id = waiting.account_id,
          lateral (select coalesce(world.owner_id, waiting.account_id) as id) dealer
        where waiting.status in ('Sırada', 'Çalışıyor') and ${isFree(realNow)} and (world.id is null or not ${isShut}) and not is_closed(waiting.account_id)
          and not exists (select from import_runs busy left join worlds theirs on theirs.id = busy.account_id
            where busy.status in ('Sırada', 'Çalışıyor') and busy.claimed_until > ${realNow}
              and coalesce(theirs.owner_id, busy.account_id) = dealer.id and (world.id is not null or theirs.id is null))
        order by greatest((select started_at from import_runs past where past.account_id = dealer.id and started_at is not null
              order by started_at desc limit 1),
            case when world.id is not null then ${lastInWorlds(realNow)} end) nulls first, waiting.created_at
        limit 1 for update of waiting skip locked
      ), ${taking({ table: 'import_runs', from: 'open', still, also }, realNow)}
      select account_id as "dataSet", id as "runId", claim, attempts from claimed`),
  );
  return claimed ?? null;
}

/** Their clocks may be years ahead. */
const lastInWorlds = (realNow: Date): Sql => sql`(select max(least(past.started_at, ${realNow}::timestamptz))
  from worlds past_world join import_runs past on past.account_id = past_world.id
  where past_world.owner_id = dealer.id and past.started_at is not null)`;

/** Renews or (null) releases a claim. False if another worker has claimed the run in the meantime. */
export async function keepClaim(database: Database, { dataSet, runId, claim }: Claim, until: Date | null): Promise<boolean> {
  const kept = await database.onPlatform('write', (db) =>
    db.exec(sql`update import_runs set claimed_until = ${until}
      where account_id = ${dataSet} and id = ${runId} and claim = ${claim} and status in ('Sırada', 'Çalışıyor')`),
  );
  return kept > 0;
}

const MAX_AT_ONCE = 100;

/** Queues one run for each due connector, even if several of its times have passed. Returns how many were queued. */
export async function startDueRuns(writer: Writer, now: Date): Promise<number> {
  const dueAll = sql`select ${DUE_COLUMNS}
    from import_connectors due join data_sets on data_sets.id = due.account_id join accounts account on account.id = data_sets.account_id
    where due.next_run_at <= ${now} and not is_closed(due.account_id) order by due.next_run_at limit ${MAX_AT_ONCE}`;
  let begun = 0;
  for (;;) {
    const due = await writer.database.onPlatform('read', (db) => db.rows<Due>(dueAll));
    for (const one of due) {
      const call = { dataSet: one.dataSet, account: { id: one.account, timezone: one.timezone }, now };
      if (await startDue(writer, call, one)) begun += 1;
    }
    if (due.length < MAX_AT_ONCE) return begun;
  }
}

/** The same for one data set. */
export async function startDueRunsOf(writer: Writer, call: Omit<WriteCall, 'actor'>): Promise<number> {
  const due = await writer.database.inTenant(call.dataSet, 'read', (db) =>
    db.rows<Due>(sql`select ${DUE_COLUMNS} from (select * from ${own('import_connectors')}) due, (select * from ${own('accounts')}) account
      where due.next_run_at <= ${call.now} order by due.next_run_at, due.id`),
  );
  let begun = 0;
  for (const one of due) if (await startDue(writer, call, one)) begun += 1;
  return begun;
}

interface Due {
  readonly dataSet: string;
  readonly id: string;
  readonly account: string;
  readonly timezone: string;
  readonly isOpen: boolean;
}

const DUE_COLUMNS = sql`due.account_id as "dataSet", due.id, account.id as account, account.timezone,
  account.status = 'Aktif' and account."import" as "isOpen"`;

async function startDue(writer: Writer, call: Omit<WriteCall, 'actor'>, due: Due): Promise<boolean> {
  const { account, now } = call;
  return writer.write({ ...call, actor: SYSTEM }, async (work) => {
    const { db } = work;
    const [still] = await db.rows(sql`select id from ${own('import_connectors')} where id = ${due.id} and next_run_at <= ${now}`);
    if (still === undefined) return false;
    const connector = await lockConnector(work, due.id);
    const next = nextRun(connector.schedule, due.id, now, account.timezone);
    const taken = await db.exec(sql`update import_connectors set next_run_at = ${next}
      where account_id = ${theAccount} and id = ${due.id} and next_run_at <= ${now}`);
    if (taken === 0 || !due.isOpen || connector.status !== 'Aktif') return false;
    const running = await db.rows(sql`select id from ${own('import_runs')}
      where connector_id = ${due.id} and status in ('Sırada', 'Çalışıyor')`);
    if (running.length > 0) return false;
    await addRun(work, due.id, {
      trigger: 'Zamanlı',
      dry_run: false,
      actor_type: SYSTEM.type,
      actor_name: SYSTEM.name,
      person_id: null,
      content_encoding: null,
    });
    return true;
  });
}

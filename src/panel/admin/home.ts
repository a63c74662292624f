// The administrator's home: what waits for a decision, who has errors, what is late, and how full the machine is. One request.
import { slugOf } from '../../domain/catalog/catalog.ts';
import { TROUBLE } from '../../domain/usage/outcome.ts';
import { type WorldFigures, worldFigures } from '../../domain/worlds/figures.ts';
import { listFailures, type TransitionFailure } from '../../domain/writes/transition-failures-platform.ts';
import type { Times } from '../../kit/clock.ts';
import { allAnswers, type Db } from '../../kit/db.ts';
import type { Text } from '../../kit/errors.ts';
import { type Sql, sql } from '../../kit/sql.ts';
import { panelGet } from '../kit/endpoint.ts';
import { readLogFirst } from '../kit/log-first.ts';
import type { PanelServices } from '../kit/services.ts';

export interface VotedEndpoint {
  readonly slug: string;
  readonly endpoint: string;
  readonly name: Text;
  readonly votes: number;
  readonly blocking: number;
}

export interface TroubledAccount {
  readonly id: string;
  readonly name: string;
  readonly calls_24h: number;
  readonly errors_24h: number;
}

/** Work that waits longer than it should. */
export interface LateWork {
  readonly kind: 'transitions' | 'failed_transitions' | 'deliveries' | 'imports' | 'mails';
  readonly count: number;
  readonly since: string;
}

export interface AdminHome {
  readonly limit_requests: number;
  readonly topups: number;
  readonly auction_requests: number;
  /** Isolated sandboxes: how many there are, and their size. */
  readonly worlds: WorldFigures;
  /** Acts that wait for a second administrator. */
  readonly decisions: number;
  readonly voted: readonly VotedEndpoint[];
  /** Null while usage cannot be read. */
  readonly troubled: readonly TroubledAccount[] | null;
  readonly late: readonly LateWork[];
  /** Records that are past their time and could not be moved, the oldest first. */
  readonly failed_transitions: readonly TransitionFailure[];
  readonly database_bytes: number;
  /** Of the disk that holds the data; null where it cannot be read. */
  readonly disk: { readonly free_bytes: number; readonly total_bytes: number } | null;
}

const DAY = 86_400_000;
const LATE_AFTER_MS = 5 * 60_000;
const SHOWN_AT_MOST = 5;
const SHOWN_FAILURES = 20;

export const adminHomeEndpoints = [
  panelGet('admin/home', {
    who: 'admin',
    databaseRole: 'none',
    run: async ({ services, now, realNow }): Promise<AdminHome> => {
      const used = await readLogFirst(services.database, (log) => accountsWithErrors(log, realNow));
      return services.database.onPlatform('read', (db) => readHome(db, services, used, { now, realNow }));
    },
  }),
];

async function readHome(
  db: Db,
  services: PanelServices,
  used: readonly UsedAccount[] | null,
  { now, realNow }: Times,
): Promise<AdminHome> {
  const [waiting, voted, troubled, late, failed_transitions, disk, worlds] = await allAnswers([
    db.one<Pick<AdminHome, 'limit_requests' | 'topups' | 'auction_requests' | 'decisions' | 'database_bytes'>>(sql`select
          (select count(*)::int from limit_requests where status = 'pending') as limit_requests,
          (select count(*)::int from wallet_topups where status = 'Beklemede') as topups,
          (select count(*)::int from auction_requests where status = 'Beklemede') as auction_requests,
          (select count(*)::int from admin_decisions where status = 'pending') as decisions,
          pg_database_size(current_database())::float8 as database_bytes`),
    mostVoted(db, services),
    used === null ? Promise.resolve(null) : troubledAccounts(db, used),
    lateWork(db, services, { now, realNow }),
    listFailures(db, SHOWN_FAILURES),
    services.disk(),
    worldFigures(db),
  ]);
  return { ...waiting, voted, troubled, late, failed_transitions, disk, worlds };
}

async function mostVoted(db: Db, { catalog, release }: PanelServices): Promise<VotedEndpoint[]> {
  const found = await db.rows<{ endpoint: string; votes: number; blocking: number }>(sql`select endpoint, count(*)::int as votes,
      (count(*) filter (where blocks_go_live))::int as blocking from endpoint_votes group by endpoint
    order by votes desc, blocking desc, endpoint limit 50`);
  const { isLive } = await release();
  const endpoints = new Map(catalog.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return found
    .flatMap((vote) => {
      const endpoint = endpoints.get(vote.endpoint);
      return endpoint === undefined || isLive(endpoint.id) ? [] : [{ ...vote, slug: slugOf(endpoint.id), name: endpoint.name }];
    })
    .slice(0, SHOWN_AT_MOST);
}

interface UsedAccount {
  readonly account_id: string;
  readonly calls_24h: number;
  readonly errors_24h: number;
}

/** More than are shown, because sandboxes are among them, which administrators do not see. */
export const accountsWithErrors = (log: Db, realNow: Date): Promise<UsedAccount[]> =>
  log.rows(sql`select * from (
      select account_id, sum(calls)::float8 as calls_24h, ${TROUBLE.calls} as errors_24h from usage_calls
      where hour > ${new Date(realNow.getTime() - DAY)} group by account_id) used
    where errors_24h > 0 order by errors_24h desc limit 1000`);

const troubledAccounts = (db: Db, used: readonly UsedAccount[]): Promise<TroubledAccount[]> =>
  db.rows(sql`select a.id, a.name, used.calls_24h, used.errors_24h
    from unnest(${used.map((one) => one.account_id)}::uuid[], ${used.map((one) => one.calls_24h)}::float8[],
      ${used.map((one) => one.errors_24h)}::float8[]) as used(account_id, calls_24h, errors_24h)
    join accounts a on a.id = used.account_id order by used.errors_24h desc, a.name limit ${SHOWN_AT_MOST}`);

/** Each queue has an index by when it is due. */
async function lateWork(db: Db, { canMail }: PanelServices, { now, realNow }: Times): Promise<LateWork[]> {
  const before = (time: Date): Date => new Date(time.getTime() - LATE_AFTER_MS);
  const queue = (kind: LateWork['kind'], since: Sql, from: Sql): Sql =>
    sql`select ${kind}::text as kind, count(*)::int as count, utc_text(min(${since})) as since from ${from}`;
  const queues = [
    queue('transitions', sql`next_due_at`, sql`data_sets where next_due_at < ${before(now)} and kind = 'production'`),
    queue('failed_transitions', sql`first_failed_at`, sql`transition_failures`),
    queue(
      'deliveries',
      sql`next_attempt_at`,
      sql`webhook_deliveries where status = 'Bekliyor' and next_attempt_at < ${before(realNow)}`,
    ),
    queue('imports', sql`created_at`, sql`import_runs where status = 'Sırada' and created_at < ${before(realNow)}`),
    ...(canMail ? [queue('mails', sql`next_try_at`, sql`mails where sent_at is null and next_try_at < ${before(realNow)}`)] : []),
  ];
  const found = await allAnswers(queues.map((one) => db.one<LateWork>(one)));
  return found.filter(({ count }) => count > 0);
}

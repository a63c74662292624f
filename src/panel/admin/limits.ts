// Requests for a higher limit, with the key's traffic, and the decision on them.
import { approveRequest, raiseLimit, refuseRequest } from '../../domain/keys/limit-requests.ts';
import { mayBeOnePerson, twoAdministratorsDecide } from '../../domain/keys/second-administrator.ts';
import { integerField, nullable, required, textField } from '../../domain/records/fields.ts';
import { type Db, inLog } from '../../kit/db.ts';
import { oneOfParam, paging } from '../../kit/params.ts';
import { sql } from '../../kit/sql.ts';
import { listed, panelGet, panelPost } from '../kit/endpoint.ts';

/** A line of `GET admin/limit-requests`. */
export interface LimitRequestLine {
  readonly id: string;
  readonly status: 'pending' | 'approved' | 'refused';
  readonly account_id: string;
  readonly account: string;
  readonly key_id: string;
  readonly key_name: string;
  readonly environment: 'production' | 'sandbox';
  readonly key_revoked: boolean;
  readonly current_per_minute: number;
  readonly asked_per_minute: number;
  readonly reason: string | null;
  readonly asked_by: string;
  readonly asked_by_name: string;
  readonly created_at: string;
  readonly decided_by_name: string | null;
  readonly decided_at: string | null;
  readonly granted_per_minute: number | null;
  /** The administrator who approved a high limit first, the limit, and whether the current administrator can be the second. */
  readonly first_by: string | null;
  readonly first_by_name: string | null;
  readonly first_per_minute: number | null;
  readonly may_be_second: boolean;
  readonly note: string | null;
  /** Calls in the busiest hour of the last seven days, including refused ones, because they show what the key needed. */
  readonly busiest_hour: number | null;
  /** These three are null while usage cannot be read. */
  readonly calls: number | null;
  readonly rate_limited: number | null;
}

type KeyUse = Pick<LimitRequestLine, 'busiest_hour' | 'calls' | 'rate_limited'>;

const UNKNOWN_USE: KeyUse = { busiest_hour: null, calls: null, rate_limited: null };

async function readUse(
  log: Db,
  keys: readonly Pick<LimitRequestLine, 'account_id' | 'key_id'>[],
  since: Date,
): Promise<ReadonlyMap<string, KeyUse>> {
  const rows = await log.rows<KeyUse & { key_id: string }>(sql`select distinct r.key_id, use.*
    from unnest(${keys.map((key) => key.account_id)}::uuid[], ${keys.map((key) => key.key_id)}::uuid[]) as r(account_id, key_id)
    cross join lateral (
      select coalesce(max(h.calls), 0)::float8 as busiest_hour, coalesce(sum(h.calls), 0)::float8 as calls,
        coalesce(sum(h.limited), 0)::float8 as rate_limited
      from (select sum(u.calls) as calls, sum(u.calls) filter (where u.error_code = 'rate_limit_exceeded') as limited
        from usage_calls u where u.account_id = r.account_id and u.key_id = r.key_id and u.hour >= ${since} group by u.hour) h
    ) use`);
  return new Map(rows.map(({ key_id, ...use }) => [key_id, use]));
}

const LIMIT = integerField(1, 1_000_000);
const NOTE = textField(1000, { lines: true });

export const adminLimitEndpoints = [
  panelGet('admin/limit-requests', {
    who: 'admin',
    databaseRole: 'platform',
    query: { ...paging, status: oneOfParam(['pending', 'approved', 'refused']) },
    run: async ({ db, query, session, realNow }) => {
      const { limit, offset, status } = query;
      const since = new Date(realNow.getTime() - 7 * 86_400_000);
      const which = status === undefined ? sql`true` : sql`status = ${status}`;
      // The page is chosen first, so that traffic is summed only for the rows that are shown.
      const found = await db.rows<Omit<LimitRequestLine, keyof KeyUse>>(sql`
        with page as (select * from limit_requests where ${which} order by created_at desc, id desc limit ${limit + 1} offset ${offset})
        select r.id, r.status, r.account_id, a.name as account, r.key_id, k.name as key_name, k.environment,
          k.revoked_at is not null as key_revoked, k.limit_per_minute as current_per_minute, r.asked_per_minute, r.reason, r.asked_by,
          asker.full_name as asked_by_name, utc_text(r.created_at) as created_at, decider.full_name as decided_by_name,
          utc_text(r.decided_at) as decided_at, r.granted_per_minute, r.note,
          r.first_by, proposer.full_name as first_by_name, r.first_per_minute,
          r.first_by is not null and not ${mayBeOnePerson(sql`r.first_by`, sql`${session.person.id}::uuid`)} as may_be_second
        from page r
        join accounts a on a.id = r.account_id
        join api_keys k on k.account_id = r.account_id and k.id = r.key_id
        join people asker on asker.id = r.asked_by
        left join people decider on decider.id = r.decided_by
        left join people proposer on proposer.id = r.first_by
        order by r.created_at desc, r.id desc`);
      const withUse = (uses: ReadonlyMap<string, KeyUse>) =>
        listed(
          found.map((line): LimitRequestLine => ({ ...line, ...(uses.get(line.key_id) ?? UNKNOWN_USE) })),
          query,
        );
      return inLog(
        async (log) => withUse(await readUse(log, found, since)),
        () => withUse(new Map()),
      );
    },
  }),
  panelGet('admin/limit-rules', {
    who: 'admin',
    databaseRole: 'platform',
    run: async ({ db, services }) => ({ four_eyes: await twoAdministratorsDecide(db, services.fourEyes) }),
  }),
  panelPost('admin/limit-requests/{request_id}/approve', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    bodySchema: { per_minute: required(LIMIT), note: nullable(NOTE) },
    run: async ({ db, params, body, session, services, actor, realNow }) => {
      const decider = { personId: session.person.id, actor, realNow, fourEyes: services.fourEyes };
      const approval = { perMinute: body.per_minute, note: body.note ?? null };
      return { status: (await approveRequest(db, params.request_id, approval, decider)) ? 'approved' : 'pending' };
    },
  }),
  panelPost('admin/limit-requests/{request_id}/refuse', {
    who: 'admin',
    databaseRole: 'platform',
    bodySchema: { note: required(NOTE) },
    run: async ({ db, params, body, session, services, actor, realNow }) => {
      const decider = { personId: session.person.id, actor, realNow, fourEyes: services.fourEyes };
      await refuseRequest(db, params.request_id, body.note, decider);
      return { status: 'refused' };
    },
  }),
  panelPost('admin/keys/{key_id}/limit', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    bodySchema: { per_minute: required(LIMIT), reason: required(NOTE) },
    run: async ({ db, params, body, session, services, actor, realNow }) => {
      const decider = { personId: session.person.id, actor, realNow, fourEyes: services.fourEyes };
      const raise = { perMinute: body.per_minute, reason: body.reason };
      return { in_force: await raiseLimit(db, params.key_id, raise, decider) };
    },
  }),
];

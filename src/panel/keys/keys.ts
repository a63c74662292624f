// API keys in the panel: the list, one key with its traffic and history, and all changes of a key.

import { keysOfDevelopers, markKeysReviewed } from '../../domain/keys/key-endpoint-requests.ts';
import { KEY_STATES } from '../../domain/keys/key-health.ts';
import { readUsage } from '../../domain/usage/key-usage.ts';
import { TROUBLE } from '../../domain/usage/outcome.ts';
import { inLog } from '../../kit/db.ts';
import { integerParam, oneOfParam, paging, textParam, withFallback } from '../../kit/params.ts';
import { readPeriod } from '../../kit/period.ts';
import { own, sql } from '../../kit/sql.ts';
import { listed, panelGet, panelPatch, panelPost } from '../kit/endpoint.ts';
import { KEY_POLICY, KEY_SETTINGS, LIMIT_REQUEST, NEW_KEY, REVOCATION, ROTATION, ROW_CONFIRMATION } from './key-fields.ts';
import { endpointsBeyond } from './key-rights.ts';
import { readKeyDetail, readKeyLines } from './key-views.ts';
import {
  changePolicy,
  changeSettings,
  confirmEndpoints,
  endKey,
  giveNewSecret,
  makeKey,
  refuseEndpoints,
  requestLimit,
} from './key-writes.ts';

const WHO = ['owner', 'developer'] as const;

const KeyFilters = {
  ...paging,
  q: textParam(60),
  state: oneOfParam(KEY_STATES),
  environment: oneOfParam(['production', 'sandbox']),
};

/** What the key form and the preview need besides the catalog. */
export interface KeySetup {
  /** This person's own address, as the service sees it. */
  readonly your_address: string;
  /** Whether sandbox keys read the production data, and therefore cannot write. */
  readonly sandbox_shared: boolean;
}

/** A line of a key's history. */
export interface KeyEvent {
  readonly id: string;
  readonly created_at: string;
  readonly actor_type: 'cli' | 'panel' | 'api_key' | 'system';
  readonly actor: string;
  readonly role: string | null;
  readonly action: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly ip: string | null;
  readonly request_id: string | null;
  readonly outcome: 'done' | 'denied';
}

export type KeyUsage = Awaited<ReturnType<typeof readUsage>>;

/** How much of the per-minute limit is used right now. */
export interface KeyWindow {
  readonly limit_per_minute: number;
  readonly used_in_last_minute: number;
}

/** How often the key called an endpoint in the last week and month; endpoints it never called are absent. */
export interface EndpointUse {
  readonly endpoint: string;
  readonly calls_7d: number;
  readonly calls_30d: number;
}

/** A key that holds endpoints which the developer who made it may not use. */
export interface ReviewedKey {
  readonly id: string;
  readonly name: string;
  readonly made_by: string;
  readonly rows: readonly string[];
}

const DAY = 86_400_000;

export const keyEndpoints = [
  panelGet('key-setup', {
    who: 'member',
    databaseRole: 'none',
    ofOwner: true,
    run: async ({ services, session }): Promise<KeySetup> => ({
      your_address: session.ip,
      sandbox_shared: (await services.release()).sandboxShared,
    }),
  }),
  panelGet('keys', {
    who: WHO,
    databaseRole: 'platform',
    query: KeyFilters,
    run: async ({ db, services, account, query, realNow }) => {
      const { limit, offset, ...filter } = query;
      return readKeyLines(db, services, account.id, filter, { limit, offset }, realNow);
    },
  }),
  panelPost('keys', {
    who: WHO,
    databaseRole: 'platform',
    recent: true,
    bodySchema: NEW_KEY,
    run: (context) => makeKey(context, context.body),
  }),
  panelGet('keys/{key_id}', {
    who: WHO,
    databaseRole: 'platform',
    run: ({ db, services, account, params, realNow }) => readKeyDetail(db, services, account.id, params.key_id, realNow),
  }),
  panelPatch('keys/{key_id}', {
    who: WHO,
    databaseRole: 'platform',
    bodySchema: KEY_SETTINGS,
    run: async (context) => {
      const { db, services, account, params, realNow, body } = context;
      await changeSettings(context, params.key_id, body);
      return readKeyDetail(db, services, account.id, params.key_id, realNow);
    },
  }),
  panelPatch('keys/{key_id}/policy', {
    who: WHO,
    databaseRole: 'platform',
    bodySchema: KEY_POLICY,
    run: (context) => changePolicy(context, context.params.key_id, context.body),
  }),
  panelPost('keys/{key_id}/row-requests/{request_id}/confirm', {
    who: ['owner'],
    databaseRole: 'platform',
    recent: true,
    bodySchema: ROW_CONFIRMATION,
    run: async (context) => {
      const { db, services, account, params, realNow, body } = context;
      await confirmEndpoints(context, params.key_id, params.request_id, body);
      return readKeyDetail(db, services, account.id, params.key_id, realNow);
    },
  }),
  panelPost('keys/{key_id}/row-requests/{request_id}/refuse', {
    who: ['owner'],
    databaseRole: 'platform',
    run: async (context) => {
      const { db, services, account, params, realNow } = context;
      await refuseEndpoints(context, params.key_id, params.request_id);
      return readKeyDetail(db, services, account.id, params.key_id, realNow);
    },
  }),
  // Keys that developers made before the rule; listed until an owner has seen them.
  panelGet('key-review', {
    who: ['owner'],
    databaseRole: 'platform',
    run: async ({ db, services, account }): Promise<ReviewedKey[]> =>
      (await keysOfDevelopers(db, account.id))
        .map(({ endpoints, ...key }) => ({ ...key, rows: endpointsBeyond(services, 'developer', endpoints) }))
        .filter(({ rows }) => rows.length > 0),
  }),
  panelPost('key-review/seen', {
    who: ['owner'],
    databaseRole: 'platform',
    run: async ({ db, account, actor, realNow }) => {
      await markKeysReviewed(db, account.id, actor, realNow);
      return { seen: true };
    },
  }),
  panelPost('keys/{key_id}/rotate', {
    who: WHO,
    databaseRole: 'platform',
    recent: true,
    bodySchema: ROTATION,
    run: (context) => giveNewSecret(context, context.params.key_id, context.body),
  }),
  panelPost('keys/{key_id}/revoke', {
    who: WHO,
    databaseRole: 'platform',
    bodySchema: REVOCATION,
    run: async (context) => {
      const { db, services, account, params, realNow, body } = context;
      await endKey(context, params.key_id, body);
      return readKeyDetail(db, services, account.id, params.key_id, realNow);
    },
  }),
  panelPost('keys/{key_id}/limit-requests', {
    who: WHO,
    databaseRole: 'platform',
    bodySchema: LIMIT_REQUEST,
    run: async (context) => {
      const { db, services, account, params, realNow, body } = context;
      await requestLimit(context, params.key_id, body);
      return readKeyDetail(db, services, account.id, params.key_id, realNow);
    },
  }),
  panelGet('keys/{key_id}/usage', {
    who: WHO,
    databaseRole: 'tenant',
    ofOwner: true,
    query: { days: withFallback(integerParam(1, 90), 7) },
    run: async ({ db, account, params, query, realNow }) => {
      const key = await db.one<{ id: string; name: string; environment: 'production' | 'sandbox' }>(
        sql`select id, name, environment from ${own('api_keys')} where id = ${params.key_id}`,
      );
      const period = readPeriod({}, realNow, account.timezone, { days: query.days, max: 90 });
      const step = query.days <= 2 ? 'hour' : 'day';
      return inLog((log): Promise<KeyUsage> => readUsage(log, key, period, step, account.timezone, TROUBLE));
    },
  }),
  panelGet('keys/{key_id}/window', {
    who: WHO,
    databaseRole: 'tenant',
    ofOwner: true,
    run: async ({ db, params, services }): Promise<KeyWindow> => {
      const { limit } = await db.one<{ limit: number }>(
        sql`select limit_per_minute as limit from ${own('api_keys')} where id = ${params.key_id}`,
      );
      return { limit_per_minute: limit, used_in_last_minute: await services.usedThisMinute(params.key_id) };
    },
  }),
  panelGet('keys/{key_id}/row-use', {
    who: WHO,
    databaseRole: 'tenant',
    ofOwner: true,
    run: async ({ db, params, realNow }) => {
      await db.one(sql`select 1 as found from ${own('api_keys')} where id = ${params.key_id}`);
      const since = (days: number) => new Date(realNow.getTime() - days * DAY);
      const use = sql`select endpoint, sum(calls)::float8 as calls_30d,
          coalesce(sum(calls) filter (where hour >= ${since(7)}), 0)::float8 as calls_7d
        from ${own('usage_calls')} where key_id = ${params.key_id} and hour >= ${since(30)} and endpoint <> ''
          and error_code <> 'insufficient_scope' group by endpoint order by endpoint`;
      return inLog((log) => log.rows<EndpointUse>(use));
    },
  }),
  panelGet('keys/{key_id}/history', {
    who: WHO,
    databaseRole: 'tenant',
    ofOwner: true,
    query: paging,
    run: async ({ db, params, query }) => {
      await db.one(sql`select 1 as found from ${own('api_keys')} where id = ${params.key_id}`);
      const found =
        await db.rows<KeyEvent>(sql`select id, created_at, actor_type, actor, role, action, before, after, ip, request_id,
          outcome
        from ${own('audit_log')} where target = ${params.key_id} order by created_at desc, id desc
        limit ${query.limit + 1} offset ${query.offset}`);
      return listed(found, query);
    },
  }),
];

// What an administrator sees of one account: its members, its keys and their calls of a day. Never the dealer's own data.
import type { Role } from '../../domain/identity/roles.ts';
import type { Authorization } from '../../domain/keys/key-policy.ts';
import { TROUBLE } from '../../domain/usage/outcome.ts';
import { type Db, type InLog, inLog } from '../../kit/db.ts';
import type { Paging } from '../../kit/page.ts';
import { sql } from '../../kit/sql.ts';
import { listed, type PanelList } from '../kit/endpoint.ts';

/** A line of `GET admin/accounts`. */
export interface AdminAccountLine {
  readonly id: string;
  readonly name: string;
  readonly city: string | null;
  readonly country: 'KKTC' | 'TR';
  readonly status: 'Aktif' | 'Askıda';
  readonly created_at: string;
  /** Members who can sign in. */
  readonly people: number;
  /** Keys that are not revoked. */
  readonly keys: number;
  /** Null while usage cannot be read. */
  readonly calls_24h: number | null;
  readonly errors_24h: number | null;
}

/** Before its calls are known. */
export type FoundAccount = Omit<AdminAccountLine, 'keys' | 'calls_24h' | 'errors_24h'> & {
  readonly total: number;
  /** Of keys that are not revoked. */
  readonly key_ids: readonly string[];
};

interface AccountCalls {
  readonly account_id: string;
  readonly calls_24h: number;
  readonly errors_24h: number;
}

export function callsOfAccounts(log: Db, accounts: readonly FoundAccount[], since: Date): Promise<AccountCalls[]> {
  const keys = accounts.flatMap(({ id, key_ids }) => key_ids.map((key) => ({ id, key })));
  return log.rows(sql`select u.account_id, sum(u.calls)::float8 as calls_24h, ${TROUBLE.calls} as errors_24h
    from unnest(${keys.map(({ id }) => id)}::uuid[], ${keys.map(({ key }) => key)}::uuid[]) as k(account_id, id)
    join usage_calls u on u.account_id = k.account_id and u.key_id = k.id and u.hour > ${since} group by u.account_id`);
}

/** `used` is null while usage cannot be read. */
export function withCalls(
  found: readonly FoundAccount[],
  page: Paging,
  used: readonly AccountCalls[] | null,
): PanelList<AdminAccountLine> {
  const unused = used === null ? null : 0;
  const lines = found.map(({ total: _, key_ids, ...line }) => {
    const { calls_24h, errors_24h } = used?.find(({ account_id }) => account_id === line.id) ?? {
      calls_24h: unused,
      errors_24h: unused,
    };
    return { ...line, keys: key_ids.length, calls_24h, errors_24h };
  });
  return listed(lines, page, found[0]?.total ?? 0);
}

export interface AdminKey {
  readonly id: string;
  readonly name: string;
  readonly environment: 'production' | 'sandbox';
  readonly prefix: string;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly limit_per_minute: number;
  readonly authorizations: readonly Authorization[];
  readonly endpoints: number;
  /** Null while usage cannot be read. */
  readonly calls_24h: number | null;
  readonly last_used_at: string | null;
}

export interface AdminMember {
  readonly id: string;
  readonly full_name: string;
  /** Null for a member who does not sign in. */
  readonly person_id: string | null;
  readonly email: string | null;
  readonly has_totp: boolean;
  readonly role: Role;
  readonly active: boolean;
}

/** What `GET admin/accounts/{account_id}` answers. */
export interface AdminAccountView {
  readonly id: string;
  readonly name: string;
  readonly legal_name: string | null;
  readonly city: string | null;
  readonly country: 'KKTC' | 'TR';
  readonly email: string | null;
  readonly phone: string | null;
  readonly default_currency: string;
  readonly timezone: string;
  readonly status: 'Aktif' | 'Askıda';
  readonly created_at: string;
  /** Why it was suspended, while it is. */
  readonly suspended: { readonly reason: string | null; readonly by: string; readonly at: string } | null;
  readonly members: readonly AdminMember[];
  readonly invitations: readonly {
    readonly id: string;
    readonly email: string;
    readonly role: Role;
    readonly expires_at: string;
  }[];
  readonly keys: readonly AdminKey[];
}

type Facts = Omit<AdminAccountView, 'suspended' | 'members' | 'invitations' | 'keys'>;

export async function accountView(db: Db, id: string, realNow: Date): Promise<InLog<AdminAccountView>> {
  const facts =
    await db.one<Facts>(sql`select id, name, legal_name, city, country, email, phone, default_currency, timezone, status,
    utc_text(created_at) as created_at from accounts where id = ${id}`);
  const [suspended] = await db.rows<NonNullable<AdminAccountView['suspended']>>(sql`
    select after->>'reason' as reason, actor as by, utc_text(created_at) as at from audit_log
    where account_id = ${id} and subject = 'account' and action = 'account.suspended' order by audit_log.created_at desc limit 1`);
  const keys = await keysOf(db, id, realNow);
  const view: Omit<AdminAccountView, 'keys'> = {
    ...facts,
    suspended: facts.status === 'Askıda' ? (suspended ?? null) : null,
    members: await membersOf(db, id),
    invitations: await db.rows(sql`select id, email, role, utc_text(expires_at) as expires_at from invitations
      where account_id = ${id} and accepted_at is null and revoked_at is null and expires_at > ${realNow}
      order by invitations.created_at desc, id desc limit 50`),
  };
  return inLog(
    async (log) => ({ ...view, keys: withUse(keys, await useOfKeys(log, id, keys, realNow)) }),
    () => ({ ...view, keys: withUse(keys, null) }),
  );
}

const membersOf = (db: Db, accountId: string): Promise<AdminMember[]> =>
  db.rows(sql`select m.id, m.full_name, m.person_id, p.email, p.totp_confirmed_at is not null as has_totp, m.role, m.active from members m left join people p on p.id = m.person_id
    where m.account_id = ${accountId} order by m.active desc, fold_tr(m.full_name), m.id limit 200`);

type KeyUse = Pick<AdminKey, 'calls_24h' | 'last_used_at'>;
type FoundKey = Omit<AdminKey, keyof KeyUse>;

const useOfKeys = (log: Db, accountId: string, keys: readonly FoundKey[], realNow: Date): Promise<(KeyUse & { id: string })[]> =>
  log.rows(sql`select k.id,
      (select coalesce(sum(u.calls), 0)::float8 from usage_calls u where u.account_id = ${accountId} and u.key_id = k.id
        and u.hour > ${new Date(realNow.getTime() - 86_400_000)}) as calls_24h,
      (select utc_text(max(u.last_used_at)) from usage_secrets u where u.account_id = ${accountId} and u.key_id = k.id) as last_used_at
    from unnest(${keys.map(({ id }) => id)}::uuid[]) as k(id)`);

function withUse(keys: readonly FoundKey[], used: readonly (KeyUse & { id: string })[] | null): AdminKey[] {
  const useOf = new Map(used?.map(({ id, ...use }) => [id, use]));
  return keys.map((key) => ({ ...key, ...(useOf.get(key.id) ?? { calls_24h: null, last_used_at: null }) }));
}

/** The newest hundred; an account with more has revoked most of them. */
const keysOf = (db: Db, accountId: string, realNow: Date): Promise<FoundKey[]> =>
  db.rows(sql`select k.id, k.name, k.environment, s.prefix,
      case when k.revoked_at is not null then 'revoked' when k.expires_at <= ${realNow} then 'expired' else 'active' end as state,
      k.limit_per_minute, k.authorizations,
      (select count(*)::int from key_endpoints e where e.account_id = k.account_id and e.key_id = k.id) as endpoints
    from api_keys k
    join lateral (select prefix from key_secrets where account_id = k.account_id and key_id = k.id
      order by created_at desc, id desc limit 1) s on true
    where k.account_id = ${accountId} order by k.revoked_at is not null, k.created_at desc, k.id desc limit 100`);

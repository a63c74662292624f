// What an administrator sees of one account: its members, its keys and their calls of a day. Never the dealer's own data.
import type { Role } from '../../domain/identity/roles.ts';
import type { Authorization } from '../../domain/keys/key-policy.ts';
import type { Db } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';

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
  readonly calls_24h: number;
  readonly errors_24h: number;
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
  readonly calls_24h: number;
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

export async function accountView(db: Db, id: string, realNow: Date): Promise<AdminAccountView> {
  const facts =
    await db.one<Facts>(sql`select id, name, legal_name, city, country, email, phone, default_currency, timezone, status,
    utc_text(created_at) as created_at from accounts where id = ${id}`);
  const [suspended] = await db.rows<NonNullable<AdminAccountView['suspended']>>(sql`
    select after->>'reason' as reason, actor as by, utc_text(created_at) as at from audit_log
    where account_id = ${id} and subject = 'account' and action = 'account.suspended' order by audit_log.created_at desc limit 1`);
  return {
    ...facts,
    suspended: facts.status === 'Askıda' ? (suspended ?? null) : null,
    members: await membersOf(db, id),
    invitations: await db.rows(sql`select id, email, role, utc_text(expires_at) as expires_at from invitations
      where account_id = ${id} and accepted_at is null and revoked_at is null and expires_at > ${realNow}
      order by invitations.created_at desc, id desc limit 50`),
    keys: await keysOf(db, id, realNow),
  };
}

const membersOf = (db: Db, accountId: string): Promise<AdminMember[]> =>
  db.rows(sql`select m.id, m.full_name, m.person_id, p.email, p.totp_confirmed_at is not null as has_totp, m.role, m.active from members m left join people p on p.id = m.person_id
    where m.account_id = ${accountId} order by m.active desc, fold_tr(m.full_name), m.id limit 200`);

/** The newest hundred; an account with more has revoked most of them. */
const keysOf = (db: Db, accountId: string, realNow: Date): Promise<AdminKey[]> =>
  db.rows(sql`select k.id, k.name, k.environment, s.prefix,
      case when k.revoked_at is not null then 'revoked' when k.expires_at <= ${realNow} then 'expired' else 'active' end as state,
      k.limit_per_minute, k.authorizations,
      (select count(*)::int from key_endpoints e where e.account_id = k.account_id and e.key_id = k.id) as endpoints,
      (select coalesce(sum(u.calls), 0)::float8 from usage_calls u where u.account_id = k.account_id and u.key_id = k.id
        and u.hour > ${new Date(realNow.getTime() - 86_400_000)}) as calls_24h,
      (select utc_text(max(u.last_used_at)) from usage_secrets u where u.account_id = k.account_id and u.key_id = k.id) as last_used_at
    from api_keys k
    join lateral (select prefix from key_secrets where account_id = k.account_id and key_id = k.id
      order by created_at desc, id desc limit 1) s on true
    where k.account_id = ${accountId} order by k.revoked_at is not null, k.created_at desc, k.id desc limit 100`);

// The service's two login roles: unprivileged and without tables of their own, which is checked at every start.
import { createHash, createHmac } from 'node:crypto';
import { settingsByStatement, withSettingsByStatement } from '../domain/net/database-url.ts';
import { openSession, type Session } from './database.ts';

export interface ServiceUrls {
  tenantUrl: string;
  platformUrl: string;
}

/**
 * One pair of login roles for each database, so that two deployments may share a server. The password is derived from the secret,
 * so that all nodes of a deployment have the same one.
 */
export async function prepareRoles(adminUrl: string, secret: Buffer): Promise<ServiceUrls> {
  const session = await openSession(adminUrl);
  try {
    const logins = await loginsOf(session, secret);
    await session.rows('select pg_advisory_lock(hashtext($1))', ['galeri.roles']);
    for (const { group, login, password } of logins) await createLogin(session, group, login, password);
    return urlsOf(adminUrl, logins);
  } finally {
    await session.close();
  }
}

/** The addresses of roles that an earlier start has made. */
export const findServiceUrls = async (session: Session, adminUrl: string, secret: Buffer): Promise<ServiceUrls> =>
  urlsOf(adminUrl, await loginsOf(session, secret));

interface Login {
  readonly group: string;
  readonly login: string;
  readonly password: string;
}

async function loginsOf(session: Session, secret: Buffer): Promise<readonly [tenant: Login, platform: Login]> {
  const [row] = await session.rows<{ name: string }>('select current_database() as name');
  const suffix = createHash('sha256').update(row!.name).digest('hex').slice(0, 8);
  const loginIn = (group: string): Login => {
    const login = `${group}_${suffix}`;
    return { group, login, password: createHmac('sha256', secret).update(`postgres role ${login}`).digest('hex') };
  };
  return [loginIn('galeri_app'), loginIn('galeri_platform')];
}

const urlsOf = (adminUrl: string, [tenant, platform]: readonly [Login, Login]): ServiceUrls => ({
  tenantUrl: withUser(adminUrl, tenant.login, tenant.password),
  platformUrl: withUser(adminUrl, platform.login, platform.password),
});

async function createLogin(session: Session, group: string, login: string, password: string): Promise<void> {
  await session.rows(`do $$ begin create role ${login} login nosuperuser nobypassrls nocreatedb nocreaterole in role ${group};
    exception when duplicate_object or unique_violation then null; end $$`);
  // Both are made here of letters and digits only. Other nodes may run the same statement, so it is retried.
  await session.rows(`alter role ${login} password '${password}'`);
}

/** The tenant role on the standbys, which have the roles of their primary. */
export function standbyUrls(readUrls: readonly string[], { tenantUrl }: ServiceUrls): readonly string[] {
  const { username, password } = new URL(tenantUrl);
  const urls = readUrls.map((url) => withUser(url, username, password));
  return settingsByStatement(tenantUrl) ? urls.map(withSettingsByStatement) : urls;
}

function withUser(adminUrl: string, user: string, password: string): string {
  const url = new URL(adminUrl);
  url.username = user;
  url.password = password;
  return url.href;
}

/** Refuses to serve with a role that could bypass row-level security, or if a tenant table lacks it. */
export async function checkRowSecurity({ tenantUrl, platformUrl }: ServiceUrls): Promise<void> {
  for (const url of [tenantUrl, platformUrl]) {
    const session = await openSession(url);
    try {
      const problems = await session.rows<{ problem: string }>(ROW_SECURITY_PROBLEMS);
      if (problems.length > 0)
        throw new Error(`the database is not safe to serve: ${problems.map(({ problem }) => problem).join('; ')}`);
    } finally {
      await session.close();
    }
  }
}

const ROW_SECURITY_PROBLEMS = `
  select format('role %s is a superuser or bypasses row-level security', rolname) as problem
    from pg_roles where pg_has_role(current_user, oid, 'member') and (rolsuper or rolbypassrls)
  union all
  select format('role %s owns the table %s', current_user, relname)
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'public' and relkind in ('r', 'p', 'v', 'm') and pg_has_role(current_user, relowner, 'member')
  union all
  select format('the table %s has no forced row-level security', relname)
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'public' and relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity)
      and relname not in ('schema_migrations', 'deployment', 'people', 'releases')
  union all
  select 'fsync is off: acknowledged data could be lost' where current_setting('fsync') = 'off'`;

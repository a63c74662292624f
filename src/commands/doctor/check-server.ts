// Checks of PostgreSQL: who accepts writes, what a crash may lose, whether its connections suffice, which nodes use it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Config, PROCESS_NAMES, VERSION } from '../../config.ts';
import { hostsIn, settingsByStatement } from '../../domain/net/database-url.ts';
import { readSecrets } from '../../domain/vault/secrets.ts';
import { openSession, type Session } from '../../postgres/database.ts';
import { migrationState } from '../../postgres/migration-plan.ts';
import { findPooler, SharedSessions } from '../../postgres/pooler.ts';
import { findServiceUrls, type ServiceUrls, standbyUrls } from '../../postgres/roles.ts';
import { OPTIONS_IN_FORCE } from '../../postgres/settings.ts';
import { broken, check, type Finding, ok, oneLine, skipped, warning } from './findings.ts';

/** Of each process beside DATABASE_CONNECTIONS: platform data, the change channel, the probe of readiness. */
const OTHER_CONNECTIONS = 5;
const NAMES = [
  'primary',
  'pooler',
  'options',
  'durability',
  'replication',
  'standbys',
  'schema',
  'connections',
  'clock',
  'nodes',
  'wal_archive',
];

export async function checkServer(url: string, config: Config): Promise<Finding[]> {
  const hosts = await check('hosts', () => checkHosts(url));
  let used = url;
  const pooler = await check('pooler', async () => {
    if (config.databaseUrl === null) return skipped('the embedded PostgreSQL has none');
    try {
      used = await findPooler(url);
    } catch (error) {
      if (error instanceof SharedSessions) throw error;
      return skipped('the database is not reachable');
    }
    return ok(used === url ? 'none found' : 'sessions are not shared; settings are made by statements');
  });
  let session: Session;
  try {
    session = await openSession(used);
  } catch (error) {
    const rest = NAMES.filter((name) => name !== 'primary' && name !== 'pooler');
    const without = rest.map((name): Finding => ({ name, ...skipped('no primary was reached') }));
    return [hosts, { name: 'primary', ...broken(oneLine(error)) }, pooler, ...without];
  }
  try {
    const findings: Finding[] = [hosts, await check('primary', () => checkPrimary(session)), pooler];
    findings.push(await check('options', () => checkOptions(session, used, config)));
    findings.push(await check('durability', () => checkDurability(session)));
    findings.push(await check('replication', () => checkReplication(session, hostsIn(url).length)));
    findings.push(await check('standbys', () => checkStandbys(session, used, config)));
    findings.push(await check('schema', () => checkSchema(used)));
    findings.push(await check('connections', () => checkConnections(session, config)));
    findings.push(await check('clock', () => checkClock(session)));
    findings.push(await check('nodes', () => checkNodes(session)));
    findings.push(await check('wal_archive', () => checkArchive(session)));
    return findings;
  } finally {
    await session.close();
  }
}

async function checkHosts(url: string) {
  const states = await Promise.all(hostsIn(url).map(async (host) => [host, await stateOf(url, host)] as const));
  const text = states.map(([host, state]) => `${decodeURIComponent(host)}: ${state}`).join('; ');
  const primaries = states.filter(([, state]) => state === 'primary').length;
  if (primaries === 0) return broken(text);
  if (primaries > 1) return broken(`${text}; more than one accepts writes: stop all but one`);
  return states.every(([, state]) => state === 'primary' || state === 'standby') ? ok(text) : warning(text);
}

async function stateOf(url: string, host: string): Promise<string> {
  const one = new URL(url);
  one.searchParams.delete('hosts');
  const address = one.href.replace(one.host, host);
  try {
    const session = await openSession(address, { acceptsStandby: true, timeoutMs: 3000, deadlineMs: 3000 });
    try {
      const [row] = await session.rows<{ is: boolean }>('select pg_is_in_recovery() as is');
      return row!.is ? 'standby' : 'primary';
    } finally {
      await session.close();
    }
  } catch (error) {
    // A pooler that refuses options has answered.
    return /unsupported startup parameter/.test(oneLine(error)) ? 'primary' : oneLine(error);
  }
}

/** An id of a transaction is given only where writes are accepted. Nothing is written. */
async function checkPrimary(session: Session) {
  await session.rows('begin');
  try {
    await session.rows('select pg_current_xact_id()');
  } finally {
    await session.rows('rollback');
  }
  const [row] = await session.rows<{ version: string; number: number }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number`,
  );
  if (row!.number < 150_000) return broken(`PostgreSQL ${row!.version}; 15 or newer is needed`);
  return ok(`accepts writes, PostgreSQL ${row!.version}`);
}

/** The addresses of the service's roles, or why there are none. */
async function findRoles(session: Session, url: string, config: Config): Promise<ServiceUrls | string> {
  if (config.secret === null && !existsSync(join(config.dataDir, 'secret'))) return 'the first start makes the secret';
  const { roles } = await readSecrets(config);
  const urls = await findServiceUrls(session, url, roles);
  const [row] = await session.rows<{ exists: boolean }>('select exists (select from pg_roles where rolname = $1) as exists', [
    decodeURIComponent(new URL(urls.tenantUrl).username),
  ]);
  return row!.exists ? urls : 'the first start makes the roles of the service';
}

/** DATABASE_READ_URL, with the role that the service uses there. */
async function checkStandbys(session: Session, url: string, config: Config) {
  if (config.databaseReadUrls.length === 0) return skipped('DATABASE_READ_URL is not set: every read is made on the primary');
  const urls = await findRoles(session, url, config);
  if (typeof urls === 'string') return skipped(urls);
  const states = await Promise.all(
    standbyUrls(config.databaseReadUrls, urls).map(async (address) => {
      const { isGood, text } = await lookAtStandby(session, address);
      return { isGood, text: `${decodeURIComponent(new URL(address).host)}: ${text}` };
    }),
  );
  const text = states.map((state) => state.text).join('; ');
  if (states.every(({ isGood }) => isGood)) return ok(text);
  return warning(`${text}; its reads are made on the primary`);
}

const REPLAYS_WITHIN_MS = 1000;
const ASK_AGAIN_MS = 20;

/** How long it takes until the standby has what the primary has now. */
async function lookAtStandby(session: Session, address: string): Promise<{ readonly isGood: boolean; readonly text: string }> {
  try {
    const standby = await openSession(address, { acceptsStandby: true, timeoutMs: 3000, deadlineMs: 3000 });
    try {
      const [now] = await session.rows<{ place: string }>('select pg_current_wal_lsn()::text as place');
      for (const from = performance.now(); ; await wait(ASK_AGAIN_MS)) {
        const [row] = await standby.rows<{ is: boolean; has: boolean }>(
          'select pg_is_in_recovery() as is, coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as has',
          [now!.place],
        );
        const milliseconds = Math.round(performance.now() - from);
        if (!row!.is) return { isGood: false, text: 'not a standby, it accepts writes' };
        if (row!.has) return { isGood: true, text: `${milliseconds} ms late` };
        if (milliseconds > REPLAYS_WITHIN_MS) return { isGood: false, text: 'more than a second late' };
      }
    } finally {
      await standby.close();
    }
  } catch (error) {
    return { isGood: false, text: oneLine(error) };
  }
}

async function checkOptions(session: Session, url: string, config: Config) {
  const urls = await findRoles(session, url, config);
  if (typeof urls === 'string') return skipped(urls);
  const { tenantUrl } = urls;
  const name = decodeURIComponent(new URL(tenantUrl).username);
  const tenant = await openSession(tenantUrl);
  try {
    const [role] = await tenant.rows<{ unsafe: boolean }>(
      'select rolsuper or rolbypassrls as unsafe from pg_roles where rolname = current_user',
    );
    if (role!.unsafe) return broken(`the role ${name} can bypass row-level security`);
    if (settingsByStatement(url)) return ok('made by statements, because the pooler drops them');
    const [options] = await tenant.rows<{ is: boolean | null }>(OPTIONS_IN_FORCE);
    if (options!.is !== true) return broken('the options of connections are dropped on the way to PostgreSQL');
    return ok('settings of connections are in force');
  } finally {
    await tenant.close();
  }
}

async function settingsOf(session: Session, ...names: string[]): Promise<Record<string, string>> {
  const rows = await session.rows<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [names],
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

async function checkDurability(session: Session) {
  const {
    fsync,
    synchronous_commit: commit,
    full_page_writes: pages,
  } = await settingsOf(session, ...['fsync', 'synchronous_commit', 'full_page_writes']);
  if (fsync !== 'on') return broken('fsync = off: a crash may destroy the database; set fsync = on');
  if (commit === 'off') return broken('synchronous_commit = off: a crash loses acknowledged writes; set it to on');
  if (pages !== 'on') return warning('full_page_writes = off: safe only where the disk writes whole pages');
  return ok(`fsync = on, synchronous_commit = ${commit}`);
}

async function checkReplication(session: Session, hosts: number) {
  const { synchronous_standby_names: names = '', synchronous_commit: commit } = await settingsOf(
    session,
    ...['synchronous_standby_names', 'synchronous_commit'],
  );
  const [row] = await session.rows<{ all: number; sync: number }>(
    `select count(*)::int as all, (count(*) filter (where sync_state in ('sync', 'quorum')))::int as sync
      from pg_stat_replication where state = 'streaming'`,
  );
  const { all, sync } = row!;
  if (all === 0 && hosts === 1 && names === '') return ok('one server, no standby');
  if (names === '')
    return warning(`${all} standby(s), none synchronous: a failover may lose acknowledged writes (synchronous_standby_names)`);
  if (commit === 'local') return warning('synchronous_commit = local: a failover may lose acknowledged writes; set it to on');
  if (sync === 0) return broken('no synchronous standby is connected: writes wait');
  return ok(`${all} standby(s), ${sync} synchronous`);
}

async function checkSchema(url: string) {
  const { applied, open } = await migrationState(url);
  if (applied === 0) return skipped('the database is empty; the first start makes the tables');
  if (open > 0) return warning(`${open} migration(s) are still to be applied: galeri migrate --check`);
  return ok(`${applied} migrations, up to date`);
}

async function checkConnections(session: Session, { databaseConnections, workers }: Config) {
  const [row] = await session.rows<{ max: number; reserved: number; open: number; nodes: number }>(
    `select current_setting('max_connections')::int as max,
      current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved,
      (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as open,
      (select count(*) from pg_stat_activity where application_name like $1)::int as nodes`,
    [`${PROCESS_NAMES}%`],
  );
  const { max, reserved, open, nodes } = row!;
  const processes = Math.max(nodes, workers > 1 ? workers + 1 : 1);
  const needed = processes * (databaseConnections + OTHER_CONNECTIONS);
  const room = max - reserved;
  const text = `${processes} process(es) need up to ${needed} of ${room}; ${open} are open`;
  if (needed > room) return broken(`${text}; raise max_connections or lower DATABASE_CONNECTIONS`);
  return needed > room * 0.8 || open > room * 0.9 ? warning(`${text}; little room is left for another node`) : ok(text);
}

async function checkClock(session: Session) {
  const sent = Date.now();
  const [row] = await session.rows<{ at: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as at');
  const difference = Math.round(row!.at - (sent + Date.now()) / 2);
  const text = `this machine differs from the database by ${difference} ms`;
  if (Math.abs(difference) > 60_000)
    return broken(`${text}; certificates and second factors depend on it: synchronise the clocks`);
  return Math.abs(difference) > 1000 ? warning(`${text}; synchronise the clocks (chrony)`) : ok(text);
}

async function checkNodes(session: Session) {
  const rows = await session.rows<{ name: string }>(
    `select substr(application_name, $1) as name from pg_stat_activity
      where application_name like $2 and datname = current_database() order by 1`,
    [PROCESS_NAMES.length + 1, `${PROCESS_NAMES}%`],
  );
  if (rows.length === 0) return ok('no process of the service is connected');
  const names = rows.map(({ name }) => name);
  const versions = new Set([VERSION, ...names.map((name) => name.split(' ', 1)[0]!)]);
  const text = names.join('; ');
  return versions.size > 1 ? warning(`several versions run (this one is ${VERSION}): ${text}; finish the upgrade`) : ok(text);
}

async function checkArchive(session: Session) {
  const { archive_mode: mode, archive_timeout: timeout } = await settingsOf(session, 'archive_mode', 'archive_timeout');
  if (mode === 'off') return skipped('archive_mode = off: no point in time recovery');
  const [row] = await session.rows<{ age: number | null; fails: boolean }>(
    `select extract(epoch from clock_timestamp() - last_archived_time)::float8 as age,
      coalesce(last_failed_time > last_archived_time, last_failed_time is not null) as fails from pg_stat_archiver`,
  );
  const { age, fails } = row!;
  if (fails) return broken('the last attempt to archive WAL failed; see pg_stat_archiver and the log of PostgreSQL');
  if (age === null) return warning('nothing was archived yet');
  const text = `last archived ${Math.round(age)} s ago`;
  if (timeout === '0') return warning(`${text}; archive_timeout = 0: only full segments are archived; set it to 30`);
  return ok(`${text}; only a restore shows that the archive is whole`);
}

// The isolation of dealers as the database itself describes it, so that no later table can be forgotten.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlState } from '../../src/kit/db.ts';
import { OTHER_SIDE, TENANT_TABLES } from '../../src/kit/tenant-tables.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let base: TestDatabase;
let admin: Session;

beforeAll(async () => {
  base = await testDatabase();
  admin = await openSession(base.adminUrl);
  // Creates partitions, so that they are checked too.
  await admin.rows(`select keep_request_log(current_date, 30, 3)`);
});
afterAll(async () => {
  await admin.close();
  await base.close();
});

/** Indexes that do not start with account_id, each for a reason. */
const KEPT_INDEXES = [
  // The account is the row.
  'accounts_pkey (id)',
  'data_sets_pkey (id)',
  // Looked up before any account is known.
  'key_secrets_digest (digest)',
  'api_keys_id (id)',
  'invitations_digest (digest)',
  'paper_verifications_code (code)',
  // The page of a showroom is found by its address; addresses are unique over all dealers, and earlier ones are purged.
  'showroom_slugs_slug (slug)',
  'showroom_slugs_retired (retired_at)',
  // Enquiries whose personal data is due to be erased, over every account.
  'enquiries_old (last_activity_at)',
  // The public site knows a listing by its id alone.
  'listings_id (id)',
  // Rows of the platform itself have no account.
  'audit_log_pkey (id)',
  // Read by administrators over every account: lists, and who holds or requests an endpoint.
  'accounts_list (created_at, id)',
  // The dealers of an isolated sandbox.
  'accounts_of_world (world_id)',
  'audit_log_list (created_at, id)',
  'audit_log_platform_subject (subject, created_at, id)',
  'audit_log_platform_target (target, created_at, id)',
  'limit_requests_list (status, created_at, id)',
  'wallet_topups_queue (created_at, id)',
  'wallet_topups_waiting (created_at, id)',
  'membership_invoices_queue (created_at, id)',
  'endpoint_votes_endpoint (endpoint)',
  'key_endpoints_endpoint (endpoint, account_id, key_id)',
  // Due and purgeable rows, over every account.
  'data_sets_due (next_due_at)',
  'data_sets_written (written_in)',
  'accounts_mail_reminders (id)',
  'webhook_deliveries_age (created_at)',
  'events_age (created_at)',
  'idempotency_age (created_at)',
  'agent_writes_age (created_at)',
  // Counts of all dealers that are past retention, and those of the last day.
  'usage_calls_hour (hour)',
  'usage_latency_hour (hour)',
  'import_connectors_due (next_run_at)',
  'import_runs_open (created_at)',
  'import_row_errors_age (created_at)',
  'stored_files_sweep (state_at)',
  // The accounts of a person who signs in.
  'members_person_any (person_id)',
  // Rows with two parties, as the other party finds them; cards of the whole network.
  'network_offers_buyer_list (buyer_id, created_at, id)',
  'network_offers_buyer_due (buyer_id, expires_at)',
  'network_offers_id (id)',
  'trade_requests_requester_list (requester_id, created_at, id)',
  'trade_requests_requester_due (requester_id, expires_at)',
  'trade_requests_offered (requester_id, offered_vehicle_id)',
  'trade_requests_one_offered (requester_id, offered_vehicle_id)',
  'trade_requests_id (id)',
  'listings_network (created_at, id)',
  // Auctions, events and lots as the whole network finds them; the log of bids of another dealer's item.
  'auction_bidders_place (item_id, alias_no)',
  'auction_bids_place (item_id, bid_seq)',
  'auction_requests_waiting (status, created_at, id)',
  'live_events_id (id)',
  'live_events_list (is_demo, status, starts_at, id)',
  'live_events_walk (is_demo, created_at, id)',
  'live_lots_id (id)',
  'live_lots_one_open (event_id)',
  'live_lots_place (event_id, lot_no)',
  'live_lots_walk (event_id, created_at, id)',
  'network_auctions_ending (ends_at)',
  'network_auctions_id (id)',
  'network_auctions_list (is_demo, status, ends_at, id)',
  'network_auctions_starting (starts_at)',
  'network_auctions_walk (is_demo, created_at, id)',
];
/** Deliberate exceptions (docs/decisions/0047): what they show of other dealers, and to whom, is tested in network.test.ts. */
const SHARED_VIEWS = ['dealer_parties', 'network_dealers', 'network_listings', 'shown_cards'];
/** Parts of these views, which only they can use. */
const VIEW_PARTS = ['dealer_agreements', 'vehicle_cards'];
/** To tables that belong to no dealer. */
const KEPT_REFERENCES = [
  // The isolated sandbox that an account belongs to.
  'accounts (world_id) -> worlds',
  // The platform's accounts belong to everyone; ledger_entries_whose binds a wallet's own to the dealer.
  'ledger_entries (ledger_account_id,is_platform,currency) -> ledger_accounts',
  'members (person_id) -> people',
];

const OURS = `nspname not in ('pg_catalog', 'information_schema') and nspname not like 'pg\\_%'`;
const SERVICE_ROLES = `rolname ~ '^galeri_(app|platform)(_|$)'`;

/** Tables with an account_id, accounts and data_sets; partitions count as their table. */
const TENANTS = `select c.oid, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${OURS} and c.relkind in ('r', 'p') and not c.relispartition
    and (c.relname in ('accounts', 'data_sets')
      or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped))`;
const WITH_PARTITIONS = `select oid, relname from tenants
  union all select c.oid, c.relname from pg_inherits join tenants t on t.oid = inhparent join pg_class c on c.oid = inhrelid and c.relkind in ('r', 'p')`;

const TENANT_NAMES = `with tenants as (${TENANTS}) select relname as name from tenants`;
const OPEN_TABLES = `with tenants as (${TENANTS}) select c.relname as name from (${WITH_PARTITIONS}) t
  join pg_class c on c.oid = t.oid where not (c.relrowsecurity and c.relforcerowsecurity)`;
const OTHER_INDEXES = `with tenants as (${TENANTS})
  select format('%s (%s)', i.indexrelid::regclass, string_agg(a.attname, ', ' order by place)) as name
  from (${WITH_PARTITIONS}) t join pg_index i on i.indrelid = t.oid
  cross join unnest(i.indkey::int2[]) with ordinality as k(attnum, place)
  join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
  group by i.indexrelid having (array_agg(a.attname order by place))[1] <> 'account_id'`;
const LEAKY_INDEXES = `with tenants as (${TENANTS})
  select distinct format('%s: %s', i.indexrelid::regclass, o.oprcode) as name
  from tenants t join pg_index i on i.indrelid = t.oid cross join unnest(i.indclass::oid[]) as class
  join pg_opclass c on c.oid = class
  join pg_amop p on p.amopfamily = c.opcfamily and p.amoplefttype = c.opcintype and p.amoprighttype = c.opcintype
  join pg_operator o on o.oid = p.amopopr join pg_proc f on f.oid = o.oprcode
  where not f.proleakproof`;
/** Views that run with their owner's rights, and any materialized one. */
const OPEN_VIEWS = `select relname as name from pg_class join pg_namespace n on n.oid = relnamespace
  where ${OURS} and (relkind = 'm' or relkind = 'v'
    and not coalesce(reloptions, '{}') && array['security_invoker=true', 'security_invoker=on'])`;
const OPEN_DEFINERS = `select proname as name from pg_proc p join pg_namespace n on n.oid = pronamespace
  where ${OURS} and prosecdef and (has_function_privilege('public', p.oid, 'execute')
    or not exists (select from unnest(proconfig) as setting where setting like 'search_path=%'))`;

const names = async (text: string): Promise<string[]> =>
  (await admin.rows<{ name: string }>(text)).map(({ name }) => name).sort();

async function stateOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return sqlState(error);
  }
}

describe('tenant tables', () => {
  test('the code knows all of them', async () => {
    expect(await names(TENANT_NAMES)).toEqual([...TENANT_TABLES].sort());
  });

  test('row-level security is on and forced, in every partition too', async () => {
    const all = await names(`with tenants as (${TENANTS}) select relname as name from (${WITH_PARTITIONS}) t`);
    expect(all.filter((name) => /^request_logs_\d{8}$/.test(name)).length).toBeGreaterThanOrEqual(5);
    expect(await names(OPEN_TABLES)).toEqual([]);
  });

  test('each has one policy for galeri_app: every command, both ways, by the account of the transaction', async () => {
    const rows = await admin.rows<{ relname: string; polcmd: string; permissive: boolean; using: string; check: string }>(
      `with tenants as (${TENANTS}) select relname, polcmd, polpermissive as permissive,
        pg_get_expr(polqual, polrelid) as using, pg_get_expr(polwithcheck, polrelid) as check
      from tenants join pg_policy on polrelid = tenants.oid
      where 'galeri_app'::regrole = any(polroles) and polname <> 'other_side'`,
    );
    expect(rows.map(({ relname }) => relname).sort()).toEqual([...TENANT_TABLES].sort());
    for (const row of rows) {
      expect({ ...row, check: null }, row.relname).toMatchObject({ polcmd: '*', permissive: true });
      expect(row.check, row.relname).toBe(row.using);
      const column = row.relname === 'accounts' || row.relname === 'data_sets' ? 'id' : 'account_id';
      // In a subquery: evaluated once per statement, not per row.
      expect(row.using.replace(/\s+/g, ' '), row.relname).toContain(`(${column} = ( SELECT `);
      expect(row.using.replace(/\s+/g, ' '), row.relname).toContain('SELECT current_account()');
    }
  });

  test('the other party of a two-party row may read it, and no more', async () => {
    const rows = await admin.rows<{ name: string; polcmd: string; permissive: boolean; using: string; check: string | null }>(
      `with tenants as (${TENANTS}) select relname as name, polcmd, polpermissive as permissive,
        pg_get_expr(polqual, polrelid) as using, pg_get_expr(polwithcheck, polrelid) as check
      from tenants join pg_policy on polrelid = tenants.oid where polname = 'other_side' order by relname`,
    );
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(OTHER_SIDE).sort());
    for (const { name, using, ...row } of rows) {
      expect(row, name).toEqual({ polcmd: 'r', permissive: true, check: null });
      expect(using.replace(/\s+/g, ' ')).toBe(
        `(${OTHER_SIDE[name as keyof typeof OTHER_SIDE]} = ( SELECT current_account() AS current_account))`,
      );
    }
  });

  test('no other role has access: no policy for all roles, and the platform sees no stock and no customers', async () => {
    const policies = await admin.rows<{ relname: string; role: string }>(`with tenants as (${TENANTS})
      select relname, case when role = 0 then 'public' else role::regrole::text end as role
      from tenants join pg_policy on polrelid = tenants.oid cross join unnest(polroles) as role`);
    const [owner] = await admin.rows<{ name: string }>('select current_user as name');
    const known = ['galeri_app', 'galeri_platform', owner!.name];
    expect(policies.filter(({ role }) => !known.includes(role))).toEqual([]);
    const platform = policies.filter(({ role }) => role === 'galeri_platform').map(({ relname }) => relname);
    expect(platform).not.toContain('vehicles');
    expect(platform).not.toContain('customers');
  });

  test('every primary key, unique and list index starts with account_id', async () => {
    expect(await names(OTHER_INDEXES)).toEqual([...KEPT_INDEXES].sort());
    const without = await names(`with tenants as (${TENANTS}) select relname as name from tenants
      where not exists (select from pg_index where indrelid = oid and indisprimary)`);
    expect(without).toEqual([]);
  });

  test('every reference to another tenant table starts with the account', async () => {
    const references = await admin.rows<{ source: string; columns: string[]; target: string; found: string[] }>(`
      with tenants as (${TENANTS}) select f.conrelid::regclass::text as source, f.confrelid::regclass::text as target,
        array(select attname::text from unnest(f.conkey) with ordinality k(n, place) join pg_attribute on attrelid = f.conrelid and attnum = n order by place) as columns,
        array(select attname::text from unnest(f.confkey) with ordinality k(n, place) join pg_attribute on attrelid = f.confrelid and attnum = n order by place) as found
      from pg_constraint f join tenants t on t.oid = f.conrelid where f.contype = 'f'`);
    expect(references.length).toBeGreaterThan(8);
    const outside = references.filter(({ target }) => !(TENANT_TABLES as readonly string[]).includes(target));
    expect(outside.map(({ source, columns, target }) => `${source} (${columns}) -> ${target}`).sort()).toEqual(KEPT_REFERENCES);
    for (const { source, columns, target, found } of references.filter((reference) => !outside.includes(reference))) {
      expect(columns[0], `${source} -> ${target}`).toBe('account_id');
      expect(found[0], `${source} -> ${target}`).toBe(['accounts', 'data_sets'].includes(target) ? 'id' : 'account_id');
    }
  });

  test('indexes can be used under row-level security: every comparison is leakproof', async () => {
    expect(await names(LEAKY_INDEXES)).toEqual([]);
  });
});

describe('ways around row-level security', () => {
  test('views run as their caller except for the declared ones, and there are no materialized ones', async () => {
    expect(await names(OPEN_VIEWS)).toEqual([...SHARED_VIEWS, ...VIEW_PARTS].sort());
    const granted = await names(`select distinct table_name as name from information_schema.role_table_grants
      where grantee in ('galeri_app', 'galeri_platform', 'PUBLIC') and table_name in (${OPEN_VIEWS})`);
    expect(granted).toEqual([...SHARED_VIEWS].sort());
    const how = await names(`select distinct grantee || ' ' || privilege_type as name from information_schema.role_table_grants
      where grantee in ('galeri_app', 'galeri_platform', 'PUBLIC') and table_name in (${OPEN_VIEWS})`);
    expect(how).toEqual(['galeri_app SELECT']);
  });

  test('a function that runs as its owner has a fixed search_path and is not public', async () => {
    expect(await names(OPEN_DEFINERS)).toEqual([]);
    const definers = await names(
      `select proname as name from pg_proc p join pg_namespace n on n.oid = pronamespace where ${OURS} and prosecdef`,
    );
    expect(definers).toContain('keep_request_log');
  });

  test('the service roles are ordinary ones', async () => {
    const roles = await admin.rows<{ rolname: string; rolcanlogin: boolean }>(
      `select rolname, rolcanlogin from pg_roles where ${SERVICE_ROLES}`,
    );
    expect(
      roles
        .filter(({ rolcanlogin }) => !rolcanlogin)
        .map(({ rolname }) => rolname)
        .sort(),
    ).toEqual(['galeri_app', 'galeri_platform']);
    const strong = await names(`select rolname as name from pg_roles where ${SERVICE_ROLES}
      and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)`);
    expect(strong).toEqual([]);
    // Their memberships give them no further rights.
    const memberships = await names(`select distinct granted.rolname as name from pg_auth_members m
      join pg_roles granted on granted.oid = m.roleid join pg_roles member on member.oid = m.member
      where member.${SERVICE_ROLES}`);
    expect(memberships).toEqual(['galeri_app', 'galeri_platform']);
    const both = await names(`select rolname as name from pg_roles where ${SERVICE_ROLES}
      and pg_has_role(oid, 'galeri_app', 'member') and pg_has_role(oid, 'galeri_platform', 'member')`);
    expect(both).toEqual([]);
  });

  test('they own nothing and can create nothing', async () => {
    const owned = await names(`select format('%s owns %s', r.rolname, what) as name from pg_roles r join (
        select relowner as owner, relname::text as what from pg_class
        union all select proowner, proname::text from pg_proc
        union all select nspowner, nspname::text from pg_namespace
        union all select datdba, datname::text from pg_database
        union all select typowner, typname::text from pg_type) o on o.owner = r.oid where r.${SERVICE_ROLES}`);
    expect(owned).toEqual([]);
    const rights = await names(`select format('%s may %s %s', rolname, privilege, c.relname) as name
      from pg_roles cross join pg_class c join pg_namespace n on n.oid = c.relnamespace
      cross join unnest(array['TRUNCATE', 'REFERENCES', 'TRIGGER']) as privilege
      where ${SERVICE_ROLES} and ${OURS} and c.relkind in ('r', 'p') and has_table_privilege(pg_roles.oid, c.oid, privilege)`);
    expect(rights).toEqual([]);
    const creates = await names(`select rolname as name from pg_roles cross join pg_namespace n
      where ${SERVICE_ROLES} and ${OURS} and has_schema_privilege(pg_roles.oid, n.oid, 'create')`);
    expect(creates).toEqual([]);
  });

  test('partitions are reached through their table only', async () => {
    const direct = await names(`with tenants as (${TENANTS}) select format('%s: %s', r.rolname, c.relname) as name
      from pg_inherits join tenants t on t.oid = inhparent join pg_class c on c.oid = inhrelid and c.relkind = 'r'
      cross join pg_roles r where r.${SERVICE_ROLES}
        and has_table_privilege(r.oid, c.oid, 'select, insert, update, delete')`);
    expect(direct).toEqual([]);
  });
});

describe('the audit log', () => {
  test('is append-only, for either role', async () => {
    await admin.rows(
      `insert into audit_log (id, actor_type, actor, action, target) values (gen_random_uuid(), 'system', 'test', 'x', 'y')`,
    );
    for (const url of [base.urls.tenantUrl, base.urls.platformUrl]) {
      const session = await openSession(url);
      try {
        for (const text of [`update audit_log set action = 'z'`, 'delete from audit_log', 'truncate audit_log']) {
          expect(await stateOf(session.rows(text)), text).toBe('42501');
        }
      } finally {
        await session.close();
      }
    }
    const [row] = await admin.rows<{ action: string }>('select action from audit_log');
    expect(row).toEqual({ action: 'x' });
  });

  test('a dealer cannot write in the name of another, nor of the platform', async () => {
    const session = await openSession(base.urls.tenantUrl);
    try {
      for (const account of ['gen_random_uuid()', 'null']) {
        await session.rows(`begin; select set_config('app.account_id', gen_random_uuid()::text, true)`);
        const insert = `insert into audit_log (id, account_id, actor_type, actor, action, target) values (gen_random_uuid(), ${account}, 'system', 'a', 'b', 'c')`;
        expect(await stateOf(session.rows(insert))).toBe('42501');
        await session.rows('rollback');
      }
    } finally {
      await session.close();
    }
  });
});

test('each of these checks finds a hole when there is one', async () => {
  await admin.rows('begin');
  try {
    await admin.rows(`create table hole (account_id uuid, id uuid primary key, price numeric);
      create index hole_price on hole (account_id, price);
      create view hole_view as select * from vehicles;
      create materialized view hole_copy as select * from vehicles;
      create function hole_function() returns int language sql security definer as 'select 1'`);
    expect(await names(TENANT_NAMES)).toContain('hole');
    expect(await names(OPEN_TABLES)).toEqual(['hole']);
    expect(await names(OTHER_INDEXES)).toContain('hole_pkey (id)');
    expect((await names(LEAKY_INDEXES)).join()).toContain('hole_price: numeric_lt');
    expect(await names(OPEN_VIEWS)).toEqual(expect.arrayContaining(['hole_copy', 'hole_view']));
    expect(await names(OPEN_DEFINERS)).toEqual(['hole_function']);
  } finally {
    await admin.rows('rollback');
  }
});

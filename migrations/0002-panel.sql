-- The panel: sessions, ways into an account, who did what from where, and what dealers ask of the platform.
--
-- A table with an account_id is one dealer's and walled like every other. The rest (sessions, resets, failures, mails) belong
-- to people, who may work in several accounts: only the platform role reaches them, and row-level security says so too.

alter table people
  add column full_name text not null default '',
  add column locale text check (locale in ('tr', 'en')), -- null: as the browser asks
  add column theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  add column density text not null default 'normal' check (density in ('compact', 'normal', 'comfortable')),
  add column disabled_at timestamptz,
  add column password_changed_at timestamptz not null default now(),
  -- The second factor counts once it is confirmed; a step that was used is not taken again.
  add column totp_secret_encrypted bytea,
  add column totp_confirmed_at timestamptz,
  add column totp_last_step bigint not null default 0,
  add column recovery_digests bytea[] not null default '{}';
update people set full_name = coalesce(
  (select m.full_name from members m where m.person_id = people.id order by m.created_at limit 1), split_part(email, '@', 1));
alter table people add check (length(full_name) between 1 and 120);

-- One row for each sign-in. The cookie holds a random id of which only the hash is kept; the row's own id may be shown.
create table sessions (
  id uuid primary key,
  digest bytea not null unique check (length(digest) = 32),
  person_id uuid not null references people (id),
  current_account uuid references accounts (id),
  -- An administrator looking at a dealer's account: reads only.
  look boolean not null default false,
  -- Null between the password and the code, where a code is asked for.
  signed_in_at timestamptz,
  reauthenticated_at timestamptz,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  ip text,
  user_agent text
);
create index sessions_person on sessions (person_id);
create index sessions_seen on sessions (last_seen_at);

-- A link by which a password is set; handed over by whoever made it, or mailed.
create table password_resets (
  id uuid primary key,
  digest bytea not null unique check (length(digest) = 32),
  person_id uuid not null references people (id),
  made_by uuid references people (id),
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index password_resets_person on password_resets (person_id);

-- Wrong passwords and codes since the last right one, and until when the next try has to wait. By the hash of the e-mail address,
-- so that one nobody has is treated like any other and an attacker learns nothing from it.
create table sign_in_locks (
  subject bytea primary key check (length(subject) = 32),
  failures integer not null,
  last_failed_at timestamptz not null,
  locked_until timestamptz
);
create table sign_in_failures (
  id uuid primary key,
  address text not null,
  at timestamptz not null
);
create index sign_in_failures_address on sign_in_failures (address, at);
create index sign_in_failures_at on sign_in_failures (at);

-- What is to be mailed. The text may hold a link that opens something: sealed, and gone once it is sent.
create table mails (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  text_encrypted bytea,
  attempts integer not null default 0,
  last_error text,
  next_try_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index mails_waiting on mails (next_try_at) where sent_at is null;

do $$
declare
  own text;
begin
  foreach own in array array['sessions', 'password_resets', 'sign_in_locks', 'sign_in_failures', 'mails'] loop
    execute format('alter table %I enable row level security', own);
    execute format('alter table %I force row level security', own);
    execute format('create policy platform on %I to galeri_platform using (true) with check (true)', own);
    execute format('create policy owner on %I to %I using (true) with check (true)', own, current_user);
  end loop;
end $$;

-- Found by its token before any account is known.
create table invitations (
  account_id uuid not null references accounts (id),
  id uuid not null,
  digest bytea not null check (length(digest) = 32),
  email text not null check (length(email) <= 254),
  full_name text not null check (length(full_name) between 1 and 120),
  role text not null check (role in ('owner', 'developer', 'finance', 'sales', 'viewer')),
  invited_by uuid not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index invitations_digest on invitations (digest);

-- "Please open this row": one voice for each account, whoever of it raised it.
create table endpoint_votes (
  account_id uuid not null references accounts (id),
  endpoint text not null,
  use_case text check (length(use_case) between 1 and 280),
  blocks_go_live boolean not null default false,
  person_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, endpoint)
);

create table limit_requests (
  account_id uuid not null references accounts (id),
  id uuid not null,
  key_id uuid not null,
  asked_per_minute integer not null check (asked_per_minute between 1 and 1000000),
  reason text check (length(reason) between 1 and 1000),
  status text not null default 'pending' check (status in ('pending', 'approved', 'refused')),
  asked_by uuid not null,
  decided_by uuid,
  decided_at timestamptz,
  granted_per_minute integer check (granted_per_minute between 1 and 1000000),
  note text check (length(note) between 1 and 1000),
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, key_id) references api_keys (account_id, id),
  check ((status = 'pending') = (decided_at is null))
);
create unique index limit_requests_one_pending on limit_requests (account_id, key_id) where status = 'pending';

-- Filters of a screen under a name of the person's own.
create table saved_views (
  account_id uuid not null references accounts (id),
  id uuid not null,
  person_id uuid not null,
  screen text not null check (length(screen) between 1 and 40),
  name text not null check (length(name) between 1 and 60),
  query text not null check (length(query) <= 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index saved_views_name on saved_views (account_id, person_id, screen, name);

-- What the account should know: a row its key holds went live, a limit was raised.
create table notices (
  account_id uuid not null references accounts (id),
  id uuid not null,
  kind text not null check (length(kind) between 1 and 60),
  data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  read_at timestamptz,
  primary key (account_id, id)
);
create index notices_list on notices (account_id, created_at desc, id desc);

select raise_wall(tenant::regclass) from unnest(array['invitations', 'endpoint_votes', 'limit_requests', 'saved_views', 'notices'])
  as tenant;
create policy platform on invitations to galeri_platform using (true) with check (true);
create policy platform on endpoint_votes to galeri_platform using (true) with check (true);
create policy platform on limit_requests to galeri_platform using (true) with check (true);
create policy platform on notices to galeri_platform using (true) with check (true);

alter table audit_log
  add column person_id uuid,
  add column role text,
  add column ip text,
  add column user_agent text,
  add column request_id text,
  add column outcome text not null default 'done' check (outcome in ('done', 'denied'));

grant select, insert, update, delete on sessions, sign_in_locks, sign_in_failures to galeri_platform;
grant select, insert, update on password_resets, mails, invitations, limit_requests, notices to galeri_platform;
grant select on endpoint_votes to galeri_platform;

grant select on audit_log, invitations to galeri_app;
grant select, insert, update, delete on endpoint_votes, saved_views to galeri_app;
grant select, insert on limit_requests to galeri_app;
grant select on notices to galeri_app;
grant update (read_at) on notices to galeri_app;
-- Staff and branches are the dealer's own to keep; who may sign in, and the account's status, are not among these columns.
grant insert, update on branches to galeri_app;
grant insert (account_id, id, full_name, role, branch_id, active, created_at, updated_at),
  update (full_name, role, branch_id, active, updated_at) on members to galeri_app;
grant update (name, legal_name, city, phone, email, default_currency, timezone, locale, reservation_days, offer_valid_hours,
  document_valid_days, upcoming_days, updated_at) on accounts to galeri_app;

-- The isolated sandbox (SANDBOX=isolated). A world is a set of accounts that see only each other: the dealer's own, whose id is the id of
-- the world, and the simulated dealers. Accounts of production have no world.

create table worlds (
  id uuid primary key,
  owner_id uuid not null references accounts (id),
  data text not null check (data in ('sample', 'empty')),
  data_version integer not null check (data_version > 0),
  created_at timestamptz not null,
  started_at timestamptz not null,
  offset_ms bigint not null default 0 check (offset_ms >= 0),
  status text not null default 'ready' check (status in ('ready', 'advancing', 'failed')),
  reached_at timestamptz,
  target_at timestamptz,
  progress text not null default '{}' check (octet_length(progress) <= 20000),
  failure text check (length(failure) <= 1000),
  last_used_at timestamptz not null,
  noticed_at timestamptz,
  removed_at timestamptz,
  constraint worlds_clock check ((status = 'ready') = (target_at is null) and (status = 'ready') = (reached_at is null)
    and (status = 'failed') = (failure is not null))
);
comment on table worlds is 'Isolated sandboxes. The accounts of a world have its id in accounts.world_id and see only each other.';
comment on column worlds.id is 'Also the id of the dealer''s own account and data set in the world.';
comment on column worlds.owner_id is 'The account of production whose sandbox keys use the world.';
comment on column worlds.data_version is 'Version of the sample data that the world began with.';
comment on column worlds.created_at is 'Real time.';
comment on column worlds.started_at is 'Business time at which the world began; its clock moves at most five years beyond it.';
comment on column worlds.offset_ms is 'Business time of the world minus real time, in milliseconds.';
comment on column worlds.reached_at is 'While the clock moves, or after it failed: business time stands still at this instant.';
comment on column worlds.target_at is 'Where the clock is moving to.';
comment on column worlds.progress is 'What has happened during the present move of the clock: count of transitions by kind, and events.';
comment on column worlds.failure is 'The transition that failed while the clock moved, and its error.';
comment on column worlds.last_used_at is 'Real time of the last request, precise to an hour. A world without requests for 90 days is removed.';
comment on column worlds.noticed_at is 'When the owner was notified that the world will be removed.';
comment on column worlds.removed_at is 'Out of reach since then, after a reset or a removal; a job deletes its rows and files.';
create unique index worlds_of_owner on worlds (owner_id) where removed_at is null;
create index worlds_removed on worlds (removed_at) where removed_at is not null;

alter table worlds enable row level security;
alter table worlds force row level security;
do $$ begin execute format('create policy owner on worlds to %I using (true) with check (true)', current_user); end $$;
create policy platform on worlds to galeri_platform using (true) with check (true);
grant select, insert, update, delete on worlds to galeri_platform;

alter table accounts add column world_id uuid;
comment on column accounts.world_id is 'The isolated sandbox that the account belongs to. Null: production or the demonstration.';
alter table accounts add constraint accounts_world foreign key (world_id) references worlds (id) not valid;

-- Everything that lists accounts on the platform's connection sees production only, unless the transaction asks for worlds.
alter policy platform on accounts using (world_id is null or current_setting('app.worlds', true) = 'on')
  with check (world_id is null or current_setting('app.worlds', true) = 'on');

-- What simulated dealers and consumers will do. Tables of tenants, in the data set of the world's dealer.
create table sandbox_acts (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  kind text not null check (length(kind) between 1 and 40),
  dealer_id uuid,
  record_id uuid not null,
  details text not null default '{}' check (octet_length(details) <= 4000),
  due_at timestamptz not null,
  created_at timestamptz not null,
  done_at timestamptz,
  outcome text check (length(outcome) <= 500),
  primary key (account_id, id)
);
comment on table sandbox_acts is 'What the simulated side of a world will do and has done: who, on which record, and when (business time of the world).';
comment on column sandbox_acts.dealer_id is 'The simulated dealer who acts; null for consumers, customers and the platform.';
comment on column sandbox_acts.outcome is 'Why an act was not possible any more, for example because the offer was withdrawn.';
create index sandbox_acts_due on sandbox_acts (account_id, due_at) where done_at is null;
select raise_wall('sandbox_acts');
grant select, insert, update on sandbox_acts to galeri_app;

create table sandbox_messages (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  number bigint generated always as identity,
  channel text not null check (channel in ('E-posta', 'WhatsApp', 'SMS')),
  recipient text not null check (length(recipient) between 1 and 300),
  subject text check (length(subject) <= 300),
  text_encrypted bytea not null,
  about_kind text check (length(about_kind) <= 40),
  about_id uuid,
  created_at timestamptz not null,
  primary key (account_id, id)
);
comment on table sandbox_messages is 'Mail and messages of a world, which are never sent. The newest 500 are kept.';
comment on column sandbox_messages.number is 'Order in which they were written.';
create index sandbox_messages_newest on sandbox_messages (account_id, number desc);
select raise_wall('sandbox_messages');
grant select, insert, delete on sandbox_messages to galeri_app;

-- The clock of a world, where SQL needs business time.
create or replace function business_now() returns timestamptz
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  real timestamptz := date_trunc('milliseconds', clock_timestamp());
  world worlds;
begin
  if current_account() is not null then
    select w.* into world from accounts a join worlds w on w.id = a.world_id where a.id = current_account();
    if found then
      return coalesce(world.reached_at, real + world.offset_ms * interval '1 millisecond');
    end if;
  end if;
  return (select real + offset_ms * interval '1 millisecond' from test_clock);
end $$;
comment on function business_now() is 'Current business time by the clock of the database, in milliseconds: that of the world in an isolated sandbox, else real time (plus the offset of test_clock in rehearsals).';

-- A write in a world holds the world's row, so that its clock does not move and the world is not reset until the write has ended.
create function enter_world() returns table (offset_ms bigint, status text, is_removed boolean)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query select w.offset_ms, w.status, w.removed_at is not null
    from worlds w where w.id = (select a.world_id from accounts a where a.id = current_account()) for share of w;
end $$;
comment on function enter_world() is 'Locks the world of the current account for a write and returns its clock and status. No row in production.';
revoke all on function enter_world() from public;
grant execute on function enter_world() to galeri_app;

-- Dealers of a world see each other and no one else.
create or replace view dealer_parties as
 select id as account_id, name, city,
        case
            when id = (select current_account()) or (exists (select
               from dealer_agreements
              where dealer_agreements.one = theirs.id and dealer_agreements.other = (select current_account()))) or (exists (select
               from dealer_agreements
              where dealer_agreements.one = (select current_account()) and dealer_agreements.other = theirs.id)) then phone
            else null::text
        end as phone
   from accounts theirs
  where (is_demo, coalesce(world_id, '00000000-0000-0000-0000-000000000000')) = (
    select mine.is_demo, coalesce(mine.world_id, '00000000-0000-0000-0000-000000000000')
      from accounts mine where mine.id = (select current_account()));

create or replace view network_dealers as
 select id as account_id, name, city
   from accounts theirs
  where dealer_network and status = 'Aktif' and id <> (select current_account())
    and (is_demo, coalesce(world_id, '00000000-0000-0000-0000-000000000000')) = (
      select mine.is_demo, coalesce(mine.world_id, '00000000-0000-0000-0000-000000000000')
        from accounts mine where mine.id = (select current_account()) and mine.dealer_network);

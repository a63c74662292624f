-- Dealers that move to another deployment: the state of each move, and the keys that the old place answers with the new address.
create table account_moves (
  id uuid primary key,
  move_id uuid not null,
  state text not null check (state in ('copying', 'closed', 'moved', 'arrived')),
  other_server text not null check (length(other_server) between 1 and 500),
  other_database text not null check (length(other_database) between 1 and 200),
  file_store text check (length(file_store) = 64),
  public_url text check (length(public_url) between 1 and 500),
  started_at timestamptz not null,
  closed_at timestamptz,
  moved_at timestamptz
);
comment on table account_moves is 'Moves of dealers to or from another deployment (galeri account move).';
comment on column account_moves.id is 'The account that moves.';
comment on column account_moves.move_id is 'The same at both places.';
comment on column account_moves.state is 'At the old place copying, closed (for writes) and moved; at the new place arrived.';
comment on column account_moves.other_server is 'Host and database of the other place, without user and password.';
comment on column account_moves.other_database is 'Which database it is: the identifier of its server and its name.';
comment on column account_moves.file_store is 'SHA-256 of --files, which the next run has to repeat.';
comment on column account_moves.public_url is 'PUBLIC_URL of the new place.';
alter table account_moves enable row level security;
alter table account_moves force row level security;
create policy owner on account_moves for all to current_user using (true) with check (true);
create policy platform on account_moves for all to galeri_platform using (true) with check (true);
grant select on account_moves to galeri_platform;
create trigger tell after insert or update or delete on account_moves for each row execute function tell_nodes('account');

create table moved_keys (
  digest bytea primary key check (length(digest) = 32),
  account uuid not null references account_moves (id) on delete cascade,
  key_id uuid not null
);
comment on table moved_keys is 'Secrets of API keys whose account has moved away: their calls get the new address.';
create index moved_keys_account on moved_keys (account);
alter table moved_keys enable row level security;
alter table moved_keys force row level security;
create policy owner on moved_keys for all to current_user using (true) with check (true);
create policy platform on moved_keys for all to galeri_platform using (true) with check (true);
grant select on moved_keys to galeri_platform;

-- The trigger exists on a table only while an account is closed, and only for its rows.
create function refuse_moving() returns trigger language plpgsql as $$
begin
  if session_user !~ '^galeri_(app|platform)_' then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  -- Jobs change rows of many dealers in one statement: those of this one are left out.
  if session_user ~ '^galeri_platform_' and (tg_op = 'DELETE' or tg_argv[0] = 'skip') then
    return null;
  end if;
  raise exception 'the account is being moved to another deployment' using errcode = '57MV1';
end $$;
comment on function refuse_moving() is 'Trigger of tables with rows of an account that is being moved: refuses writes of the service (account_moves).';
revoke all on function refuse_moving() from public;

-- Jobs leave these dealers out: what they would write is refused, and what they would send would be sent again.
create function is_closed(of_account uuid) returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from account_moves where state in ('closed', 'moved')) and exists (
    select from account_moves m where m.state in ('closed', 'moved') and (m.id = of_account or exists (
      select from accounts a join worlds w on w.id = a.world_id where a.id = of_account and w.owner_id = m.id)))
$$;
comment on function is_closed(uuid) is 'Whether an account, or the account of its sandbox, is closed for a move or has moved away.';
revoke all on function is_closed(uuid) from public;
grant execute on function is_closed(uuid) to galeri_platform;

-- The first vault secret of the services here: values can only be moved to a place that can read them.
alter table deployment add column vault_mark text check (length(vault_mark) = 16);
comment on column deployment.vault_mark is 'Derived from the secret that encrypts values here; written at each start.';

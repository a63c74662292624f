-- The demonstration: what it brought is marked, so that it can be kept to this machine and taken away whole; and whether a
-- deployment has one is decided once.

alter table accounts add column is_demo boolean not null default false;
alter table people add column is_demo boolean not null default false;

-- Null until the first start has decided; `loading` until all of it is there.
alter table deployment add column demo text check (demo in ('none', 'loading', 'loaded'));

-- What earlier versions loaded they wrote down.
update accounts set is_demo = true where id in
  (select account_id from audit_log where actor_type = 'system' and actor = 'demo' and action = 'account.created');
update people set is_demo = true where id::text in
    (select target from audit_log where actor_type = 'system' and actor = 'demo' and action = 'admin.created')
  or id in (select person_id from members where id::text in
    (select target from audit_log where actor_type = 'system' and actor = 'demo' and action = 'member.created'));

-- Their password may have stood on a page that others could see: it opens nothing any more. The next start of a private service
-- makes a new one. A deployment without them has decided against it.
update people set password_hash = 'none' where is_demo;
delete from sessions where person_id in (select id from people where is_demo);
update deployment set demo = case when exists (select from people where is_demo) then 'loading' else 'none' end;

-- An account that is taken away takes its main branch along.
create or replace function keep_main_branch() returns trigger language plpgsql as $$
begin
  if exists (select from data_sets where id = old.account_id)
      and not exists (select from branches where account_id = old.account_id and is_main) then
    raise exception 'an account keeps one main branch' using errcode = 'check_violation', constraint = 'branches_keep_main';
  end if;
  return null;
end $$;

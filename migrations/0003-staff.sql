-- Settings, staff and branches as the panel keeps them, and the audit log as it is read there.

grant update (rate_source) on accounts to galeri_app;
-- The foreign keys of vehicles and members refuse to lose a branch they name.
grant delete on branches to galeri_app;
create unique index branches_name on branches (account_id, fold_tr(name));
create index vehicles_branch on vehicles (account_id, branch_id) where branch_id is not null;
create index members_branch on members (account_id, branch_id) where branch_id is not null;

-- At most one main branch is an index's work; at least one is this: looked at when a transaction ends, so that the mark can move.
create function keep_main_branch() returns trigger language plpgsql as $$
begin
  if not exists (select from branches where account_id = old.account_id and is_main) then
    raise exception 'an account keeps one main branch' using errcode = 'check_violation', constraint = 'branches_keep_main';
  end if;
  return null;
end $$;
create constraint trigger keep_main after update of is_main or delete on branches deferrable initially deferred
  for each row when (old.is_main) execute function keep_main_branch();

-- Who is invited may be on the staff already, without a sign-in until then.
alter table invitations add column member_id uuid,
  add foreign key (account_id, member_id) references members (account_id, id);

-- The log of one account, by what it was about, by who acted and by the thing itself.
alter table audit_log add column subject text not null generated always as (split_part(action, '.', 1)) stored;
create index audit_log_subject on audit_log (account_id, subject, created_at desc, id desc);
create index audit_log_actor on audit_log (account_id, actor, created_at desc, id desc);
create index audit_log_target on audit_log (account_id, target, created_at desc, id desc);

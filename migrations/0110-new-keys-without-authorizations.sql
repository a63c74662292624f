-- A key is made without special authorizations; they are given by a decision (require_authorization_decision). Until now the rule held for
-- changes only, so that the insert of a key with authorizations left no decision.
create function refuse_authorized_key() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  raise exception 'a special authorization needs a decision of two administrators' using errcode = '23514', constraint = 'admin_decisions_required';
end $$;
comment on function refuse_authorized_key is 'A new key has no special authorizations.';
revoke execute on function refuse_authorized_key from public;

create trigger without_authorizations before insert on api_keys for each row when (new.authorizations <> '{}')
  execute function refuse_authorized_key();

-- When an owner has seen which webhooks, made by developers before their role bounded the events, deliver more than the role may read.
alter table accounts add column webhooks_reviewed_at timestamptz;
-- A new account has no webhooks from before the rule, so that there is nothing to review.
alter table accounts alter column webhooks_reviewed_at set default now();

-- Uses a confirmed decision for exactly what it was made for. New: within seven days of its confirmation (admin-decisions.ts).
create or replace function spend_decision(decision uuid, of_kind text, of_account uuid, of_subject uuid, of_amount bigint, of_details jsonb)
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update admin_decisions set status = 'done', ended_at = now() where id = decision and status = 'approved' and kind = of_kind
    and dealer_id = of_account and subject is not distinct from of_subject and amount_minor is not distinct from of_amount
    and details @> of_details and coalesce(second_at, first_at) >= now() - interval '7 days';
  if not found then
    raise exception 'this needs a decision of two administrators' using errcode = '23514', constraint = 'admin_decisions_required';
  end if;
end $$;

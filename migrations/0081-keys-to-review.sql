-- mode: batches
-- Nor has an account in which no developer made or changed a key.
update accounts set keys_reviewed_at = now()
where id in (select id from accounts a where keys_reviewed_at is null and not exists (select from audit_log l
  where l.account_id = a.id and l.role = 'developer' and l.action in ('key.created', 'key.policy_changed')) limit 500)
returning 1;

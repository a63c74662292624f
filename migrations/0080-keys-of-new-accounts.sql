-- A new account has no keys from before the rule, so that there is nothing to review.
alter table accounts alter column keys_reviewed_at set default now();

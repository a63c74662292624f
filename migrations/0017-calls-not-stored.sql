-- Refusals that cost a caller nothing are counted all, but only some of them have a line in the request log: how many have none.
alter table usage_calls add column not_stored bigint not null default 0;

-- How a worker finds what is due: endpoint by endpoint, so that the thousand deliveries that wait for a dead receiver are never
-- walked past on the way to the others.

-- Sent again because someone asked: one attempt, whatever the schedule says.
alter table webhook_deliveries add column once_more boolean not null default false;

drop index webhook_deliveries_due;
create index webhook_deliveries_waiting on webhook_deliveries (account_id, webhook_id, next_attempt_at) where status = 'Bekliyor';
create index webhook_deliveries_claimed on webhook_deliveries (account_id, webhook_id, claimed_until)
  where status = 'Bekliyor' and claimed_until is not null;
-- An event is cleared away once nothing was sent of it for as long; looked up by its foreign key.
create index webhook_deliveries_event on webhook_deliveries (account_id, event_id);

-- Every attempt of a delivery, the hint that starts one at once, why a webhook was stopped; and what an erasure has to find.

-- The last few attempts of each delivery, for whoever looks into why it failed. They go with it.
create table webhook_attempts (
  account_id uuid not null references data_sets (id),
  delivery_id uuid not null,
  -- Counts up from 1 over the delivery's whole life.
  number integer not null,
  created_at timestamptz not null,
  response_status integer,
  response_excerpt text check (length(response_excerpt) <= 500),
  error text,
  duration_ms integer not null,
  primary key (account_id, delivery_id, number),
  foreign key (account_id, delivery_id) references webhook_deliveries (account_id, id) on delete cascade
);
select raise_wall('webhook_attempts');
grant select, insert, delete on webhook_attempts to galeri_app;

-- Why it was stopped, so that its owner is told what to do about it.
alter table webhooks add column stopped_because text check (stopped_because in ('failing', 'gone', 'secret_unreadable'));
update webhooks set stopped_because = 'failing' where status = 'Otomatik Durduruldu';
alter table webhooks add check ((status = 'Otomatik Durduruldu') = (stopped_because is not null));

-- A hint, never the truth: `due` to whoever sends, both to whoever watches. Claims change no status and say nothing. What is new is
-- due; of the rest, a second ahead counts too: the clocks of nodes differ by less.
create function tell_delivery() returns trigger language plpgsql as $$
begin
  perform pg_notify('galeri_changes', case when new.status = 'Bekliyor'
    and (tg_op = 'INSERT' or new.next_attempt_at <= clock_timestamp() + interval '1 second')
    then 'due:' else 'delivery:' end || new.webhook_id);
  return null;
end $$;
create trigger tell after insert or update of status on webhook_deliveries for each row execute function tell_delivery();

-- For whom a car was held when a note was written: the note goes when they are erased, also where a later one has replaced it.
alter table vehicle_history add column customer_id uuid;
update vehicle_history entry set customer_id = (select customer_id from reservations held
    where held.account_id = entry.account_id and held.vehicle_id = entry.vehicle_id and held.created_at <= entry.created_at
    order by held.created_at desc limit 1)
  where event = 'reserved';
create index vehicle_history_customer on vehicle_history (account_id, customer_id) where customer_id is not null;

-- Who was erased does not come back; who was only deleted may.
alter table customers add column erased_at timestamptz;
create index customers_deleted on customers (account_id, deleted_at desc, id desc) where deleted_at is not null and erased_at is null;

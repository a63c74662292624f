-- Acts of the simulated side that are due at the same time happen in the order in which their write planned them, so that two worlds with
-- the same requests get the same events.
alter table sandbox_acts add column place integer not null default 0;
comment on column sandbox_acts.place is 'Order among the acts of one write.';

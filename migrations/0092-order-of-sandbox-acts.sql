-- Acts of the simulated side that are due at the same time happen in the order in which they were planned, so that two worlds with the same
-- requests get the same events. The table has no rows yet.
alter table sandbox_acts add column number bigint generated always as identity;
comment on column sandbox_acts.number is 'Order in which they were planned.';

-- mode: concurrently
-- The end of old counts and the administrators' home page read a range of hours of all dealers.
create index concurrently if not exists usage_calls_hour on usage_calls using brin (hour);
create index concurrently if not exists usage_latency_hour on usage_latency using brin (hour);

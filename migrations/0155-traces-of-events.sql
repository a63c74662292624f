-- Deliveries of an event continue the trace of the request that caused it.
alter table events add column traceparent text;
comment on column events.traceparent is 'Span of the write (W3C Trace Context), if traces are exported.';

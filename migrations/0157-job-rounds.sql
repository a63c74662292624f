-- Jobs that run once over all workers, and what the job of reminders has looked at.
create table job_rounds (
  job text primary key,
  next_at timestamptz not null
);
comment on table job_rounds is 'When each periodic job may run next: one worker claims a round by moving the time.';
alter table job_rounds enable row level security;
alter table job_rounds force row level security;
create policy owner on job_rounds for all to current_user using (true) with check (true);
create policy platform on job_rounds for all to galeri_platform using (true) with check (true);
grant select, insert, update on job_rounds to galeri_platform;

alter table data_sets add column reminders_seen text;
comment on column data_sets.reminders_seen is 'Version, day and account change that the job of reminders by mail saw last. It looks again when one differs.';

-- Timed transitions that failed: which record, why, how often, and when it is tried again. A record that is listed here is left out of the
-- usual run, so that no request waits for it or answers with its error.
create table transition_failures (
  account_id uuid not null references data_sets (id),
  kind text not null check (length(kind) <= 40),
  -- The data set's own id where the records that are due could not be found.
  record_id uuid not null,
  error text not null check (length(error) <= 500),
  tries integer not null check (tries > 0),
  first_failed_at timestamptz not null,
  failed_at timestamptz not null,
  -- Business time, like the transition itself.
  next_try_at timestamptz not null,
  primary key (account_id, kind, record_id)
);
select raise_wall('transition_failures');
grant select, insert, delete on transition_failures to galeri_app;
grant update (error, tries, failed_at, next_try_at) on transition_failures to galeri_app;
create policy platform on transition_failures to galeri_platform using (true) with check (true);
grant select on transition_failures to galeri_platform;

-- An auction whose transition failed is shown in its last state: nobody waits for its seller.
create or replace function late_sellers(wanted uuid) returns setof uuid language plpgsql volatile security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query select distinct auction.account_id from network_auctions auction, business_now() as at
  where (wanted is null or auction.id = wanted)
    and (status = 'Canlı' and ends_at <= at or status = 'Planlandı' and starts_at <= at)
    and not exists (select from transition_failures failed where failed.account_id = auction.account_id
      and failed.kind = 'network_auction' and failed.record_id in (auction.id, auction.account_id));
end $$;

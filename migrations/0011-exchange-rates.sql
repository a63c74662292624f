-- Central bank rates. They belong to no dealer: every account reads the same rows, only the platform writes them.

-- One row a currency of a day's bulletin, always against the lira. The upper bound also keeps NaN out, which is above every number.
create table exchange_rates (
  source text not null check (source in ('TCMB', 'KKTCMB')),
  rate_date date not null,
  base text not null check (base in ('STG', 'EUR', 'USD')),
  quote text not null default 'TL' check (quote = 'TL'),
  buying numeric(18, 6) not null check (buying > 0),
  selling numeric(18, 6) not null check (selling >= buying and selling < 1000000),
  banknote_buying numeric(18, 6) check (banknote_buying > 0 and banknote_buying < 1000000),
  banknote_selling numeric(18, 6) check (banknote_selling > 0 and banknote_selling < 1000000),
  bulletin_no text check (length(bulletin_no) between 1 and 40),
  fetched_at timestamptz not null,
  primary key (source, rate_date, base)
);

-- When each bank is looked at next and how the last look went, so that several processes look once and say once what changed.
create table rate_looks (
  source text primary key check (source in ('TCMB', 'KKTCMB')),
  next_look_at timestamptz not null,
  state text not null default 'new' check (state in ('new', 'current', 'waiting', 'unreachable', 'refused', 'held')),
  detail text,
  failures integer not null default 0,
  -- Business days up to this one that had no bulletin here have been asked for by their date.
  filled_to date
);

-- A new or corrected bulletin on its way to the accounts: written with the rates, told account by account in the order of their
-- data sets, from `told_up_to` on. Whoever tells holds it until `claimed_until`; of one bank's news the next waits for the one before.
create table rate_news (
  id uuid primary key,
  place bigint generated always as identity,
  source text not null check (source in ('TCMB', 'KKTCMB')),
  -- Not jsonb, which would turn the fields' order: an event shows them as the row does.
  object json not null,
  previous json,
  told_up_to uuid,
  claimed_until timestamptz,
  created_at timestamptz not null,
  told_at timestamptz
);
create unique index rate_news_open on rate_news (source, place) where told_at is null;

-- Behind a wall like every table, with a window for reading: rates are everyone's, and nobody's to change.
do $$
declare
  own text;
begin
  foreach own in array array['exchange_rates', 'rate_looks', 'rate_news'] loop
    execute format('alter table %I enable row level security', own);
    execute format('alter table %I force row level security', own);
    execute format('create policy platform on %I to galeri_platform using (true) with check (true)', own);
    execute format('create policy owner on %I to %I using (true) with check (true)', own, current_user);
  end loop;
end $$;
create policy everyone on exchange_rates for select to galeri_app using (true);

grant select on exchange_rates to galeri_app;
grant select, insert, update on exchange_rates, rate_looks, rate_news to galeri_platform;

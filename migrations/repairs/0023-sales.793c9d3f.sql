-- from: 793c9d3f8d04b10e98b06c44163d2015f0328cd70bbd59fce545aa80c5d8259e  0023-sales.sql
-- to: 7f2cae074d46d92c2c2865d5b2d06b1860d9fb9e7b37cebb8d7fbabe4c52f0aa  0023-sales.sql
-- Deposits that were figures on a reservation become records of money, as in 0023. Databases of this form may have taken money already:
-- numbers continue, deposits that have their record are skipped, and a day that is closed is left as it is.
create temporary table taken on commit drop as
  select held.account_id, held.id, held.vehicle_id, held.customer_id, held.deposit_amount_minor, held.created_at, day,
    coalesce(held.deposit_currency, vehicles.currency) as currency, till.id as branch_id, extract(year from day)::integer as year,
    coalesce(series.last, 0)
      + row_number() over (partition by held.account_id, extract(year from day) order by held.created_at, held.id) as number
  from reservations held
    join vehicles on vehicles.account_id = held.account_id and vehicles.id = held.vehicle_id
    join data_sets on data_sets.id = held.account_id
    join accounts on accounts.id = data_sets.account_id
    join branches main on main.account_id = held.account_id and main.is_main
    join branches till on till.account_id = held.account_id and till.id = coalesce(vehicles.branch_id, main.id)
    cross join lateral (select greatest((held.created_at at time zone accounts.timezone)::date, till.closed_through + 1) as day) on_day
    left join number_series series on series.account_id = held.account_id and series.series = 'T' and series.year = extract(year from day)
  where held.status = 'Aktif' and held.customer_id is not null and held.deposit_amount_minor > 0
    and not exists (select from collections where collections.account_id = held.account_id and collections.vehicle_id = held.vehicle_id
      and (reservation_id = held.id or deposit_status = 'Açık'));
insert into number_series (account_id, series, year, last) select account_id, 'T', year, max(number) from taken group by account_id, year
  on conflict (account_id, series, year) do update set last = excluded.last;
insert into collections (account_id, id, number, receipt_no, type, customer_id, branch_id, amount_minor, currency, method, collected_on,
    reservation_id, vehicle_id, deposit_status, created_at)
  select account_id, gen_random_uuid(), year * 1000000000::bigint + number,
    'T-' || year || '-' || lpad(number::text, greatest(5, length(number::text)), '0'), 'Kapora', customer_id, branch_id, deposit_amount_minor, currency, 'Nakit', day,
    id, vehicle_id, 'Açık', created_at
  from taken;
update reservations set note = left(concat_ws(E'\n', note, 'Kapora: ' || money_text(deposit_amount_minor) || ' ' || coalesce(deposit_currency, '')), 2000)
  where status = 'Aktif' and customer_id is null and deposit_amount_minor > 0;
update data_sets set version = version + 1 where id in (select account_id from taken);
set constraints all immediate;
alter table reservations drop column deposit_amount_minor, drop column deposit_currency;

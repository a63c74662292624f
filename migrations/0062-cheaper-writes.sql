-- Writes that cost less (docs/decisions/0068-cheaper-writes.md). What they mean is as before.

-- An event is stored as it is up to what fits into a page. From 2 kB on its text was compressed, for a bid once for each side: a tenth of the
-- database's time, since a PostgreSQL without lz4 has only its slow way.
alter table events set (toast_tuple_target = 8160);

-- A sale is added up once for a transaction that writes it, not once more for each of its rows: its own trigger, on whatever is written of it,
-- does it at COMMIT. A sale that this transaction has not written (or only within a step) is added up for each row as before.
create or replace function check_plan() returns trigger language plpgsql security definer set search_path = public as $$
declare
  of_account uuid := coalesce(new.account_id, old.account_id);
  of_sale uuid := coalesce(new.sale_id, old.sale_id);
begin
  if not exists (select from sales where account_id = of_account and id = of_sale and xmin = pg_current_xact_id()::xid) then
    perform require_sale_sums(of_account, of_sale);
  end if;
  return null;
end $$;
drop trigger sales_sums on sales;
create constraint trigger sales_sums after insert or update on sales deferrable initially deferred for each row execute function check_sale();

-- So is a collection with its allocations.
create or replace function check_allocation() returns trigger language plpgsql security definer set search_path = public as $$
declare
  paid record;
begin
  select sale_id, xmin = pg_current_xact_id()::xid as is_written into paid from collections where account_id = new.account_id and id = new.collection_id;
  if not paid.is_written then
    perform require_allocated(new.account_id, new.collection_id);
  end if;
  if paid.sale_id is distinct from (select sale_id from installments where account_id = new.account_id and id = new.installment_id) then
    raise exception 'installment % is not of the sale that was paid', new.installment_id using errcode = '23514', constraint = 'installments_allocated';
  end if;
  perform require_row_allocations(new.account_id, new.installment_id);
  return null;
end $$;
drop trigger collections_allocated on collections;
create constraint trigger collections_allocated after insert or update on collections
  deferrable initially deferred for each row execute function check_collection();

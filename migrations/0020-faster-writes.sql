-- A stamp that the writer proposes is taken if it is later than the last one; otherwise the write is tried again (docs/decisions/0036).
create function later_stamp(last timestamptz, proposed timestamptz) returns timestamptz language plpgsql immutable parallel safe
  as $$ begin
    if proposed > last then
      return proposed;
    end if;
    raise exception using errcode = 'serialization_failure', message = 'a later stamp was given out';
  end $$;

-- A car or a customer is written for the account of the transaction only (row-level security), and the write ends by updating that data
-- set's row or not at all. Looking the row up again locked it once more for each of them, and shared that lock between writes at once.
alter table vehicles drop constraint vehicles_account_id_fkey;
alter table customers drop constraint customers_account_id_fkey;

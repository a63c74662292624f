-- What reports add up is found by its day. Money forgiven and late interest are few among all that was collected.
create index installments_due on installments (account_id, due_date);
create index collections_forgiven on collections (account_id, collected_on) where method is null;
create index collections_late_interest on collections (account_id, collected_on) where late_interest_amount_minor <> 0;
-- The oldest cars in stock.
create index vehicles_stocked on vehicles (account_id, stock_date, created_at, id)
  where deleted_at is null and status in ('Stokta', 'Rezerve', 'Auction''da');

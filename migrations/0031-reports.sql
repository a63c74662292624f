-- Reports read whole ranges of days; what they look for among all records by another day than the lists' own is found here.

-- Cancelled sales count on the day of their cancelling, whatever their own day is.
create index sales_cancelled on sales (account_id, cancelled_at) where cancelled_at is not null;
-- Deposits that were kept are income of the day on which they were.
create index collections_kept_deposits on collections (account_id, deposit_closed_on) where deposit_status = 'Gelir';
-- Cars sold outside the service are counted.
create index vehicles_sold_outside on vehicles (account_id, sold_at) where sold_via = 'Harici' and deleted_at is null;

-- What was paid ahead is found without the rows themselves: which row, of which sale and in which currency stands in the index, and none of it changes.
drop index installments_due;
create index installments_due on installments (account_id, due_date) include (id, sale_id, currency);

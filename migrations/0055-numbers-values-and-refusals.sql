-- A connector says how its source writes numbers; null is as each file shows. Its config keeps its order.
update import_connectors set config = json_build_object('url', config -> 'url', 'delimiter', config -> 'delimiter',
  'encoding', config -> 'encoding', 'record_path', config -> 'record_path', 'sheet', config -> 'sheet', 'number_format', null,
  'mapping', config -> 'mapping', 'defaults', config -> 'defaults', 'value_map', config -> 'value_map')
  where config -> 'number_format' is null;

-- Whoever sent a file sees what stood where a row was refused; nobody else does, and never of a field that is kept from everyone.
alter table import_runs add column person_id uuid;
alter table import_row_errors add column value text check (length(value) <= 200);

-- Why a request was refused, as rules (which field, what it must be), and the names of its query parameters. Never a value.
alter table request_logs add column refusal jsonb, add column query_names text;

-- The same columns in the same order as wallet_topups_queue.
drop index wallet_topups_all;

-- mode: batches
-- A connector may say which row of its files is the header; null: it is found in each file. The config keeps its order.
update import_connectors set config = json_build_object('url', config -> 'url', 'delimiter', config -> 'delimiter',
  'encoding', config -> 'encoding', 'record_path', config -> 'record_path', 'sheet', config -> 'sheet', 'header_row', null,
  'number_format', config -> 'number_format', 'mapping', config -> 'mapping', 'defaults', config -> 'defaults',
  'value_map', config -> 'value_map')
where (account_id, id) in (select account_id, id from import_connectors where config -> 'header_row' is null limit 500)
returning 1;

-- A connector names the sheet of a workbook that it reads; null is the first. Its config keeps its order.
update import_connectors set config = json_build_object('url', config -> 'url', 'delimiter', config -> 'delimiter',
  'encoding', config -> 'encoding', 'record_path', config -> 'record_path', 'sheet', null, 'mapping', config -> 'mapping',
  'defaults', config -> 'defaults', 'value_map', config -> 'value_map')
  where config -> 'sheet' is null;

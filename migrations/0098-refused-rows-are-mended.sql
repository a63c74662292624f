-- A refused row of an import can be corrected by the person who sent the file: the row is kept, sealed, until it is imported or
-- purged. Its errors name the place in the spreadsheet and have their text in both languages.
alter table import_row_errors
  add column sheet_row integer,
  add column sheet_column text,
  add column message_tr text,
  add column message_en text,
  add column row_encrypted bytea,
  add column mended_at timestamptz,
  add column mended_as text;
alter table import_row_errors alter column row_encrypted set storage external;
grant update on import_row_errors to galeri_app;
comment on column import_row_errors.sheet_row is 'Number of the row in the spreadsheet, as Excel shows it; null in JSON and XML.';
comment on column import_row_errors.sheet_column is 'Letter of the column in the spreadsheet.';
comment on column import_row_errors.message_tr is 'The message in Turkish; null in older rows.';
comment on column import_row_errors.message_en is 'The message in English; null in older rows.';
comment on column import_row_errors.row_encrypted is 'The whole row, sealed, at its first error, for the person who sent the file; empty once it is imported.';
comment on column import_row_errors.mended_at is 'When the corrected row was imported.';
comment on column import_row_errors.mended_as is 'Result of the corrected row: created, updated or unchanged.';


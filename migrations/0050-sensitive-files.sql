-- Files that print who somebody is: a note's paper is one too, and it goes with the sale's other papers when their years are over.
update stored_files set is_sensitive = true from promissory_notes
  where promissory_notes.account_id = stored_files.account_id and promissory_notes.file_id = stored_files.id;

-- Once set, the note is not drawn again.
alter table promissory_notes add column erased_at timestamptz,
  add constraint promissory_notes_erased check (erased_at is null or file_id is null);
grant update (erased_at) on promissory_notes to galeri_app;

-- The job that erases old papers asks each data set whether it has any.
create index documents_unerased on documents (account_id) where erased_at is null and sale_id is not null;
create index promissory_notes_unerased on promissory_notes (account_id) where erased_at is null;
create policy platform on promissory_notes for select to galeri_platform using (true);
grant select (account_id, erased_at) on promissory_notes to galeri_platform;

-- The logo on a dealer's papers, redrawn small: the file is what the panel shows, and the same bytes stand here, so that a paper is put
-- together without asking the store.
alter table accounts add column paper_logo bytea check (octet_length(paper_logo) between 1 and 262144),
  add constraint accounts_paper_logo check ((paper_logo is null) = (paper_logo_file_id is null));
grant update (paper_logo) on accounts to galeri_app;

-- A sale that was brought in from a dealer's old books: what tells its line from another one, so that the same line changes nothing and
-- another line of the same sale is refused.
alter table sales add column imported_as text check (length(imported_as) = 64);

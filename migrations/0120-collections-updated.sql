-- A collection changes when it is reversed, and a deposit when it ends.
alter table collections add column updated_at timestamp with time zone not null default now();
grant update (updated_at) on collections to galeri_app;

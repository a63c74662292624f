-- mode: concurrently
-- The dealers of a world are found by its id; accounts of production are not in the index.
create index concurrently if not exists accounts_of_world on accounts (world_id) where world_id is not null;
alter table accounts validate constraint accounts_world;
comment on column worlds.reached_at is 'While the clock moves, or after it failed: the business time of the world, which does not pass until the move is complete.';

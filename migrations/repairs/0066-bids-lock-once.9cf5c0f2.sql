-- from: 9cf5c0f2355012fc9091c633758204e9c778a2ec87334445731353f1c1a36ca8  0066-bids-lock-once.sql
-- to: 62cff0c0fccb68944c8019bd2373e0be7a6010fea8b4ae4ff4202da690576da2  0064-bids-lock-once.sql
-- The same function without one comment.
do $$
declare
  old_comment constant text := E'  -- By the index of ids alone, so that they are locked in the order of ids, as every write does.\n';
begin
  execute replace(pg_get_functiondef('tell_bid(uuid, text[], boolean, text, uuid, text[], text[], text, timestamptz, timestamptz)'::regprocedure),
    old_comment, '');
end $$;

-- Mails to a person who is erased are not sent any more. The dealers' role can put mails into the queue and read none, so a function
-- removes them.
create function drop_mails_to(address text) returns void language sql security definer set search_path = public, pg_temp as $$
  delete from mails where turn_of = current_account() and sent_at is null and lower(recipient) = lower(address) $$;
comment on function drop_mails_to(address text) is 'Removes the current account''s waiting mails to an address, when its owner is erased.';
revoke all on function drop_mails_to(text) from public;
grant execute on function drop_mails_to(text) to galeri_app;

-- Who has come to a live room to bid (docs/decisions/0060-a-seat-in-the-room.md): a password that was recent then counts there for as long as
-- they stay.
alter table sessions add column seat_event_id uuid, add column seat_taken_at timestamptz, add column seat_seen_at timestamptz,
  add check ((seat_event_id is null) = (seat_taken_at is null) and (seat_event_id is null) = (seat_seen_at is null));

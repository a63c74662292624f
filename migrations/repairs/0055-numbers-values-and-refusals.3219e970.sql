-- from: 3219e970868f03c86747f53e1c786184d20c0ad5195e5991424a1ee4de18f8ac  0055-numbers-values-and-refusals.sql
-- to: 6438702a80cf4d94136d6ab2e5976e297d48bbf81b691791686757866fcac1d1  0055-numbers-values-and-refusals.sql
-- The same columns in the same order as wallet_topups_queue.
drop index wallet_topups_all;

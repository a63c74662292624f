-- mode: batches
-- A sale that names no branch was made by the branch of its car.
update sales set branch_id = cars.branch_id
from (select s.account_id, s.id, v.branch_id from sales s join vehicles v on v.account_id = s.account_id and v.id = s.vehicle_id
  where s.branch_id is null and v.branch_id is not null limit 500) cars
where sales.account_id = cars.account_id and sales.id = cars.id and sales.branch_id is null
returning 1;

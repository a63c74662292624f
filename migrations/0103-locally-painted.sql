-- mode: batches
-- A condition is compared as text, so one that was stored before the list existed gets an empty one.
update vehicles set condition = replace(condition, '"replaced":', '"locally_painted":[],"replaced":')
where ctid = any(array(select ctid from vehicles where condition is not null and condition not like '%"locally_painted":%' limit 1000))
returning 1

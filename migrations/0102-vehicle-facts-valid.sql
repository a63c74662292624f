-- Rows that existed before have no facts, so the check passes for all of them.
alter table vehicles validate constraint vehicles_facts_valid;

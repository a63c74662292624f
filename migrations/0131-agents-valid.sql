-- The checks of 0130 hold for the keys that existed.
alter table api_keys validate constraint api_keys_agents_check;
alter table api_keys validate constraint api_keys_agent_confirmation_check;
alter table api_keys validate constraint api_keys_agent_ceilings_check;
alter table api_keys validate constraint api_keys_agent_approvers_check;

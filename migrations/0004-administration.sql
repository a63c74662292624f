-- What platform administrators read: lists over every account, newest first, and who holds or asks for a row.

create index accounts_list on accounts (created_at desc, id desc);
create index audit_log_list on audit_log (created_at desc, id desc);
create index audit_log_platform_subject on audit_log (subject, created_at desc, id desc);
create index audit_log_platform_target on audit_log (target, created_at desc, id desc);
create index limit_requests_list on limit_requests (status, created_at desc, id desc);
create index endpoint_votes_endpoint on endpoint_votes (endpoint);
create index key_endpoints_endpoint on key_endpoints (endpoint, account_id, key_id);
create index members_person_any on members (person_id) where person_id is not null;
create index people_admins on people (created_at, id) where is_admin;

-- Changes are shown as they were written, field first; jsonb would sort a change's members by their length.
alter table vehicle_history alter column changes drop default;
alter table vehicle_history alter column changes type json using changes::json;
alter table vehicle_history alter column changes set default '[]';

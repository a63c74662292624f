-- from: acdd2483575f7b17bdc05962735033d6544d9df66fff974c85a907d6648ce647  0014-demonstration.sql
-- to: fb19565c2b880cc0c548753960810e053ce07628e3b77e0470ef9ef9317c8678  0014-demonstration.sql
-- Demo keys are keys like any other.
alter table api_keys drop column is_demo;

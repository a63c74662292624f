-- Companies among the customers, newer settings of an account, and the state of a car's body.

-- The tax number is sealed like the identity number, but nothing is looked up by it.
alter table customers
  add column kind text not null default 'Bireysel',
  add column company_name text,
  add column tax_office text,
  add column tax_no_encrypted bytea,
  add column notice_given_on date,
  add column reminder_opt_out boolean not null default false,
  add constraint customers_kind check (kind = 'Bireysel' or kind = 'Kurumsal' and company_name is not null),
  add constraint customers_company check (length(company_name) between 1 and 200 and length(tax_office) between 1 and 80);

-- A company is found by its name too. plpgsql, because a function in SQL is planned anew by every statement that writes a row.
create function customer_search(first_name text, last_name text, company_name text, phone text, email text) returns text
  language plpgsql immutable parallel safe
  as $$ begin return fold_tr(concat_ws(' ', first_name, last_name, company_name, phone, email)); end $$;
alter table customers drop column search;
alter table customers
  add column search text generated always as (customer_search(first_name, last_name, company_name, phone, email)) stored;

-- JSON as the service writes it, in text: it is shown and replaced whole, never looked into here.
alter table vehicles add column condition text;

alter table accounts
  add column overdue_grace_days integer not null default 0 check (overdue_grace_days between 0 and 15),
  add column document_retention_years integer not null default 10 check (document_retention_years between 1 and 30),
  add column reminders text not null default '[{"day":-3,"channel":"WhatsApp","active":false},{"day":0,"channel":"WhatsApp","active":false},{"day":3,"channel":"WhatsApp","active":false},{"day":10,"channel":"WhatsApp","active":false}]';
grant update (overdue_grace_days, document_retention_years, reminders) on accounts to galeri_app;

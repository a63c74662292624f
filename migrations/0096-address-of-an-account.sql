-- What a dealer's papers print of the dealer: address, tax office and tax number. Each is entered in the settings.
alter table accounts
  add column address text check (length(address) between 1 and 300),
  add column tax_office text check (length(tax_office) between 1 and 100),
  add column tax_no text check (length(tax_no) between 1 and 20);
grant update (address, tax_office, tax_no) on accounts to galeri_app;

-- A Citroën is found by «citroen» and a Škoda by «skoda»: search folds what marks other languages put on a letter as well.

-- Two branches may go on being called Citroen and Citroën: their names are compared as they were.
drop index branches_name;
create unique index branches_name on branches (account_id, lower(translate(name, 'İIıŞşĞğÇçÖöÜüÂâÎîÛû', 'iiissggccoouuaaiiuu')));

create or replace function fold_tr(value text) returns text language sql immutable parallel safe
  as $$ select lower(translate(value, 'İIıŞşĞğÇçÖöÜüÂâÎîÛûËëÉéÈèÊêÄäÁáÀàÅåÃãÍíÏïÓóÔôÕõØøÚúÙùÑñŠšŽžČčŘřÝý',
    'iiissggccoouuaaiiuueeeeeeeeaaaaaaaaaaiiiioooooooouuuunnsszzccrryy')) $$;

-- What is stored was folded as before: naming a column that it is made of makes it anew.
update vehicles set brand = brand where search <> vehicle_search(brand, model, "trim", plate);
update customers set first_name = first_name where search <> customer_search(first_name, last_name, company_name, phone, email);

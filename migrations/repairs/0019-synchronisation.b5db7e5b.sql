-- from: b5db7e5bba7f33f4cb31d6e6df20fc8720ea50881124e0e06323ba3f29742576  0019-synchronisation.sql
-- to: 882f32a46e39c309b5ac0277ea361153d02db5dfe659f64639fbbfb06267edac  0019-synchronisation.sql
-- What `q` searches.
create function vehicle_search(brand text, model text, variant text, plate text) returns text language plpgsql immutable parallel safe
  as $$ begin return fold_tr(concat_ws(' ', brand, model, variant, plate, replace(plate, ' ', ''))); end $$;
alter table vehicles add column search text generated always as (vehicle_search(brand, model, "trim", plate)) stored;

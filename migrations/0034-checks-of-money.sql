-- What a row of the money's tables may hold, the same rules as before, one function a table. PostgreSQL makes every CHECK of a table ready
-- anew for each statement that writes it; a function in plpgsql is made ready once for a connection. The functions are written from the
-- constraints themselves, and refuse under their names.
create function pg_temp.fold_checks(subject regclass) returns void language plpgsql as $$
declare
  one record;
  columns text;
  parameters text;
  every text := '';
  each text := '';
  named text := (select relname from pg_class where oid = subject);
begin
  for one in
    select conname, pg_get_expr(conbin, conrelid) as rule from pg_constraint where conrelid = subject and contype = 'c' order by conname
  loop
    every := every || case when every = '' then '' else E'\n      and ' end || '(' || one.rule || ')';
    each := each || format(E'    if not (%s) then\n      raise check_violation using message = %L, constraint = %L, table = %L;\n    end if;\n',
      one.rule, format('new row for relation "%s" violates check constraint "%s"', named, one.conname), one.conname, named);
    execute format('alter table %s drop constraint %I', subject, one.conname);
  end loop;
  select string_agg(quote_ident(attname), ', ' order by attnum), string_agg(quote_ident(attname) || ' ' || format_type(atttypid, null), ', ' order by attnum)
    into columns, parameters
    from pg_attribute where attrelid = subject and attnum > 0 and not attisdropped and every ~ ('\m' || attname || '\M');
  execute format(E'create function %I(%s) returns boolean language plpgsql immutable parallel safe as %L',
    named || '_valid', parameters,
    format(E'begin\n    if (%s) is not false then\n      return true;\n    end if;\n%s    return false;\n  end', every, each));
  execute format('alter table %s add constraint %I check (%I(%s))', subject, named || '_valid', named || '_valid', columns);
end $$;
select pg_temp.fold_checks('sales');
select pg_temp.fold_checks('installments');
select pg_temp.fold_checks('collections');
select pg_temp.fold_checks('collection_allocations');

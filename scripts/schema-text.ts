// The schema of a database as SQL that creates it, in an order that does not depend on how it was made: tables with their comments,
// constraints, indexes, triggers, policies and rights, functions in full, views, and the rows that a new database begins with.
import type { Session } from '../src/postgres/database.ts';

interface Relation {
  readonly oid: string;
  readonly name: string;
  readonly kind: 'r' | 'p' | 'v';
  readonly options: string | null;
  readonly partition: string | null;
  readonly view: string | null;
  readonly comment: string | null;
  readonly is_walled: boolean;
  readonly is_forced: boolean;
}

/** A statement about a relation, and the other relations that must exist before it. */
interface Statement {
  readonly relation: string;
  readonly text: string;
  readonly needs: readonly string[];
}

export interface SchemaOptions {
  /** Columns in alphabetical order, to compare databases whose columns were added in different orders. */
  readonly sortColumns?: boolean;
}

export async function schemaText(session: Session, { sortColumns = false }: SchemaOptions = {}): Promise<string> {
  const relations = await session.rows<Relation>(RELATIONS);
  const columns = await session.rows<{ relation: string; text: string }>(columnsQuery(sortColumns ? 'a.attname' : 'a.attnum'));
  const constraints = await session.rows<{ relation: string; text: string }>(CONSTRAINTS);
  const statements = await session.rows<Statement>(STATEMENTS);
  const functions = await session.rows<{ text: string }>(FUNCTIONS);
  const parts = ['-- Functions\n', ...functions.map(({ text }) => text), '-- Tables\n'];
  const made = new Set<string>();
  const late: string[] = [];
  const ofRelation = <T extends { readonly relation: string }>(list: readonly T[], { name }: Relation) =>
    list.filter(({ relation }) => relation === name);
  for (const relation of inOrder(relations, statements)) {
    made.add(relation.name);
    const lines = [...ofRelation(columns, relation), ...ofRelation(constraints, relation)].map(({ text }) => `  ${text}`);
    const own: string[] = [];
    for (const { text, needs } of ofRelation(statements, relation))
      (needs.every((name) => made.has(name)) ? own : late).push(text);
    parts.push([creation(relation, lines), ...own].join('\n'));
  }
  parts.push('-- Statements that need a later table\n', ...late, '-- Schema\n', ...(await texts(session, SCHEMA_RIGHTS)));
  return `${parts.join('\n')}\n`;
}

const texts = async (session: Session, query: string): Promise<string[]> =>
  (await session.rows<{ text: string }>(query)).map(({ text }) => text);

function creation(
  { name, kind, options, partition, view, comment, is_walled, is_forced }: Relation,
  lines: readonly string[],
): string {
  const settings = options === null ? '' : ` with (${options})`;
  const made =
    kind === 'v'
      ? `create view ${name}${settings} as\n${view}`
      : `create table ${name} (\n${lines.join(',\n')}\n)${partition === null ? '' : ` partition by ${partition}`}${settings};`;
  return [
    made,
    ...(comment === null ? [] : [comment]),
    ...(is_walled ? [`alter table ${name} enable row level security;`] : []),
    ...(is_forced ? [`alter table ${name} force row level security;`] : []),
  ].join('\n');
}

/** Each after those that its statements need, in alphabetical order otherwise; views after the tables. */
function inOrder(relations: readonly Relation[], statements: readonly Statement[]): Relation[] {
  const needs = new Map(relations.map(({ name }) => [name, new Set<string>()]));
  for (const { relation, needs: others } of statements)
    for (const other of others) if (other !== relation) needs.get(relation)!.add(other);
  const order: Relation[] = [];
  let left = relations.toSorted((a, b) => Number(a.kind === 'v') - Number(b.kind === 'v') || (a.name < b.name ? -1 : 1));
  while (left.length > 0) {
    const waits = ({ name }: Relation) => left.some((other) => needs.get(name)!.has(other.name));
    const next = left.find((relation) => !waits(relation)) ?? left[0]!;
    order.push(next);
    left = left.filter((relation) => relation !== next);
  }
  return order;
}

const IN_PUBLIC = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
  and c.relname <> 'schema_migrations'`;

/** The role that migrates differs from server to server, and `current_user` is accepted wherever a role is named. */
const ROLE = (oid: string) =>
  `case when ${oid} = 0 then 'public' when pg_get_userbyid(${oid}) = current_user then 'current_user' else quote_ident(pg_get_userbyid(${oid})) end`;

/** Rights that differ from those that an object begins with, as statements. `what` is the object, `acl` its list, `kind` as in acldefault. */
const rightsOf = (what: string, acl: string, kind: string, owner: string) => `(
  select coalesce(string_agg(line, E'\\n' order by line), '') from (
    select format('revoke all on %s from public;', ${what}) as line
      where exists (select from aclexplode(acldefault('${kind}', ${owner})) where grantee = 0)
        and not exists (select from aclexplode(${acl}) where grantee = 0) and ${acl} is not null
    union all
    select format('grant %s on %s to %s;', string_agg(lower(privilege_type), ', ' order by privilege_type), ${what}, ${ROLE('grantee')})
      from aclexplode(${acl}) where grantee <> ${owner}
        and not exists (select from aclexplode(acldefault('${kind}', ${owner})) usual
          where usual.grantee = aclexplode.grantee and usual.privilege_type = aclexplode.privilege_type)
      group by grantee) lines)`;

const RELATIONS = `
  select c.oid, quote_ident(c.relname) as name, c.relkind as kind, array_to_string(c.reloptions, ', ') as options,
    case c.relkind when 'p' then pg_get_partkeydef(c.oid) end as partition,
    case c.relkind when 'v' then pg_get_viewdef(c.oid, true) end as view,
    (select format('comment on %s %I is %L;', case c.relkind when 'v' then 'view' else 'table' end, c.relname, description)
      from pg_description where objoid = c.oid and classoid = 'pg_class'::regclass and objsubid = 0) as comment,
    c.relrowsecurity as is_walled, c.relforcerowsecurity as is_forced
  from pg_class c where ${IN_PUBLIC}`;

const columnsQuery = (order: string) => `
  select quote_ident(c.relname) as relation, concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
    case when a.attcollation <> t.typcollation then 'collate ' || a.attcollation::regcollation end,
    case when a.attgenerated <> '' then format('generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
      when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end,
    case a.attidentity when 'a' then 'generated always as identity' when 'd' then 'generated by default as identity' end,
    case when a.attnotnull then 'not null' end) as text
  from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where ${IN_PUBLIC} and c.relkind <> 'v' and a.attnum > 0 and not a.attisdropped order by c.relname, ${order}`;

const CONSTRAINTS = `
  select quote_ident(c.relname) as relation, format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid)) as text
  from pg_constraint k join pg_class c on c.oid = k.conrelid
  where ${IN_PUBLIC} and k.contype in ('c', 'p', 'u', 'x') and k.convalidated order by c.relname, position(k.contype::text in 'puxc'), k.conname`;

const OTHERS = `array(select distinct quote_ident(other.relname) from pg_depend dep join pg_class other on other.oid = dep.refobjid
  where dep.refclassid = 'pg_class'::regclass and other.relnamespace = 'public'::regnamespace and other.relname <> c.relname`;

const STATEMENTS = `
  select relation, text, coalesce(needs, '{}') as needs from (
    select 1 as place, quote_ident(c.relname) as relation, k.conname as name,
      format('alter table %I add constraint %I %s;', c.relname, k.conname, pg_get_constraintdef(k.oid)) as text,
      case when k.contype = 'f' then array[quote_ident(parent.relname)] end as needs
    from pg_constraint k join pg_class c on c.oid = k.conrelid left join pg_class parent on parent.oid = k.confrelid
    where ${IN_PUBLIC} and k.conparentid = 0 and (k.contype = 'f' or (k.contype = 'c' and not k.convalidated))
    union all
    select 2, quote_ident(c.relname), i.relname,
      replace(pg_get_indexdef(x.indexrelid), ' public.', ' ') || case when x.indisvalid then ';' else '; -- invalid' end, null
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    where ${IN_PUBLIC} and not exists (select from pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u', 'x'))
    union all
    select 3, quote_ident(c.relname), g.tgname,
      pg_get_triggerdef(g.oid) || ';' || case g.tgenabled when 'O' then '' else ' -- not enabled' end, null
    from pg_trigger g join pg_class c on c.oid = g.tgrelid where ${IN_PUBLIC} and not g.tgisinternal
    union all
    select 4, quote_ident(c.relname), p.polname, format('create policy %I on %I%s for %s to %s%s%s;', p.polname, c.relname,
        case when p.polpermissive then '' else ' as restrictive' end,
        case p.polcmd when '*' then 'all' when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' else 'delete' end,
        (select string_agg(${ROLE('one')}, ', ' order by one::text) from unnest(p.polroles) one),
        ' using (' || pg_get_expr(p.polqual, c.oid) || ')', ' with check (' || pg_get_expr(p.polwithcheck, c.oid) || ')'),
      ${OTHERS} and dep.classid = 'pg_policy'::regclass and dep.objid = p.oid)
    from pg_policy p join pg_class c on c.oid = p.polrelid where ${IN_PUBLIC}
    union all
    select 5, quote_ident(c.relname), '', ${rightsOf('quote_ident(c.relname)', 'c.relacl', 'r', 'c.relowner')},
      case when c.relkind = 'v' then ${OTHERS} and dep.classid = 'pg_rewrite'::regclass
        and dep.objid = (select oid from pg_rewrite where ev_class = c.oid)) end
    from pg_class c where ${IN_PUBLIC}
    union all
    select 6, quote_ident(c.relname), privilege_type || grantee::text, format('grant %s (%s) on %I to %s;', lower(privilege_type),
      string_agg(quote_ident(a.attname), ', ' order by a.attname), c.relname, ${ROLE('grantee')}), null
    from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped cross join aclexplode(a.attacl)
    where ${IN_PUBLIC} group by c.relname, privilege_type, grantee
    union all
    select 7, quote_ident(c.relname), a.attname, format('alter table %I alter column %I set storage %s;', c.relname, a.attname,
      case a.attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end), null
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped join pg_type t on t.oid = a.atttypid
    where ${IN_PUBLIC} and c.relkind <> 'v' and a.attstorage <> t.typstorage
    union all
    select 8, quote_ident(c.relname), a.attname, format('comment on column %I.%I is %L;', c.relname, a.attname, description), null
    from pg_class c join pg_attribute a on a.attrelid = c.oid
      join pg_description on objoid = c.oid and classoid = 'pg_class'::regclass and objsubid = a.attnum
    where ${IN_PUBLIC} and a.attnum > 0) statements
  where text <> '' order by relation, place, name, text`;

const SIGNATURE = `format('function %I(%s)', f.proname, pg_get_function_identity_arguments(f.oid))`;
const FUNCTIONS = `
  select concat_ws(E'\\n', rtrim(replace(pg_get_functiondef(f.oid), 'FUNCTION public.', 'FUNCTION '), E'\\n') || ';',
    (select format('comment on %s is %L;', ${SIGNATURE}, description)
      from pg_description where objoid = f.oid and classoid = 'pg_proc'::regclass),
    nullif(${rightsOf(SIGNATURE, 'f.proacl', 'f', 'f.proowner')}, '')) as text
  from pg_proc f where f.pronamespace = 'public'::regnamespace and not exists (
    select from pg_depend where classid = 'pg_proc'::regclass and objid = f.oid and deptype = 'e')
  order by f.proname, pg_get_function_identity_arguments(f.oid)`;

const SCHEMA_RIGHTS = `
  select format('grant usage on schema public to %s;', string_agg(quote_ident(grantee::regrole::text), ', ' order by grantee::regrole::text)) as text
  from pg_namespace cross join aclexplode(nspacl) where nspname = 'public' and privilege_type = 'USAGE'
    and grantee <> 0 and pg_get_userbyid(grantee) like 'galeri%' having count(*) > 0`;

// Migrations of a future release, one of each kind: a column, its values in batches, an index, and a constraint that is validated
// later.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Session } from '../../src/postgres/database.ts';

export const NEXT = {
  '9001-shade': 'alter table vehicles add column shade text',
  '9002-shades': `-- mode: batches
update vehicles set shade = lower(color)
where (account_id, id) in (select account_id, id from vehicles where shade is null limit 500) returning 1`,
  '9003-shade-index': `-- mode: concurrently
create index concurrently if not exists vehicles_shade on vehicles (account_id, shade)`,
  '9004-shade-known': `alter table vehicles add constraint shade_short check (length(shade) < 100) not valid`,
  '9005-shade-checked': 'alter table vehicles validate constraint shade_short',
};

/** The migrations of this version and those. */
export function writeNextMigrations(folder: string): URL {
  cpSync(join(import.meta.dirname, '../../migrations'), folder, { recursive: true });
  for (const [name, text] of Object.entries(NEXT)) writeFileSync(join(folder, `${name}.sql`), text);
  return pathToFileURL(`${folder}/`);
}

/** Copies of a vehicle, with distinct plates. */
export async function copyCars(admin: Session, vehicle: string, count: number): Promise<void> {
  const columns = `select string_agg(quote_ident(attname), ', ') as list from pg_attribute
    where attrelid = 'vehicles'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname not in ('id', 'plate', 'list_json')`;
  const [{ list }] = (await admin.rows<{ list: string }>(columns)) as [{ list: string }];
  await admin.rows(
    `insert into vehicles (id, plate, ${list}) select gen_random_uuid(), 'ZZ ' || number, ${list}
      from vehicles, generate_series(1, ${count}) number where id = '${vehicle}'`,
  );
}

export const newCar = {
  brand: 'Volkswagen',
  model: 'Golf',
  model_year: 2018,
  km: 84_000,
  fuel_type: 'Benzin',
  transmission: 'Otomatik',
  body_type: 'Hatchback',
  color: 'Beyaz',
  city: 'Lefkoşa',
  price: '14500.00',
  currency: 'STG',
};

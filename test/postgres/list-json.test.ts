// The JSON of lists is built manually in the database: it must equal what PostgreSQL's own function makes of the same row.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

let base: TestDatabase;
let admin: Session;
beforeAll(async () => {
  base = await testDatabase();
  admin = await openSession(base.adminUrl);
});
afterAll(async () => {
  await admin.close();
  await base.close();
});

const ODD = ['Volkswagen', 'a"b\\c', 'tab\there\nline', 'Şığ 😀', '\u0001\u001f\u007f', '</script>', "it's"];

test.each(ODD)('a vehicle with %j', async (odd) => {
  const [row] = await admin.rows<{ ours: string; theirs: string }>(
    `with given as (select gen_random_uuid() as id, $1::text as brand, $1::text as model, 2018 as model_year, 0 as km, $1::text as fuel_type,
       $1::text as transmission, $1::text as body_type, $1::text as color, $1::text as plate, $1::text as city, 1450005::bigint as price_minor,
       'TL' as currency, 'Auction''da' as status, true as visible, timestamptz '2026-01-02T03:04:05.006Z' as created,
       timestamptz '2026-12-31T23:59:59.9Z' as updated)
     select vehicle_json(id, brand, model, model_year, km, fuel_type, transmission, body_type, color, plate, city, price_minor, currency,
         status, visible, created, updated) as ours,
       (select row_to_json(shown)::text from (select id, brand, model, model_year, km, fuel_type, transmission, body_type, color, plate, city,
         money_text(price_minor) as price, currency, status, visible as is_marketplace_visible, utc_text(created) as created_at,
         utc_text(updated) as updated_at) shown) as theirs
     from given`,
    [odd],
  );
  expect(row!.ours).toBe(row!.theirs);
});

test.each([...ODD, null])('a customer with %j', async (odd) => {
  const [row] = await admin.rows<{ ours: string; theirs: string }>(
    `with given as (select gen_random_uuid() as id, coalesce($1::text, 'Ayşe') as name, $1::text as email,
       timestamptz '2026-01-02T03:04:05.006Z' as at)
     select customer_json(id, name, name, name, email, 'low', at, at) as ours,
       (select row_to_json(shown)::text from (select id, name as first_name, name as last_name, name as phone, email, 'low' as risk_level,
         utc_text(at) as created_at, utc_text(at) as updated_at) shown) as theirs
     from given`,
    [odd],
  );
  expect(row!.ours).toBe(row!.theirs);
});

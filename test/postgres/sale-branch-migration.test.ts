// Sales from before sales took the branch of their car: those without a branch get it, the others keep theirs.
import { afterAll, expect, test } from 'vitest';
import { closeUpgraded, upgradedFrom } from '../support/upgrade.ts';

afterAll(closeUpgraded);

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [DEALER, MAIN, OTHER, CUSTOMER] = [id(1), id(2), id(3), id(4)];

const car = (n: number, branch: string | null): string =>
  `insert into vehicles (account_id, id, brand, model, model_year, km, fuel_type, transmission, body_type, color, plate, city, price_minor, currency,
    stock_date, status, sold_via, sold_at, branch_id)
  values ('${DEALER}', '${id(n)}', 'Volkswagen', 'Golf', 2018, 1, 'Benzin', 'Otomatik', 'Hatchback', 'Gri', 'P ${n}', 'Girne', 100000, 'STG', '2026-01-01',
    'Satıldı', 'Satış', '2026-02-01', ${branch === null ? 'null' : `'${branch}'`});`;
const sale = (n: number, branch: string | null): string =>
  `insert into sales (account_id, id, plan_id, sale_no, vehicle_id, customer_id, sale_date, currency, sale_price_minor, trade_in_amount_minor,
    payment_type, status, branch_id)
  values ('${DEALER}', '${id(100 + n)}', '${id(200 + n)}', 'S-2026-${n}', '${id(n)}', '${CUSTOMER}', '2026-02-01', 'STG', 100000, 100000, 'Peşin',
    'Tamamlandı', ${branch === null ? 'null' : `'${branch}'`});`;

test('a sale without a branch gets the one of its car', async () => {
  const session = await upgradedFrom('0093-nothing-leaves-a-world.sql', (old) =>
    old.rows(`insert into accounts (id, name, country, default_currency, timezone, rate_source)
        values ('${DEALER}', 'Oto', 'KKTC', 'STG', 'Asia/Famagusta', 'KKTCMB');
      insert into data_sets (id, account_id, kind) values ('${DEALER}', '${DEALER}', 'production');
      insert into branches (account_id, id, name, is_main) values ('${DEALER}', '${MAIN}', 'Merkez', true), ('${DEALER}', '${OTHER}', 'Çarşı', false);
      insert into customers (account_id, id, first_name, last_name, phone) values ('${DEALER}', '${CUSTOMER}', 'Ayşe', 'Yılmaz', '+905331234567');
      ${car(11, OTHER)} ${car(12, OTHER)} ${car(13, null)}
      ${sale(11, null)} ${sale(12, MAIN)} ${sale(13, null)}`),
  );
  expect(await session.rows('select sale_no, branch_id from sales order by sale_no')).toEqual([
    { sale_no: 'S-2026-11', branch_id: OTHER },
    { sale_no: 'S-2026-12', branch_id: MAIN },
    { sale_no: 'S-2026-13', branch_id: null },
  ]);
  await session.close();
});

// Search folds the marks of other languages too: stored values are found as well, and no branch loses its name.
import { afterAll, expect, test } from 'vitest';
import { closeUpgraded, upgradedFrom } from '../support/upgrade.ts';

afterAll(closeUpgraded);

test('finds stored values without their marks; branches that differ by one stay', async () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const session = await upgradedFrom('0059-faster-reports.sql', async (old) => {
    await old.rows(`insert into accounts (id, name, country, default_currency, timezone, rate_source)
        values ('${id}', 'Oto', 'KKTC', 'STG', 'Asia/Famagusta', 'KKTCMB');
      insert into data_sets (id, account_id, kind) values ('${id}', '${id}', 'production');
      insert into branches (account_id, id, name) select '${id}', gen_random_uuid(), name from unnest(array['Citroën', 'Citroen']) as name;
      insert into customers (account_id, id, first_name, last_name, phone) values ('${id}', gen_random_uuid(), 'Zoë', 'ŠIMŠEK', '+905321234567')`);
    expect(await old.rows(`select from customers where strpos(search, 'zoe') > 0`)).toEqual([]);
  });
  expect(await session.rows('select search from customers')).toEqual([{ search: 'zoe simsek +905321234567' }]);
  expect(await session.rows('select name from branches order by name collate "C"')).toEqual([
    { name: 'Citroen' },
    { name: 'Citroën' },
  ]);
  await session.close();
});

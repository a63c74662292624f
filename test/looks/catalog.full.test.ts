// The catalog as it looks: its list, a row that is open, one that is not, nothing found.
import { beforeAll, describe, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';

const LIST = '/panel/katalog';

describe.skipIf(isBrowserMissing())('the catalog as it looks', () => {
  const panel = panelTest();
  let owner: TestPerson;

  beforeAll(async () => {
    const accountId = await panel.service.account({ name: 'Girne Oto' });
    owner = await newPerson(panel.service, { accountId });
    await panel.service.key(accountId, { name: 'Web sitesi', template: 'vehicle' });
    await panel.service.vehicle(accountId);
  });

  test('some rows, no rows, one row', async () => {
    const page = await panel.open(owner, `${LIST}?kategori=Sales`);
    await look(page, 'catalog-sales', { narrow: true });
    for (const path of ['?q=zzzz', '/get-vehicles', '/post-vehicles', '/get-sales']) {
      await panel.follow(page, `${LIST}${path}`);
      await look(page, `catalog-${path.replace(/\W+/g, '_')}`, { narrow: true });
    }
    await panel.done(page);
  });

  // axe takes its seconds for every hundred rows, and they are of a few kinds: all of them once, on a desk.
  test('the whole list is clean too, and no row of it sticks out', async () => {
    const page = await panel.open(owner, LIST);
    await eventually(() => page.locator('tbody tr').count()).toBe(185);
    await look(page, 'catalog', { narrow: true, on: 'desk' });
    await panel.done(page);
  });
});

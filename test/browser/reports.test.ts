// Reports in a real browser: figures by group and currency, the address keeps what was chosen, and cost is for owner and finance alone.
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { carOf, customerOf, dataOf, sell } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { newDealer, openAll } from '../support/writer.ts';

describe.skipIf(isBrowserMissing())('reports in the panel', () => {
  const panel = panelTest();
  let owner: TestPerson;
  let seller: TestPerson;

  beforeAll(async () => {
    const { service } = panel;
    await openAll(service);
    const dealer = await newDealer(service);
    owner = await newPerson(service, { accountId: dealer.accountId });
    seller = await newPerson(service, { accountId: dealer.accountId, role: 'sales' });
    const vehicle_id = await carOf(dealer, { purchase_price: '11000.00' });
    dataOf(await sell(dealer, { vehicle_id, customer_id: await customerOf(dealer), sale_price: '14321.00' }));
  });

  test('the sales of this month, by brand, and what they earned', async () => {
    const page = await panel.open(owner, '/panel/raporlar');
    await eventually(async () => expect(await page.textContent('main')).toContain('14.321'));
    await page.getByLabel('Gruplama').selectOption('brand');
    await eventually(async () => expect(page.url()).toContain('group_by=brand'));
    await eventually(async () => expect(await page.textContent('main')).toContain('Volkswagen'));
    await look(page, 'reports');
    await page.getByRole('button', { name: 'Kâr-zarar' }).click();
    await eventually(async () => expect(await page.textContent('main')).toContain('3.321'));
  });

  test('a seller is not offered what shows cost or debtors', async () => {
    const page = await panel.open(seller, '/panel/raporlar?report=profit-loss');
    await eventually(async () => expect(await page.textContent('main')).toContain('14.321'));
    expect(await page.getByRole('button', { name: 'Kâr-zarar' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Gecikme riski' }).count()).toBe(0);
  });
});

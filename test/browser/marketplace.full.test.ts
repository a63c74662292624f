// The marketplace in a real browser: a car is published, looked at, offered for; offers are answered, the listing renewed and taken down.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { aDealer, carOf, dataOf, type Shown } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { consumerOffers, consumersLook, listedCar } from '../support/market.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { type Dealer, openAll } from '../support/writer.ts';

const LIST = '/panel/pazar';

describe.skipIf(isBrowserMissing())('the marketplace in the panel', () => {
  const panel = panelTest();
  let dealer: Dealer;
  let owner: TestPerson;
  let viewer: TestPerson;

  beforeAll(async () => {
    await openAll(panel.service);
    dealer = await aDealer(panel.service);
    owner = await newPerson(panel.service, { accountId: dealer.accountId });
    viewer = await newPerson(panel.service, { accountId: dealer.accountId, role: 'viewer' });
    await carOf(dealer, { brand: 'Renault', model: 'Clio', plate: 'RC 100', price: '13900.00' });
    dataOf(await dealer.delete(`marketplace/listings/${(await listedCar(dealer, await carOf(dealer))).id}`));
  });

  const main = (page: Page) => page.getByRole('main');
  const text = async (page: Page) => ((await main(page).textContent()) ?? '').replaceAll('\u00a0', ' ');
  const layer = (page: Page) => page.locator('[data-layer][role=dialog]').last();
  const confirm = (page: Page, name: string) => page.getByRole('alertdialog').getByRole('button', { name }).click();
  const listings = async (query = '') => dataOf(await dealer.get(`marketplace/listings${query}`)) as Shown[];

  test('published, offered for, agreed on', async () => {
    const page = await panel.open(owner, LIST);
    await page.keyboard.press('c');
    await layer(page).getByLabel('Araç').fill('clio');
    await layer(page)
      .getByRole('option', { name: /Renault Clio/ })
      .click();
    await layer(page)
      .getByLabel(/^Açıklama/)
      .fill('İlk sahibinden.');
    await look(page, 'marketplace-publish', { narrow: true });
    await layer(page).locator('button[type=submit]').click();
    await main(page).getByRole('heading', { level: 1, name: '2018 Renault Clio' }).waitFor();
    await main(page).getByText('Henüz teklif gelmedi.').waitFor();
    const [listing] = await listings('?status=Yay%C4%B1nda');
    await consumersLook(panel.service, listing!.id, 'view', 1200);
    await consumersLook(panel.service, listing!.id, 'contact', 60);
    for (const [amount, buyer_name] of [
      ['13400.00', 'Işıl Çağlar'],
      ['13100.00', 'Mehmet Demir'],
      ['9000.00', 'Ali Can'],
    ] as const)
      await consumerOffers(panel.service, dealer, listing!.id, amount, { buyer_name, message: 'Bugün görebilir miyim?' });

    await panel.go(page, LIST);
    await eventually(() => text(page)).toContain('1.200');
    await eventually(() => text(page)).toContain('%5');
    await look(page, 'marketplace', { narrow: true });
    await main(page).getByRole('link', { name: '2018 Renault Clio' }).click();
    await main(page).getByText('Işıl Çağlar').waitFor();
    await look(page, 'marketplace-listing', { narrow: true });
    await page.getByRole('button', { name: 'Reddet: Ali Can' }).click();
    await layer(page)
      .getByLabel(/^Gerekçe/)
      .fill('Fiyat düşük');
    await layer(page).locator('button[type=submit]').click();
    await main(page).getByText('Fiyat düşük').waitFor();
    await page.getByRole('button', { name: 'Kabul et: Işıl Çağlar' }).click();
    await confirm(page, 'Kabul et');
    await main(page).getByText('Araç artık satışta değil').waitFor();
    await main(page).getByRole('link', { name: 'Sat', exact: true }).waitFor();
    expect((await listings('?status=Ask%C4%B1da')).map(({ id }) => id)).toEqual([listing!.id]);
    await look(page, 'marketplace-agreed', { narrow: true });
    await panel.done(page);
  });

  test('renewed and taken down', async () => {
    const { id } = await listedCar(dealer, await carOf(dealer, { brand: 'Fiat', model: 'Egea' }));
    const page = await panel.open(owner, `${LIST}/${id}`);
    await page.getByRole('button', { name: 'Yeniden yayınla' }).click();
    await confirm(page, 'Yeniden yayınla');
    await eventually(() => page.url()).not.toContain(id);
    await page.getByRole('button', { name: 'Yayından kaldır' }).click();
    await confirm(page, 'Yayından kaldır');
    await main(page).getByText('Kapanma nedeni: kaldırıldı').waitFor();
    const titled = (await listings()).filter(({ title }) => title === '2018 Fiat Egea');
    expect(titled.map(({ status }) => status)).toEqual(['Kapandı', 'Kapandı']);
    await panel.done(page);
  });

  test('a viewer can change nothing', async () => {
    const page = await panel.open(viewer, LIST);
    await main(page).locator('tbody tr').first().waitFor();
    await eventually(() => page.getByRole('button', { name: 'İlan yayınla' }).count()).toBe(0);
    await panel.done(page);
  });
});

// The network in a real browser: another dealer's car is found, offered for, haggled over and agreed on; a swap is proposed and refused.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { carOf, dataOf } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { named, publish } from '../writes/network/network.ts';

const CARS = '/panel/ag';

describe.skipIf(isBrowserMissing())('the network in the panel', () => {
  const panel = panelTest();
  let mine: Dealer;
  let theirs: Dealer;
  let buyer: TestPerson;
  let viewer: TestPerson;

  beforeAll(async () => {
    await openAll(panel.service);
    [mine, theirs] = [await named(panel.service, 'Lefkoşa Motors'), await named(panel.service, 'Girne Oto')];
    buyer = await newPerson(panel.service, { accountId: mine.accountId, role: 'sales' });
    viewer = await newPerson(panel.service, { accountId: mine.accountId, role: 'viewer' });
    for (const [brand, model] of [
      ['Toyota', 'Corolla'],
      ['Škoda', 'Octavia'],
      ['Fiat', 'Egea'],
    ] as const)
      await publish(theirs, { brand, model, engine_cc: 1598 });
    await carOf(mine, { brand: 'Renault', model: 'Clio', plate: 'RC 100' });
  });

  const main = (page: Page) => page.getByRole('main');
  const text = async (page: Page) => ((await main(page).textContent()) ?? '').replaceAll('\u00a0', ' ');
  const layer = (page: Page) => page.locator('[data-layer][role=dialog]').last();
  const cards = (page: Page) => main(page).getByRole('list', { name: 'Araçlar' }).getByRole('listitem');

  test('a car is found, offered for, haggled over and agreed on', async () => {
    const page = await panel.open(buyer, CARS);
    await eventually(() => cards(page).count()).toBe(3);
    await eventually(() => text(page)).not.toMatch(/TS \d/);
    await look(page, 'network-cars', { narrow: true });
    await page.getByLabel('Sıralama').selectOption('Ucuzdan pahalıya');
    await page.getByRole('searchbox', { name: /^Marka, model/ }).fill('coro toy');
    await eventually(() => cards(page).count()).toBe(1);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ q: 'coro toy', sort: 'price_asc' });
    await cards(page).getByRole('link', { name: '2018 Toyota Corolla' }).click();
    await eventually(() => layer(page).textContent()).toMatch(/Girne Oto.*1\.598 cc/s);
    await look(page, 'network-car', { narrow: true });
    await page.goBack();
    await layer(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('ilan')).toBe(false);
    await page.getByRole('button', { name: /^Teklif ver:/ }).click();
    await layer(page).getByLabel('Tutar').fill('11.500');
    await layer(page)
      .getByLabel(/^Mesaj/)
      .fill('Nakit, yarın alırım.');
    await look(page, 'network-make-offer', { narrow: true });
    await layer(page).locator('button[type=submit]').click();
    await main(page).getByRole('heading', { level: 1, name: '2018 Toyota Corolla' }).waitFor();
    await eventually(() => text(page)).toContain('11.500,00');
    await eventually(() => text(page)).toContain('Karşı tarafın yanıtı bekleniyor');

    const [open] = dataOf(await theirs.get('network-offers?awaiting_me=true')) as unknown as { id: string }[];
    const counter = { amount: '12400.00', message: 'Bu fiyata veremem.\nEn son bu.' };
    dataOf(await theirs.post(`network-offers/${open!.id}/counter`, counter));
    await panel.follow(page, `${CARS}/teklifler`);
    await eventually(() => main(page).locator('tbody tr').count()).toBe(1);
    await eventually(() => text(page)).toContain('Yanıtınız bekleniyor');
    await look(page, 'network-offers', { narrow: true });
    await main(page).getByRole('link', { name: '2018 Toyota Corolla' }).click();
    await main(page).getByText('En son bu.').waitFor();
    await look(page, 'network-offer', { narrow: true });
    await page.getByRole('button', { name: 'Karşı teklif ver' }).click();
    await layer(page).getByLabel('Tutar').fill('12400');
    await layer(page).locator('button[type=submit]').click();
    await layer(page).getByRole('alert').first().waitFor();
    await layer(page).getByLabel('Tutar').fill('12000');
    await layer(page).locator('button[type=submit]').click();
    await layer(page).waitFor({ state: 'detached' });
    await eventually(() => text(page)).toContain('12.000,00');

    const [last] = dataOf(await theirs.get('network-offers?awaiting_me=true')) as unknown as { id: string }[];
    dataOf(await theirs.post(`network-offers/${last!.id}/accept`, { message: 'Hayırlı olsun' }));
    await panel.go(page, `${CARS}/teklifler/${last!.id}`);
    await main(page).getByText('Araç sizin için rezerve', { exact: false }).waitFor();
    await eventually(() =>
      main(page)
        .getByRole('link', { name: /galerisini ara/ })
        .getAttribute('href'),
    ).toMatch(/^tel:\+90/);
    await look(page, 'network-agreed', { narrow: true });
    await panel.done(page);
  });

  test('a swap is proposed with who pays, and taken back', async () => {
    const page = await panel.open(buyer, `${CARS}?q=Fiat`);
    await page.getByRole('button', { name: /^Takas öner:/ }).click();
    await layer(page).getByLabel('Vereceğiniz araç').fill('clio');
    await layer(page)
      .getByRole('button', { name: /Renault Clio/ })
      .click();
    await layer(page).getByLabel('Farkı kim öder').selectOption('Karşı taraf öder');
    await layer(page).getByLabel('Fark', { exact: true }).fill('250,50');
    await look(page, 'network-propose-trade', { narrow: true });
    await layer(page).locator('button[type=submit]').click();
    await main(page).getByText('Karşı taraf size').waitFor();
    await look(page, 'network-trade', { narrow: true });
    const [swap] = dataOf(await theirs.get('trade-requests')) as unknown as { cash_difference: string }[];
    expect(swap).toMatchObject({ cash_difference: '-250.50', my_role: 'recipient' });
    await panel.follow(page, `${CARS}/takas`);
    await eventually(() => main(page).locator('tbody tr').count()).toBe(1);
    await look(page, 'network-trades', { narrow: true });
    await main(page).getByRole('link', { name: '2018 Fiat Egea' }).click();
    await page.getByRole('button', { name: 'Geri çek' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Geri çek' }).click();
    await main(page).locator('header').getByText('İptal').waitFor();
    expect((dataOf(await theirs.get('trade-requests')) as unknown as { status: string }[])[0]!.status).toBe('İptal');
    await panel.done(page);
  });

  test('a swap that is proposed to me is accepted', async () => {
    const { listing } = await publish(mine, { brand: 'Opel', model: 'Corsa' });
    const body = { offered_vehicle_id: await carOf(theirs), requested_listing_id: listing, cash_difference: '500.00' };
    const { id } = dataOf(await theirs.post('trade-requests', body));
    const page = await panel.open(buyer, `${CARS}/takas/${id}`);
    await eventually(() => text(page)).toContain('Karşı taraf size');
    await page.getByRole('button', { name: 'Kabul et' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Kabul et' }).click();
    await main(page).getByText('İki araç da rezerve', { exact: false }).waitFor();
    expect(dataOf(await theirs.get(`trade-requests/${id}`)).status).toBe('Kabul Edildi');
    await panel.done(page);
  });

  test('a viewer can change nothing; a dealer who is not a party finds nothing', async () => {
    const page = await panel.open(viewer, CARS);
    await eventually(() => cards(page).count()).toBeGreaterThan(0);
    await eventually(() => page.getByRole('button', { name: /^(Teklif ver|Takas öner)/ }).count()).toBe(0);
    await panel.go(page, `${CARS}/teklifler/00000000-0000-4000-8000-000000000000`);
    await main(page).getByText('Böyle bir teklif yok ya da tarafı değilsiniz.').waitFor();
    await panel.chromium.leave(page);
  });
});

// Auctions in a real browser: lots are ordered and opened; an auction between
// dealers is bid in and its log verified on the page; a request is asked for and decided with its reason.
import type { Page } from 'playwright-core';
import { beforeAll, describe, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { aBidder, aLot, anEvent, bid, putUp } from '../support/auctions.ts';
import { carOf, dataOf, type Shown } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { type Dealer, openAll } from '../support/writer.ts';

describe.skipIf(isBrowserMissing())('auctions in the panel', () => {
  const panel = panelTest();
  let [operator, seller, b, c]: Dealer[] = [];
  let [admin, ofB, ofC, viewer]: TestPerson[] = [];

  beforeAll(async () => {
    await openAll(panel.service);
    const dealer = (name: string) => aBidder(panel.service, { name });
    [operator, seller] = [await dealer('Müzayede Evi'), await dealer('Satıcı Oto')];
    [b, c] = [await dealer('Lefkoşa Motors'), await dealer('Girne Oto')];
    const owner = ({ accountId }: Dealer) => newPerson(panel.service, { accountId });
    [ofB, ofC] = [await owner(b), await owner(c)];
    viewer = await newPerson(panel.service, { accountId: c.accountId, role: 'viewer' });
    admin = await newPerson(panel.service, { admin: true });
  });

  const main = (page: Page) => page.getByRole('main');
  const text = async (page: Page) => ((await main(page).textContent()) ?? '').replaceAll('\u00a0', ' ');
  const layer = (page: Page) => page.locator('[data-layer][role=dialog]').last();
  const figure = async (page: Page) => (await page.locator('[data-current-bid]').textContent()) ?? '';
  const bidInRoom = async (dealer: Dealer, lot: Shown, amount: string) =>
    dataOf(await dealer.post(`live-auctions/lots/${lot.id}/bid`, { amount }));

  test('lots are ordered by a button and by hand, and the next one is opened; the desk and the room as they look', async () => {
    const event = await anEvent(panel.service, operator!);
    const lots: Shown[] = [];
    for (const [brand, model] of [
      ['Opel', 'Corsa'],
      ['Toyota', 'Corolla'],
    ] as const)
      lots.push(await aLot(panel.service, seller!, event, { vehicle_id: await carOf(seller!, { brand, model }) }));
    const desk = await panel.open(admin!, `/panel/yonetim/muzayede/etkinlikler/${event.id}`);
    await main(desk).getByText('Canlı bağlantı').waitFor();
    const order = () => main(desk).getByRole('region', { name: 'Lotlar' }).locator('li').allTextContents();
    await desk.getByRole('button', { name: /Toyota Corolla: yukarı al/ }).click();
    await eventually(async () => (await order())[0]).toMatch(/^1 2018 Toyota/);
    // By hand too: down and up again.
    const line = (name: string) => main(desk).getByRole('region', { name: 'Lotlar' }).locator('li', { hasText: name });
    await line('Opel').dragTo(line('Toyota'));
    await eventually(async () => (await order())[0]).toMatch(/^1 2018 Opel/);
    await line('Toyota').dragTo(line('Opel'));
    await eventually(async () => (await order())[0]).toMatch(/^1 2018 Toyota/);
    await main(desk).getByText('Sıradaki: Lot 1 2018 Toyota Corolla').waitFor();
    await desk.getByRole('button', { name: 'Sıradaki lotu aç' }).click();
    await desk.getByRole('button', { name: 'Satıyorum bir' }).waitFor();
    await look(desk, 'auction-operator', { narrow: true });

    await bidInRoom(b!, lots[1]!, '8000.00');
    await bidInRoom(c!, lots[1]!, '13000.00');
    const room = await panel.open(ofB!, `/panel/muzayede/canli/${event.id}`);
    await main(room).getByText('Kayıt doğrulandı: 2 peyin zinciri eksiksiz').waitFor();
    await look(room, 'auction-room', { narrow: true });
    for (const page of [room, desk]) await panel.done(page);
  });

  test('a page that lost its connection resumes where it was', async () => {
    const event = await anEvent(panel.service, operator!);
    const lot = await aLot(panel.service, seller!, event);
    dataOf(await operator!.post(`live-auctions/lots/${lot.id}/start`));
    const page = await panel.open(viewer!, `/panel/muzayede/canli/${event.id}`);
    await bidInRoom(b!, lot, '8000.00');
    await eventually(() => figure(page)).toBe('£8.000');
    await eventually(() => page.getByRole('button', { name: /^Pey ver/ }).count()).toBe(0);
    await page.context().setOffline(true);
    await bidInRoom(c!, lot, '8100.00');
    await bidInRoom(b!, lot, '8200.00');
    await page.context().setOffline(false);
    await eventually(() => figure(page)).toBe('£8.200');
    const seen = main(page).getByRole('list', { name: 'Peyler' }).locator('li');
    await eventually(() => seen.count()).toBe(3);
    await panel.chromium.leave(page);
  });

  test('an auction between dealers: put up, bid in, its log verified, given to the leader', async () => {
    await carOf(b!, { brand: 'Renault', model: 'Megane', plate: 'RM 200' });
    const theirs = await putUp(panel.service, c!, { reserve_price: '9000.00' });
    dataOf(await bid(seller!, theirs, '8000.00'));
    const page = await panel.open(ofB!, '/panel/muzayede/ag');
    await eventually(() => main(page).locator('tbody tr').count()).toBe(1);
    await look(page, 'auction-list', { narrow: true });
    await page.getByRole('button', { name: 'Müzayedeye çıkar' }).click();
    await layer(page).getByLabel('Araç').fill('megane');
    await layer(page)
      .getByRole('option', { name: /Renault Megane/ })
      .click();
    await layer(page).getByLabel('Başlangıç fiyatı').fill('7.000');
    await layer(page).getByLabel('En az artış').fill('100');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    await layer(page).getByLabel('Bitiş').fill(tomorrow);
    await look(page, 'auction-put-up', { narrow: true });
    await layer(page).locator('button[type=submit]').click();
    await main(page).getByRole('heading', { level: 1, name: '2018 Renault Megane' }).waitFor();
    await page.getByRole('button', { name: 'Satmadan bitir' }).waitFor();

    await panel.follow(page, `/panel/muzayede/ag/${theirs.id}`);
    await page.getByRole('button', { name: /^Pey ver: £8.100/ }).click();
    await main(page).getByText('En yüksek pey sizde: £8.100').waitFor();
    await main(page).getByText('Kayıt doğrulandı: 2 peyin zinciri eksiksiz').waitFor();
    await look(page, 'auction-detail', { narrow: true });
    dataOf(await c!.post(`network-auctions/${theirs.id}/end`, { award: true }));
    await main(page).getByText('Kazandınız:').waitFor();
    await panel.done(page);
  });

  test('a request is asked for, declined with its reason, and asked again', async () => {
    const event = await anEvent(panel.service, operator!, 86_400_000);
    await carOf(c!, { brand: 'Fiat', model: 'Egea', plate: 'FE 300' });
    const page = await panel.open(ofC!, '/panel/muzayede/talepler');
    await page.getByRole('button', { name: 'Müzayede talep et' }).click();
    await layer(page).getByLabel('Araç').fill('egea');
    await layer(page)
      .getByRole('option', { name: /Fiat Egea/ })
      .click();
    await layer(page).getByLabel('Başlangıç fiyatı').fill('6.000');
    await layer(page)
      .getByLabel(/^İstenen müzayede/)
      .selectOption(event.id);
    await layer(page).locator('button[type=submit]').click();
    await eventually(() => text(page)).toContain('Beklemede');

    const desk = await panel.open(admin!, '/panel');
    await eventually(() => text(desk)).toContain('Bekleyen müzayede talebi');
    await panel.follow(desk, '/panel/yonetim/muzayede');
    await main(desk).getByText('2018 Fiat Egea').waitFor();
    await look(desk, 'auction-admin-requests', { narrow: true });
    await desk.getByRole('button', { name: 'Reddet: 2018 Fiat Egea' }).click();
    await layer(desk).getByLabel('Gerekçe').fill('Fotoğraf yok');
    await layer(desk).locator('button[type=submit]').click();
    await layer(desk).waitFor({ state: 'detached' });
    await panel.go(page, '/panel/muzayede/talepler');
    await main(page).getByText('Karar: “Fotoğraf yok”').waitFor();
    await look(page, 'auction-requests', { narrow: true });
    await panel.follow(page, '/panel/muzayede');
    await eventually(() => main(page).locator('tbody tr').count()).toBeGreaterThan(0);
    await look(page, 'auction-events', { narrow: true });

    await panel.follow(desk, '/panel/yonetim/muzayede/etkinlikler');
    await eventually(() => main(desk).locator('tbody tr').count()).toBeGreaterThan(0);
    await look(desk, 'auction-admin-events', { narrow: true });
    for (const one of [page, desk]) await panel.done(one);
  });
});

// A live auction in three windows: the desk opens a lot, two dealers bid and see one figure, the lot is called and struck.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { aBidder, aLot, anEvent } from '../support/auctions.ts';
import { dataOf } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { PHONE } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { type Dealer, openAll } from '../support/writer.ts';

describe.skipIf(isBrowserMissing())('a live room', () => {
  const panel = panelTest();
  let [operator, seller, b, c]: Dealer[] = [];
  let [admin, ofB, ofC]: TestPerson[] = [];

  beforeAll(async () => {
    await openAll(panel.service);
    const dealer = (name: string) => aBidder(panel.service, { name });
    [operator, seller] = [await dealer('Müzayede Evi'), await dealer('Satıcı Oto')];
    [b, c] = [await dealer('Lefkoşa Motors'), await dealer('Girne Oto')];
    const owner = ({ accountId }: Dealer) => newPerson(panel.service, { accountId });
    [ofB, ofC] = [await owner(b), await owner(c)];
    admin = await newPerson(panel.service, { admin: true });
  });

  const main = (page: Page) => page.getByRole('main');
  const dialogOf = (page: Page) => page.getByRole('alertdialog').last();
  const figure = async (page: Page) => (await page.locator('[data-current-bid]').textContent()) ?? '';
  const figures = async (...pages: Page[]) => [...new Set(await Promise.all(pages.map(figure)))];

  test('a lot is opened, bid on from two pages that see one figure, called and struck', async () => {
    const event = await anEvent(panel.service, operator!);
    const lot = await aLot(panel.service, seller!, event);
    await aLot(panel.service, seller!, event);
    const desk = await panel.open(admin!, `/panel/yonetim/muzayede/etkinlikler/${event.id}`);
    await main(desk).getByText('Canlı bağlantı').waitFor();
    await desk.getByRole('button', { name: 'Sıradaki lotu aç' }).click();
    await desk.getByRole('button', { name: 'Satıyorum bir' }).waitFor();

    const room = `/panel/muzayede/canli/${event.id}`;
    const [one, two] = [await panel.open(ofB!, room), await panel.open(ofC!, room, PHONE)];
    await one.getByRole('button', { name: /^Pey ver: £8.000/ }).click();
    await eventually(() => figures(one, two, desk)).toEqual(['£8.000']);
    await main(one).getByText('En yüksek pey sizde: £8.000').waitFor();
    // Far above what is needed: asked about once more, and not bid before.
    await two.getByLabel('Başka tutar').fill('13.000');
    await two.getByRole('button', { name: 'Pey ver', exact: true }).click();
    await dialogOf(two).getByText('bunun çok üstünde', { exact: false }).waitFor();
    expect(await figure(one)).toBe('£8.000');
    await dialogOf(two).getByRole('button', { name: 'Pey ver' }).click();
    await eventually(() => figures(one, two, desk)).toEqual(['£13.000']);
    await main(one).getByText('Peyiniz geçildi. Son peyiniz: £8.000').waitFor();
    await main(one).getByText('Kayıt doğrulandı: 2 peyin zinciri eksiksiz').waitFor();

    await desk.getByRole('button', { name: 'Satıyorum bir' }).click();
    await main(one).getByText('Satıyorum: bir', { exact: true }).waitFor();
    await desk.getByRole('button', { name: 'Çekici vur' }).click();
    await dialogOf(desk).getByRole('button', { name: 'Çekici vur' }).click();
    await main(two).getByText('Lot sizin').waitFor();
    await main(one).getByText('Lot başkasında kaldı').waitFor();
    expect(dataOf(await seller!.get(`live-auctions/lots/${lot.id}`))).toMatchObject({
      status: 'Satıldı',
      current_bid: '13000.00',
      winner: { account_id: c!.accountId },
    });
    await main(desk).getByText('Sıradaki: Lot 2').waitFor();
    for (const page of [one, two, desk]) await panel.done(page);
  });
});

// The stock in a real browser: filters and the address, saved views, a vehicle in detail, and every state of the screens.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { axe } from '../support/axe.ts';
import { isBrowserMissing, type PanelBrowser, screenshot } from '../support/browser.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

const LIST = '/panel/araclar';

describe.skipIf(isBrowserMissing())('vehicles in the panel', () => {
  const panel = panelTest();
  let service: TestService;
  let accountId: string;
  let owner: TestPerson;
  let golf: string;

  beforeAll(async () => {
    service = panel.service;
    accountId = await service.account({ name: 'Girne Oto' });
    owner = await newPerson(service, { accountId });
    for (let at = 0; at < 30; at += 1)
      await service.vehicle(accountId, {
        brand: 'Toyota',
        model: `Vitz ${at}`,
        plate: `TV ${100 + at}`,
        model_year: 2000 + (at % 20),
        price_minor: BigInt(100_000 + at * 10_000),
        city: 'Girne',
        created_at: new Date(Date.now() - (at + 10) * 3_600_000),
      });
    await service.vehicle(accountId, {
      brand: 'Mercedes-Benz',
      model: 'C 200 Coupe',
      plate: 'MB 555',
      status: 'Satıldı',
      sold_at: '2026-03-01',
      sold_via: 'Harici',
    });
    await service.vehicle(accountId, {
      brand: 'BMW',
      model: '320i',
      plate: 'BM 320',
      status: "Auction'da",
      is_marketplace_visible: true,
    });
    golf = await service.vehicle(accountId, {
      brand: 'Volkswagen',
      model: 'Golf',
      plate: 'GL 777',
      trim: 'Highline',
      city: 'Gazimağusa',
      currency: 'TL',
      price_minor: 125_000_050n,
      status: 'Rezerve',
      description: 'İlk sahibinden.\nŞoför koltuğu yeni.',
      purchase_price_minor: 987_654_321n,
      purchase_currency: 'STG',
      chassis_no: 'WVWZZZ1KZ',
      engine_no: 'CAXA0001',
    });
    await service.vehicle(accountId, { brand: 'Silinmiş', model: 'Araç', plate: 'XX 999', deleted_at: new Date() });
  });

  const opened = (path = LIST, window: Parameters<PanelBrowser['open']>[0] = {}, person = owner): Promise<Page> =>
    panel.open(person, path, window);
  const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
  const rows = (page: Page) => page.locator('main tbody tr');
  const chip = (page: Page, name: string) => page.getByRole('group', { name: 'Duruma göre' }).getByRole('button', { name });

  test('the search finds a Golf by its model, by parts of words and by a plate without its space', async () => {
    const page = await opened();
    for (const words of ['golf', 'volks gol', 'HİGHLİNE', 'gl777']) {
      await page.getByRole('searchbox', { name: 'Plaka, marka, model ara' }).fill(words);
      await eventually(() => query(page)).toEqual({ q: words });
      await eventually(() => rows(page).count()).toBe(1);
      await eventually(() => rows(page).first().textContent()).toContain('Golf');
    }
    await page.getByRole('searchbox').fill('bulunmaz');
    await eventually(() => rows(page).count()).toBe(0);
    await panel.chromium.leave(page);
  });

  test('filters are in the address, and Back undoes them one by one', async () => {
    const page = await opened();
    await eventually(() => chip(page, 'Tümü').textContent()).toBe('Tümü33');
    await eventually(() => rows(page).count()).toBe(25);

    await chip(page, 'Rezerve').click();
    await eventually(() => query(page)).toEqual({ status: 'Rezerve' });
    await eventually(() => rows(page).count()).toBe(1);
    await chip(page, 'Tümü').click();
    await page.getByRole('button', { name: 'Filtreler' }).click();
    await page.getByLabel('Marka', { exact: true }).selectOption('Toyota');
    await page.getByLabel('Model', { exact: true }).selectOption('Vitz 3');
    await eventually(() => query(page)).toEqual({ brand: 'Toyota', model: 'Vitz 3' });
    await eventually(() => rows(page).count()).toBe(1);

    await page.goBack();
    await eventually(() => query(page)).toEqual({ brand: 'Toyota' });
    await eventually(() => rows(page).count()).toBe(25);
    await page.goBack();
    await page.goBack();
    await eventually(() => query(page)).toEqual({ status: 'Rezerve' });
    await eventually(() => rows(page).count()).toBe(1);
    await page.goForward();
    await page.goForward();
    await eventually(() => page.getByLabel('Marka', { exact: true }).inputValue()).toBe('Toyota');

    await page.getByRole('button', { name: 'Marka: Toyota filtresini kaldır' }).click();
    await eventually(() => query(page)).toEqual({});
    await panel.done(page);
  });

  test('a price bound takes its currency along, as people here write amounts', async () => {
    const page = await opened();
    await page.getByRole('button', { name: 'Filtreler' }).click();
    await page.getByLabel('En düşük fiyat').fill('3.000,50');
    await page.getByLabel('En düşük fiyat').press('Enter');
    await eventually(() => query(page)).toEqual({ price_min: '3000.50', currency: 'STG' });
    await eventually(() => page.locator('main').textContent()).toContain('Fiyat ≥ £3.000,50');
    await page.getByLabel('En yüksek fiyat').fill('çok');
    await page.getByLabel('En yüksek fiyat').blur();
    await eventually(() => page.getByRole('alert').textContent()).toContain('tutar yazın');
    expect(query(page)).toEqual({ price_min: '3000.50', currency: 'STG' });
    await page.getByLabel('Para birimi', { exact: true }).selectOption('');
    await eventually(() => query(page)).toEqual({});
    await panel.done(page);
  });

  test('a list opened by its address is the same list; pages and their size too', async () => {
    const page = await opened(`${LIST}?brand=toyota&limit=25`);
    await eventually(() => rows(page).count()).toBe(25);
    await page.getByRole('button', { name: 'Sonraki' }).click();
    await eventually(() => query(page)).toEqual({ brand: 'toyota', limit: '25', offset: '25' });
    await eventually(() => rows(page).count()).toBe(5);
    await eventually(() => page.getByRole('navigation', { name: 'Sayfalar' }).textContent()).toContain('26–30 / 30');
    await page.getByLabel('Sayfa başına').selectOption('50');
    await eventually(() => rows(page).count()).toBe(30);
    await page.reload();
    await eventually(() => rows(page).count()).toBe(30);
    await panel.done(page);
  });

  test('the keyboard: / to the search, J and K through the rows, Enter opens, and the way back is the list as it was', async () => {
    const page = await opened(`${LIST}?city=girne&status=Stokta`);
    await eventually(() => rows(page).count()).toBe(25);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    // biome-ignore lint/performance/useDomNodeTextContent: the link has facts that this width does not show
    const second = await rows(page).nth(1).getByRole('link').innerText();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/panel\/araclar\/[0-9a-f-]{36}$/);
    await eventually(() => page.locator('h1').textContent()).toBe(second);
    await page.reload();
    await page.getByRole('main').getByRole('link', { name: 'Araçlar' }).click();
    await eventually(() => query(page)).toEqual({ city: 'girne', status: 'Stokta' });
    // The address changes before the screen: a key pressed now would be lost.
    await eventually(() => rows(page).count()).toBe(25);

    await page.keyboard.press('/');
    await page.keyboard.insertText('tv103');
    await eventually(() => query(page)).toEqual({ city: 'girne', status: 'Stokta', q: 'tv103' });
    await eventually(() => rows(page).count()).toBe(1);
    await panel.done(page);
  });

  test('a view is saved, picked, renamed and deleted; a name in use is reported at the field', async () => {
    // axe finds out by a few points of the window whether something lies over it: none of them may fall on what opened the menu.
    const page = await opened(`${LIST}?brand=BMW`, { height: 900 });
    const menu = () => page.getByRole('main').locator('header').getByRole('button');
    await menu().click();
    await page.getByRole('menuitem', { name: 'Bu filtreleri kaydet…' }).click();
    await page.getByLabel('Görünüm adı').fill('Bütün BMW’ler');
    await page.getByRole('button', { name: 'Görünümü kaydet' }).click();
    await eventually(() => menu().textContent()).toBe('Bütün BMW’ler');

    await chip(page, 'Satıldı').click();
    await eventually(() => menu().textContent()).toBe('Görünümler');
    await menu().click();
    await page.getByRole('menuitem', { name: 'Bu filtreleri kaydet…' }).click();
    await page.getByLabel('Görünüm adı').fill('Bütün BMW’ler');
    await page.getByRole('button', { name: 'Görünümü kaydet' }).click();
    await eventually(() => page.getByRole('dialog', { name: 'Görünümü kaydet' }).getByRole('alert').textContent()).toContain(
      'zaten var',
    );
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    // While it goes, the focus is on its way back to where the menu opens.
    // A message that the view was saved is a dialog too.
    await page.locator('[role=dialog][data-layer]').waitFor({ state: 'detached' });

    await menu().click();
    await page.getByRole('menuitem', { name: 'Bütün BMW’ler' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Bütün BMW’ler' }).click();
    await eventually(() => query(page)).toEqual({ brand: 'BMW' });

    await menu().click();
    await page.getByRole('menuitem', { name: 'Görünümleri yönet…' }).click();
    await page.getByRole('button', { name: '«Bütün BMW’ler» adını değiştir' }).click();
    await page.getByLabel('Görünüm adı').fill('Bavyera');
    await page.getByRole('button', { name: 'Adı değiştir', exact: true }).click();
    await page.getByRole('button', { name: '«Bavyera» görünümünü sil' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: '«Bavyera» görünümünü sil' }).click();
    await eventually(() => page.getByRole('dialog', { name: 'Görünümler' }).textContent()).toContain('Henüz kayıtlı görünüm yok');
    await page.keyboard.press('Escape');
    await eventually(() => menu().textContent()).toBe('Görünümler');
    await panel.done(page);
  });

  test('a vehicle shows all its row gives and nothing that is kept', async () => {
    const page = await opened(`${LIST}/${golf}`);
    const shown = (await page.locator('main').textContent())!.replaceAll('\u00a0', ' ');
    for (const part of [
      'Volkswagen Golf',
      'GL 777',
      'Rezerve',
      '₺1.250.000,50',
      'Highline',
      'Gazimağusa',
      'Satın Alma',
      'Kimliği kopyala',
    ])
      expect(shown).toContain(part);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Kimliği kopyala' }).click();
    await eventually(() => page.evaluate('navigator.clipboard.readText()')).toBe(golf);
    expect(shown).toContain('İlk sahibinden.\nŞoför koltuğu yeni.');
    expect(shown).toContain('Şasi no•••');
    for (const kept of ['9.876.543', '9876543', 'WVWZZZ', 'CAXA']) expect(await page.content()).not.toContain(kept);
    // The owner asks for it, and hides it again.
    await page.getByRole('button', { name: 'Göster' }).click();
    await page.getByText('WVWZZZ1KZ').waitFor();
    await eventually(() => page.getByRole('main').textContent()).toContain('Alış fiyatı£9.876.543,21');
    await page.getByRole('button', { name: 'Gizle' }).click();
    await eventually(() => page.content()).not.toContain('WVWZZZ');
    await eventually(() => page.title()).toBe('Volkswagen Golf · Galeri');
    await panel.done(page);
  });

  test('a deleted vehicle says so, an unknown one is not found and leads back', async () => {
    const page = await opened(`${LIST}?deleted=true`);
    await rows(page).first().click();
    await eventually(() => page.locator('main').textContent()).toContain('Bu araç silinmiş');
    for (const id of [newId(), 'yok']) {
      await panel.go(page, `${LIST}/${id}`);
      await eventually(() => page.locator('h1').textContent()).toBe('Araç bulunamadı');
    }
    await screenshot(page, 'vehicle-not-found');
    expect(await axe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Araç listesine dön' }).click();
    await page.waitForURL(`**${LIST}`);
    await panel.done(page);
  });

  test('nothing found, nothing there yet, and a filter that is none: each says what to do', async () => {
    const page = await opened(`${LIST}?plate=YOK%201`);
    await eventually(() => page.locator('main').textContent()).toContain('Bu filtrelere uyan araç yok.');
    await page.getByRole('button', { name: 'Filtreleri temizle' }).last().click();
    await eventually(() => rows(page).count()).toBe(25);
    await panel.go(page, `${LIST}?status=Yok`);
    await eventually(() => page.getByRole('alert').textContent()).toContain('İstek kimliği: req_');
    expect(await axe(page)).toEqual([]);
    await panel.done(page);

    const empty = await newPerson(service, { accountId: await service.account(), role: 'sales' });
    const none = await opened(LIST, {}, empty);
    await eventually(() => none.locator('main').textContent()).toContain('Henüz araç yok');
    expect(await axe(none)).toEqual([]);
    await panel.done(none);
  });

  test('the list that is loading holds its place, and one that fails offers to try again', async () => {
    const page = await opened('/panel');
    let fail = true;
    await page.route('**/panel/api/v1/vehicles?*', (route) => (fail ? route.abort() : route.continue()));
    await page.route('**/panel/api/vehicles/list*', (route) => (fail ? route.abort() : route.continue()));
    await page.getByRole('link', { name: 'Araçlar' }).first().click();
    await page.getByRole('button', { name: 'Tekrar dene' }).waitFor();
    fail = false;
    await page.getByRole('button', { name: 'Tekrar dene' }).click();
    await eventually(() => rows(page).count()).toBe(25);
    await panel.done(page);
  });
});

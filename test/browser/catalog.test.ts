// The catalog in a real browser: searching, filtering, voting, and trying a row; nothing is asked of the server but to verify.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VotesView } from '../../src/panel/catalog.ts';
import { newPerson, PASSWORD, signedIn, type TestPerson } from '../panel/people.ts';
import {
  axe,
  isBrowserMissing,
  isSideways,
  openBrowser,
  type PanelBrowser,
  problemsOf,
  screenshot,
  settled,
  signIn,
} from '../support/browser.ts';
import { type TestService, testService } from '../support/service.ts';

const LIST = '/panel/katalog';
const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });

describe.skipIf(isBrowserMissing())('the catalog in the panel', { timeout: 120_000 }, () => {
  let service: TestService;
  let chromium: PanelBrowser;
  let accountId: string;
  let owner: TestPerson;

  beforeAll(async () => {
    service = await testService();
    chromium = await openBrowser();
    accountId = await service.account({ name: 'Girne Oto' });
    owner = await newPerson(service, { accountId });
    await service.key(accountId, { name: 'Web sitesi', template: 'vehicle' });
    await service.release('Aktif', 'GET vehicles/{vehicle_id}');
    for (let at = 0; at < 3; at += 1) await service.vehicle(accountId, { brand: 'Toyota', model: `Vitz ${at}` });
  });
  afterAll(async () => {
    await chromium?.close();
    await service?.close();
  });

  const open = async (path: string, window: Parameters<PanelBrowser['open']>[0] = {}, who = owner): Promise<Page> => {
    const page = await chromium.open(window);
    await signIn(page, service.service.url, { email: who.email, password: PASSWORD }, path);
    return page;
  };
  const rows = (page: Page) => page.locator('tbody tr').count();

  test('finds rows whatever letters are typed, and keeps the filters in the address', async () => {
    const page = await open(LIST);
    expect(await rows(page)).toBe(185);
    const search = page.getByRole('searchbox', { name: 'Uç nokta ara' });
    const counts: number[] = [];
    for (const typed of ['MÜŞTERİ', 'musteri', 'müşteri']) {
      await search.fill(typed);
      await eventually(() => new URL(page.url()).searchParams.get('q')).toBe(typed);
      await eventually(() => rows(page)).toBeLessThan(185);
      counts.push(await rows(page));
    }
    expect(new Set(counts).size).toBe(1);
    await search.fill('');
    await page.getByLabel('Risk').selectOption('sensitive');
    await eventually(() => rows(page)).toBe(11);
    await page.getByLabel('Yöntem').selectOption('GET');
    await eventually(() => rows(page)).toBe(2);
    expect(new URL(page.url()).search).toBe('?risk=sensitive&yontem=GET');
    await page.reload();
    await eventually(() => rows(page)).toBe(2);
    await page.getByRole('button', { name: 'Filtreleri temizle' }).click();
    await eventually(() => rows(page)).toBe(185);
    expect(problemsOf(page)).toEqual([]);
    await page.context().close();
  });

  test('leads from a coming-soon place of the menu to its rows', async () => {
    const page = await open('/panel');
    await page.getByRole('link', { name: /^Satışlar/ }).click();
    await page.waitForURL('**/katalog?kategori=Sales');
    await eventually(() => page.locator('tbody tr').count()).toBeGreaterThan(3);
    expect(await page.locator('tbody tr').count()).toBeLessThan(20);
    await page.context().close();
  });

  test('takes one vote of the account, lets it be edited and taken back', async () => {
    const page = await open(`${LIST}?kategori=Tasks`);
    await page.getByRole('button', { name: 'Talep et: GET tasks', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/Ne için kullanacaksınız/).fill('Günlük iş listesini başka ekranda göstermek');
    await dialog.getByLabel('Canlıya çıkışımızı engelliyor').check();
    expect(await axe(page)).toEqual([]);
    await screenshot(page, 'catalog-vote-dialog');
    await dialog.getByRole('button', { name: 'Talep et' }).dblclick();
    await page.getByText('Talebiniz kaydedildi').first().waitFor();
    const asked = page.getByRole('button', { name: 'Talep edildi, düzenle: GET tasks', exact: true });
    await asked.waitFor();
    const verify = await signedIn(service, owner);
    const votes = async () => (await verify.api('catalog/votes')).json.data as VotesView;
    expect((await votes()).counts['GET tasks']).toBe(1);
    expect((await votes()).mine['GET tasks']).toEqual({
      use_case: 'Günlük iş listesini başka ekranda göstermek',
      blocks_go_live: true,
    });
    await asked.click();
    expect(
      await page
        .getByRole('dialog')
        .getByLabel(/Ne için/)
        .inputValue(),
    ).toContain('Günlük');
    await page.getByRole('button', { name: 'Talebi geri al' }).click();
    await page.getByRole('button', { name: 'Talep et: GET tasks', exact: true }).waitFor();
    expect((await votes()).counts['GET tasks']).toBeUndefined();
    expect(problemsOf(page)).toEqual([]);
    await page.context().close();
  });

  test('is walked by the keyboard: slash, J, Enter', async () => {
    const page = await open(LIST);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/katalog/get-account');
    await page.goBack();
    await page.waitForURL('**/katalog');
    await page.keyboard.press('/');
    await page.keyboard.type('kefil');
    await eventually(() => new URL(page.url()).searchParams.get('q')).toBe('kefil');
    await page.context().close();
  });

  test('tries an open row and shows the reply, the request id and a call without a secret', async () => {
    const page = await open(`${LIST}/get-vehicles`);
    await page.getByRole('heading', { level: 1, name: 'Araçları listele' }).waitFor();
    expect(await page.getByRole('link', { name: 'Web sitesi' }).count()).toBe(1);
    await page.getByLabel('limit').fill('2');
    const sample = page.getByRole('region', { name: 'curl' });
    await eventually(() => sample.textContent()).toContain('/api/v1/vehicles?limit=2');
    expect(await sample.textContent()).toContain('$GALERI_KEY');
    await page.getByRole('button', { name: 'Çalıştır' }).click();
    const reply = page.getByRole('region', { name: 'Yanıt gövdesi' });
    await eventually(() => reply.textContent()).toContain('"brand": "Toyota"');
    expect(JSON.parse((await reply.textContent())!).data).toHaveLength(2);
    expect(await page.locator('text=/req_[0-9a-z]{26}/').count()).toBeGreaterThan(0);
    await page.getByLabel('limit').fill('999');
    await page.getByRole('button', { name: 'Çalıştır' }).click();
    await eventually(() => reply.textContent()).toContain('invalid_parameter');
    await page.getByRole('tab', { name: 'PHP' }).click();
    await page.getByRole('region', { name: 'PHP' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await screenshot(page, 'catalog-tried');
    expect(problemsOf(page)).toEqual([]);
    await page.context().close();
  });

  test('says why a row cannot be tried', async () => {
    const page = await open(`${LIST}/get-sales`);
    expect(await page.getByRole('button', { name: 'Çalıştır' }).isDisabled()).toBe(true);
    await page.getByText('henüz açık değil: yalnız planlanan şekli').first().waitFor();
    await page.goto(`${service.service.url}${LIST}/get-developer-usage`);
    await page.getByText('yalnız anahtarla çalışır').first().waitFor();
    await page.goto(`${service.service.url}${LIST}/get-vehicles-vehicle_id`);
    await page.getByText('Önce yol parametrelerini doldurun.').first().waitFor();
    await page.goto(`${service.service.url}${LIST}/get-unicorns`);
    await page.getByRole('heading', { name: 'Uç nokta bulunamadı' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.context().close();
  });

  test.each([
    { theme: 'light', locale: 'tr', width: 1280 },
    { theme: 'dark', locale: 'en', width: 1280 },
    { theme: 'light', locale: 'en', width: 390 },
    { theme: 'dark', locale: 'tr', width: 390 },
    { theme: 'light', locale: 'tr', width: 320 },
  ] as const)('can be read by everyone at $width px, $theme, $locale', async ({ theme, locale, width }) => {
    const page = await open(LIST, { theme, locale, width, height: width < 500 ? 844 : 900 });
    for (const path of ['?kategori=Sales', '?q=zzzz', '/get-vehicles', '/post-vehicles', '/get-sales', '']) {
      await page.goto(`${service.service.url}${LIST}${path}`);
      await settled(page);
      // Narrower still, only the width is another.
      if (width > 320) expect(await axe(page), path).toEqual([]);
      expect(await isSideways(page), path).toBe(false);
      if (path !== '') await screenshot(page, `catalog-${path.replace(/\W+/g, '_')}-${width}-${theme}-${locale}`);
    }
    expect(problemsOf(page)).toEqual([]);
    await page.context().close();
  });
});

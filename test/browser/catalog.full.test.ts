// The catalog in a real browser: searching, filtering, voting, and trying an endpoint; nothing is asked of the server but to verify.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { VotesView } from '../../src/panel/developer/catalog.ts';
import { newPerson, signedIn, type TestPerson } from '../panel/people.ts';
import { axe } from '../support/axe.ts';
import { isBrowserMissing, type PanelBrowser, screenshot } from '../support/browser.ts';
import { withDeprecated } from '../support/deprecated.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

const LIST = '/panel/katalog';

describe.skipIf(isBrowserMissing())('the catalog in the panel', () => {
  const old = { since: '2026-11-01', sunset: '2027-12-24', successor: 'GET vehicles' };
  const panel = panelTest({ resources: withDeprecated('GET vehicles/{vehicle_id}', old) });
  let service: TestService;
  let accountId: string;
  let owner: TestPerson;
  let key: string;

  beforeAll(async () => {
    service = panel.service;
    accountId = await service.account({ name: 'Girne Oto' });
    owner = await newPerson(service, { accountId });
    key = (await service.key(accountId, { name: 'Web sitesi', template: 'vehicle' })).secret;
    await service.release('Aktif', 'GET vehicles/{vehicle_id}');
    for (let at = 0; at < 3; at += 1) await service.vehicle(accountId, { brand: 'Toyota', model: `Vitz ${at}` });
  });

  const open = (path: string, window: Parameters<PanelBrowser['open']>[0] = {}, who = owner): Promise<Page> =>
    panel.open(who, path, window);
  const rows = (page: Page) => page.locator('tbody tr').count();

  test('finds endpoints with or without Turkish letters, and keeps the filters in the address', async () => {
    const page = await open(LIST);
    await eventually(() => rows(page)).toBe(185);
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
    await page.getByLabel('Risk', { exact: true }).selectOption('sensitive');
    await eventually(() => rows(page)).toBe(11);
    await page.getByLabel('Yöntem', { exact: true }).selectOption('GET');
    await eventually(() => rows(page)).toBe(2);
    await eventually(() => new URL(page.url()).search).toBe('?risk=sensitive&yontem=GET');
    await page.reload();
    await eventually(() => rows(page)).toBe(2);
    await page.getByRole('button', { name: 'Filtreleri temizle' }).click();
    await eventually(() => rows(page)).toBe(185);
    await panel.done(page);
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
    const button = page.getByRole('button', { name: 'Talep edildi, düzenle: GET tasks', exact: true });
    await button.waitFor();
    const verify = await signedIn(service, owner);
    const votes = async () => (await verify.api('catalog/votes')).json.data as VotesView;
    expect((await votes()).counts['GET tasks']).toBe(1);
    expect((await votes()).mine['GET tasks']).toEqual({
      use_case: 'Günlük iş listesini başka ekranda göstermek',
      blocks_go_live: true,
    });
    await button.click();
    await eventually(() =>
      page
        .getByRole('dialog')
        .getByLabel(/Ne için/)
        .inputValue(),
    ).toContain('Günlük');
    await page.getByRole('button', { name: 'Talebi geri al' }).click();
    await page.getByRole('button', { name: 'Talep et: GET tasks', exact: true }).waitFor();
    expect((await votes()).counts['GET tasks']).toBeUndefined();
    await panel.done(page);
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
    await eventually(() => rows(page)).toBe(185);
    await page.keyboard.press('/');
    await page.keyboard.insertText('kefil');
    await eventually(() => new URL(page.url()).searchParams.get('q')).toBe('kefil');
    await panel.done(page);
  });

  test('tries an open endpoint and shows the reply, the request id and a call without a secret', async () => {
    const page = await open(`${LIST}/get-vehicles`);
    await page.getByRole('heading', { level: 1, name: 'Araçları listele' }).waitFor();
    await eventually(() => page.getByRole('link', { name: 'Web sitesi' }).count()).toBe(1);
    await page.getByLabel('limit').fill('2');
    const sample = page.getByRole('region', { name: 'curl' });
    await eventually(() => sample.textContent()).toContain('/api/v1/vehicles?limit=2');
    await eventually(() => sample.textContent()).toContain('$GALERI_KEY');
    await page.getByRole('button', { name: 'Çalıştır' }).click();
    const reply = page.getByRole('region', { name: 'Yanıt gövdesi' });
    await eventually(() => reply.textContent()).toContain('"brand": "Toyota"');
    expect(JSON.parse((await reply.textContent())!).data).toHaveLength(2);
    await page.locator('text=/req_[0-9a-z]{26}/').first().waitFor();
    await page.getByLabel('limit').fill('999');
    await page.getByRole('button', { name: 'Çalıştır' }).click();
    await eventually(() => reply.textContent()).toContain('invalid_parameter');
    await page.getByRole('tab', { name: 'PHP' }).click();
    await page.getByRole('region', { name: 'PHP' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await screenshot(page, 'catalog-tried');
    await panel.done(page);
  });

  test('shows what is deprecated, what to use instead and which keys still call it', async () => {
    await service.call(`/api/v1/vehicles/${crypto.randomUUID()}`, { key });
    await service.logged();
    const page = await open(`${LIST}?q=vehicles`);
    await eventually(() => page.getByText('kaldırılacak').count()).toBe(1);
    await panel.go(page, `${LIST}/get-vehicles-vehicle_id`);
    const card = page.getByRole('region', { name: 'Kullanımdan kaldırılıyor' });
    await eventually(() => card.textContent()).toContain(
      '01.11.2026 tarihinde duyuruldu; en az 24.12.2027 tarihine kadar çalışır.',
    );
    await card.getByRole('heading', { name: '1 anahtar kullanıyor' }).waitFor();
    await card.getByRole('link', { name: 'Web sitesi' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await screenshot(page, 'catalog-deprecated');
    await card.getByRole('link', { name: 'GET vehicles' }).click();
    await page.waitForURL('**/katalog/get-vehicles');
    await panel.done(page);
  });

  test('says why an endpoint cannot be tried', async () => {
    const page = await open(`${LIST}/get-sales`);
    await eventually(() => page.getByRole('button', { name: 'Çalıştır' }).isDisabled()).toBe(true);
    await page.getByText('henüz açık değil: yalnızca planlanan yapısı').first().waitFor();
    await panel.go(page, `${LIST}/get-developer-usage`);
    await page.getByText('yalnızca anahtarla çalışır').first().waitFor();
    await panel.go(page, `${LIST}/get-vehicles-vehicle_id`);
    await page.getByText('Önce yol parametrelerini doldurun.').first().waitFor();
    await panel.go(page, `${LIST}/get-unicorns`);
    await page.getByRole('heading', { name: 'Uç nokta bulunamadı' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await panel.done(page);
  });
});

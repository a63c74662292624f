// Usage and the overview in a real browser: range and group in the address, charts with their tables, and the way to more.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing, type PanelBrowser } from '../support/browser.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';
import { busyDealer, type Dealer } from './traffic.ts';

describe.skipIf(isBrowserMissing())('usage and overview in the panel', () => {
  const panel = panelTest();
  let service: TestService;
  let dealer: Dealer;
  let owner: TestPerson;

  beforeAll(async () => {
    service = panel.service;
    dealer = await busyDealer(service);
    owner = await newPerson(service, { accountId: dealer.accountId });
  });

  const opened = (path: string, window: Parameters<PanelBrowser['open']>[0] = {}, person = owner): Promise<Page> =>
    panel.open(person, path, window);
  const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
  const figure = (page: Page, name: string) => page.locator('main dl > div', { hasText: name }).locator('dd span').first();

  test('range, key and group are in the address and change what is shown', async () => {
    const page = await opened('/panel/kullanim');
    await eventually(() => figure(page, 'İstek').textContent()).toBe('580');
    await page.getByRole('button', { name: 'Uç noktaya göre' }).click();
    await eventually(() => query(page)).toEqual({ group: 'endpoint' });
    await page.getByRole('button', { name: 'GET customers', exact: true }).click();
    await eventually(() => query(page)).toEqual({ group: 'endpoint', endpoint: 'GET customers' });
    await eventually(() => page.locator('main').textContent()).toContain('Süreler uç noktaya göre tutulmaz');
    await page.goBack();
    await page.getByLabel('Anahtar', { exact: true }).selectOption({ label: 'Vitrin web sitesi' });
    await eventually(() => figure(page, 'İstek').textContent()).toBe('160');
    await page.getByLabel('Zaman aralığı').selectOption('24h');
    await eventually(() => query(page)).toEqual({ group: 'endpoint', key: dealer.keys[1]!.id, range: '24h' });
    await page.reload();
    await eventually(() => figure(page, 'İstek').textContent()).toBe('160');
    await panel.done(page);
  });

  test('a chart has its numbers as a table, and they add up', async () => {
    const page = await opened('/panel/kullanim?range=24h');
    await page.locator('canvas').first().waitFor();
    await page.getByRole('region', { name: 'Hacim' }).first().getByText('Tabloyu göster').click();
    const cells = await page.getByRole('region', { name: 'Hacim' }).locator('tbody tr').first().locator('td').count();
    expect(cells).toBe(3);
    const numbers = await page.getByRole('region', { name: 'Hacim' }).first().locator('tbody td').allTextContents();
    expect(numbers.reduce((sum, text) => sum + Number(text.replace('.', '')), 0)).toBe(580);
    await panel.done(page);
  });

  test('an error leads to its lines in the log', async () => {
    const page = await opened('/panel/kullanim?group=error');
    await page
      .getByRole('row', { name: /rate_limit_exceeded/ })
      .getByRole('link')
      .click();
    await page.waitForURL(/\/panel\/loglar\?/);
    expect(query(page)).toMatchObject({ error: 'rate_limit_exceeded', range: '30d' });
    await page.locator('main .table-cards tbody tr').first().waitFor();
    await panel.done(page);
  });

  test('the overview shows the day and leads on', async () => {
    const developer = await newPerson(service, { accountId: dealer.accountId, role: 'developer' });
    const page = await opened('/panel', {}, developer);
    await eventually(() => figure(page, 'İstek (24 saat)').textContent()).toMatch(/^5\d\d$/);
    await eventually(() => page.getByRole('region', { name: 'Anahtarların sağlığı' }).textContent()).toContain(
      'Süresi 4 gün sonra doluyor',
    );
    await page
      .getByRole('region', { name: 'Stok: kaç gündür' })
      .getByRole('link', { name: /31–60 gün/ })
      .click();
    await page.waitForURL(/\/panel\/araclar\?days_min=31/);
    await panel.done(page);
  });

  test('a fresh account sees its first steps', async () => {
    const fresh = await newPerson(service, { accountId: await service.account({ name: 'Yeni Galeri' }) });
    const page = await opened('/panel', {}, fresh);
    await eventually(() => page.getByRole('region', { name: 'İlk adımlar' }).textContent()).toContain('5 adımdan 0 tanesi tamam');
    await panel.done(page);
  });

  test('those who sell see stock and no traffic', async () => {
    const sales = await newPerson(service, { accountId: dealer.accountId, role: 'sales' });
    const page = await opened('/panel', {}, sales);
    await eventually(() => page.locator('main').textContent()).toContain('Stok');
    await eventually(() => page.locator('main').textContent()).not.toContain('Anahtarların sağlığı');
    await panel.done(page);
  });
});

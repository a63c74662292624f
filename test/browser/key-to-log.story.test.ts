// A key is made in the panel, the API is called with it, and its calls are found in the log.
import { beforeAll, describe, expect, test } from 'vitest';
import { resources } from '../../src/resources/index.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing, settled } from '../support/browser.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';
import { button, kept, NEW, row, shownSecret, template, toReview } from './keys-pages.ts';

const LIVE = resources.flatMap((resource) => resource.endpoints).filter((one) => one.status === 'Aktif');

describe.skipIf(isBrowserMissing())('a key from its creation to the log', () => {
  const logged: string[] = [];
  const write = (message: string, facts?: Record<string, unknown>) => void logged.push(JSON.stringify([message, facts]));
  const panel = panelTest({ log: { debug: write, info: write, warn: write, error: write } });
  let service: TestService;
  let owner: TestPerson;

  beforeAll(async () => {
    service = panel.service;
    owner = await newPerson(service, { accountId: await service.account({ name: 'Girne Oto' }) });
  });

  const code = async (key: string, path: string) => (await service.call(path, { key })).json.error?.code ?? 'ok';

  test('of a template minus one endpoint answers on every live endpoint it holds, its calls are in the log, and its secret is nowhere afterwards', async () => {
    const page = await panel.open(owner, NEW);
    await template(page, 'Tam galeri yönetimi').click();
    await eventually(() => page.locator('input[data-row]:checked').count()).toBe(174);
    await row(page, 'GET customers').uncheck();
    await toReview(page, 'Web sitesi');
    const create = button(page, 'Anahtar oluştur');
    await eventually(() => create.isDisabled()).toBe(true);
    await page.getByLabel('Bu anahtarın veri silebileceğini anlıyorum.').check();
    await create.click();
    await page.getByRole('heading', { name: 'Anahtarınız hazır' }).waitFor();
    const secret = await shownSecret(page);
    expect(secret).toMatch(/^gal_prod_[0-9A-Za-z]{36}$/);
    for (const live of LIVE)
      expect(await code(secret, live.path), live.id).toBe(live.id === 'GET customers' ? 'insufficient_scope' : 'ok');
    await eventually(() => button(page, 'Anahtara git').isDisabled()).toBe(true);
    await page.getByLabel('Kaydettim').check();
    await button(page, 'Anahtara git').click();
    await page.getByRole('heading', { name: 'Web sitesi' }).waitFor();
    await settled(page);
    expect(await kept(page)).not.toContain(secret.slice(13, -4));
    await page.goBack();
    await settled(page);
    expect(await kept(page)).not.toContain(secret.slice(13, -4));
    await page.goForward();
    await page.reload();
    await settled(page);
    expect(await kept(page)).not.toContain(secret.slice(13, -4));
    expect(logged.join('\n')).not.toContain(secret.slice(13, -4));
    await page.getByRole('link', { name: 'İstek günlükleri', exact: true }).click();
    await page.waitForURL('**/loglar');
    await service.service.parts.requestLog.flush();
    await page.getByLabel('Anahtar', { exact: true }).selectOption({ label: 'Web sitesi' });
    const lines = page.locator('main .table-cards tbody tr');
    await eventually(() => lines.count()).toBe(LIVE.length);
    await lines.filter({ hasText: '403' }).click();
    await eventually(() => page.getByRole('dialog', { name: 'İstek ayrıntısı' }).textContent()).toContain('customers');
    expect(await kept(page)).not.toContain(secret.slice(13, -4));
    await panel.done(page);
  });
});

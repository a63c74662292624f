// Webhooks in a real browser, with a real receiver on loopback: made, tried, seen to fail, sent again, rotated, paused, deleted.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWebhookSender, type WebhookSender } from '../../src/jobs/deliver-webhooks.ts';
import { createLog } from '../../src/kit/log.ts';
import { openReceiver, type Receiver, status, verify } from '../jobs/receiver.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

const LIST = '/panel/webhooks';

describe.skipIf(isBrowserMissing())('webhooks in the panel', () => {
  const panel = panelTest({ env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
  let service: TestService;
  let owner: TestPerson;
  let developer: TestPerson;
  let viewer: TestPerson;
  let seller: TestPerson;
  let receiver: Receiver;
  let sender: WebhookSender;

  beforeAll(async () => {
    service = panel.service;
    const accountId = await service.account({ name: 'Güzelyurt Oto' });
    owner = await newPerson(service, { accountId, role: 'owner' });
    developer = await newPerson(service, { accountId, role: 'developer' });
    viewer = await newPerson(service, { accountId, role: 'viewer' });
    seller = await newPerson(service, { accountId, role: 'sales' });
    receiver = await openReceiver();
    const { clock } = service;
    const { writer } = service.service.parts;
    sender = startWebhookSender({ writer, clock, log: createLog('silent'), outbound: { loopback: true }, pollMs: 100 });
  });
  afterAll(async () => {
    await sender?.close();
    await receiver?.close();
  });

  const rows = (page: Page) => page.locator('main tbody tr');
  const drawer = (page: Page) => page.getByRole('dialog', { name: 'Gönderim' });

  test('made, with its secret once; tried; failed and sent again; rotated with both secrets; paused', async () => {
    const page = await panel.open(owner, LIST);
    await page.getByRole('link', { name: 'İlk webhook’u ekle' }).click();
    await page.getByRole('button', { name: 'Webhook ekle' }).click();
    await page.getByRole('main').getByText('En az bir olay seçin.').first().waitFor();
    await page.getByLabel('Adres', { exact: true }).fill('http://10.0.0.8/hook');
    await page.getByRole('searchbox', { name: 'Olay ara' }).fill('ARAÇ');
    await page.getByRole('checkbox', { name: 'Araç: tüm olaylar' }).check();
    await page.getByRole('searchbox', { name: 'Olay ara' }).fill('task.completed');
    await page.getByRole('checkbox', { name: 'task.completed' }).check();
    await page.getByRole('button', { name: 'Webhook ekle' }).click();
    await eventually(() => page.getByLabel('Adres', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Adres', { exact: true }).fill(receiver.url);
    await page.getByLabel(/^Açıklama/).fill('Muhasebe');
    await page.keyboard.press('Control+Enter');

    await page.getByRole('heading', { name: 'Webhook oluşturuldu' }).waitFor();
    const secret = (await page.locator('p.select-all').textContent())!;
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByText('python3 receiver.py').waitFor();
    await look(page, 'webhook-secret');
    await page.getByRole('checkbox', { name: 'Kaydettim' }).check();
    await page.getByRole('button', { name: 'Webhook’a git' }).click();
    await page.getByText('Henüz gönderim yok.').waitFor();
    await eventually(() => page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Test olayı gönder' }).click();
    await drawer(page).getByText('Başarılı', { exact: true }).waitFor();
    verify(secret, receiver.got[0]!);
    await eventually(() => drawer(page).textContent()).toContain(receiver.got[0]!.json.id);
    await page.keyboard.press('Escape');

    // A receiver that is gone for good: 410 stops the webhook.
    receiver.answer = status(410, 'gone');
    await page.getByRole('button', { name: 'Test olayı gönder' }).click();
    await drawer(page).getByText('Başarısız', { exact: true }).waitFor();
    await drawer(page).getByText('Yeniden göndermek için önce webhook’u sürdürün.').waitFor();
    await eventually(() => drawer(page).textContent()).toContain('410');
    await page.keyboard.press('Escape');
    await page.getByText('Otomatik durduruldu', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sürdür' }).click();
    await page.getByRole('button', { name: 'Duraklat' }).waitFor();

    // Put right, and what failed goes out again under the same id.
    receiver.answer = status(200, 'ok');
    await page.getByRole('group', { name: 'Durum' }).getByRole('button', { name: 'Başarısız' }).click();
    await eventually(() => rows(page).count()).toBe(1);
    await rows(page).first().click();
    await drawer(page).getByRole('button', { name: 'Yeniden gönder' }).click();
    await drawer(page).getByText('Başarılı', { exact: true }).waitFor();
    expect(receiver.got.at(-1)!.json.id).toBe(receiver.got.at(-2)!.json.id);
    // Both attempts, as they went.
    await eventually(() => drawer(page).getByRole('region', { name: 'Denemeler' }).locator('li').allTextContents()).toHaveLength(
      2,
    );
    await eventually(() => drawer(page).getByRole('region', { name: 'Denemeler' }).textContent()).toMatch(/200.*ok.*410.*gone/);
    // Delivered, and lost by the receiver: it can be sent again.
    const got = receiver.got.length;
    await drawer(page).getByRole('button', { name: 'Yeniden gönder' }).click();
    await eventually(async () => receiver.got.length).toBe(got + 1);
    expect(receiver.got.at(-1)!.json.id).toBe(receiver.got.at(-2)!.json.id);
    await drawer(page).getByText('Başarılı', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Bu filtrelere uyan gönderim yok.').waitFor();

    await page.getByRole('main').getByRole('link', { name: 'Ayarlar' }).click();
    await page.getByRole('button', { name: 'İmza anahtarını yenile' }).click();
    await page.getByRole('dialog').getByLabel('1 saat').check();
    await page.getByRole('dialog').getByRole('button', { name: 'İmza anahtarını yenile' }).click();
    await page.getByRole('dialog', { name: 'Yeni imza anahtarı' }).waitFor();
    const rotated = (await page.locator('p.select-all').textContent())!;
    expect(rotated).not.toBe(secret);
    await page.getByRole('checkbox', { name: 'Kaydettim' }).check();
    await page.getByRole('button', { name: 'Bitti' }).click();
    const before = receiver.got.length;
    await page.getByRole('button', { name: 'Test olayı gönder' }).click();
    await receiver.until(before + 1);
    verify(secret, receiver.got.at(-1)!);
    verify(rotated, receiver.got.at(-1)!);
    await drawer(page).getByText('Başarılı', { exact: true }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Duraklat' }).click();
    await page.getByText('Duraklatıldı: olaylar bu adrese gönderilmiyor.').waitFor();
    await page.getByRole('button', { name: 'Sürdür' }).click();
    await page.getByRole('button', { name: 'Duraklat' }).waitFor();
    await panel.done(page);
  });

  test('a change in the panel appears as a delivery without a reload, and matches what the receiver got', async () => {
    const page = await panel.open(owner, LIST);
    await rows(page).first().click();
    await page.waitForURL('**/teslimatlar');
    const other = await panel.open(seller, '/panel/gorevler');
    await other.getByLabel('Yeni görev', { exact: true }).fill('Plakayı tak');
    await other.keyboard.press('Enter');
    await other.getByRole('button', { name: 'Tamamla: Plakayı tak' }).click();
    await page.getByRole('link', { name: 'task.completed' }).waitFor();
    await eventually(() => rows(page).first().textContent()).toContain('Başarılı');
    expect(receiver.got.at(-1)!.json.data.object.title).toBe('Plakayı tak');
    await panel.done(other);
    await panel.done(page);
  });

  test('a developer edits but does not rotate, a viewer only looks, sales has no such screen', async () => {
    const page = await panel.open(developer, LIST);
    await rows(page).first().click();
    await page.getByRole('main').getByRole('link', { name: 'Ayarlar' }).click();
    await page.getByText('İmza anahtarını yalnızca hesap sahibi yenileyebilir.').waitFor();
    await page.getByLabel(/^Açıklama/).fill('ERP');
    await page.getByRole('button', { name: 'Kaydet' }).click();
    await page.getByRole('main').locator('header').getByText('ERP').waitFor();
    await panel.done(page);

    const looking = await panel.open(viewer, LIST);
    await eventually(() => rows(looking).count()).toBe(1);
    await rows(looking).first().click();
    await looking.getByRole('link', { name: 'Doğrulama' }).waitFor();
    await eventually(() => looking.getByRole('button', { name: /Test olayı|^Duraklat$|Webhook ekle/ }).count()).toBe(0);
    await panel.done(looking);

    const selling = await panel.open(seller, '/panel');
    await eventually(() => selling.getByRole('link', { name: 'Webhook’lar' }).count()).toBe(0);
    await panel.done(selling);
  });

  test('a developer is offered only events that the server accepts from them, with the reason', async () => {
    const page = await panel.open(developer, `${LIST}/yeni`);
    const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
    await box('Araç: tüm olaylar').waitFor();
    await eventually(() => box('Görev: tüm olaylar').isDisabled()).toBe(true);
    await eventually(() => box('Araç: tüm olaylar').isEnabled()).toBe(true);
    await eventually(() => page.getByRole('checkbox', { name: /Tüm olaylar/ }).isDisabled()).toBe(true);
    await page.getByRole('searchbox', { name: 'Olay ara' }).fill('task.completed');
    await eventually(() => box('task.completed').isDisabled()).toBe(true);
    await page.getByText('rolünüz bu olayları okuyamaz').first().waitFor();
    await look(page, 'webhook-events-of-a-developer', { narrow: true });
    await panel.done(page);
  });

  test('a developer opens a delivery that their role may not read: the panel says so', async () => {
    const page = await panel.open(developer, LIST);
    await rows(page).first().click();
    await page.getByRole('link', { name: 'task.completed' }).first().click();
    await drawer(page).getByText('Bu olayın içeriğini göremezsiniz.').waitFor();
    await eventually(() => drawer(page).textContent()).not.toContain('Plakayı tak');
    await panel.done(page);
  });

  test('every screen of it as it looks', async () => {
    const page = await panel.open(owner, LIST);
    await rows(page).first().waitFor();
    await look(page, 'webhooks', { narrow: true });
    await rows(page).first().getByRole('link').first().click();
    await page.waitForURL('**/teslimatlar');
    await rows(page).first().waitFor();
    await look(page, 'webhook-deliveries', { narrow: true });
    await rows(page).first().getByRole('link').first().click();
    await drawer(page).locator('dl').waitFor();
    await look(page, 'webhook-delivery');
    const detail = new URL(page.url()).pathname.replace('/teslimatlar', '');
    await panel.follow(page, `${detail}/ayarlar`);
    await look(page, 'webhook-settings', { narrow: true });
    await panel.follow(page, `${detail}/dogrulama`);
    await look(page, 'webhook-check', { narrow: true });
    await panel.done(page);
  });

  test('deleted, it is gone from the list', async () => {
    const page = await panel.open(owner, LIST);
    await rows(page).first().click();
    await page.getByRole('main').getByRole('link', { name: 'Ayarlar' }).click();
    await page.getByRole('button', { name: 'Webhook’u sil' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Webhook’u sil' }).click();
    await page.getByText('Henüz webhook yok.').waitFor();
    await panel.done(page);
  });
});

// API keys as people make and keep them, by clicking and typing in Chromium; requests are sent only to see that it is true.
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, PASSWORD, signedIn, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing, settled } from '../support/browser.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';
import { button, enter, go, KEYS, kept, NEW, row, shownSecret, template, toReview } from './keys-pages.ts';

const MINUTE = 60_000;

describe.skipIf(isBrowserMissing())('keys in the panel', () => {
  let accountId: string;
  let owner: TestPerson;
  let page: Page;
  const panel = panelTest();
  let service: TestService;

  beforeAll(() => {
    service = panel.service;
  });
  beforeEach(async () => {
    if (page) await panel.chromium.leave(page);
    accountId = await service.account({ name: 'Girne Oto' });
    owner = await newPerson(service, { accountId });
    page = await panel.chromium.open();
  });

  const code = async (key: string, path: string) => (await service.call(path, { key })).json.error?.code ?? 'ok';
  const picked = () => page.locator('input[data-row]:checked').count();
  const status = () => page.getByRole('status').first().textContent();

  describe('F2 a new key', () => {
    test('is not left before the secret is kept, and a reload never shows it again', async () => {
      await enter(page, service, owner, NEW);
      await row(page, 'GET vehicles').check();
      await toReview(page, 'Ayrılma');
      await button(page, 'Anahtar oluştur').click();
      await page.locator('p.select-all').waitFor();
      const secret = await shownSecret(page);
      await page.getByRole('link', { name: 'Katalog', exact: true }).click();
      await page.getByText('Gizli anahtarı kaydetmeden ayrılıyorsunuz').first().waitFor();
      await button(page, 'Vazgeç').click();
      expect(await shownSecret(page)).toBe(secret);
      page.once('dialog', (dialog) => dialog.accept());
      await page.reload();
      await settled(page);
      expect(await kept(page)).not.toContain(secret.slice(13, -4));
      await eventually(() => page.locator('p.select-all').count()).toBe(0);
    });

    test('is blocked by invalid fields, each with its error', async () => {
      await service.key(accountId, { name: 'Var olan' });
      await enter(page, service, owner, NEW);
      await eventually(() => button(page, 'İleri').isDisabled()).toBe(true);
      await page.getByText('En az bir uç nokta seçin.').first().waitFor();
      await row(page, 'GET vehicles').check();
      await button(page, 'İleri').click();
      await button(page, 'İleri').click();
      await page.getByText('Anahtara bir ad verin.').first().waitFor();
      await page.getByLabel('Ad', { exact: true }).fill('Var olan');
      await page.getByLabel('Dakika limiti', { exact: true }).fill('61');
      await page.getByText('1 ile 60 arasında bir sayı yazın.').first().waitFor();
      await page.getByLabel('Dakika limiti', { exact: true }).fill('30');
      await page.getByLabel('İzinli IP’ler').fill('10.0.0.1/8');
      await page.getByText('Adres ya da CIDR aralığı değil: 10.0.0.1/8').first().waitFor();
      await page.getByLabel('İzinli IP’ler').fill('');
      await button(page, 'Şu anki IP’mi ekle (127.0.0.1)').click();
      await page.getByLabel('Tarih seç').check();
      await page.getByLabel('Son gün').fill('2020-01-01');
      await page.getByText('Bitiş zamanı geçmişte olamaz.').first().waitFor();
      await page.getByLabel('30 gün').check();
      // What stops nothing today is folded away.
      await eventually(() =>
        page
          .getByText(/Saklanır, şu an uygulanmaz/)
          .first()
          .isVisible(),
      ).toBe(false);
      await page.getByText('Gelişmiş: saat ve gün limiti').click();
      await page
        .getByText(/Saklanır, şu an uygulanmaz/)
        .first()
        .waitFor();
      await page.getByText(/Sandbox anahtarları aynı canlı veriyi okur/).waitFor();
      await button(page, 'İleri').click();
      await button(page, 'Anahtar oluştur').click();
      await page.getByText('Bu hesapta bu adla başka bir anahtar var').first().waitFor();
      await page.reload();
      await settled(page);
      await eventually(() => page.getByLabel('Ad', { exact: true }).inputValue()).toBe('Var olan');
      await page.getByLabel('Ad', { exact: true }).fill('Başka');
      await page.keyboard.press('Control+Enter');
      await button(page, 'Anahtar oluştur').click();
      await page.locator('p.select-all').waitFor();
      expect(await code(await shownSecret(page), 'vehicles')).toBe('ok');
    });

    test('asks the administrator for more than is free', async () => {
      await enter(page, service, owner, NEW);
      await row(page, 'GET vehicles').check();
      await button(page, 'İleri').click();
      await page.getByLabel('Ad', { exact: true }).fill('Hızlı');
      await page.getByLabel('Limit artışı iste').check();
      await page.getByLabel('İstenen dakika limiti').fill('300');
      await page.getByLabel('Gerekçe').fill('Gece eşitlemesi');
      await button(page, 'İleri').click();
      await button(page, 'Anahtar oluştur').click();
      await page.getByLabel('Kaydettim').check();
      await button(page, 'Anahtara git').click();
      await page.getByText('Dakikada 300 istek için talep yönetici onayı bekliyor.').first().waitFor();
    });
  });

  describe('F3 a template over picks made by hand', () => {
    test('says what it would change; merge, replace, cancel and undo do what they say', async () => {
      await enter(page, service, owner, NEW);
      for (const id of ['GET vehicles', 'GET vehicles/export', 'GET customers', 'GET sales']) await row(page, id).check();
      const open = async () => {
        await template(page, 'Araç entegrasyonu').click();
        await page.getByText('24 eklenecek').first().waitFor();
        await page.getByText('2 çıkarılacak').first().waitFor();
        await page.getByText('2 aynı').first().waitFor();
      };
      await open();
      await button(page, 'Vazgeç').click();
      await eventually(() => picked()).toBe(4);
      await open();
      await button(page, 'Birleştir (yalnızca ekle)').click();
      await eventually(picked).toBe(28);
      await button(page, 'Geri al').first().click();
      await eventually(picked).toBe(4);
      await open();
      await button(page, 'Şablonla değiştir').click();
      await eventually(picked).toBe(26);
      await button(page, 'Geri al').first().click();
      await eventually(picked).toBe(4);
    });

    test('Salt okunur warns of its two sensitive endpoints, Muhasebe that nothing of it works today', async () => {
      await enter(page, service, owner, NEW);
      await template(page, 'Salt okunur').click();
      await page.getByText(/Seçimde 2 hassas uç nokta var/).waitFor();
      // One template in place of another loses no pick of one's own, so nothing is asked.
      await template(page, 'Muhasebe').click();
      await page.getByText(/hiçbiri bugün çalışmıyor/).waitFor();
      await eventually(picked).toBe(42);
    });
  });

  test('a first key from a template names its sensitive endpoints and leaves them out in one press', async () => {
    await enter(page, service, owner, NEW);
    await template(page, 'Salt okunur').click();
    const before = await picked();
    await button(page, 'İleri').click();
    await page.getByLabel('Ad', { exact: true }).fill('İlk anahtar');
    await button(page, 'İleri').click();
    const items = page.getByRole('main').getByRole('listitem').filter({ hasText: '(henüz açık değil)' });
    await eventually(() => items.count()).toBe(2);
    await eventually(() => button(page, 'Anahtar oluştur').isDisabled()).toBe(true);
    await button(page, 'Bu 2 uç noktayı çıkar').click();
    await eventually(() => button(page, 'Anahtar oluştur').isDisabled()).toBe(false);
    await page.goBack();
    await page.goBack();
    await eventually(picked).toBe(before - 2);
  });

  describe('F4 the picker', () => {
    test('finds with Turkish letters folded', async () => {
      await enter(page, service, owner, NEW);
      const search = page.getByRole('searchbox', { name: 'Uç nokta ara' });
      const found = async (typed: string) => {
        await search.fill(typed);
        await search.press('Enter');
        await eventually(() => new URL(page.url()).searchParams.get('q')).toBe(typed);
        return page
          .locator('input[data-row]')
          .evaluateAll((boxes) => boxes.map((box) => (box as never as { dataset: { row: string } }).dataset.row));
      };
      const api = await found('api');
      expect(api.length).toBeGreaterThan(0);
      expect(await found('API')).toEqual(api);
      const listing = await found('ılan');
      expect(listing.length).toBeGreaterThan(0);
      expect(await found('İLAN')).toEqual(listing);
      await found('hiçbir yerde olmayan');
      await page.getByText('Eşleşme yok').first().waitFor();
    });

    test('rows do not move while scrolling, so that a click never hits another row', async () => {
      await enter(page, service, owner, NEW);
      const places = () =>
        page.evaluate(`[...document.querySelectorAll('input[data-row]')].map((box) => Math.round(
        box.getBoundingClientRect().top - document.querySelector('main').getBoundingClientRect().top))`);
      const before = await places();
      await page.locator('input[data-row]').last().scrollIntoViewIfNeeded();
      for (const at of [60, 120]) await page.locator('input[data-row]').nth(at).scrollIntoViewIfNeeded();
      await settled(page);
      expect(await places()).toEqual(before);
    });

    test('reaches all 185 endpoints by keyboard alone; space, ranges, A and the boxes of categories', async () => {
      await enter(page, service, owner, NEW);
      await page.evaluate(`{
        window.reached = new Set();
        addEventListener('focusin', ({ target }) => reached.add(target.dataset.row));
      }`);
      await row(page, 'GET account').focus();
      // Held down, as one does in a long list.
      await Promise.all(Array.from({ length: 184 }, () => page.keyboard.down('ArrowDown')));
      await page.keyboard.up('ArrowDown');
      expect(await page.evaluate('reached.size')).toBe(185);
      await page.keyboard.press('Home');
      await page.keyboard.press('Space');
      await eventually(picked).toBe(1);
      for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Shift+Space');
      await eventually(picked).toBe(5);
      await page.getByLabel('Risk', { exact: true }).selectOption('destructive');
      await eventually(() => page.locator('input[data-row]').count()).toBe(17);
      await page.locator('input[data-row]').first().focus();
      await page.keyboard.press('a');
      await page.getByText('17 uç nokta seçildi').first().waitFor();
      await button(page, 'Filtreleri temizle').click();
      await eventually(picked).toBe(22);
      const vehicles = page.getByLabel('Araçlar: tümünü seç');
      const mixed = () => vehicles.evaluate((box) => (box as never as { indeterminate: boolean }).indeterminate);
      await eventually(mixed).toBe(true);
      await vehicles.check();
      await eventually(mixed).toBe(false);
      await page.getByLabel('Yalnızca seçililer').check();
      await eventually(() => new URL(page.url()).searchParams.get('secili')).toBe('1');
      await eventually(async () => (await page.locator('input[data-row]').count()) === (await picked())).toBe(true);
      await eventually(status).toMatch(/\d+ \/ 185 seçili/);
    });

    /** The distance of each row from the first. */
    const places = () =>
      page.evaluate(`(([first, ...rows]) => rows.map((row) => row.getBoundingClientRect().top - first.getBoundingClientRect().top))(
        [...document.querySelectorAll('li:has(> label input[data-row])')])`) as Promise<number[]>;

    test.each([1280, 390])(
      'keeps every row where it is while one scrolls at %i px: a click meets the row it was meant for',
      async (width) => {
        await enter(page, service, owner, NEW);
        await page.setViewportSize({ width, height: 800 });
        await settled(page);
        const before = await places();
        expect(before).toHaveLength(184);
        for (const id of ['GET sales', 'GET reports/profit-loss', 'GET developer/rate-limit', 'GET account']) {
          await row(page, id).scrollIntoViewIfNeeded();
          await settled(page);
          expect(await places()).toEqual(before);
        }
      },
    );

    test('the probe answers with the API’s own decision while endpoints are ticked', async () => {
      await enter(page, service, owner, NEW);
      const verdict = page.getByRole('status', { name: 'Yanıt' });
      await eventually(() => verdict.textContent()).toContain('insufficient_scope');
      await row(page, 'GET vehicles').check();
      await eventually(() => verdict.textContent()).toContain('Geçer');
      await page.getByLabel('Yol', { exact: true }).fill('/api/v1/nothing');
      await eventually(() => verdict.textContent()).toContain('not_found');
      await page.getByLabel('Yol', { exact: true }).fill('vehicles');
      await page.getByLabel('Yöntem', { exact: true }).last().selectOption('PUT');
      await eventually(() => verdict.textContent()).toContain('method_not_allowed');
    });
  });

  describe('F5 sensitive endpoints', () => {
    const ID = 'GET reports/profit-loss';

    test('need the typed name and the right password', async () => {
      await enter(page, service, owner, NEW);
      await row(page, ID).check();
      await toReview(page, 'Kârlılık');
      const create = button(page, 'Anahtar oluştur');
      await eventually(() => create.isDisabled()).toBe(true);
      await page.getByLabel(/anahtarın adını yazın/).fill('kârlılık');
      await eventually(() => create.isDisabled()).toBe(true);
      await page.getByLabel(/anahtarın adını yazın/).fill('Kârlılık');
      service.clock.advance(11 * MINUTE);
      await create.click();
      await page.getByText('Parolanızı yeniden girin').first().waitFor();
      await page.getByLabel('Parola', { exact: true }).fill('yanlış parola');
      await button(page, 'Devam et').click();
      await page.getByText('Parola yanlış').first().waitFor();
      await eventually(() => page.locator('p.select-all').count()).toBe(0);
      await page.getByLabel('Parola', { exact: true }).fill(PASSWORD);
      await button(page, 'Devam et').click();
      await page.locator('p.select-all').waitFor();
      expect(await code(await shownSecret(page), 'reports/profit-loss')).toBe('endpoint_not_active');
    });

    test('are not a developer’s to give: the owner is asked, and until then the key has none of them', async () => {
      const developer = await newPerson(service, { accountId, role: 'developer' });
      await enter(page, service, developer, NEW);
      await row(page, ID).check();
      await toReview(page, 'Kârlılık');
      await page.getByText('rolünüzün yetkisini aşıyor').first().waitFor();
      await button(page, 'Anahtar oluştur').click();
      await page.getByText('sahip onayı bekliyor').first().waitFor();
      const browser = await signedIn(service, developer);
      const body = { name: 'Kârlılık', environment: 'production', endpoints: [ID], typed_name: 'Kârlılık' };
      expect((await browser.api('keys', { method: 'POST', body })).status).toBe(403);
    });
  });

  describe('F6 rotation', () => {
    test('with an hour of overlap: both work, then only the new one; two clicks are one rotation', async () => {
      const { id, secret: old } = await service.key(accountId, { name: 'Döner', endpoints: ['GET vehicles'] });
      await enter(page, service, owner, `${KEYS}/${id}/genel`);
      await button(page, 'Yenile').click();
      await page.getByLabel('1 saat').check();
      await page.getByText(/Eski gizli anahtar .+ anında geçersiz olur/).waitFor();
      await button(page, 'Yeni gizli anahtar üret').dblclick();
      await page.locator('p.select-all').waitFor();
      const secret = await shownSecret(page);
      await service.settled();
      expect([await code(old, 'vehicles'), await code(secret, 'vehicles')]).toEqual(['ok', 'ok']);
      await page.getByLabel('Kaydettim').check();
      await button(page, 'Bitti').click();
      await eventually(() => page.locator('p.select-all').count()).toBe(0);
      await page
        .getByText(/Geçerlilik:/)
        .first()
        .waitFor();
      const browser = await signedIn(service, owner);
      expect((await browser.api(`keys/${id}`)).json.data.secrets).toHaveLength(2);
      expect(await kept(page)).not.toContain(secret.slice(13, -4));
      service.clock.advance(60 * MINUTE);
      expect([await code(old, 'vehicles'), await code(secret, 'vehicles')]).toEqual(['key_expired', 'ok']);
    });

    test('is not offered for a key that has expired', async () => {
      const { id } = await service.key(accountId, {
        name: 'Bitmiş',
        expiresAt: new Date(service.clock.now().getTime() - MINUTE),
      });
      await enter(page, service, owner, `${KEYS}/${id}/genel?dondur=1`);
      await page.getByText('Süresi dolmuş ya da iptal edilmiş bir anahtar yenilenemez', { exact: false }).waitFor();
      await eventually(() => button(page, 'Yeni gizli anahtar üret').isDisabled()).toBe(true);
    });
  });

  test('F7 expiry and addresses: the list, the preview and the API agree', async () => {
    const expiresAt = new Date(service.clock.now().getTime() + 10 * MINUTE);
    const { id, secret } = await service.key(accountId, { name: 'Süreli', endpoints: ['GET vehicles'], expiresAt });
    await enter(page, service, owner);
    await page
      .getByRole('row', { name: /Süreli/ })
      .getByText('Süresi doluyor')
      .first()
      .waitFor();
    await go(page, service, `${KEYS}/${id}/genel#allowed_ips`);
    await eventually(() => page.evaluate('document.activeElement.id')).toBe('allowed_ips');
    await page.getByLabel('İzinli IP’ler').fill('203.0.113.0/24');
    await button(page, 'Kaydet').click();
    await page.getByText('Kaydedildi').first().waitFor();
    await service.settled();
    expect(await code(secret, 'vehicles')).toBe('ip_not_allowed');
    await go(page, service, `${KEYS}/${id}/kapsam?satir=GET%20vehicles`);
    await eventually(() => page.evaluate('document.activeElement.dataset.row')).toBe('GET vehicles');
    await eventually(() => page.getByRole('status', { name: 'Yanıt' }).textContent()).toContain('ip_not_allowed');
    service.clock.advance(11 * MINUTE);
    expect(await code(secret, 'vehicles')).toBe('key_expired');
    await go(page, service, KEYS);
    await page
      .getByRole('row', { name: /Süreli/ })
      .getByText('Süresi doldu')
      .waitFor();
  });

  test('K4 a policy is changed by its difference, and the API follows', async () => {
    const { id, secret } = await service.key(accountId, { name: 'Kapsam', endpoints: ['GET vehicles', 'GET customers'] });
    expect(await code(secret, 'customers')).toBe('ok');
    await enter(page, service, owner, `${KEYS}/${id}/kapsam`);
    await row(page, 'GET customers').uncheck();
    await row(page, 'GET account').check();
    await button(page, 'Değişiklikleri gözden geçir').click();
    await page.getByText('1 eklenecek').last().waitFor();
    await eventually(() => page.getByText('Son 7 günde kullanılan 1 uç nokta kesilecek:').count()).toBe(1);
    await button(page, 'Kapsamı değiştir').click();
    await page.getByText('Kapsam değiştirildi').first().waitFor();
    await service.settled();
    expect([await code(secret, 'customers'), await code(secret, 'account')]).toEqual(['insufficient_scope', 'ok']);
    await page.keyboard.press('5');
    await page.waitForURL(/gecmis$/);
    await page.getByText('Kapsam değiştirildi').first().waitFor();
  });

  test('K6 a key is revoked by typing its name', async () => {
    const { id, secret } = await service.key(accountId, { name: 'Sızan' });
    await enter(page, service, owner, `${KEYS}/${id}/genel`);
    await button(page, 'İptal et').click();
    const revoke = button(page, 'Anahtarı iptal et');
    await eventually(() => revoke.isDisabled()).toBe(true);
    await page.getByLabel('Onaylamak için Sızan yazın').fill('Sızan');
    await revoke.click();
    await page.getByText('Bu anahtar iptal edildi; artık değiştirilemez.', { exact: false }).waitFor();
    await service.settled();
    expect(await code(secret, 'vehicles')).toBe('key_revoked');
  });

  test('the list by keyboard: C creates, J and Enter open; the language changes without losing the draft', async () => {
    await service.key(accountId, { name: 'Bir' });
    await enter(page, service, owner);
    await page.getByRole('link', { name: 'Bir' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/genel$/);
    await go(page, service, KEYS);
    await page.keyboard.press('c');
    await page.waitForURL(/yeni$/);
    await row(page, 'GET vehicles').check();
    await button(page, 'İleri').click();
    await page.getByLabel('Ad', { exact: true }).fill('Dil');
    await page
      .getByRole('button', { name: /Dil|Language/ })
      .first()
      .click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await eventually(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Dil');
  });
});

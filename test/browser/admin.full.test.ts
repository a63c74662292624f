import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import { newPerson, signedIn, type TestPerson } from '../panel/people.ts';
import { axe } from '../support/axe.ts';
import { isBrowserMissing, screenshot } from '../support/browser.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';
import { without } from '../support/unbuilt.ts';

describe.skipIf(isBrowserMissing())('administration in the panel', () => {
  const panel = panelTest({ resources: without('GET network-auctions') });
  let service: TestService;
  let accountId: string;
  let owner: TestPerson;
  let admin: TestPerson;

  beforeAll(async () => {
    service = panel.service;
    accountId = await service.account({ name: 'Girne Oto', city: 'Girne' });
    owner = await newPerson(service, { accountId });
    admin = await newPerson(service, { admin: true });
  });

  async function requestLimit(keyId: string, perMinute: number, reason: string): Promise<void> {
    await service.database.onPlatform('write', (db) =>
      db.exec(sql`insert into limit_requests (account_id, id, key_id, asked_per_minute, reason, asked_by)
        values (${accountId}, ${newId()}, ${keyId}, ${perMinute}, ${reason}, ${owner.id})`),
    );
  }

  test('a vote moves an endpoint up the board', async () => {
    const page = await panel.open(admin, '/panel/yonetim/yayinlar');
    const first = () => page.locator('tbody tr').first().textContent();
    const dealer = await panel.open(owner, '/panel/katalog?kategori=Tasks');
    await dealer.getByRole('button', { name: 'Talep et: POST tasks', exact: true }).click();
    await dealer.getByRole('dialog').getByLabel('Canlıya çıkışımızı engelliyor').check();
    await dealer.getByRole('dialog').getByRole('button', { name: 'Talep et' }).click();
    await dealer.getByText('Talebiniz kaydedildi').first().waitFor();
    await page.reload();
    await eventually(first).toContain('Görev ekle');
    expect(await first()).toContain('1 canlıya çıkışı engelliyor');
    await panel.done(page);
    await panel.done(dealer);
  });

  test('an endpoint without a body cannot be opened, and the drawer says so', async () => {
    const page = await panel.open(admin, '/panel/yonetim/yayinlar?uc=get-network-auctions');
    await page.getByText('henüz geliştirilmedi').first().waitFor();
    await eventually(() => page.getByRole('button', { name: 'Yayına al' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await eventually(() => new URL(page.url()).search).toBe('');
    await panel.done(page);
  });

  test('a limit is approved from the keyboard and the key has it at once', async () => {
    const key = await service.key(accountId, { name: 'Kampanya', limitPerMinute: 60 });
    await requestLimit(key.id, 300, 'Bayram kampanyası');
    const page = await panel.open(admin, '/panel/yonetim/limit-talepleri');
    await page.getByText('Bayram kampanyası').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Dakikada istek').fill('240');
    expect(await axe(page)).toEqual([]);
    await screenshot(page, 'admin-limit-dialog');
    await dialog.getByRole('button', { name: 'Onayla' }).click();
    await page.getByText('Bekleyen talep yok').first().waitFor();
    await eventually(
      async () => (await service.call('developer/rate-limit', { key: key.secret })).json.data.limit_per_minute,
    ).toBe(240);
    await page.getByRole('button', { name: 'Onaylanan' }).click();
    await page.getByText('Verilen 240/dk').first().waitFor();
    await panel.done(page);
  });

  test('a high limit waits for a second administrator; the first sees that it must be someone else', async () => {
    const second = await newPerson(service, { admin: true });
    const key = await service.key(accountId, { name: 'Taşıma', limitPerMinute: 60 });
    await requestLimit(key.id, 61, 'Entegratör taşınıyor');
    const approve = async (page: Page, perMinute: string | null) => {
      await page.getByRole('button', { name: 'Onayla: Taşıma' }).click();
      const dialog = page.getByRole('dialog');
      if (perMinute !== null) await dialog.getByLabel('Dakikada istek').fill(perMinute);
      return dialog;
    };
    const page = await panel.open(admin, '/panel/yonetim/limit-talepleri');
    const dialog = await approve(page, '5000');
    await dialog.getByText('Dakikada 600 üstü, ikinci bir yöneticinin onayını bekler.').waitFor();
    await dialog.getByRole('button', { name: 'Onayla' }).click();
    await page.getByText('dakikada 5.000 verdi').first().waitFor();
    const again = await approve(page, null);
    await again.getByText('İkinci onayı siz veremezsiniz').waitFor();
    await eventually(() => again.getByRole('button', { name: 'Onayla' }).isDisabled()).toBe(true);
    await panel.done(page);
    const other = await panel.open(second, '/panel/yonetim/limit-talepleri');
    await (await approve(other, null)).getByRole('button', { name: 'Onayla' }).click();
    await other.getByText('Bekleyen talep yok').first().waitFor();
    await eventually(
      async () => (await service.call('developer/rate-limit', { key: key.secret })).json.data.limit_per_minute,
    ).toBe(5000);
    await panel.done(other);
    await service.database.onPlatform('write', (db) =>
      db.exec(sql`update people set disabled_at = now() where id = ${second.id}`),
    );
  });

  test('an account is opened with a link, found, suspended by its name and a reason, and opened again', async () => {
    const page = await panel.open(admin, '/panel/yonetim/hesaplar');
    await page.getByRole('button', { name: 'Yeni hesap' }).click();
    await page.getByRole('button', { name: 'Hesabı aç' }).click();
    await page.getByRole('alert').first().waitFor();
    await page.getByLabel('Galeri adı').fill('Şahin Otomotiv');
    await page.getByLabel('Hesap sahibinin adı soyadı').fill('İrem Şahin');
    await page.getByLabel('Hesap sahibinin e-postası').fill('irem@example.com');
    expect(await axe(page)).toEqual([]);
    await screenshot(page, 'admin-new-account');
    await page.getByRole('button', { name: 'Hesabı aç' }).dblclick();
    await eventually(() => page.getByLabel('Bağlantı', { exact: true }).inputValue()).toMatch(/\/panel\/davet\/[\w-]{43}$/);
    await page.getByRole('button', { name: 'Kapat' }).last().click();
    await page.getByRole('searchbox').fill('SAHIN');
    // One account, and so one link: the second of two quick clicks sends nothing.
    await page.getByRole('link', { name: 'Şahin Otomotiv' }).click();
    await page.getByRole('button', { name: 'Askıya al' }).click();
    const dialog = page.getByRole('alertdialog');
    const confirm = dialog.getByRole('button', { name: 'Askıya al' });
    await dialog.getByLabel('Gerekçe').fill('Ödeme yapılmadı');
    await eventually(() => confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(/onaylamak için/i).fill('Şahin Otomotiv');
    expect(await axe(page)).toEqual([]);
    await screenshot(page, 'admin-suspend');
    await confirm.click();
    await page.getByText('Ödeme yapılmadı').first().waitFor();
    await page.getByRole('button', { name: 'Askıyı kaldır' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Askıyı kaldır' }).click();
    await page.getByRole('button', { name: 'Askıya al' }).waitFor();
    await panel.done(page);
  });

  test('a look shows the account under a banner, changes nothing, and ends with one click', async () => {
    const page = await panel.open(admin, `/panel/yonetim/hesaplar/${accountId}`);
    await page.getByRole('button', { name: 'Salt okunur görüntüle' }).click();
    await page.getByText(/Salt okunur görüntüleme: Girne Oto/).waitFor();
    await panel.go(page, `/panel/katalog?kategori=Sales`);
    await page.getByRole('table').waitFor();
    await eventually(() => page.getByRole('button', { name: /^Talep et/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Görüntülemeyi bitir' }).click();
    await page.waitForURL('**/yonetim/hesaplar');
    await eventually(() => page.getByText(/Salt okunur görüntüleme/).count()).toBe(0);
    await panel.go(page, `/panel/yonetim/denetim?subject=account`);
    await page.getByRole('button', { name: 'Hesabı salt okunur görüntüledi' }).first().waitFor();
    await panel.done(page);
  });

  test('special authorizations are given to a key, and the audit log shows before and after', async () => {
    await service.key(accountId, { name: 'Müzayede botu' });
    const page = await panel.open(admin, `/panel/yonetim/hesaplar/${accountId}`);
    await page.getByRole('button', { name: 'Yetkiler: Müzayede botu' }).click();
    await page.getByLabel('Canlı müzayedede pey verme').check();
    await page.getByRole('button', { name: 'Kaydet' }).click();
    await page.getByText('Özel yetkiler kaydedildi').first().waitFor();
    await panel.go(page, `/panel/yonetim/denetim?subject=key`);
    await page.getByRole('button', { name: '«Müzayede botu» adlı anahtarın özel yetkilerini değiştirdi' }).first().click();
    const entry = page.getByRole('dialog');
    await entry.getByText('live_auction_bid').first().waitFor();
    await entry.getByRole('rowheader', { name: 'Özel yetkiler' }).waitFor();
    await eventually(() => new URL(page.url()).searchParams.get('kayit')).not.toBeNull();
    expect(await axe(page)).toEqual([]);
    await screenshot(page, 'admin-audit-entry');
    await panel.done(page);
  });

  test('an administrator is invited and taken out again', async () => {
    const page = await panel.open(admin, '/panel/yonetim/yoneticiler');
    await page.getByRole('button', { name: 'Yönetici davet et' }).click();
    await page.getByRole('dialog').getByLabel('Ad soyad').fill('Yeni Yönetici');
    await page.getByRole('dialog').getByLabel('E-posta').fill('yeni@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Davet et' }).click();
    await page.getByText('Davet bağlantısı hazır').first().waitFor();
    await page.getByRole('button', { name: 'Kapat' }).last().click();
    await page.getByText('Davet bekliyor').first().waitFor();
    await page.getByRole('button', { name: 'Kaldır: Yeni Yönetici' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Kaldır' }).click();
    await eventually(() => page.getByText('yeni@example.com').count()).toBe(0);
    await panel.done(page);
  });

  test('is closed to everyone else, in the menu and by its address', async () => {
    const page = await panel.open(owner, '/panel/yonetim/hesaplar');
    await page.getByRole('heading', { level: 1, name: 'Bu sayfa için yetkiniz yok' }).waitFor();
    await eventually(() => page.getByRole('link', { name: 'Limit talepleri' }).count()).toBe(0);
    const { json } = await (await signedIn(service, owner)).api('admin/accounts');
    expect(json.error.code).toBe('not_permitted');
    await panel.done(page);
  });
});

// Settings, users and staff in a real browser: what an owner does there by clicking and typing, and what it changes.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { codeAt, stepAt } from '../../src/domain/identity/totp.ts';
import { sql } from '../../src/kit/sql.ts';
import { newPerson, PASSWORD, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

describe.skipIf(isBrowserMissing())('settings in the panel', () => {
  const panel = panelTest();
  let service: TestService;
  let url: string;
  let accountId: string;

  beforeAll(async () => {
    service = panel.service;
    url = service.service.url;
    accountId = await service.account({ name: 'Girne Oto', city: 'Girne' });
  });

  const owner = (account = accountId) => newPerson(service, { accountId: account });
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const forgetPassword = (person: TestPerson) =>
    service.database.onPlatform('write', (db) =>
      db.exec(sql`update sessions set reauthenticated_at = now() - interval '1 hour' where person_id = ${person.id}`),
    );

  test('a changed setting is in the API at once; a refused value stays in the form with its error', async () => {
    const page = await panel.open(await owner(), '/panel/ayarlar/hesap');
    const key = (await service.key(accountId)).secret;
    await page.getByLabel('Galeri adı').fill('Yeni Girne Oto');
    await page.getByLabel('Telefon').fill('12');
    await page.getByRole('button', { name: 'Kaydet' }).click();
    await page.getByText('1 alan düzeltilmeli').first().waitFor();
    await eventually(() => page.getByLabel('Telefon').getAttribute('aria-invalid')).toBe('true');
    await eventually(() => page.getByLabel('Galeri adı').inputValue()).toBe('Yeni Girne Oto');
    await page.getByLabel('Telefon').fill('0533 812 34 56');
    await page.getByRole('button', { name: 'Kaydet' }).click();
    await page
      .getByRole('button', { name: 'Yeni Girne Oto' })
      .or(page.locator('header').getByText('Yeni Girne Oto'))
      .first()
      .waitFor();
    const read = (await service.call('account', { key })).json.data;
    expect(read).toMatchObject({ name: 'Yeni Girne Oto', phone: '+905338123456' });
    await page.reload();
    await eventually(() => page.getByLabel('Telefon').inputValue()).toBe('+905338123456');
    await panel.done(page);
  });

  test('reminders are set line by line; an error is shown at its line', async () => {
    const account = await service.account({ name: 'Hatırlatan Oto' });
    const page = await panel.open(await owner(account), '/panel/ayarlar/hesap');
    const days = page.getByLabel('Gün', { exact: true });
    await eventually(() => days.count()).toBe(4);
    await eventually(() => days.nth(0).inputValue()).toBe('3');
    await days.nth(1).fill('3');
    await page.getByLabel('Gecikme için hoşgörü süresi (gün)').fill('5');
    await page.getByLabel('Belgelerin saklanma süresi (yıl)').fill('12');
    await page.getByLabel('Açık', { exact: true }).nth(0).check();
    await page.getByRole('button', { name: 'Hatırlatma ekle' }).click();
    await days.nth(4).fill('20');
    await page.getByLabel('Kanal').nth(4).selectOption('E-posta');
    // A rule that would send nothing is reported before it is saved.
    const on = page.getByLabel('Açık', { exact: true });
    await on.nth(4).check();
    await on.nth(2).check();
    await page.getByText('Bu sunucuda e-posta gönderimi kurulu değil').waitFor();
    await page.getByText('Vadeden sonraki ilk 5 gün hoşgörü süresidir').waitFor();
    await on.nth(4).uncheck();
    await on.nth(2).uncheck();
    await page.getByRole('button', { name: 'Kaydet' }).click();
    // Three days after was there already.
    await eventually(() => days.nth(2).getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: '2. hatırlatmayı kaldır' }).click();
    await page.getByRole('button', { name: 'Kaydet' }).click();
    await page.getByText('Kaydedildi').first().waitFor();
    const [row] = await service.database.onPlatform('read', (db) =>
      db.rows<Record<string, unknown>>(
        sql`select overdue_grace_days, document_retention_years, reminders::json as reminders from accounts where id = ${account}`,
      ),
    );
    expect(row).toEqual({
      overdue_grace_days: 5,
      document_retention_years: 12,
      reminders: [
        { day: -3, channel: 'WhatsApp', active: true },
        { day: 3, channel: 'WhatsApp', active: false },
        { day: 10, channel: 'WhatsApp', active: false },
        { day: 20, channel: 'E-posta', active: false },
      ],
    });
    await panel.done(page);
  });

  test('switching the language keeps what is typed', async () => {
    const page = await panel.open(await owner(), '/panel/ayarlar/hesap');
    await page.getByLabel('Şehir').fill('Lapta');
    await page.getByRole('button', { name: /^Dil:/ }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Account settings' }).waitFor();
    await eventually(() => page.getByLabel('City').inputValue()).toBe('Lapta');
    await page.getByRole('button', { name: /^Language:/ }).click();
    await page.getByRole('menuitemradio', { name: 'Türkçe' }).click();
    await page.getByRole('heading', { name: 'Hesap ayarları' }).waitFor();
    await eventually(() => page.getByLabel('Şehir').inputValue()).toBe('Lapta');
    // Leaving with it unsaved asks first.
    page.once('dialog', (dialog) => dialog.dismiss());
    await page.getByRole('link', { name: 'Güvenlik' }).click();
    await eventually(() => page.getByLabel('Şehir').inputValue()).toBe('Lapta');
    await panel.chromium.leave(page);
  });

  test('an invitation becomes a user; a role asks for the password and is in force at once', async () => {
    const person = await owner();
    const page = await panel.open(person, '/panel/ekip');
    await page.getByRole('button', { name: 'Ekibe davet et' }).click();
    await page.getByLabel('Ad soyad').fill('Deniz Kaya');
    await page.getByLabel('E-posta').fill('deniz@example.com');
    await page.getByRole('radio', { name: 'Finans' }).check();
    await page.getByRole('button', { name: 'Bağlantı oluştur' }).click();
    const link = await page.getByLabel('Bağlantı', { exact: true }).inputValue();
    expect(link).toContain('/panel/davet/');
    await page.getByRole('button', { name: 'Tamam' }).click();
    await row(page, 'deniz@example.com').getByText('Bekliyor').first().waitFor();
    await eventually(() => page.content()).not.toContain(link.split('/').at(-1));

    const guest = await panel.chromium.open();
    await guest.goto(link);
    await guest.fill('input[name=password]', 'uzun ve iyi bir parola');
    await guest.click('button[type=submit]');
    await guest.waitForSelector('main h1');
    await page.reload();
    await row(page, 'deniz@example.com').getByText('Finans').first().waitFor();

    await forgetPassword(person);
    await page.getByRole('button', { name: 'Deniz Kaya için işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Rolünü değiştir' }).click();
    await page.getByRole('radio', { name: 'İzleyici' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Rolünü değiştir' }).click();
    const dialog = page.getByRole('dialog', { name: 'Parolanızı yeniden girin' });
    await dialog.getByLabel('Parola').fill('yanlış parola');
    await dialog.getByRole('button', { name: 'Devam et' }).click();
    await dialog.getByText('Parola yanlış').first().waitFor();
    await dialog.getByLabel('Parola').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Devam et' }).click();
    await row(page, 'deniz@example.com').getByText('İzleyici').first().waitFor();
    // The session with the old role has ended; the page goes to the sign-in.
    await guest.reload();
    await guest.waitForURL('**/panel/giris**');
    await panel.chromium.leave(guest);
    await panel.chromium.leave(page);
  });

  test('the last owner cannot step down, and the dialog says why', async () => {
    const alone = await owner(await service.account());
    const page = await panel.open(alone, '/panel/ekip');
    await page.getByRole('button', { name: /için işlemler/ }).click();
    await page.getByRole('menuitem', { name: 'Rolünü değiştir' }).click();
    await page.getByRole('radio', { name: /^Satış/ }).check();
    await page.getByText('Kendi rolünüzü değiştiriyorsunuz').first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Rolünü değiştir' }).click();
    await page.getByText('Hesapta en az bir sahip kalmalı').first().waitFor();
    await panel.chromium.leave(page);
  });

  test('a password link is handed over and sets a new password; access is closed', async () => {
    const forgetful = await newPerson(service, { accountId, role: 'sales' });
    const page = await panel.open(await owner(), '/panel/ekip');
    const line = row(page, forgetful.email);
    await line.getByRole('button', { name: /için işlemler/ }).click();
    await page.getByRole('menuitem', { name: 'Parola bağlantısı oluştur' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Bağlantı oluştur' }).click();
    const link = await page.getByLabel('Bağlantı', { exact: true }).inputValue();
    const guest = await panel.chromium.open({ javaScriptEnabled: false });
    await guest.goto(link);
    await guest.fill('input[name=password]', 'bambaşka bir parola');
    await guest.click('button[type=submit]');
    await guest.fill('input[name=email]', forgetful.email);
    await guest.fill('input[name=password]', 'bambaşka bir parola');
    await guest.click('button[type=submit]');
    await guest.waitForURL((at) => !at.pathname.includes('giris'));
    await panel.chromium.leave(guest);
    await page.getByRole('button', { name: 'Tamam' }).click();
    await line.getByRole('button', { name: /için işlemler/ }).click();
    await page.getByRole('menuitem', { name: 'Erişimini kapat' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Erişimini kapat' }).click();
    await line.getByText('Ayrıldı').first().waitFor();
    await panel.chromium.leave(page);
  });

  test('the second factor is set up with a code, its recovery codes are shown once, and the sign-in asks for it', async () => {
    const person = await owner();
    const page = await panel.open(person, '/panel/ayarlar/guvenlik');
    await page.getByRole('button', { name: 'Kur', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: 'Kurulum karekodu' }).waitFor();
    const secret = (await dialog.locator('span.code').first().textContent())!.replaceAll(' ', '');
    await dialog.getByLabel('Uygulamanın gösterdiği kod').fill('000000');
    await dialog.getByRole('button', { name: 'Doğrula ve aç' }).click();
    await dialog.getByText('Kod yanlış').first().waitFor();
    await dialog.getByLabel('Uygulamanın gösterdiği kod').fill(codeAt(secret, stepAt(new Date())));
    await dialog.getByRole('button', { name: 'Doğrula ve aç' }).click();
    const codes = page.getByRole('dialog', { name: 'Kurtarma kodları' });
    await codes.waitFor();
    const recovery = await codes.getByRole('listitem').allTextContents();
    expect(recovery).toHaveLength(10);
    await page.keyboard.press('Escape');
    await eventually(() => codes.isVisible()).toBe(true);
    await codes.getByLabel('Kodları güvenli bir yere kaydettim').check();
    await codes.getByRole('button', { name: 'Bitir' }).click();
    await page.getByRole('button', { name: 'Kaldır' }).waitFor();
    await eventually(() => page.content()).not.toContain(recovery[0]);

    const again = await panel.chromium.open();
    await again.goto(`${url}/panel/giris`);
    await again.fill('input[name=email]', person.email);
    await again.fill('input[name=password]', PASSWORD);
    await again.click('button[type=submit]');
    await again.fill('input[name=code]', recovery[0]!);
    await again.click('button[type=submit]');
    await again.waitForSelector('main h1');
    await panel.chromium.leave(again);

    await page.getByRole('button', { name: 'Kaldır' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Kaldır' }).click();
    await page.getByRole('button', { name: 'Kur', exact: true }).waitFor();
    await panel.chromium.leave(page);
  });

  test('a password is changed; one session is ended, then all of them', async () => {
    const person = await owner();
    const page = await panel.open(person, '/panel/ayarlar/oturumlar');
    const other = await panel.open(person, '/panel/ayarlar/tercihler');
    await page.reload();
    await page
      .getByRole('button', { name: /^Sonlandır/ })
      .first()
      .click();
    await page.getByText('Oturum sonlandırıldı').first().waitFor();
    await other.reload();
    await other.waitForURL('**/panel/giris**');

    await page.goto(`${url}/panel/ayarlar/guvenlik`);
    await page.getByLabel('Mevcut parola').fill(PASSWORD);
    await page.getByLabel('Yeni parola').fill('kısa');
    await page.getByRole('button', { name: 'Parolayı değiştir' }).click();
    await page.getByText('1 alan düzeltilmeli').first().waitFor();
    await page.getByLabel('Yeni parola').fill('çok daha uzun bir parola');
    await page.getByRole('button', { name: 'Parolayı değiştir' }).click();
    await page.getByText('Parolanız değişti').first().waitFor();

    await page.goto(`${url}/panel/ayarlar/oturumlar`);
    const cookies = await page.context().cookies();
    await page.getByRole('button', { name: 'Her yerden çıkış yap' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Her yerden çıkış yap' }).click();
    await page.waitForURL('**/panel/giris**');
    await page.context().addCookies(cookies);
    await page.goto(`${url}/panel/ayarlar/oturumlar`);
    await page.waitForURL('**/panel/giris**');
    await panel.chromium.leave(page);
  });

  test('the log is narrowed in the address and shows before and after beside the list', async () => {
    const account = await service.account({ name: 'Lefke Oto' });
    const page = await panel.open(await owner(account), '/panel/ayarlar/hesap');
    await page.getByLabel('Şehir').fill('Lefke');
    await page.getByRole('button', { name: 'Kaydet' }).click();
    await page.getByText('Kaydedildi').first().waitFor();
    await page.getByRole('link', { name: 'Denetim kaydı' }).click();
    await page.getByLabel('Konu').selectOption({ label: 'Hesap' });
    await page.waitForURL('**subject=account**');
    await page.getByRole('button', { name: /, hesap ayarlarını değiştirdi$/ }).click();
    await page.waitForURL('**kayit=**');
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('row').filter({ hasText: 'Şehir' }).getByText('Lefke').first().waitFor();
    await page.reload();
    await drawer
      .getByText(/hesap ayarlarını değiştirdi/)
      .first()
      .waitFor();
    await page.goBack();
    await drawer.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Reddedildi' }).click();
    await page.getByText('Bu filtrelerle kayıt yok.').first().waitFor();
    await panel.chromium.leave(page);
  });

  test('branches and staff: added by keyboard, moved, marked as left, invited as who they are', async () => {
    const account = await service.account({ name: 'Omorfo Oto', city: 'Güzelyurt' });
    const page = await panel.open(await owner(account), '/panel/ekip/subeler');
    await page.keyboard.press('c');
    await page.getByLabel('Ad', { exact: true }).fill('Lefkoşa');
    await page.getByLabel('Şehir').fill('Lefkoşa');
    await page.keyboard.press('Enter');
    await row(page, 'Lefkoşa').waitFor();
    await page.getByRole('button', { name: 'Lefkoşa için işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Ana şube yap' }).click();
    await row(page, 'Lefkoşa').getByText('Ana şube').first().waitFor();
    await page.getByRole('button', { name: 'Merkez için işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Kaldır' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Kaldır' }).click();
    await row(page, 'Merkez').waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Ekip', exact: true }).click();
    await page.getByRole('button', { name: 'Çalışan ekle' }).click();
    await page.getByLabel('Ad soyad').fill('Ayşe Öztürk');
    await page.getByRole('dialog').getByLabel('Şube').selectOption({ label: 'Lefkoşa' });
    await page.getByRole('button', { name: 'Kaydet' }).click();
    await row(page, 'Ayşe Öztürk').waitFor();
    await page.getByRole('searchbox').fill('OZTURK');
    await page.waitForURL('**q=OZTURK**');
    await eventually(() => page.getByRole('region', { name: 'Ekip' }).getByRole('row').count()).toBe(2);
    await page.getByRole('button', { name: 'Ayşe Öztürk için işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Panele davet et' }).click();
    await page.waitForURL('**/ekip?davet=**');
    await eventually(() => page.getByLabel('Ad soyad').inputValue()).toBe('Ayşe Öztürk');
    await page.getByLabel('E-posta').fill('ayse@example.com');
    await page.getByRole('button', { name: 'Bağlantı oluştur' }).click();
    await page.getByRole('button', { name: 'Tamam' }).click();
    await row(page, 'ayse@example.com').getByText('Bekliyor').first().waitFor();
    await page.getByRole('button', { name: 'Ayşe Öztürk için işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Ayrıldı olarak işaretle' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Ayrıldı olarak işaretle' }).click();
    await row(page, 'Ayşe Öztürk').getByText('Ayrıldı').first().waitFor();
    await panel.done(page);
  });

  test('likes are kept with the person: the next browser has them', async () => {
    const person = await owner();
    const page = await panel.open(person, '/panel/ayarlar/tercihler');
    await page.getByRole('radio', { name: 'Koyu' }).check();
    await page.getByRole('radio', { name: 'Dar' }).check();
    await page.getByLabel('Ad soyad').fill('Ece Demir');
    await page.getByRole('button', { name: 'Kaydet' }).click();
    await page.getByText('Kaydedildi').first().waitFor();
    await panel.chromium.leave(page);
    const next = await panel.open(person, '/panel/ayarlar/tercihler');
    await next.waitForSelector('html[data-theme=dark]');
    await eventually(() => next.getByRole('radio', { name: 'Dar' }).isChecked()).toBe(true);
    await eventually(() => next.getByLabel('Ad soyad').inputValue()).toBe('Ece Demir');
    await panel.chromium.leave(next);
  });
});

// Managing the stock: a vehicle from purchase to sale, where errors are shown, bulk edits.
import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { own, sql } from '../../src/kit/sql.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

const LIST = '/panel/araclar';

describe.skipIf(isBrowserMissing())('keeping the stock in the panel', () => {
  const panel = panelTest();
  let service: TestService;
  let accountId: string;
  let owner: TestPerson;

  beforeAll(async () => {
    service = panel.service;
    accountId = await service.account({ name: 'Girne Oto' });
    owner = await newPerson(service, { accountId });
    await service.customer(accountId, { first_name: 'Işıl', last_name: 'Çağlar' });
  });

  const main = (page: Page) => page.getByRole('main');
  const text = async (page: Page) => ((await main(page).textContent()) ?? '').replaceAll('\u00a0', ' ');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const choose = async (page: Page, act: string) => {
    await page.getByRole('button', { name: 'Araçla ilgili diğer işlemler' }).click();
    await page.getByRole('menuitem', { name: act }).click();
  };
  const stored = (id: string) =>
    service.database.inTenant(accountId, 'read', (db) =>
      db.one<Record<string, unknown>>(sql`select * from ${own('vehicles')} where id = ${id}`),
    );
  /** What was sent to change something, since this was called. */
  const writesOf = (page: Page): Request[] => {
    const sent: Request[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET' && request.url().includes('/panel/api/v1/')) sent.push(request);
    });
    return sent;
  };

  async function fill(page: Page, plate: string): Promise<void> {
    await page.getByLabel('Plaka', { exact: true }).fill(plate);
    await page.getByLabel('Marka', { exact: true }).fill('Toyota');
    await page.getByLabel('Model', { exact: true }).fill('Corolla');
    await page.getByLabel('Model yılı').fill('2021');
    await page.getByLabel('Kilometre').fill('48.500');
    await page.getByLabel('Yakıt').selectOption('Hibrit');
    await page.getByLabel('Vites').selectOption('Otomatik');
    await page.getByLabel('Kasa tipi').selectOption('Sedan');
    await page.getByLabel('Renk').fill('Gümüş');
    await page.getByLabel('Fiyat', { exact: true }).fill('17.250,50');
    await page.getByLabel('Şehir').fill('Girne');
  }

  /** Presses the part once in each of these states. */
  async function paint(page: Page, part: string, states: readonly string[]): Promise<void> {
    for (const state of states) await page.getByRole('button', { name: `${part}: ${state}`, exact: true }).click();
  }

  test('the condition of a car is picked part by part, shown, and in the history', async () => {
    const page = await panel.open(owner, `${LIST}/yeni`);
    await fill(page, 'cnd 101');
    await page.getByLabel('Boyalı ve değişen parçaları belirt').check();
    await paint(page, 'Tavan', ['Orijinal', 'Lokal boyalı']);
    await paint(page, 'Sol Ön Kapı', ['Orijinal', 'Lokal boyalı', 'Boyalı']);
    await paint(page, 'Ön Tampon', ['Orijinal']);
    await page.getByLabel('Tramer tutarı').fill('12.500,50');
    await look(page, 'vehicle-condition-form');
    await button(page, 'Stoğa ekle').click();
    await page.waitForURL(/\/araclar\/[0-9a-f-]{36}$/);
    const id = page.url().split('/').at(-1)!;
    const facts = page.getByRole('region', { name: 'Kaporta durumu' });
    await eventually(async () => (await facts.textContent())?.replaceAll('\u00a0', ' ')).toMatch(
      /Sol Ön Kapı.*Tavan.*Ön Tampon.*12\.500,50/,
    );
    expect(JSON.parse(String((await stored(id)).condition))).toEqual({
      painted: ['Tavan'],
      locally_painted: ['Ön Tampon'],
      replaced: ['Sol Ön Kapı'],
      tramer_amount: '12500.50',
      tramer_currency: 'TL',
      expertise_document_id: null,
    });
    await page.getByRole('link', { name: 'Düzenle' }).click();
    await page.getByRole('button', { name: 'Tavan: Boyalı' }).press('Delete');
    await page.getByRole('button', { name: 'Tavan: Orijinal' }).waitFor();
    await page.getByLabel('Tramer tutarı').fill('çok');
    await button(page, 'Kaydet').click();
    await eventually(() => page.getByLabel('Tramer tutarı').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Tramer tutarı').fill('');
    await button(page, 'Kaydet').click();
    await page.waitForURL(`**${LIST}/${id}`);
    await page.getByRole('link', { name: 'Geçmiş' }).click();
    await eventually(() => text(page)).toMatch(
      /Boyalı: Tavan · Lokal boyalı: Ön Tampon · Değişen: Sol Ön Kapı.*Boyalı: Yok · Lokal boyalı: Ön Tampon · Değişen/,
    );
    await page.getByRole('link', { name: 'Bilgiler' }).click();
    await page.getByRole('link', { name: 'Düzenle' }).click();
    await page.getByLabel('Boyalı ve değişen parçaları belirt').uncheck();
    await button(page, 'Kaydet').click();
    await page.waitForURL(`**${LIST}/${id}`);
    await eventually(() => facts.count()).toBe(0);
    expect((await stored(id)).condition).toBeNull();
    await panel.done(page);
  });

  test('a vehicle is taken in, edited, reserved, released, published, sold, deleted and restored', async () => {
    const page = await panel.open(owner, LIST);
    await page.keyboard.press('c');
    await page.waitForURL(`**${LIST}/yeni`);
    await page.getByLabel('Plaka', { exact: true }).waitFor();
    const sent = writesOf(page);
    await fill(page, 'tc 101');
    await page.getByText('Gizli tutulan bilgiler').click();
    await page.getByLabel(/^Alış fiyatı \(/).fill('14000');
    await page.getByLabel('Şasi no').fill('nmt 123 xyz');
    await page.getByLabel('Şasi no').press('Control+Enter');
    await page.waitForURL(/\/araclar\/[0-9a-f-]{36}$/);
    const id = page.url().split('/').at(-1)!;
    await eventually(() => text(page)).toContain('£17.250,50');
    expect(sent).toHaveLength(1);
    expect(sent[0]!.headers()['idempotency-key']).toMatch(/^[\x21-\x7e]{20,}$/);
    await eventually(() => stored(id)).toMatchObject({
      plate: 'TC 101',
      km: 48_500,
      purchase_price_minor: 1_400_000n,
      chassis_no: 'NMT123XYZ',
    });
    await eventually(() => page.content()).not.toContain('NMT123XYZ');

    await page.getByRole('link', { name: 'Düzenle' }).click();
    await page.getByLabel('Renk').fill('Kırmızı');
    await page.getByLabel('Fiyat', { exact: true }).fill('16900');
    await page.getByText('Gizli tutulan bilgiler').click();
    await page.getByRole('checkbox', { name: 'Şasi no: Kayıtlı değeri sil' }).check();
    await button(page, 'Kaydet').click();
    await page.waitForURL(`**${LIST}/${id}`);
    await eventually(() => text(page)).toContain('£16.900,00');
    expect(JSON.parse(sent.at(-1)!.postData()!)).toEqual({ color: 'Kırmızı', price: '16900', chassis_no: null });
    await eventually(() => stored(id)).toMatchObject({ color: 'Kırmızı', chassis_no: null, purchase_price_minor: 1_400_000n });

    await button(page, 'Rezerve et').click();
    const dialog = page.getByRole('dialog', { name: 'Rezerve et' });
    await dialog.getByRole('button', { name: 'Rezerve et' }).click();
    // A customer need not be named, and then nothing reads as if there were one.
    await eventually(() => text(page)).toContain('Müşteri belirtilmedi, ');
    await button(page, 'Rezervasyonu kaldır').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rezervasyonu kaldır' }).click();
    await button(page, 'Rezerve et').click();
    await dialog.getByLabel('Müşteri').fill('isil');
    await dialog.getByRole('option', { name: /Işıl Çağlar/ }).click();
    await dialog.getByLabel(/^Kapora \(/).fill('500');
    await dialog.getByRole('button', { name: 'Rezerve et' }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually(() => text(page)).toContain('Işıl Çağlar');
    await eventually(() => text(page)).toContain('£500,00');
    await eventually(() => stored(id)).toMatchObject({ status: 'Rezerve' });

    await button(page, 'Rezervasyonu kaldır').click();
    const release = page.getByRole('dialog', { name: 'Rezervasyon kaldırılsın mı?' });
    await release.getByRole('button', { name: 'Rezervasyonu kaldır' }).click();
    await eventually(() => release.textContent()).toContain('kapora');
    await release.getByLabel('Kapora').selectOption('iade');
    await release.getByRole('button', { name: 'Rezervasyonu kaldır' }).click();
    await button(page, 'Rezerve et').waitFor();
    await eventually(() => stored(id)).toMatchObject({ status: 'Stokta' });

    await button(page, 'Yayınla').click();
    await page.getByRole('dialog').getByLabel('İlan başlığı').fill('Hatasız Corolla');
    await page.getByRole('dialog').getByRole('button', { name: 'Yayınla' }).click();
    await eventually(() => page.locator('main header').textContent()).toMatch(/Yayında(?! değil)/);
    await choose(page, 'Yayından kaldır');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yayından kaldır' }).click();
    await eventually(() => page.locator('main header').textContent()).toContain('Yayında değil');

    await choose(page, 'Satıldı olarak işaretle');
    await page
      .getByRole('dialog')
      .getByLabel(/^Satış fiyatı \(/)
      .fill('16500');
    await page.getByRole('dialog').getByRole('button', { name: 'Satıldı olarak işaretle' }).click();
    await button(page, 'Satışı geri al').waitFor();
    await eventually(() => stored(id)).toMatchObject({ status: 'Satıldı', sold_via: 'Harici' });
    await button(page, 'Satışı geri al').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Satışı geri al' }).click();
    await button(page, 'Rezerve et').waitFor();

    await choose(page, 'Sil');
    await eventually(() => text(page)).toContain('Bu araç silinmiş');
    await button(page, 'Geri al').click();
    await button(page, 'Rezerve et').waitFor();
    await eventually(() => stored(id)).toMatchObject({ deleted_at: null });

    await page.getByRole('link', { name: 'Geçmiş' }).click();
    const entries = main(page).locator('ol > li');
    await eventually(() => entries.count()).toBeGreaterThan(8);
    const history = await text(page);
    expect(history).toContain('Geri yüklendi');
    expect(history).toMatch(/RenkGümüşyeni değer: Kırmızı/);
    expect(history).toMatch(/Şasi nodeğişti \(gösterilmez\)/);
    expect(history).toMatch(/Kişi \d+ · panel/);
    await page.getByLabel('Olay türü').selectOption('sold');
    await eventually(() => entries.count()).toBe(1);
    await panel.done(page);
  });

  test('an error is shown at its field, and typed values are kept', async () => {
    await service.vehicle(accountId, { plate: 'DB 007' });
    const page = await panel.open(owner, `${LIST}/yeni`);
    await button(page, 'Stoğa ekle').click();
    await eventually(() => main(page).getByRole('alert').first().textContent()).toContain('11 alan düzeltilmeli');
    await page.getByRole('link', { name: 'Renk zorunludur' }).click();
    await eventually(() => page.evaluate('document.activeElement.id')).toBe('color');

    await fill(page, 'db 007');
    // A corrected field no longer shows its error.
    await eventually(() => main(page).locator('[aria-invalid=true]').count()).toBe(0);
    await eventually(() => main(page).getByRole('alert').count()).toBe(0);
    await button(page, 'Stoğa ekle').click();
    await eventually(() => text(page)).toContain('başka bir araç bu plakayı taşıyor');
    await eventually(() => page.getByLabel('Plaka', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await eventually(() => page.getByLabel('Model', { exact: true }).inputValue()).toBe('Corolla');

    // Leaving asks, staying keeps; a reload brings it back, but not what is only stored.
    await page.getByText('Gizli tutulan bilgiler').click();
    await page.getByLabel('Motor no').fill('GIZLI1');
    await page.getByRole('link', { name: 'Müşteriler' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yazmayı sürdür' }).click();
    await eventually(() => page.getByLabel('Renk').inputValue()).toBe('Gümüş');
    page.once('dialog', (dialog) => dialog.accept());
    await page.reload();
    await eventually(() => text(page)).toContain('Yarım kalan girişiniz geri yüklendi');
    await eventually(() => page.getByLabel('Renk').inputValue()).toBe('Gümüş');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('GIZLI1');

    await page.getByLabel('Plaka', { exact: true }).fill('db 008');
    await button(page, 'Stoğa ekle').click();
    await page.waitForURL(/\/araclar\/[0-9a-f-]{36}$/);
    await panel.go(page, `${LIST}/yeni`);
    await eventually(() => page.getByLabel('Renk').inputValue()).toBe('');
    await page.getByLabel('Renk').fill('Mor');
    await page.getByRole('link', { name: 'Müşteriler' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Kaydetmeden çık' }).click();
    await page.waitForURL('**/panel/musteriler');
    await panel.done(page);
  });

  test('sending a form again after a lost connection, or a double click, writes once', async () => {
    const page = await panel.open(owner, `${LIST}/yeni`);
    const sent = writesOf(page);
    await fill(page, 'HT 300');
    // It arrives and is done; the answer is lost on the way back.
    let lost = 0;
    await page.route('**/panel/api/v1/vehicles', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      await route.abort();
    });
    await button(page, 'Stoğa ekle').click();
    await eventually(() => main(page).getByRole('alert').first().textContent()).toContain('Sunucuya ulaşılamadı');
    await button(page, 'Stoğa ekle').dblclick();
    await page.waitForURL(/\/araclar\/[0-9a-f-]{36}$/);
    expect(new Set(sent.map((request) => request.headers()['idempotency-key'])).size).toBe(1);
    const { count } = await service.database.inTenant(accountId, 'read', (db) =>
      db.one<{ count: number }>(sql`select count(*)::int as count from ${own('vehicles')} where plate = 'HT 300'`),
    );
    expect(count).toBe(1);
    await panel.done(page);
  });

  test('a bulk edit shows the new prices first, and then the errors of each vehicle', async () => {
    const other = await service.account({ name: 'Toplu Oto' });
    const person = await newPerson(service, { accountId: other, role: 'sales' });
    for (const [plate, status] of [
      ['BA 101', 'Stokta'],
      ['BA 102', 'Stokta'],
      ['BA 103', "Auction'da"],
    ])
      await service.vehicle(other, { brand: 'Fiat', model: 'Egea', plate, status, price_minor: 1_000_001n });
    const page = await panel.open(person, LIST);
    await page.getByRole('checkbox', { name: 'Bu sayfadaki 3 aracı seç' }).check();
    await button(page, 'Toplu düzenle').click();
    const drawer = page.getByRole('dialog', { name: '3 aracı düzenle' });
    await drawer.getByRole('button', { name: '3 araca uygula' }).click();
    await eventually(() => drawer.getByRole('alert').textContent()).toContain('en az bir alan');
    await drawer.getByRole('checkbox', { name: 'Fiyatı değiştir' }).check();
    await drawer.getByLabel('Nasıl').selectOption('down');
    await drawer.getByLabel('Yüzde').fill('7,5');
    await eventually(async () => (await drawer.textContent())!.replaceAll('\u00a0', ' ')).toContain('£9.250,01');
    await drawer.getByRole('checkbox', { name: 'Şehri değiştir' }).check();
    await drawer.getByLabel('Şehir').fill('İskele');
    await drawer.getByRole('button', { name: '3 araca uygula' }).click();
    const result = page.getByRole('dialog', { name: 'Toplu düzenle' });
    await eventually(() => result.textContent()).toContain('2 araç güncellendi, 1 araç güncellenemedi');
    await eventually(() => result.locator('li').textContent()).toContain('BA\u00a0103');
    await result.getByRole('button', { name: 'Kapat' }).last().click();
    await eventually(() => main(page).getByText('1 araç seçildi').count()).toBe(1);
    await eventually(async () => (await text(page)).match(/£9\.250,01/g)?.length).toBe(2);
    await panel.done(page);
  });

  test('the trash holds what was deleted, and gives it back', async () => {
    const other = await service.account({ name: 'Çöp Oto' });
    const person = await newPerson(service, { accountId: other, role: 'sales' });
    await service.vehicle(other, { brand: 'Kia', model: 'Rio', plate: 'KR 100', deleted_at: new Date() });
    await service.vehicle(other, { brand: 'Kia', model: 'Ceed', plate: 'KC 200', deleted_at: new Date() });
    await service.vehicle(other, { brand: 'Kia', model: 'Ceed', plate: 'KC 200' });
    const page = await panel.open(person, LIST);
    await page.getByRole('link', { name: 'Silinenler' }).click();
    await page.getByRole('button', { name: 'Geri yükle: Kia Rio, KR 100' }).click();
    await eventually(() => main(page).locator('tbody tr').count()).toBe(1);
    await page.getByRole('button', { name: 'Geri yükle: Kia Ceed, KC 200' }).click();
    await page.getByText('Stoktaki başka bir araç bu plakayı taşıyor').first().waitFor();
    await page.getByRole('link', { name: 'Araçlara dön' }).click();
    await eventually(() => main(page).locator('tbody tr').count()).toBe(2);
    await panel.done(page);
  });

  test('the filtered stock is handed over as a file', async () => {
    await service.vehicle(accountId, { brand: 'Tofaş', plate: 'TX 500' });
    await service.vehicle(accountId, { brand: 'Volvo', plate: 'VX 501' });
    const page = await panel.open(owner, `${LIST}?brand=tofas`);
    await button(page, 'Dışa aktar').click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'CSV' }).click()]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const file = Buffer.concat(chunks).toString('utf8');
    expect(file.startsWith('\ufeffid;brand;')).toBe(true);
    expect(file).toContain('TX 500');
    expect(file).not.toContain('VX 501');
    await panel.done(page);
  });

  test('a person who may only read sees no way to change anything', async () => {
    const id = await service.vehicle(accountId, { plate: 'VW 999' });
    for (const role of ['viewer', 'developer'] as const) {
      const person = await newPerson(service, { accountId, role });
      const page = await panel.open(person, LIST);
      for (const name of ['Araç ekle', 'Toplu düzenle'])
        await eventually(() => page.getByText(name, { exact: true }).count()).toBe(0);
      await eventually(() => main(page).getByRole('checkbox').count()).toBe(0);
      await panel.go(page, `${LIST}/${id}`);
      await eventually(() => page.getByRole('link', { name: 'Düzenle' }).count()).toBe(0);
      await eventually(() => page.locator('main header button').allTextContents()).toEqual(['Paylaş']);
      for (const path of ['yeni', `${id}/duzenle`]) {
        await panel.go(page, `${LIST}/${path}`);
        await eventually(() => text(page)).toContain('Bu sayfa için yetkiniz yok');
        await eventually(() => main(page).locator('form').count()).toBe(0);
      }
      await panel.done(page);
    }
  });
});

// The import center in a real browser: a list saved by a Turkish spreadsheet is mapped and tried; a source with a lock is read on a schedule.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Importer, startImporter } from '../../src/jobs/run-imports.ts';
import { createLog } from '../../src/kit/log.ts';
import { own, sql } from '../../src/kit/sql.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';
import { type FeedSource, HEADERS, openSource, stockList, windows1254 } from './feeds.ts';

const LIST = '/panel/ice-aktarim';
const AUTHORIZATION = `Basic ${Buffer.from('stok:gizli-parola').toString('base64')}`;

describe.skipIf(isBrowserMissing())('the import center in the panel', () => {
  const panel = panelTest({ env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
  let service: TestService;
  let accountId: string;
  let owner: TestPerson;
  let seller: TestPerson;
  let viewer: TestPerson;
  let importer: Importer;
  let source: FeedSource;

  beforeAll(async () => {
    service = panel.service;
    accountId = await service.account({ name: 'Güzelyurt Oto' });
    owner = await newPerson(service, { accountId, role: 'owner' });
    seller = await newPerson(service, { accountId, role: 'sales' });
    viewer = await newPerson(service, { accountId, role: 'viewer' });
    source = await openSource(AUTHORIZATION, JSON.stringify({ stok: { araclar: CARS } }));
    importer = open({});
  });
  afterAll(async () => {
    await importer?.close();
    await source?.close();
  });

  function open(pace: { batchRows?: number; pauseRatio?: number }): Importer {
    const { clock } = service;
    const { writer } = service.service.parts;
    const log = createLog('silent');
    return startImporter({ writer, clock, log, outbound: { loopback: true }, pollMs: 100, pauseRatio: 0, ...pace });
  }
  const choose = (page: Page, content: string | Buffer, name = 'Stok Kasım.csv') =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
  const column = (page: Page, field: string) => page.getByLabel(`${field}: sütun`, { exact: true });
  const figures = async (page: Page) =>
    (await page.getByRole('region', { name: 'Sonuç' }).locator('dd').allTextContents()).map(Number);
  const plates = () =>
    service.database.inTenant(accountId, 'read', async (db) =>
      (await db.rows<{ plate: string }>(sql`select plate from ${own('vehicles')} order by plate`)).map(({ plate }) => plate),
    );

  test('a Turkish list is mapped automatically and tried; the mapping is corrected and tried again', async () => {
    const page = await panel.open(owner, LIST);
    await page.getByText('Henüz bağlayıcı yok.').waitFor();
    await look(page, 'imports-empty', { narrow: true });
    await page.getByRole('link', { name: 'Bağlayıcı oluştur' }).click();
    await page.getByRole('heading', { name: 'Yeni bağlayıcı' }).waitFor();

    await page.getByRole('button', { name: 'Kaydet', exact: true }).click();
    await page.getByText('Önce kaynağı okuyun').waitFor();
    await choose(page, 'PK', 'stok.ods');
    await page.getByText('Bu dosya türü okunmuyor.').waitFor();

    await choose(page, windows1254(stockList()));
    await page.getByText('6 satır, 12 sütun görüldü').waitFor();
    await eventually(() => page.getByLabel('Ayırıcı').inputValue()).toBe(';');
    await eventually(() => page.getByLabel('Karakter kodlaması').inputValue()).toBe('windows-1254');
    await eventually(() => page.getByLabel('Ad', { exact: true }).inputValue()).toBe('Stok Kasım');
    const guessed = [
      'Plaka',
      'Marka',
      'Model',
      'Model yılı',
      'Kilometre',
      'Yakıt',
      'Vites',
      'Kasa tipi',
      'Renk',
      'Şehir',
      'Fiyat',
    ];
    const found = await Promise.all(guessed.map((field) => column(page, field).inputValue()));
    expect(found).toEqual(HEADERS.split(';').slice(0, 11));
    await page.getByText('Zorunlu alanların hepsi tamam.').waitFor();
    await eventually(() => page.getByText('Önce kaynağı okuyun').count()).toBe(0);
    await page.getByText('«20I9» okunamaz: 2019 gibi bir tam sayı olmalı.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Tramer' }).waitFor();
    await eventually(() => page.getByLabel('Vites, «Düz» karşılığı').count()).toBe(0);
    await eventually(() => page.getByLabel('Yakıt, «Motorin» karşılığı').count()).toBe(0);
    await eventually(() => page.getByLabel('Kasa tipi, «Jeep» karşılığı').count()).toBe(0);
    await eventually(() => page.getByLabel('Yakıt, «Buharlı» karşılığı').inputValue()).toBe('');
    await look(page, 'imports-mapping', { narrow: true });

    // A required field without a column is reported at the field before anything is sent.
    await column(page, 'Renk').selectOption('');
    await page.getByRole('button', { name: 'Kaydet ve dene' }).click();
    await eventually(() => column(page, 'Renk').getAttribute('aria-invalid')).toBe('true');
    await column(page, 'Renk').selectOption('Renk');
    await page.getByRole('button', { name: 'Kaydet ve dene' }).click();

    await page.waitForURL('**/calismalar/*');
    await page.getByText('Bu bir denemeydi: hiçbir kayıt değişmedi. 2 satır hatalı').waitFor();
    await eventually(() => figures(page)).toEqual([6, 4, 0, 0, 2]);
    // The sender of the file sees the text of the refused cell.
    await page.getByRole('cell', { name: '20I9', exact: true }).waitFor();
    await eventually(() => plates()).toEqual([]);
    const errors = page.getByRole('region', { name: 'Satır hataları' }).locator('tbody tr');
    await eventually(() => errors.count()).toBe(2);
    await eventually(() => errors.nth(0).textContent()).toMatch(/5.*D.*AB 104.*Model yılı/);
    await eventually(() => errors.nth(1).textContent()).toMatch(/7.*F.*AB 106.*Yakıt/);
    await look(page, 'imports-trial', { narrow: true });
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV indir' }).click()]);
    expect((await readFile(await download.path(), 'utf8')).split('\r\n').slice(0, 2).join()).toMatch(
      /^\uFEFFSatır;Sütun;Eşleşme alanı;Alan;Hata;Açıklama,5;D;AB 104;model_year;invalid;/,
    );

    // The unknown value is mapped; the file is still there and its columns are loaded again.
    await page.getByRole('link', { name: 'Eşleştirmeyi düzelt' }).click();
    await page.getByText('6 satır, 12 sütun görüldü').waitFor();
    await page.getByLabel('Yakıt, «Buharlı» karşılığı').selectOption('Benzin');
    await page.getByRole('button', { name: 'Kaydet ve dene' }).click();
    await page.getByText('1 satır hatalı').waitFor();
    await eventually(() => figures(page)).toEqual([6, 5, 0, 0, 1]);
    await panel.done(page);
  });

  test('one file is uploaded without a name, with numbers as Excel writes them in Turkish', async () => {
    const page = await panel.open(owner, LIST);
    await page.getByRole('link', { name: 'Dosya yükle' }).click();
    await page.getByRole('heading', { name: 'Dosya yükle' }).waitFor();
    await eventually(() => page.getByLabel('Ad', { exact: true }).count()).toBe(0);
    await choose(
      page,
      `${HEADERS}\nDY 1;Renault;Clio;2018;84.000;Benzin;Manuel;Hatchback;Kırmızı;Girne;5.000,50;yok\n`,
      'Tek sefer.csv',
    );
    await eventually(() => page.getByLabel('Sayı biçimi').inputValue()).toBe('tr');
    await page.getByRole('button', { name: 'Dene', exact: true }).click();
    await page.getByText('Sorun yok: 1 satırın hepsi okunabiliyor.').waitFor();
    await panel.done(page);
  });

  test('a source with a password: read, stored without it, run, and reported when it refuses', async () => {
    const page = await panel.open(owner, `${LIST}/yeni`);
    await page.getByRole('radio', { name: /Bir adresten alınır/ }).check();
    await page.getByLabel('Adres', { exact: true }).fill(source.url);
    await page.getByRole('button', { name: 'Adresi oku' }).click();
    await page.getByRole('main').getByRole('status').filter({ hasText: /\S/ }).first().waitFor();
    await page.getByLabel('Giriş bilgileri').selectOption('basic');
    await page.getByLabel('Kullanıcı adı').fill('stok');
    await page.getByLabel('Parola').fill('gizli-parola');
    await page.getByRole('button', { name: 'Adresi oku' }).click();
    await page.getByText('2 satır').waitFor();
    await eventually(() => page.getByLabel('Biçim', { exact: true }).inputValue()).toBe('json');
    await eventually(() => page.getByLabel('Kayıtların yolu').inputValue()).toBe('stok.araclar');
    await eventually(() => column(page, 'Plaka').inputValue()).toBe('kimlik.plaka');
    await page.getByLabel('Ad', { exact: true }).fill('ERP');
    await page.getByLabel('Zamanlama').selectOption('Günlük');
    await page.getByRole('button', { name: 'Kaydet ve dene' }).click();
    await page.getByText('Sorun yok: 2 satırın hepsi okunabiliyor.').waitFor();
    expect(source.callers.at(-1)).toBe(AUTHORIZATION);

    await page.getByRole('main').getByRole('link', { name: 'ERP' }).click();
    await page.getByText('Kayıtlı, gösterilmez').waitFor();
    await page.getByRole('link', { name: 'Düzenle' }).click();
    await page.getByText('Kayıtlı; değiştirmek için').waitFor();
    await eventually(() => page.content()).not.toContain('gizli-parola');
    // Read again with what is stored; of it nothing is sent when nothing was changed.
    await page.getByRole('button', { name: 'Adresi oku' }).click();
    await page.getByText('2 satır').waitFor();
    expect(source.callers.at(-1)).toBe(AUTHORIZATION);
    await page.getByLabel('Adres', { exact: true }).fill('https://baska.example.com/stok.json');
    await page.getByText('Adresin sunucusu değişti').waitFor();
    await page.getByLabel('Adres', { exact: true }).fill(source.url);

    // Forgotten on wish: the next run is refused by the source, and says so.
    await page.getByLabel('Giriş bilgileri').selectOption('');
    await page.getByRole('button', { name: 'Kaydet ve dene' }).click();
    await page.getByText('Adres dosya yerine bir hata verdi.').waitFor();
    expect(source.callers.at(-1)).toBeUndefined();
    await look(page, 'imports-failed', { narrow: true });
    await panel.done(page);
  });

  test('customers are brought in while one watches', async () => {
    await importer.close();
    const page = await panel.open(owner, `${LIST}/yeni?target=customers`);
    const people = Array.from({ length: 60 }, (_, n) => `Kişi,Soyadı ${n},0533 123 4${String(n).padStart(3, '0')},Yüksek`);
    await choose(page, `\uFEFFAdı,Soyadı,Cep Telefonu,Risk\n${people.join('\n')}`, 'Müşteriler.csv');
    await page.getByText('60 satır, 4 sütun görüldü').waitFor();
    await eventually(() => page.getByLabel('Ayırıcı').inputValue()).toBe(',');
    await eventually(() => page.getByLabel('Risk düzeyi, «Yüksek» karşılığı').count()).toBe(0);
    await eventually(() => page.getByLabel('Eşleşme alanı').inputValue()).toBe('phone');
    await page.getByRole('checkbox', { name: 'Kaydedince bir deneme çalıştır' }).uncheck();
    await page.getByRole('button', { name: 'Kaydet', exact: true }).click();
    await page.getByRole('button', { name: 'Çalıştır', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Önce dene' }).uncheck();
    await page.getByRole('button', { name: 'İçe aktar' }).click();
    await page.getByText('Sırada, birazdan başlar.').waitFor();
    // Pauses are longer than it takes to look: what is done is seen to grow.
    importer = open({ batchRows: 10, pauseRatio: 60 });
    await page.getByText(/[1-5]0 satır işlendi/).waitFor();
    await importer.close();
    await page.getByText(/[1-5]0 satır işlendi/).waitFor();
    importer = open({});
    await eventually(() => figures(page)).toEqual([60, 60, 0, 0, 0]);
    await page.getByRole('main').getByText('Tamamlandı', { exact: true }).waitFor();
    await panel.done(page);
  });

  test('a connector is paused, taken up again and deleted; its runs stay', async () => {
    const page = await panel.open(owner, LIST);
    await page.getByRole('main').getByRole('link', { name: 'ERP' }).click();
    const act = async (name: string) => {
      await page.getByRole('button', { name: 'Bağlayıcıyla ilgili diğer işlemler' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await act('Duraklat');
    await page.getByText('Duraklatıldı: zamanında çalışmaz').waitFor();
    await eventually(() => page.getByRole('button', { name: 'Çalıştır', exact: true }).isDisabled()).toBe(true);
    await act('Sürdür');
    await eventually(() => page.getByRole('button', { name: 'Çalıştır', exact: true }).isEnabled()).toBe(true);
    await act('Sil');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sil' }).click();
    await page.waitForURL('**/ice-aktarim');
    await eventually(() => page.getByRole('main').getByRole('link', { name: 'ERP' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Çalıştırmalar' }).click();
    await eventually(() => page.locator('main tbody tr').count()).toBe(6);
    await page.getByLabel('Durum').selectOption('Başarısız');
    await page.waitForURL(/status=Ba/);
    await eventually(() => page.locator('main tbody tr').count()).toBe(1);
    await page.locator('main tbody tr').first().click();
    await page.getByText('Adres dosya yerine bir hata verdi.').waitFor();
    await eventually(() => page.getByRole('button', { name: /yeniden çalıştır/ }).count()).toBe(0);
    await panel.done(page);
  });

  test('it is the owner’s: sales has no such screen, a viewer finds nothing to do there', async () => {
    const selling = await panel.open(seller, '/panel');
    await eventually(() => selling.getByRole('link', { name: 'İçe aktarma' }).count()).toBe(0);
    await panel.go(selling, LIST);
    await selling.getByText('Bu sayfa için yetkiniz yok').waitFor();
    await panel.done(selling);

    const looking = await panel.open(viewer, LIST);
    await eventually(() => looking.getByRole('link', { name: 'İçe aktarma' }).count()).toBe(0);
    await looking.getByRole('link', { name: 'Stok Kasım' }).click();
    await looking.getByRole('heading', { name: 'Eşlenen alanlar' }).waitFor();
    await eventually(() =>
      looking
        .getByRole('main')
        .getByRole('button', { name: /Çalıştır|işlemler/ })
        .count(),
    ).toBe(0);
    await eventually(() => looking.getByRole('link', { name: 'Düzenle' }).count()).toBe(0);
    await panel.done(looking);
  });

  test('every screen of it as it looks', async () => {
    const page = await panel.open(owner, LIST);
    await page.getByRole('link', { name: 'Stok Kasım' }).waitFor();
    await look(page, 'imports', { narrow: true });
    await page.getByRole('link', { name: 'Stok Kasım' }).click();
    await page.locator('main tbody tr').first().waitFor();
    await look(page, 'imports-connector', { narrow: true });
    const connector = new URL(page.url()).pathname;
    await page.getByRole('button', { name: 'Çalıştır', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await look(page, 'imports-dialog');
    await page.keyboard.press('Escape');
    await panel.follow(page, `${connector}/duzenle`);
    await choose(page, windows1254(stockList()));
    await page.locator('fieldset').filter({ hasText: 'Motorin' }).first().waitFor();
    await look(page, 'imports-edit', { narrow: true });
    await panel.go(page, `${LIST}/calismalar`);
    await look(page, 'imports-runs', { narrow: true });
    await page.locator('main tbody tr').last().getByRole('link').click();
    await page.locator('main tbody tr').first().waitFor();
    await look(page, 'imports-run', { narrow: true });
    await panel.done(page);
  });
});

const CARS = [
  ['CC 201', 'Fiat', 'Egea', 2022, 12000],
  ['CC 202', 'Opel', 'Astra', 2016, 154000],
].map(([plaka, marka, model, yil, km]) => ({
  kimlik: { plaka, marka, model },
  yil,
  km,
  yakit: 'Dizel',
  vites: 'Manuel',
  kasa: 'Sedan',
  renk: 'Gri',
  sehir: 'Girne',
  fiyat: '700000',
}));

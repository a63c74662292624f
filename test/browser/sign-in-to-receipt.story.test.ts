// A dealer's first day on a phone, along the links that the screens offer: from the sign-in to a sold car and its receipt.
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, PASSWORD, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing, signIn } from '../support/browser.ts';
import { PHONE } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';

describe.skipIf(isBrowserMissing())('a first day in the panel', () => {
  const panel = panelTest();
  let owner: TestPerson;
  beforeAll(async () => {
    owner = await newPerson(panel.service, { accountId: await panel.service.account({ name: 'Akdeniz Oto', city: 'Girne' }) });
  });

  test('leads on a phone from the sign-in to the first car, money taken and a receipt', async () => {
    const page = await panel.chromium.open(PHONE);
    await signIn(page, panel.service.service.url, { ...owner, password: PASSWORD });
    await page.getByRole('link', { name: 'Aracı tek tek ekleyin' }).click();
    await page.waitForURL('**/araclar/yeni');
    const car = { Plaka: 'AB 123', Marka: 'Volkswagen', Model: 'Golf', 'Model yılı': '2018', Kilometre: '84.000', Renk: 'Beyaz' };
    for (const [label, value] of Object.entries({ ...car, Fiyat: '14.500' }))
      await page.getByLabel(label, { exact: true }).fill(value);
    for (const [label, value] of Object.entries({ Yakıt: 'Benzin', Vites: 'Otomatik', 'Kasa tipi': 'Hatchback' }))
      await page.getByLabel(label, { exact: true }).selectOption(value);
    await page.getByRole('button', { name: 'Stoğa ekle' }).click();
    await page.getByRole('link', { name: 'Sat', exact: true }).click();
    // A click shows the records before anything is typed: here none yet, and how to add one.
    await page.getByLabel('Müşteri', { exact: true }).click();
    await page.getByRole('button', { name: 'Yeni müşteri ekle' }).waitFor();
    await page.getByLabel('Müşteri', { exact: true }).fill('Fatma Kaya');
    await page.getByRole('button', { name: 'Yeni müşteri ekle' }).click();
    const newCustomer = page.getByRole('dialog', { name: 'Yeni müşteri' });
    await newCustomer.getByLabel('Telefon').fill('0533 840 55 55');
    await newCustomer.getByRole('button', { name: 'Müşteriyi ekle' }).click();
    await newCustomer.waitFor({ state: 'detached' });
    const plan = page.getByRole('region', { name: 'Önizleme' });
    await page.getByLabel('Peşinat').fill('iki bin');
    await eventually(() => plan.textContent()).toContain('Peşinat, 1500 ya da 1500,50 gibi bir tutar olmalı');
    await page.getByLabel('Peşinat').fill('2.500');
    await page.getByLabel('Taksit sayısı').fill('6');
    // The preview is above the save button.
    const save = page.getByRole('button', { name: 'Satışı kaydet' });
    await eventually(async () => (await plan.textContent())?.replaceAll('\u00a0', ' ')).toContain('6/6. taksit');
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    expect((await plan.boundingBox())!.y).toBeLessThan((await save.boundingBox())!.y);
    await save.click();
    await page.waitForURL(/\/satislar\/[0-9a-f-]{36}$/);
    await page.getByRole('button', { name: 'Tahsil et' }).first().click();
    const till = page.getByRole('dialog', { name: /tahsilat/ });
    await till.getByRole('button', { name: /^Peşinat/ }).click();
    await eventually(() => till.textContent()).toContain('Kapanır');
    await page.keyboard.press('Enter');
    const receipt = page.getByRole('dialog', { name: /makbuzu$/ });
    await receipt.getByRole('link', { name: 'İndir' }).waitFor();
    await eventually(() => receipt.getByRole('link', { name: /WhatsApp/ }).getAttribute('href')).toMatch(
      /^https:\/\/wa\.me\/\?text=.+dogrula/,
    );
    await page.keyboard.press('Escape');
    await eventually(() => page.getByRole('region', { name: 'Tahsilatlar' }).first().textContent()).toContain('T-');
    // The day's figures are on the home screen and link to their lists.
    await panel.go(page, '/panel');
    await page.getByRole('link', { name: 'Ayrıntılar (Bu ay tahsilat)' }).click();
    await page.waitForURL('**/raporlar?report=collections-summary');
    await eventually(() => page.getByRole('main').textContent()).toContain('£2.500');
    await panel.done(page);
  });
});

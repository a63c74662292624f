// Tasks in a real browser: added in one line, done with a click and taken back, edited beside the list, filtered in the address.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

const LIST = '/panel/gorevler';

describe.skipIf(isBrowserMissing())('tasks in the panel', () => {
  const panel = panelTest();
  let service: TestService;
  let accountId: string;
  let seller: TestPerson;
  let viewer: TestPerson;

  beforeAll(async () => {
    service = panel.service;
    accountId = await service.account({ name: 'Girne Oto' });
    seller = await newPerson(service, { accountId, role: 'sales' });
    viewer = await newPerson(service, { accountId, role: 'viewer' });
    await service.customer(accountId, { first_name: 'Işıl', last_name: 'Çağdaş', phone: '+905338421967' });
    await service.vehicle(accountId, { plate: 'GR 900', brand: 'Toyota', model: 'Corolla' });
  });

  const rows = (page: Page) => page.locator('main tbody tr');
  const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
  const titles = (page: Page) => page.locator('main tbody tr td[data-card=title]').allTextContents();

  test('a task is typed, done with one click, taken back, edited, filtered and deleted', async () => {
    const page = await panel.open(seller, LIST);
    await page.getByText('Açık görev yok.').waitFor();
    await page.keyboard.press('c');
    await page.keyboard.insertText('Ayşe Hanım’ı ara');
    await page.keyboard.press('Enter');
    await eventually(() => titles(page)).toEqual(['Ayşe Hanım’ı ara']);
    await page.getByLabel('Yeni görevin tarihi').selectOption('Bugün');
    await page.getByLabel('Yeni görev', { exact: true }).fill('Ruhsatı hazırla');
    await page.keyboard.press('Enter');
    // Due comes before what has no date.
    await eventually(() => titles(page)).toEqual(['Ruhsatı hazırla', 'Ayşe Hanım’ı ara']);
    await eventually(() => rows(page).first().textContent()).toContain('Bugün');

    await page.getByRole('button', { name: 'Tamamla: Ruhsatı hazırla' }).click();
    await eventually(() => titles(page)).toEqual(['Ayşe Hanım’ı ara']);
    await page.getByRole('button', { name: 'Geri al' }).click();
    await eventually(() => titles(page)).toEqual(['Ruhsatı hazırla', 'Ayşe Hanım’ı ara']);

    await page.getByRole('link', { name: 'Ayşe Hanım’ı ara' }).click();
    const drawer = page.getByRole('dialog', { name: 'Görev', exact: true });
    await drawer.getByLabel('Öncelik').selectOption('Yüksek');
    await drawer.getByLabel('Durum').selectOption('Devam ediyor');
    await drawer.getByLabel(/^Tarih/).fill('2020-05-04');
    await drawer.getByLabel(/^Saat/).fill('09:30');
    await drawer.getByLabel(/^Müşteri/).fill('isil cag');
    await drawer.getByRole('option', { name: /Işıl Çağdaş/ }).click();
    await drawer.getByLabel(/^Araç/).fill('gr900');
    await drawer.getByRole('option', { name: /Toyota Corolla/ }).click();
    await page.keyboard.press('Control+Enter');
    await drawer.waitFor({ state: 'detached' });
    // The car's name is loaded a moment after its task.
    await eventually(() => rows(page).first().textContent()).toMatch(/Gecikti.*Toyota Corolla/);
    const changed = (await rows(page).first().textContent())!;
    for (const part of ['04.05.2020 09:30', 'Yüksek', 'Devam ediyor', 'Işıl Çağdaş', 'Toyota Corolla'])
      expect(changed).toContain(part);

    await page.getByRole('group', { name: 'Duruma göre' }).getByRole('button', { name: 'Geciken' }).click();
    await eventually(() => query(page)).toEqual({ overdue: 'true' });
    await eventually(() => titles(page)).toEqual(['Ayşe Hanım’ı ara']);
    await page.goBack();
    await eventually(() => rows(page).count()).toBe(2);

    // By keyboard alone: the second row, done.
    await page.locator('h1').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await eventually(() => titles(page)).toEqual(['Ayşe Hanım’ı ara']);
    await page.getByRole('group', { name: 'Duruma göre' }).getByRole('button', { name: 'Tamamlandı' }).click();
    await eventually(() => titles(page)).toEqual(['Ruhsatı hazırla']);

    await page.getByRole('link', { name: 'Ruhsatı hazırla' }).click();
    await page.getByRole('button', { name: 'Görevi sil' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Görevi sil' }).click();
    await page.getByText('Bu filtrelere uyan görev yok.').waitFor();
    await panel.done(page);
  });

  test('an error of the server is shown at the field, and leaving with typed values asks first', async () => {
    const page = await panel.open(seller, `${LIST}?gorev=yeni`);
    const drawer = page.getByRole('dialog', { name: 'Yeni görev', exact: true });
    await drawer.getByRole('button', { name: 'Görev ekle' }).click();
    await eventually(() => drawer.getByLabel('Görev', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await drawer.getByLabel('Görev', { exact: true }).fill('Yarım');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Kaydetmeden çık' }).click();
    await drawer.waitFor({ state: 'detached' });
    await eventually(() => query(page)).toEqual({});
    await panel.done(page);
  });

  test('a viewer reads tasks and changes none', async () => {
    const page = await panel.open(viewer, LIST);
    await eventually(() => titles(page)).toEqual(['Ayşe Hanım’ı ara']);
    await eventually(() => page.getByRole('button', { name: /Görev ekle|^Tamamla:/ }).count()).toBe(0);
    await rows(page).first().click();
    await eventually(() => page.getByRole('dialog').textContent()).toContain('Toyota Corolla');
    await panel.done(page);
  });

  test('list, drawer and form as they look', async () => {
    const page = await panel.open(seller, LIST);
    await rows(page).first().waitFor();
    await look(page, 'tasks', { narrow: true });
    await rows(page).first().getByRole('link').first().click();
    await page.getByRole('dialog').getByRole('textbox').first().waitFor();
    await look(page, 'task');
    await panel.done(page);
  });
});

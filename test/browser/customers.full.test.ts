// Customers in a real browser: search and risk in the address, a customer in detail, and what a viewer is not shown.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { axe } from '../support/axe.ts';
import { isBrowserMissing, type PanelBrowser } from '../support/browser.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

const LIST = '/panel/musteriler';

describe.skipIf(isBrowserMissing())('customers in the panel', () => {
  const panel = panelTest();
  let service: TestService;
  let owner: TestPerson;
  let viewer: TestPerson;
  let isil: string;
  let deleted: string;

  beforeAll(async () => {
    service = panel.service;
    const accountId = await service.account({ name: 'Mağusa Oto' });
    owner = await newPerson(service, { accountId, role: 'sales' });
    viewer = await newPerson(service, { accountId, role: 'viewer' });
    for (let at = 0; at < 28; at += 1) await service.customer(accountId, { first_name: 'Ali', last_name: `Veli ${at}` });
    await service.customer(accountId, {
      first_name: 'Mehmet',
      last_name: 'Çok Uzun Soyadlı Karamehmetoğulları',
      risk_level: 'blocked',
    });
    isil = await service.customer(accountId, {
      first_name: 'Işıl',
      last_name: 'Çağdaş',
      phone: '+905338421967',
      email: 'isil.cagdas@example.com',
      risk_level: 'high',
      note: 'Cumartesi aranmak istiyor.\nİngilizce konuşur.',
    });
    deleted = await service.customer(accountId, { deleted_at: new Date() });
  });

  const opened = (path = LIST, window: Parameters<PanelBrowser['open']>[0] = {}, person = owner): Promise<Page> =>
    panel.open(person, path, window);
  const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
  const rows = (page: Page) => page.locator('main tbody tr');
  const text = async (page: Page) => (await page.locator('main').textContent())!.replaceAll('\u00a0', ' ');

  test('search folds Turkish letters, is in the address and is undone by Back', async () => {
    const page = await opened();
    await eventually(() => rows(page).count()).toBe(25);
    await page.keyboard.press('/');
    // At once: a pause in between would be a search of its own, and a step for Back.
    await page.keyboard.insertText('ISIL CAG');
    await eventually(() => query(page)).toEqual({ q: 'ISIL CAG' });
    await eventually(() => rows(page).count()).toBe(1);
    await eventually(() => text(page)).toContain('+90 533 842 19 67');
    await page.goBack();
    await eventually(() => rows(page).count()).toBe(25);
    await eventually(() => page.getByRole('searchbox').inputValue()).toBe('');

    await page.getByRole('group', { name: 'Risk düzeyine göre' }).getByRole('button', { name: 'Yüksek' }).click();
    await eventually(() => query(page)).toEqual({ risk_level: 'high' });
    await eventually(() => rows(page).count()).toBe(1);
    await page.getByRole('searchbox').fill('8421967');
    await eventually(() => query(page)).toEqual({ risk_level: 'high', q: '8421967' });
    await eventually(() => rows(page).count()).toBe(1);
    await page.getByRole('searchbox').fill('kimse');
    await eventually(() => text(page)).toContain('Bu aramaya uyan müşteri yok.');
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Filtreleri temizle' }).last().click();
    await eventually(() => query(page)).toEqual({});
    await panel.done(page);
  });

  test('a customer opens from the list and the way back is the list as it was', async () => {
    const page = await opened(`${LIST}?q=cagdas`);
    await rows(page).first().click();
    await page.waitForURL(`**${LIST}/${isil}`);
    await eventually(() => page.locator('h1').textContent()).toBe('Işıl Çağdaş');
    const shown = await text(page);
    for (const part of [
      '+90 533 842 19 67',
      'isil.cagdas@example.com',
      'Yüksek',
      'İngilizce konuşur.',
      'Bu müşterinin borcu yok.',
      'API kimliğiKimliği kopyala',
    ])
      expect(shown).toContain(part);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Kimliği kopyala' }).click();
    await eventually(() => page.evaluate('navigator.clipboard.readText()')).toBe(isil);
    expect(shown).toContain('Kişisel bilgilerKimlik no•••');
    await eventually(() => page.getByRole('link', { name: '+90 533' }).getAttribute('href')).toBe('tel:+905338421967');
    await page.getByRole('main').getByRole('link', { name: 'Müşteriler' }).click();
    await eventually(() => query(page)).toEqual({ q: 'cagdas' });
    await panel.done(page);
  });

  test('a deleted customer and an unknown one are not found', async () => {
    const page = await opened(`${LIST}/${deleted}`);
    await eventually(() => page.locator('h1').textContent()).toBe('Müşteri bulunamadı');
    await panel.go(page, `${LIST}/${newId()}`);
    await eventually(() => page.locator('h1').textContent()).toBe('Müşteri bulunamadı');
    expect(await axe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Müşteri listesine dön' }).click();
    await eventually(() => rows(page).count()).toBe(25);
    await panel.done(page);
  });

  test('a viewer sees phones and e-mail masked, with a notice, and cannot search by them', async () => {
    const page = await opened(`${LIST}?q=isil`, {}, viewer);
    await eventually(() => rows(page).count()).toBe(1);
    await eventually(() => text(page)).toContain('gizlenerek gösterilir');
    await eventually(() => text(page)).toContain('•');
    await page.getByRole('link', { name: 'Işıl Çağdaş' }).click();
    await eventually(() => page.locator('h1').textContent()).toBe('Işıl Çağdaş');
    await eventually(() => text(page)).toContain('i•••@example.com');
    for (const kept of ['8421967', '842 19 67', 'isil.cagdas']) expect(await page.content()).not.toContain(kept);
    await eventually(() => page.locator('a[href^="tel:"], a[href^="mailto:"]').count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    await panel.go(page, `${LIST}?q=8421967`);
    await eventually(() => text(page)).toContain('Bu aramaya uyan müşteri yok.');
    await panel.done(page);
  });

  test('a view of customers is kept apart from the views of vehicles', async () => {
    const page = await opened(`${LIST}?risk_level=high`);
    const menu = () =>
      page
        .getByRole('main')
        .locator('header')
        .getByRole('button', { name: /Görünümler|Riskliler/ });
    await menu().click();
    await page.getByRole('menuitem', { name: 'Bu filtreleri kaydet…' }).click();
    await page.getByLabel('Görünüm adı').fill('Riskliler');
    await page.getByRole('button', { name: 'Görünümü kaydet' }).click();
    await eventually(() => menu().textContent()).toBe('Riskliler');
    await panel.go(page, `${LIST}`);
    await menu().click();
    await page.getByRole('menuitem', { name: 'Riskliler' }).click();
    await eventually(() => query(page)).toEqual({ risk_level: 'high' });
    await panel.go(page, `/panel/araclar`);
    await menu().click();
    await eventually(() => page.getByRole('menu').textContent()).toContain('Henüz kayıtlı görünüm yok');
    await panel.done(page);
  });
});

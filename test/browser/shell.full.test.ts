// The frame of the panel in a real browser: reached through the real sign-in, in both themes, from a phone up, by keyboard.
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newPerson, PASSWORD } from '../panel/people.ts';
import { axe } from '../support/axe.ts';
import { isBrowserMissing, problemsOf, settled, signIn, type Window } from '../support/browser.ts';
import { eventually, panelTest } from '../support/panel.ts';

describe.skipIf(isBrowserMissing())('the frame of the panel', () => {
  const panel = panelTest();
  let email: string;
  const pages: Page[] = [];

  beforeAll(async () => {
    const accountId = await panel.service.account({ name: 'Akdeniz Oto' });
    email = (await newPerson(panel.service, { accountId, role: 'owner' })).email;
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) {
      expect(problemsOf(page)).toEqual([]);
      await page.context().close();
    }
  });

  const enter = async (window: Window = {}, path = '/panel') => {
    const page = await panel.chromium.open(window);
    pages.push(page);
    await signIn(page, panel.service.service.url, { email, password: PASSWORD }, path);
    return page;
  };

  it('comes back after the sign-in to where one wanted to go', async () => {
    const page = await enter({}, '/panel/boyle-bir-ekran-yok?x=1');
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/panel/boyle-bir-ekran-yok?x=1');
    await eventually(() => page.textContent('main h1')).toBe('Sayfa bulunamadı');
    expect(await axe(page)).toEqual([]);
  });

  it('changes language and theme at once, and keeps them', async () => {
    const page = await enter();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('link', { name: 'Araçlar', exact: true }).first().waitFor();
    await page.getByRole('button', { name: /^Dil/ }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('link', { name: 'Vehicles', exact: true }).first().waitFor();
    await eventually(() => page.getAttribute('html', 'lang')).toBe('en');
    // The other window of this browser follows, and keeps what is being written there.
    await other.getByRole('link', { name: 'Vehicles', exact: true }).first().waitFor();
    await eventually(() => other.getAttribute('html', 'lang')).toBe('en');
    const kept = page.waitForResponse((reply) => reply.url().endsWith('/panel/api/me') && reply.request().method() === 'PATCH');
    await page.getByRole('button', { name: /^Theme/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    expect((await kept).status()).toBe(200);
    await page.reload();
    await page.getByRole('link', { name: 'Vehicles', exact: true }).first().waitFor();
    await eventually(() => page.getAttribute('html', 'data-theme')).toBe('dark');
    await page.getByRole('button', { name: /^Language/ }).click();
    await page.getByRole('menuitemradio', { name: 'Türkçe' }).click();
    await page.getByRole('button', { name: /^Tema/ }).click();
    await page.getByRole('menuitemradio', { name: 'Sistem' }).click();
    await settled(page);
  });

  it('is reached by keyboard: skip link, palette, focus on the new heading and back', async () => {
    const page = await enter();
    await page.keyboard.press('Tab');
    await eventually(() => page.evaluate('document.activeElement.textContent')).toBe('İçeriğe geç');
    await page.keyboard.press('Control+k');
    await page.locator('[role=combobox]:focus').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.type('ANAHTARLARI');
    await eventually(() => page.getByRole('option').first().textContent()).toBe('API anahtarları');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/panel/api-anahtarlari');
    await page.locator('h1:focus').waitFor();
  });

  it('hands the focus back when a menu closes, and leaves by the real sign-out', async () => {
    const page = await enter({ width: 390 });
    const menu = page.getByRole('button', { name: 'Menüyü aç' });
    await menu.click();
    await page.getByRole('dialog').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(() => menu.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'Kişi menüsü' }).click();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Çıkış yap', exact: true }).click();
    await page.waitForURL('**/panel/giris**');
    await page.goto(`${panel.service.service.url}/panel`);
    await page.waitForURL('**/panel/giris**');
  });
});

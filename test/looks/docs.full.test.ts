// The reference as it looks and is used: every kind of page in both themes and languages, at a desk and on a phone; search; no script.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { axe, prepareAxe } from '../support/axe.ts';
import { isBrowserMissing, isSideways, problemsOf, screenshot, settled } from '../support/browser.ts';
import { DESK, NARROWEST, PHONE } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { openAll } from '../support/writer.ts';

describe.skipIf(isBrowserMissing())('the reference as it looks', () => {
  const panel = panelTest();
  beforeAll(() => openAll(panel.service));

  const at = (path: string) => `${panel.service.service.url}/docs${path}`;

  async function clean(page: Page, name: string, path: string): Promise<void> {
    await page.setViewportSize(DESK);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(at(`${path}?lang=tr`));
    await settled(page);
    await prepareAxe(page);
    // Some of what is folded away is looked at too.
    await page.evaluate(`[...document.querySelectorAll('details')].slice(0, 3).forEach((one) => { one.open = true })`);
    await screenshot(page, `docs-${name}-desk`);
    expect(await axe(page, 'all', 'whole')).toEqual([]);
    expect(await isSideways(page)).toBe(false);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axe(page, 'colours', 'whole')).toEqual([]);
    await page.setViewportSize(PHONE);
    await page.goto(at(`${path}?lang=en`));
    await settled(page);
    await prepareAxe(page);
    await screenshot(page, `docs-${name}-phone-dark`);
    expect(await axe(page, 'sizes', 'whole')).toEqual([]);
    for (const width of [PHONE.width, NARROWEST]) {
      await page.setViewportSize({ width, height: PHONE.height });
      expect(await isSideways(page), `${path} at ${width}`).toBe(false);
    }
    expect(problemsOf(page)).toEqual([]);
  }

  // Of the pages of endpoints, a small one with reads and writes and one that is not built: the others are made of the same parts.
  test.each([
    ['guide', ''],
    ['notifications', '/notifications'],
    ['sales', '/sales'],
    ['errors', '/errors'],
  ])('%s', async (name, path) => {
    const page = await panel.chromium.open(DESK);
    await clean(page, name, path);
    await panel.done(page);
  });

  test('search leads from every page to fields, errors and guides, by keyboard and with any letters', async () => {
    const page = await panel.chromium.open(DESK);
    await page.goto(at('/sales?lang=tr'));
    await page.keyboard.press('/');
    await page.keyboard.type('SATILDI');
    const found = page.locator('#found a');
    await eventually(() => found.allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^status\s+GET vehicles$/)]),
    );
    await page.fill('#search', 'rate_limit_ex');
    await eventually(() => found.first().textContent()).toMatch(/^rate_limit_exceeded\s+429/);
    await page.fill('#search', 'plaka');
    await eventually(() => found.allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^plate\s+GET vehicles$/)]),
    );
    expect(await axe(page, 'all', 'whole')).toEqual([]);
    await page.fill('#search', 'zzzz');
    await eventually(() => page.locator('#found').textContent()).toBe('Sonuç yok.');
    await page.fill('#search', 'eşitleme');
    await eventually(() => found.first().textContent()).toMatch(/^Eşitleme/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs?lang=tr#synchronising');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('deleted_at vehicles/{vehicle_id}');
    await eventually(() => found.first().textContent()).toMatch(/^deleted_at/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/vehicles\?lang=tr#get-vehicles-vehicle_id\.deleted_at$/);
    // It was in the collapsed part.
    await eventually(() => page.locator('[id="get-vehicles-vehicle_id.deleted_at"]').isVisible()).toBe(true);
    await panel.done(page);
  });

  test('the theme is chosen once, and follows the system otherwise', async () => {
    const page = await panel.chromium.open({ ...DESK, colorScheme: 'light' });
    await page.goto(at('/tasks?lang=en'));
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await eventually(background).toBe('rgb(255, 255, 255)');
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark');
    await eventually(background).toBe('rgb(15, 17, 21)');
    await page.goto(at('/customers?lang=en'));
    await eventually(background).toBe('rgb(15, 17, 21)');
    expect(await axe(page, 'all', 'whole')).toEqual([]);
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('');
    await eventually(background).toBe('rgb(255, 255, 255)');
    await panel.done(page);
  });

  test('the language of the samples is chosen once, and what is copied is what is shown', async () => {
    const page = await panel.chromium.open({ ...DESK, permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(at('/tasks?lang=en'));
    const shown = () => page.locator('#get-tasks .code.lang:visible figcaption').allTextContents();
    await eventually(() => shown()).toEqual(['Request · cURL']);
    await page.getByRole('radio', { name: 'Python' }).check();
    await eventually(() => shown()).toEqual(['Request · Python']);
    await page.goto(at('/customers?lang=en'));
    await eventually(() => page.locator('#get-customers .code.lang:visible figcaption').textContent()).toBe('Request · Python');
    await page.locator('#get-customers .code.lang:visible .copy').click();
    await eventually(() => page.evaluate('navigator.clipboard.readText()')).toMatch(
      /^import json\n[\s\S]*print\(reply\["data"\]\)$/,
    );
    await panel.done(page);
  });

  test('reads without JavaScript: languages too, and contents on a phone', async () => {
    const page = await panel.chromium.open({ ...PHONE, javaScriptEnabled: false });
    await page.goto(at('/tasks?lang=tr'));
    await eventually(() => page.locator('.search').isVisible()).toBe(false);
    await page.getByRole('radio', { name: 'PHP' }).check();
    await eventually(() => page.locator('#get-tasks .code.lang:visible figcaption').textContent()).toBe('İstek · PHP');
    await page.getByRole('link', { name: 'İçindekiler' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Hata kodları' }).click();
    await eventually(() => page.locator('h1').textContent()).toBe('Hata kodları');
    await page.context().close();
  });

  test('leads to the panel, and the panel to it', async () => {
    const page = await panel.chromium.open(DESK);
    await page.goto(at('/sales?lang=en'));
    await page.getByRole('link', { name: 'Panel', exact: true }).click();
    await page.getByRole('link', { name: /^API (reference|belgeleri)$/ }).click();
    expect(new URL(page.url()).pathname).toBe('/docs');
    await panel.done(page);
  });
});

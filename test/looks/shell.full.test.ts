// The frame of the panel and the page of the sign-in as they look.
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { axe } from '../support/axe.ts';
import { isBrowserMissing, screenshot, settled } from '../support/browser.ts';
import { DESK, fits, look, NARROWEST, PHONE } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';

describe.skipIf(isBrowserMissing())('the frame as it looks', () => {
  const panel = panelTest();
  let owner: TestPerson;

  beforeAll(async () => {
    owner = await newPerson(panel.service, { accountId: await panel.service.account({ name: 'Akdeniz Oto' }) });
  });

  test('round a screen', async () => {
    const page = await panel.open(owner, '/panel');
    await look(page, 'shell', { narrow: true, framed: true });
    await panel.done(page);
  });

  test('the theme and the language the browser asks for', async () => {
    const page = await panel.open(owner, '/panel', { theme: 'dark', locale: 'en' });
    await eventually(() => page.getAttribute('html', 'data-theme')).toBe('dark');
    await eventually(() => page.getAttribute('html', 'lang')).toBe('en');
    await page.emulateMedia({ colorScheme: 'light' });
    await eventually(() => page.getAttribute('html', 'data-theme')).toBe('light');
    await panel.done(page);
  });

  test.each([
    { ...DESK, locale: 'tr' },
    { ...PHONE, locale: 'en' },
  ] as const)('the sign-in at $width px, $locale', async (window) => {
    const page = await panel.chromium.open(window);
    await page.goto(`${panel.service.service.url}/panel/giris`);
    await settled(page);
    await eventually(() => page.getAttribute('html', 'lang')).toBe(window.locale);
    expect(await axe(page, 'all', 'whole')).toEqual([]);
    await fits(page, 'giris');
    await fits(page, 'giris', NARROWEST);
    await page.setViewportSize(window);
    await page.emulateMedia({ colorScheme: 'dark' });
    await screenshot(page, `giris-${window.width}-dark`);
    expect(await axe(page, 'all', 'whole')).toEqual([]);
    await panel.done(page);
  });
});

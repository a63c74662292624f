// Test files of one worker share a browser and an address, so that the panel is loaded and compiled once; they share no data.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { type PanelTest, panelTest } from '../support/panel.ts';

const met: { readonly panel: PanelTest['chromium']; readonly url: string; readonly database: string }[] = [];

describe.skipIf(isBrowserMissing()).each(['one test file', 'the next one of the same worker'])('%s', () => {
  const panel = panelTest();

  /** How many bytes of the panel's scripts came over the wire. */
  const scriptBytes = (page: Page) =>
    page.evaluate<number>(`performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { transferSize }) => sum + transferSize, 0)`);

  test('opens a window', async () => {
    const { service, chromium } = panel;
    const owner = await newPerson(service, { accountId: await service.account() });
    const page = await panel.open(owner, '/panel');
    // An earlier file of this worker may have loaded the panel already.
    if (met.length > 0) expect(await scriptBytes(page)).toBe(0);
    expect(await page.evaluate('localStorage.getItem("left")')).toBe(null);
    await page.evaluate('localStorage.setItem("left", "yes")');
    met.push({ panel: chromium, url: service.service.url, database: service.adminUrl });
    await panel.done(page);
  });
});

test.skipIf(isBrowserMissing())('the browser and the address were the same, the database was not', () => {
  const [one, two] = met;
  expect(two!.panel).toBe(one!.panel);
  expect(two!.url).toBe(one!.url);
  expect(two!.database).not.toBe(one!.database);
});

// The panel as an installed app: its manifest, and what the service worker keeps, which is the panel's own code and no data.
import { describe, expect, test } from 'vitest';
import { newPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { enter, eventually, panelTest } from '../support/panel.ts';

describe.skipIf(isBrowserMissing())('the installed panel', () => {
  const panel = panelTest();

  test('opens without a connection, and keeps its code only', async () => {
    const person = await newPerson(panel.service, {});
    const page = await panel.chromium.open({ serviceWorkers: 'allow' });
    await enter(page, panel.service, person);
    const manifest = await page.locator('link[rel=manifest]').getAttribute('href');
    const answer = await page.request.get(new URL(manifest!, page.url()).href);
    expect(answer.headers()['content-type']).toContain('application/manifest+json');
    const { icons, start_url } = await answer.json();
    expect(start_url).toBe('/panel/');
    for (const { src } of icons) expect((await page.request.get(new URL(src, page.url()).href)).status()).toBe(200);
    await eventually(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    const kept = async (): Promise<string[]> =>
      (
        await page.evaluate<string[]>(
          `caches.open('galeri-code').then((cache) => cache.keys()).then((all) => all.map(({ url }) => url))`,
        )
      ).map((url) => new URL(url).pathname);
    await eventually(kept).toContain('/panel/');
    for (const path of await kept()) expect(path).toMatch(/^\/panel\/(assets\/.+)?$/);
    await page.context().setOffline(true);
    await page.reload();
    // The panel itself opens; what it needs from the server it says is missing.
    await eventually(() => page.locator('#root > *').count()).toBeGreaterThan(0);
    await page.context().setOffline(false);
    await page.context().close();
  });
});

// Photos and videos of a vehicle as they look: none, some, on their way, in a menu, large.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { smallPhoto } from '../browser/phone-photos.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';

const LIST = '/panel/araclar';

describe.skipIf(isBrowserMissing())('photos and videos as they look', () => {
  const panel = panelTest();
  let owner: TestPerson;
  let id: string;

  beforeAll(async () => {
    const accountId = await panel.service.account({ name: 'Girne Oto' });
    owner = await newPerson(panel.service, { accountId });
    id = await panel.service.vehicle(accountId, { brand: 'Škoda', model: 'Octavia', plate: 'SK 1' });
  });

  const main = (page: Page) => page.getByRole('main');
  const small = (count: number) => Promise.all(Array.from({ length: count }, (_, index) => smallPhoto(index)));
  const coarse = (page: Page) => page.evaluate(`matchMedia('(pointer: coarse)').matches`);

  test('from none to a gallery with a video', async () => {
    const page = await panel.open(owner, `${LIST}/${id}/fotograflar`);
    const everywhere = { narrow: true, touch: true };
    /** What passes by lies over what is looked at. */
    const alone = async () => {
      for (const toast of await page.locator('[data-type=success] button:last-child').all()) await toast.click();
      await eventually(() => page.locator('[data-type=success]').count()).toBe(0);
      await page.evaluate('scrollTo(0, 0)');
    };
    await look(page, 'photos-empty', everywhere);
    expect(await coarse(page)).toBe(false);
    const input = main(page).locator('input[type=file][multiple]');
    await input.setInputFiles([
      ...(await small(7)),
      { name: 'IMG_0001.HEIC', mimeType: 'image/heic', buffer: Buffer.from('....ftypheic....') },
    ]);
    await eventually(() => main(page).locator('li[data-place]').count()).toBe(7);
    await page.locator('[data-type=success]').first().waitFor();
    await alone();
    await look(page, 'photos', everywhere);
    await main(page).locator('li[data-place] button[aria-haspopup=menu]').nth(1).click();
    await page.getByRole('menu').waitFor();
    await look(page, 'photos-menu', { touch: true });
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await main(page).locator('li[data-place] button[id^=photo-]').first().click();
    await page.getByRole('dialog').locator('img').waitFor();
    await look(page, 'photos-lightbox', { touch: true });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const videos = main(page).locator('section').last();
    await videos.getByRole('button').first().click();
    await page.getByRole('dialog').locator('#url').fill('https://www.youtube.com/watch?v=x');
    await page.getByRole('dialog').locator('#title').fill('Tur');
    await look(page, 'photos-video', { touch: true });
    await page.getByRole('dialog').locator('button[type=submit]').click();
    await eventually(() => videos.locator('ol > li').count()).toBe(1);
    await alone();
    await look(page, 'photos-videos', everywhere);
    await page.route('**/photos', (route) => (route.request().method() === 'POST' ? undefined : route.continue()));
    await input.setInputFiles(await small(5));
    await eventually(() => main(page).locator('img[src^="blob:"]').count()).toBe(3);
    await look(page, 'photos-sending', { ...everywhere, busy: true });
    await main(page).getByRole('status').getByRole('button').first().click();
    await panel.follow(page, `${LIST}/${id}`);
    await look(page, 'vehicle-with-photos', everywhere);
    await panel.done(page);
  });
});

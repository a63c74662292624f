// The log, usage and the overview as they look, of a dealer with a day of calls and of one without any.
import { beforeAll, describe, test } from 'vitest';
import { busyDealer } from '../browser/traffic.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';

describe.skipIf(isBrowserMissing())('log, usage and overview as they look', () => {
  const panel = panelTest();
  let owner: TestPerson;

  beforeAll(async () => {
    const { accountId } = await busyDealer(panel.service);
    owner = await newPerson(panel.service, { accountId });
  });

  test('the log, live, and one request of it', async () => {
    // Of a long list an hour: the rest are the same lines again.
    const page = await panel.open(owner, '/panel/loglar?range=1h');
    await eventually(() => page.locator('[data-tail]').getAttribute('data-tail')).toBe('live');
    await look(page, 'logs', { narrow: true });
    await page.locator('main .table-cards tbody tr').nth(5).click();
    await page.getByRole('dialog').locator('dl').waitFor();
    await look(page, 'logs-drawer');
    await panel.go(page, '/panel/loglar?range=1h&live=0');
    await look(page, 'logs-still', { narrow: true, on: 'phone' });
    await panel.done(page);
  });

  test('overview and usage', async () => {
    const page = await panel.open(owner, '/panel');
    await page.getByRole('region', { name: 'Bugün' }).waitFor();
    await look(page, 'overview', { narrow: true });
    await panel.follow(page, '/panel/kullanim');
    await page.locator('canvas').first().waitFor();
    await look(page, 'usage', { narrow: true });
    await panel.done(page);
  });

  test('the overview of an account that begins', async () => {
    const fresh = await newPerson(panel.service, { accountId: await panel.service.account({ name: 'Yeni Galeri' }) });
    const page = await panel.open(fresh, '/panel');
    await page.getByRole('region', { name: 'İlk adımlar' }).waitFor();
    await look(page, 'overview-fresh', { narrow: true });
    await panel.done(page);
  });
});

// The first page requests what its screen reads before the panel's code runs (web/src/start.js): each address once, none in vain, and none
// that the person may not read.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { aDealer, carOf, customerOf, dataOf, sell } from '../support/books.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { panelTest } from '../support/panel.ts';
import { type Dealer, openAll } from '../support/writer.ts';

describe.skipIf(isBrowserMissing())('early requests', () => {
  const panel = panelTest();
  let dealer: Dealer;
  let owner: TestPerson;
  let developer: TestPerson;
  let car: string;
  let sale: string;

  beforeAll(async () => {
    await openAll(panel.service);
    dealer = await aDealer(panel.service);
    car = await carOf(dealer);
    const terms = { sale_price: '14500.00', down_payment: '2500.00', installment_count: 12 };
    sale = dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id: await customerOf(dealer), ...terms })).id;
    owner = await newPerson(panel.service, { accountId: dealer.accountId, role: 'owner' });
    developer = await newPerson(panel.service, { accountId: dealer.accountId, role: 'developer' });
  });

  /** The reads of a load of the page, and those that `start.js` requested and no screen has taken. */
  async function reads(page: Page, path: string): Promise<{ paths: string[]; refused: number; left: string[] }> {
    const paths: string[] = [];
    let refused = 0;
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/panel/api/')) paths.push(pathname.slice('/panel/api/'.length) + search);
    });
    page.on('response', (response) => {
      if (response.status() === 403) refused += 1;
    });
    await panel.go(page, path);
    page.removeAllListeners('request');
    page.removeAllListeners('response');
    return { paths, refused, left: (await page.evaluate('[...window.galeriReplies.keys()]')) as string[] };
  }

  test('are what the screen reads, in the address that it uses, once', async () => {
    const page = await panel.open(owner, '/panel/tercihler');
    const screens: [string, string[]][] = [
      ['', ['overview']],
      ['/araclar', ['vehicles/list', 'vehicles/counts']],
      [`/araclar/${car}`, [`v1/vehicles/${car}`]],
      [`/satislar/${sale}`, [`v1/sales/${sale}`, `v1/sales/${sale}/installment-plan`]],
      ['/tahsilat', ['receivables/board', 'branches?limit=100']],
    ];
    for (const [path, wanted] of screens) {
      const { paths, left } = await reads(page, `/panel${path}`);
      // The first two reads of the page, before any code of the panel: the session and the screen's own.
      expect(paths.slice(0, wanted.length + 1), path).toEqual(['session', ...wanted]);
      for (const one of ['session', ...wanted])
        expect(
          paths.filter((path) => path === one),
          one,
        ).toHaveLength(1);
      // The car has no photos, so its screen does not read them.
      expect(left, path).toEqual(path.startsWith('/araclar/') ? [`/panel/api/v1/vehicles/${car}/photos?limit=100`] : []);
    }
    await panel.done(page);
  });

  test('a developer requests nothing that is refused, and with filters only the session is early', async () => {
    const page = await panel.open(developer, '/panel/tercihler');
    for (const path of ['/panel', '/panel/araclar']) {
      const { paths, refused } = await reads(page, path);
      expect([paths[0], refused], path).toEqual(['session', 0]);
    }
    await panel.done(page);
    const mine = await panel.open(owner, '/panel/tercihler');
    const { paths } = await reads(mine, '/panel/araclar?status=Stokta');
    expect(paths.filter((path) => path.startsWith('vehicles/list'))).toEqual(['vehicles/list?status=Stokta']);
    await panel.done(mine);
  });
});

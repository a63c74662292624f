// An administrator opens an endpoint: the effect is shown first, the password is asked for, keys gain the endpoint and their owner is informed.
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/kit/sql.ts';
import { newPerson, PASSWORD, type TestPerson } from '../panel/people.ts';
import { axe } from '../support/axe.ts';
import { isBrowserMissing, screenshot, settled } from '../support/browser.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

describe.skipIf(isBrowserMissing())('an administrator releases an endpoint', () => {
  const panel = panelTest();
  let service: TestService;
  let accountId: string;
  let owner: TestPerson;
  let admin: TestPerson;

  beforeAll(async () => {
    service = panel.service;
    accountId = await service.account({ name: 'Girne Oto', city: 'Girne' });
    owner = await newPerson(service, { accountId });
    admin = await newPerson(service, { admin: true });
    await service.release('Yakında', 'GET vehicles/{vehicle_id}');
  });

  test('the effect is shown, the password is asked for, keys gain the endpoint at once and their owner is informed', async () => {
    const key = await service.key(accountId, { name: 'Web sitesi', template: 'vehicle' });
    const vehicle = await service.vehicle(accountId);
    const call = async () => (await service.call(`vehicles/${vehicle}`, { key: key.secret })).status;
    expect(await call()).toBe(501);
    const page = await panel.open(admin, '/panel/yonetim/yayinlar');
    await service.database.onPlatform('write', (db) =>
      db.exec(sql`update sessions set reauthenticated_at = now() - interval '1 hour' where person_id = ${admin.id}`),
    );
    await page.getByRole('searchbox', { name: 'Uç nokta ara' }).fill('vehicle_id');
    // What was typed is in the address a moment later: rows move then, and a press that began on one would end on none.
    await eventually(() => new URL(page.url()).searchParams.get('q')).toBe('vehicle_id');
    await settled(page);
    await page.getByRole('button', { name: 'İncele: GET vehicles/{vehicle_id}', exact: true }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('1 hesaptan 1 anahtar bu uç noktayı kullanabilir').first().waitFor();
    await drawer.getByText('Web sitesi').first().waitFor();
    expect(await axe(page)).toEqual([]);
    await screenshot(page, 'admin-release-drawer');
    await drawer.getByRole('button', { name: 'Yayına al' }).click();
    await page.getByRole('textbox', { name: 'Parola' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Devam et' }).click();
    await page.getByText('GET vehicles/{vehicle_id} yayında').first().waitFor();
    await eventually(call).toBe(200);
    await page.getByRole('button', { name: 'İncele: GET vehicles/{vehicle_id}', exact: true }).click();
    await page.getByRole('button', { name: 'Yayından geri al' }).waitFor();

    const dealer = await panel.open(owner, '/panel/katalog/get-vehicles-vehicle_id');
    await dealer.getByText(/“Web sitesi” anahtarınız artık “.+” uç noktasını kullanabilir\./).waitFor();
    await eventually(() => dealer.locator('main').getByText('Aktif', { exact: true }).count()).toBe(1);
    expect(await axe(dealer)).toEqual([]);
    await screenshot(dealer, 'notice-banner');
    await dealer.getByRole('button', { name: 'Okundu' }).click();
    await eventually(() => dealer.getByText('anahtarınız artık').count()).toBe(0);
    await panel.done(dealer);
    await panel.done(page);
  });
});

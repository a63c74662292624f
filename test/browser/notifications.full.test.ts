// Notifications in a real browser: the bell counts, the page shows the dealer's news and the platform's notices apart, marks them.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { addBanner } from '../../src/domain/notifications/banner-writes.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

const PAGE = '/panel/bildirimler';

describe.skipIf(isBrowserMissing())('notifications in the panel', () => {
  const panel = panelTest();
  let service: TestService;
  let accountId: string;
  let owner: TestPerson;
  let viewer: TestPerson;
  let vehicleId: string;

  const add = (title: string, kind: string, resource: { type: string; id: string } | null = null) =>
    service.database.inTenant(accountId, 'write', (db) =>
      db.exec(sql`insert into notifications (account_id, id, kind, title, body, resource_type, resource_id, created_at)
        values (${accountId}, ${newId()}, ${kind}, ${title}, ${`${title}: ayrıntı.`}, ${resource?.type ?? null},
          ${resource?.id ?? null}::uuid, ${service.clock.now()})`),
    );

  beforeAll(async () => {
    service = panel.service;
    accountId = await service.account({ name: 'Lefke Oto' });
    owner = await newPerson(service, { accountId, role: 'owner' });
    viewer = await newPerson(service, { accountId, role: 'viewer' });
    vehicleId = await service.vehicle(accountId, { plate: 'LF 100' });
    await add('Rezervasyonun süresi doldu', 'vehicle.reservation_released', { type: 'vehicle', id: vehicleId });
    await add('Webhook durduruldu', 'webhook.disabled');
    await add('Duyuru', 'notification.created');
  });

  const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^(Bildirimler|Notifications)/ });
  const rows = (page: Page) => page.locator('main tbody tr');

  test('the bell counts what is unread; one is marked, then the rest; what came after stays unread', async () => {
    const page = await panel.open(owner, '/panel');
    await eventually(() => bell(page).getAttribute('aria-label')).toBe('Bildirimler: 3 okunmamış');
    await bell(page).click();
    await page.waitForURL(`**${PAGE}`);
    await eventually(() => rows(page).count()).toBe(3);
    await page.getByRole('button', { name: 'Okundu olarak işaretle: Webhook durduruldu' }).click();
    await eventually(() => bell(page).getAttribute('aria-label')).toBe('Bildirimler: 2 okunmamış');
    await page.getByRole('group', { name: 'Okunma durumuna göre' }).getByRole('button', { name: 'Okunmamış' }).click();
    await eventually(() => rows(page).count()).toBe(2);
    expect(new URL(page.url()).search).toBe('?unread=true');

    await add('Sonradan gelen', 'notification.created');
    await page.getByRole('button', { name: 'Tümünü okundu olarak işaretle' }).click();
    await page.getByText('2 bildirim okundu olarak işaretlendi').waitFor();
    await eventually(() =>
      rows(page)
        .allTextContents()
        .then((all) => all.map((text) => text.includes('Sonradan gelen'))),
    ).toEqual([true]);
    await eventually(() => bell(page).getAttribute('aria-label')).toBe('Bildirimler: 1 okunmamış');

    await panel.go(page, PAGE);
    await page.getByLabel('Tür', { exact: true }).selectOption({ label: 'Araç · vehicle.reservation_released' });
    await eventually(() => rows(page).count()).toBe(1);
    await page.getByRole('link', { name: 'Rezervasyonun süresi doldu' }).click();
    await page.waitForURL(`**/panel/araclar/${vehicleId}`);
    await panel.done(page);
  });

  test('a notice of the platform is shown above other screens, and here in its own place', async () => {
    const data = { key: { id: newId(), name: 'Muhasebe' }, per_minute: 120, note: null };
    await service.database.onPlatform('write', (db) =>
      addBanner(db, accountId, { kind: 'limit.approved', data } as Parameters<typeof addBanner>[2], service.clock.now()),
    );
    const page = await panel.open(owner, '/panel/gorevler');
    await page.getByRole('region', { name: 'Uyarılar' }).getByText('“Muhasebe” anahtarının limiti').waitFor();
    await eventually(() => bell(page).getAttribute('aria-label')).toBe('Bildirimler: 2 okunmamış');
    await bell(page).click();
    const own = page.getByRole('region', { name: 'Platformdan: API anahtarlarınız hakkında' });
    await own.getByText('“Muhasebe” anahtarının limiti').waitFor();
    await eventually(() => page.getByText('“Muhasebe” anahtarının limiti').count()).toBe(1);
    await look(page, 'notifications-notice');
    await own.getByRole('button', { name: 'Okundu' }).click();
    await own.waitFor({ state: 'detached' });
    await eventually(() => bell(page).getAttribute('aria-label')).toBe('Bildirimler: 1 okunmamış');
    await panel.done(page);
  });

  test('a viewer reads and marks nothing', async () => {
    const page = await panel.open(viewer, PAGE);
    await eventually(() => rows(page).count()).toBe(4);
    await eventually(() => page.getByRole('button', { name: /okundu olarak işaretle/i }).count()).toBe(0);
    await panel.done(page);
  });

  test('as it looks', async () => {
    const page = await panel.open(owner, PAGE);
    await rows(page).first().waitFor();
    await look(page, 'notifications', { narrow: true });
    await panel.done(page);
  });
});

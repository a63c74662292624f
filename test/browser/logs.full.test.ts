// The request log in a real browser: filters in the address, one request explained, and the live view with everything that can
// happen to it: another account, a held list, a cut connection, no stream at all.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/kit/sql.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { axe } from '../support/axe.ts';
import { isBrowserMissing, type PanelBrowser, screenshot } from '../support/browser.ts';
import { enter, eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';
import { busyDealer, type Dealer } from './traffic.ts';

/** A way to the service that can be cut: what is open ends, and nothing new comes through until it is mended. */
async function cuttable(target: string): Promise<{ url: string; cut(): void; mend(): void; close(): void }> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(new URL(target).port), '127.0.0.1');
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      open.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      isCut = false;
    },
    close: () => {
      cut();
      server.close();
    },
  };
}

describe.skipIf(isBrowserMissing())('the request log in the panel', () => {
  const panel = panelTest();
  let service: TestService;
  let dealer: Dealer;
  let owner: TestPerson;

  beforeAll(async () => {
    service = panel.service;
    dealer = await busyDealer(service);
    owner = await newPerson(service, { accountId: dealer.accountId });
  });

  const opened = async (
    path: string,
    window: Parameters<PanelBrowser['open']>[0] = {},
    person = owner,
    url = service.service.url,
  ): Promise<Page> => {
    const page = await panel.chromium.open(window);
    await enter(page, service, person, url);
    await page.goto(`${url}/panel/loglar${path}`);
    await page.locator('main h1').waitFor();
    await page.locator('main .table-cards tbody tr, main .card .text-16').first().waitFor();
    return page;
  };
  const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
  const rows = (page: Page) => page.locator('main .table-cards tbody tr');
  const paths = (page: Page) => rows(page).locator('td[data-card=title] .code').allTextContents();
  const state = (page: Page) => page.locator('[data-tail]').getAttribute('data-tail');
  const call = async (path = 'vehicles', secret = dealer.keys[0]!.secret) => {
    const { headers } = await service.call(path, { key: secret });
    return headers.get('x-request-id')!;
  };

  test('filters are in the address, narrow the list, and Back undoes them', async () => {
    const page = await opened('?live=0');
    await eventually(() => rows(page).count()).toBe(50);
    await page.getByLabel('Anahtar', { exact: true }).selectOption({ label: 'Vitrin web sitesi' });
    await page.getByLabel('Sonuç').selectOption('errors');
    await eventually(() => query(page)).toEqual({ live: '0', key: dealer.keys[1]!.id, status: 'errors' });
    await eventually(async () =>
      (await rows(page).locator('td[data-label=Sonuç]').allTextContents()).some((text) => /durumu 2/.test(text)),
    ).toBe(false);
    await page.getByLabel('Hata kodu').selectOption('rate_limit_exceeded');
    await page.getByPlaceholder('Yol ya da istek kimliği ara').fill('VEHICLES');
    await eventually(() => query(page).path).toBe('VEHICLES');
    await eventually(async () => new Set(await paths(page))).toEqual(new Set(['vehicles']));
    await page.goBack();
    await page.goBack();
    await eventually(() => query(page)).toEqual({ live: '0', key: dealer.keys[1]!.id, status: 'errors' });
    await page.getByRole('button', { name: 'Filtreleri temizle' }).click();
    await eventually(() => query(page)).toEqual({ live: '0' });
    await panel.done(page);
  });

  test('older pages, and the newest again', async () => {
    const page = await opened('?live=0');
    await eventually(() => rows(page).count()).toBe(50);
    const first = await rows(page).first().textContent();
    await page.getByRole('button', { name: 'Daha eski' }).click();
    await eventually(() => query(page).before).toMatch(/^req_/);
    await eventually(async () => (await rows(page).first().textContent()) !== first).toBe(true);
    await page.getByRole('button', { name: 'En yeniye dön' }).click();
    await eventually(() => rows(page).first().textContent()).toBe(first);
    await panel.done(page);
  });

  test('a refused request is explained, with the way to the very endpoint of the key', async () => {
    const page = await opened('?live=0&error=insufficient_scope');
    await rows(page).first().click();
    await eventually(() => query(page).line).toMatch(/^req_/);
    const drawer = page.getByRole('dialog', { name: 'İstek ayrıntısı' });
    await eventually(() => drawer.textContent()).toContain('Anahtarın kapsamında bu uç nokta yok');
    await eventually(() => drawer.textContent()).toContain('customers:read');
    await eventually(() => drawer.textContent()).toContain('185.12.44.');
    expect(await axe(page)).toEqual([]);
    const address = page.url();
    const fix = drawer.getByRole('link', { name: 'Kapsamda bu uç noktayı aç' });
    await eventually(() => fix.getAttribute('href')).toMatch(
      /\/panel\/api-anahtarlari\/[0-9a-f-]+\/kapsam\?satir=GET%20customers$/,
    );
    await page.keyboard.press('Escape');
    await eventually(() => query(page)).toEqual({ live: '0', error: 'insufficient_scope' });
    // Its own address: it can be handed on.
    await page.goto(address);
    await page.getByRole('dialog', { name: 'İstek ayrıntısı' }).getByRole('link', { name: 'Kapsamda bu uç noktayı aç' }).click();
    await page.waitForURL(/kapsam\?satir=GET/);
    await page.goBack();
    await eventually(() => page.url()).toBe(address);
    await panel.done(page);
  });

  test('refusals that were counted without a line are shown above the list, in both languages', async () => {
    const { id, secret } = await service.key(dealer.accountId, { limitPerMinute: 1 });
    for (let sent = 0; sent < 41; sent += 1) await call('vehicles', secret);
    // What has no line is counted a moment later.
    await eventually(async () => {
      await service.logged();
      const counted = sql`select coalesce(sum(calls), 0)::int as calls from usage_calls where key_id = ${id}`;
      return (await service.database.onPlatform('read', (db) => db.one<{ calls: number }>(counted))).calls;
    }).toBe(41);
    const page = await opened(`?live=0&key=${id}`);
    await eventually(() => rows(page).count()).toBe(11);
    await eventually(() => page.locator('main figcaption').textContent()).toContain(
      '41 istek, 40 ret, 0 hata · 30 ret daha sayıldı ama satırı saklanmadı',
    );
    expect(await axe(page)).toEqual([]);
    await service.database.onPlatform('write', (db) => db.exec(sql`update people set locale = 'en' where id = ${owner.id}`));
    await page.reload();
    await eventually(() => page.locator('main figcaption').textContent()).toContain(
      '30 more refusals were counted but not stored',
    );
    await service.database.onPlatform('write', (db) => db.exec(sql`update people set locale = 'tr' where id = ${owner.id}`));
    await panel.done(page);
  });

  test('a request is found by its number', async () => {
    const id = await call('account');
    await service.logged();
    const page = await opened('?live=0&range=1h');
    await page.getByPlaceholder('Yol ya da istek kimliği ara').fill(id);
    await eventually(() => query(page).request_id).toBe(id);
    await eventually(() => paths(page)).toEqual(['account']);
    // There is no file of one request: the row knows no such filter, and the link led to a refusal.
    await eventually(() => page.getByRole('link', { name: 'CSV indir' }).count()).toBe(0);
    await panel.done(page);
  });

  test('the file of what is filtered comes down', async () => {
    const page = await opened('?live=0&error=rate_limit_exceeded');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV indir' }).click()]);
    expect(download.suggestedFilename()).toMatch(/^galeri-log-.*\.csv$/);
    await panel.done(page);
  });

  describe('live', () => {
    test('a request appears without a reload; another account’s never does', async () => {
      const other = await service.account();
      const foreign = await service.key(other);
      const page = await opened('');
      await eventually(() => state(page)).toBe('live');
      await call('nothing/at-all', foreign.secret);
      await call('live/first');
      await eventually(async () => (await paths(page))[0]).toBe('live/first');
      await call('live/second');
      await eventually(async () => (await paths(page)).slice(0, 2)).toEqual(['live/second', 'live/first']);
      await eventually(() => paths(page)).not.toContain('nothing/at-all');
      await panel.done(page);
    });

    test('Space holds it, the pill says how many wait, and shows them', async () => {
      const page = await opened('');
      await eventually(() => state(page)).toBe('live');
      await page.locator('h1').focus();
      await page.keyboard.press(' ');
      await eventually(() => state(page)).toBe('held');
      await call('held/one');
      await call('held/two');
      const pill = page.getByRole('button', { name: '2 yeni isteği göster' });
      await pill.waitFor();
      await eventually(() => paths(page)).not.toContain('held/one');
      expect(await axe(page)).toEqual([]);
      await pill.click();
      await eventually(async () => (await paths(page)).slice(0, 2)).toEqual(['held/two', 'held/one']);
      await panel.done(page);
    });

    test('it pauses under the pointer, and resumes when the pointer leaves', async () => {
      const page = await opened('');
      await eventually(() => state(page)).toBe('live');
      await rows(page).nth(2).hover();
      await eventually(() => state(page)).toBe('held');
      await call('hovered');
      await page.getByRole('button', { name: '1 yeni isteği göster' }).waitFor();
      await page.mouse.move(5, 5);
      await eventually(async () => (await paths(page))[0]).toBe('hovered');
      await panel.done(page);
    });

    test('E shows errors only, in the list and live', async () => {
      const page = await opened('');
      await eventually(() => state(page)).toBe('live');
      await page.keyboard.press('e');
      await eventually(() => query(page).status).toBe('errors');
      await eventually(() => state(page)).toBe('live');
      await call('account');
      await call('an/error');
      await eventually(async () => (await paths(page))[0]).toBe('an/error');
      await eventually(() => paths(page)).not.toContain('account');
      await page.keyboard.press('e');
      await eventually(() => query(page)).toEqual({});
      await panel.done(page);
    });

    test('cut off, it says so, keeps asking, and misses nothing and repeats nothing', async () => {
      const proxy = await cuttable(service.service.url);
      const page = await opened('', {}, owner, proxy.url);
      await eventually(() => state(page)).toBe('live');
      await call('cut/before');
      await eventually(async () => (await paths(page))[0]).toBe('cut/before');
      proxy.cut();
      await eventually(() => state(page)).toBe('lost');
      await eventually(() => page.getByRole('status').allTextContents()).toContainEqual(
        expect.stringContaining('Bağlantı koptu'),
      );
      await call('cut/during-1');
      await call('cut/during-2');
      proxy.mend();
      await eventually(() => state(page)).toBe('live');
      await call('cut/after');
      await eventually(async () => (await paths(page))[0]).toBe('cut/after');
      expect((await paths(page)).filter((path) => path.startsWith('cut/'))).toEqual([
        'cut/after',
        'cut/during-2',
        'cut/during-1',
        'cut/before',
      ]);
      await panel.done(page);
      proxy.close();
    });

    test('where no stream comes through, asking brings the same', async () => {
      const page = await opened('?live=0');
      await page.route('**/panel/api/logs/tail*', (route) => route.abort());
      await page.getByLabel('Canlı').check();
      await eventually(() => state(page)).toBe('lost');
      await call('asked/for');
      await eventually(async () => (await paths(page))[0]).toBe('asked/for');
      await panel.done(page);
    });
  });

  test('those who may only look see masked addresses', async () => {
    const viewer = await newPerson(service, { accountId: dealer.accountId, role: 'viewer' });
    const page = await opened('?live=0', {}, viewer);
    await eventually(() => rows(page).first().textContent()).toMatch(/\d+\.\d+\.•\.•/);
    await eventually(() => page.content()).not.toMatch(/185\.12\.44/);
    await panel.done(page);
  });

  test('an empty log says so, with a way on', async () => {
    const fresh = await newPerson(service, { accountId: await service.account() });
    const page = await opened('', {}, fresh);
    await eventually(() => page.locator('main').textContent()).toContain('Bu aralıkta istek yok');
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Son 30 güne bak' }).click();
    await eventually(() => query(page)).toEqual({ range: '30d' });
    await screenshot(page, 'logs-empty');
    await panel.done(page);
  });
});

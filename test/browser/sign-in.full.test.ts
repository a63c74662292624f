// Signing in and out, with scripts and without, waiting after wrong passwords, and what
// another site or another dealer's person can do with a signed-in browser, which is nothing.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/kit/sql.ts';
import { newPerson, PASSWORD, type TestPerson } from '../panel/people.ts';
import { axe } from '../support/axe.ts';
import { isBrowserMissing, screenshot, signIn } from '../support/browser.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

describe.skipIf(isBrowserMissing())('signing in and out in a browser', () => {
  const panel = panelTest();
  let service: TestService;
  let url: string;
  let owner: TestPerson;
  let accountId: string;

  beforeAll(async () => {
    service = panel.service;
    url = service.service.url;
    accountId = await service.account({ name: 'Girne Oto' });
    owner = await newPerson(service, { accountId });
  });

  const give = async (page: Page, email: string, password: string) => {
    await page.fill('input[name=email]', email);
    await page.fill('input[name=password]', password);
    await page.click('button[type=submit]');
  };
  const isAt = (page: Page, path: string) => eventually(() => new URL(page.url()).pathname).toBe(path);
  const sessionCookie = async (page: Page) => (await page.context().cookies()).find(({ name }) => name === '__Host-panel');

  test('signing in and out works without scripts, and the old cookie is worth nothing after', async () => {
    const page = await panel.chromium.open({ javaScriptEnabled: false });
    await page.goto(`${url}/panel/ayarlar/tercihler`);
    await isAt(page, '/panel/giris');
    await give(page, owner.email, PASSWORD);
    await isAt(page, '/panel/ayarlar/tercihler');
    const cookie = (await sessionCookie(page))!;
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
    await page.goto(`${url}/panel/cikis`);
    await page.click('button[type=submit]');
    await isAt(page, '/panel/giris');
    await eventually(() => sessionCookie(page)).toBeUndefined();
    await page.context().addCookies([cookie]);
    await page.goto(`${url}/panel/ayarlar/tercihler`);
    await isAt(page, '/panel/giris');
    await page.context().close();
  });

  test('each sign-in has a new cookie', async () => {
    const page = await panel.chromium.open();
    await signIn(page, url, { ...owner, password: PASSWORD });
    const first = (await sessionCookie(page))!.value;
    await page.goto(`${url}/panel/cikis`);
    await page.click('button[type=submit]');
    await isAt(page, '/panel/giris');
    await signIn(page, url, { ...owner, password: PASSWORD });
    expect((await sessionCookie(page))!.value).not.toBe(first);
    await page.context().close();
  });

  test('five wrong passwords make one wait; the message is the same for someone who does not exist', async () => {
    const page = await panel.chromium.open();
    const unlucky = await newPerson(service, { accountId });
    await page.goto(`${url}/panel/giris?lang=tr`);
    await give(page, 'nobody@example.com', 'wrong password!');
    const unknown = await page.getByRole('alert').textContent();
    for (let tries = 0; tries < 5; tries += 1) {
      await give(page, unlucky.email, 'wrong password!');
      await eventually(() => page.getByRole('alert').textContent()).toBe(unknown);
    }
    // Held for a while from now on, however busy the machine is.
    await service.database.onPlatform('write', (db) =>
      db.exec(sql`update sign_in_locks set locked_until = now() + interval '90 seconds' where locked_until is not null`),
    );
    await give(page, unlucky.email, PASSWORD);
    await eventually(() => page.getByRole('alert').textContent()).toContain('2 dakika sonra yeniden deneyin');
    await screenshot(page, 'giris-wait');
    expect(await axe(page)).toEqual([]);
    await service.database.onPlatform('write', (db) => db.exec(sql`update sign_in_locks set locked_until = now()`));
    await give(page, unlucky.email, PASSWORD);
    await page.waitForSelector('main h1');
    await page.context().close();
  });

  describe('from elsewhere', () => {
    let other: Server;
    let otherUrl: string;
    beforeAll(async () => {
      other = createServer((_, response) =>
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>x</title>'),
      );
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      // Another site than 127.0.0.1, on the same machine.
      otherUrl = `http://localhost:${(other.address() as AddressInfo).port}`;
    });
    afterAll(() => new Promise((resolve) => other.close(resolve)));

    /** From the page that is open: the status, or that the browser itself refused. */
    const send = (page: Page, target: string, init: Record<string, unknown>) =>
      page.evaluate(`fetch(${JSON.stringify(target)}, ${JSON.stringify(init)}).then((r) => r.status, () => 'refused')`);

    test('another site can neither read nor change anything with the browser’s cookie', async () => {
      const page = await panel.chromium.open();
      await signIn(page, url, { ...owner, password: PASSWORD });
      const csrf = await page.evaluate(`fetch('/panel/api/session').then((r) => r.json()).then((b) => b.data.csrf)`);
      await page.goto(otherUrl);
      const headers = { 'content-type': 'application/json', 'x-csrf-token': csrf };
      const rename = { method: 'PATCH', credentials: 'include', headers, body: '{"name":"Çalıntı"}' };
      expect(await send(page, `${url}/panel/api/settings`, { credentials: 'include' })).toBe('refused');
      expect(await send(page, `${url}/panel/api/settings`, rename)).toBe('refused');
      // A form needs no permission to be sent: the server refuses it, token or not.
      await page.evaluate(`{
        const form = document.createElement('form');
        form.method = 'post';
        form.enctype = 'text/plain';
        form.action = ${JSON.stringify(`${url}/panel/api/sessions/sign-out-everywhere`)};
        document.body.append(form);
        form.submit();
      }`);
      await page.waitForURL(`${url}/**`);
      await eventually(() => page.locator('body').textContent()).toMatch(/session_required|foreign_request/);
      await page.goto(`${url}/panel/ayarlar/hesap`);
      await eventually(() => page.getByLabel('Galeri adı').inputValue()).toBe('Girne Oto');
      await page.context().close();
    });

    test('the panel’s own page without its token is refused, and cannot be framed', async () => {
      const page = await panel.chromium.open();
      await signIn(page, url, { ...owner, password: PASSWORD });
      const init = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"city":"x"}' };
      expect(await send(page, '/panel/api/settings', init)).toBe(403);
      expect(
        await send(page, '/panel/api/settings', { ...init, headers: { ...init.headers, 'x-csrf-token': 'x'.repeat(43) } }),
      ).toBe(403);
      await page.goto(otherUrl);
      await page.evaluate(`new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.onload = () => resolve(true);
        frame.src = ${JSON.stringify(`${url}/panel/giris`)};
        document.body.append(frame);
      })`);
      expect(page.frames()).toHaveLength(2);
      expect(page.frames().some((frame) => frame.url().startsWith(url))).toBe(false);
      await page.context().close();
    });

    test('the cookie does not open the API, and another dealer’s person finds nothing', async () => {
      const page = await panel.chromium.open();
      const stranger = await newPerson(service, { accountId: await service.account() });
      await signIn(page, url, { ...stranger, password: PASSWORD });
      expect(await send(page, '/api/v1/account', { credentials: 'include' })).toBe(401);
      const branch = await service.database.inTenant(accountId, 'read', (db) =>
        db.one<{ id: string }>(sql`select id from branches`),
      );
      const token = await page.evaluate(`fetch('/panel/api/session').then((r) => r.json()).then((b) => b.data.csrf)`);
      const headers = { 'content-type': 'application/json', 'x-csrf-token': token };
      expect(await send(page, `/panel/api/branches/${branch.id}`, { method: 'PATCH', headers, body: '{"city":"x"}' })).toBe(404);
      const enter = { method: 'POST', headers, body: JSON.stringify({ account_id: accountId }) };
      expect(await send(page, '/panel/api/session/account', enter)).toBe(404);
      await page.context().close();
    });
  });
});

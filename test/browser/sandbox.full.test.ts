// The isolated sandbox in a real browser: two tabs in two environments, the clock, messages, the reset, a rule beside its field.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { sealingKeys } from '../../src/domain/vault/vault.ts';
import { dropMessage } from '../../src/domain/worlds/messages.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { carOf } from '../support/books.ts';
import { isBrowserMissing, problemsOf, watch } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';

const SANDBOX = '/panel/sandbox';

describe.skipIf(isBrowserMissing())('the sandbox in the panel', () => {
  const panel = panelTest({ env: { SANDBOX: 'isolated' } });
  let dealer: Dealer;
  let owner: TestPerson;
  let seller: TestPerson;

  beforeAll(async () => {
    await openAll(panel.service);
    dealer = await newDealer(panel.service);
    owner = await newPerson(panel.service, { accountId: dealer.accountId, role: 'owner' });
    seller = await newPerson(panel.service, { accountId: dealer.accountId, role: 'sales' });
    await carOf(dealer, { brand: 'Renault', model: 'Clio', plate: 'ZZ 987' });
  });

  const dropOne = (worldId: string) => {
    const keys = sealingKeys(panel.service.service.parts.secrets, worldId);
    const mail = {
      channel: 'E-posta',
      to: 'ali@example.com',
      subject: 'Taksit hatırlatması',
      text: 'Sayın müşterimiz, …',
    } as const;
    return panel.service.database.inTenant(worldId, 'write', (db) => dropMessage(db, keys, mail, panel.service.clock.now()));
  };
  /** A call of the page's own session. */
  const ask = async <T>(page: Page, path: string, then: string): Promise<T> =>
    (await page.evaluate(`fetch('/panel/api/${path}').then((reply) => reply.json()).then(({ data }) => ${then})`)) as T;
  const main = (page: Page) => page.getByRole('main');
  const band = (page: Page) => page.getByRole('region', { name: /^Sandbox: deneme/ });
  const text = async (page: Page) => (await main(page).textContent()) ?? '';
  const environments = (page: Page) => page.getByRole('navigation', { name: 'Ortam' });

  test('two tabs of one session keep their own environments', async () => {
    const live = await panel.open(owner, '/panel/araclar');
    await eventually(() => text(live)).toContain('Clio');
    await eventually(() => band(live).count()).toBe(0);
    const opened = live.context().waitForEvent('page');
    await environments(live)
      .getByRole('link', { name: 'Sandbox' })
      .click({ modifiers: ['ControlOrMeta'] });
    const sandbox = await opened;
    watch(sandbox);
    await band(sandbox).waitFor();
    expect(new URL(sandbox.url()).pathname).toBe(`${SANDBOX}/araclar`);
    await main(sandbox).locator('tbody tr').first().waitFor();
    await eventually(() => text(sandbox)).not.toContain('ZZ 987');
    await look(sandbox, 'sandbox-vehicles', { narrow: true });

    // Links, reload and Back stay in the tab's environment.
    await sandbox.getByRole('link', { name: 'Müşteriler' }).first().click();
    await sandbox.waitForURL(`**${SANDBOX}/musteriler`);
    await sandbox.reload();
    await band(sandbox).waitFor();
    await sandbox.goBack();
    await sandbox.waitForURL(`**${SANDBOX}/araclar`);
    // Ctrl+K finds records of the environment only.
    const found = async (page: Page, words: string) => {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('combobox').fill(words);
      await eventually(() => page.getByRole('listbox').getAttribute('aria-busy')).toBe('false');
      const options = await page.getByRole('option').allTextContents();
      await page.keyboard.press('Escape');
      // The last options name the typed text: «ZZ 987» ara.
      return options.filter((one) => !one.includes(`«${words}»`)).join(' ');
    };
    expect(await found(sandbox, 'ZZ 987')).not.toContain('ZZ 987');
    expect(await found(live, 'ZZ 987')).toContain('ZZ 987');

    // A view that is saved in one tab is not in the other.
    const token = await ask<string>(sandbox, 'sandbox/session', 'data.csrf');
    const body = { screen: 'vehicles', name: 'Deneme görünümü', query: 'durum=Stokta' };
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': token },
      body: JSON.stringify(body),
    };
    const saved = await sandbox.evaluate(
      `fetch('/panel/api/sandbox/views', ${JSON.stringify(init)}).then(({ status }) => status)`,
    );
    expect(saved).toBe(200);
    await live.reload();
    await eventually(() => text(live)).toContain('Clio');
    expect(await ask(sandbox, 'sandbox/views', 'data.length')).toBe(1);
    expect(await ask(live, 'views', 'data.length')).toBe(0);
    await eventually(() => band(live).count()).toBe(0);
    expect(new URL(live.url()).pathname).toBe('/panel/araclar');
    await sandbox.close();
    await panel.done(live);
  });

  test('the clock moves and says what happened on the way; messages are read instead of sent', async () => {
    const page = await panel.open(owner, `${SANDBOX}/kontrol`);
    await band(page)
      .getByRole('button', { name: /Sandbox saati/ })
      .click();
    const layer = page.locator('[data-layer][role=dialog]').last();
    await layer.getByRole('button', { name: '1 ay' }).click();
    await layer.getByRole('region', { name: 'Arada olanlar' }).waitFor();
    await eventually(() => layer.textContent()).toMatch(/taksit/);
    await look(page, 'sandbox-clock', { narrow: true });
    await page.keyboard.press('Escape');
    await dropOne(await ask<string>(page, 'sandbox/world', 'data.id'));
    await page.getByRole('link', { name: 'Mesajlar' }).click();
    await main(page).getByText('Taksit hatırlatması').first().click();
    await eventually(() => text(page)).toContain('Sayın müşterimiz');
    await look(page, 'sandbox-messages', { narrow: true });
    expect(await ask(page, 'session', 'data.clock_offset_ms')).toBe(0);
    expect(await ask<number>(page, 'sandbox/session', 'data.clock_offset_ms')).toBeGreaterThan(27 * 86_400_000);
    await panel.done(page);
  });

  test('a rule is shown beside the amount that decides it, in the sandbox only', async () => {
    const page = await panel.open(owner, `${SANDBOX}/cuzdan`);
    await page.getByRole('button', { name: 'Bakiye yükle' }).first().click();
    const layer = page.locator('[data-layer][role=dialog]').last();
    await layer.getByLabel('Tutar').fill('1500,01');
    await eventually(() => layer.locator('[data-sandbox-rule]').textContent()).toContain('Hemen reddedilir.');
    await look(page, 'sandbox-rule', { narrow: true });
    await panel.done(page);
    const live = await panel.open(owner, '/panel/cuzdan');
    await live.getByRole('button', { name: 'Bakiye yükle' }).first().click();
    await live.locator('[data-layer][role=dialog]').last().getByLabel('Tutar').fill('1500,01');
    await eventually(() => live.locator('[data-sandbox-rule]').count()).toBe(0);
    await panel.done(live);
  });

  test('a reset needs its word, empties the sandbox and sets its clock back', async () => {
    const page = await panel.open(owner, `${SANDBOX}/kontrol`);
    await page.getByRole('button', { name: 'Sıfırla' }).click();
    const layer = page.getByRole('alertdialog');
    const act = layer.getByRole('button', { name: 'Sıfırla' });
    await eventually(() => act.isDisabled()).toBe(true);
    await layer.getByLabel('Boş').check();
    await layer.getByRole('textbox').fill('sandbox');
    await look(page, 'sandbox-reset', { narrow: true });
    await act.click();
    await eventually(() => text(page)).toContain('Boş');
    await eventually(() => text(page)).toContain('0 / 1.000');
    expect((await dealer.get('vehicles')).json.data).toHaveLength(1);
    await panel.done(page);
  });

  test('a salesperson has no switch, and the address of the sandbox leads back', async () => {
    const page = await panel.open(seller, '/panel');
    await eventually(() => environments(page).count()).toBe(0);
    await panel.go(page, `${SANDBOX}/araclar`);
    await main(page).getByRole('link', { name: 'Canlıya dön' }).click();
    await page.waitForURL((url) => url.pathname === '/panel/araclar');
    await eventually(() => text(page)).toContain('Clio');
    // The router logs the refusal that the page shows.
    expect(problemsOf(page).filter((problem) => !problem.includes('rolünüz buna izin vermiyor'))).toEqual([]);
    await panel.chromium.leave(page);
  });
});

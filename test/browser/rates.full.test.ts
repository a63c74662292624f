// Exchange rates: the current bulletin, the history of a pair, and a bank without a bulletin.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { bankDay, daysBefore } from '../../src/domain/exchange-rates/bulletin-schedule.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { type Quoted, storeBulletinFor } from '../support/bulletins.ts';
import { look } from '../support/look.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

const PAGE = '/panel/kur';
const LAST = daysBefore(bankDay('TCMB', new Date()), 1);
const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

/** A year of business days up to yesterday, slowly rising with a little to and fro. */
const DAYS = Array.from({ length: 365 }, (_, back) => daysBefore(LAST, back)).filter(
  (day, back) => back === 0 || !isWeekend(day),
);
function quoted(base: number, back: number): Quoted {
  const buying = base * (1 - back * 0.0006) + Math.sin(back) * base * 0.002;
  return [buying, buying * 1.0018, buying * 0.9993, buying * 1.0033].map((value) => value.toFixed(4)) as unknown as Quoted;
}

describe.skipIf(isBrowserMissing())('exchange rates in the panel', () => {
  const panel = panelTest();
  let service: TestService;
  let owner: TestPerson;
  let viewer: TestPerson;

  beforeAll(async () => {
    service = panel.service;
    const accountId = await service.account({ name: 'Boğaz Otomotiv', country: 'TR' });
    owner = await newPerson(service, { accountId });
    viewer = await newPerson(service, { accountId, role: 'viewer' });
    for (const [back, day] of DAYS.entries()) {
      const quotes = { USD: quoted(48.0732, back), EUR: quoted(56.1234, back), GBP: quoted(64.7268, back) };
      await storeBulletinFor(service.database, 'TCMB', { day, number: `2026/${300 - back}`, quotes });
    }
  });

  const current = (page: Page) => page.getByRole('region', { name: /^(Geçerli kurlar|Rates in force)$/ });
  const history = (page: Page) => page.getByRole('region', { name: /^(Kur geçmişi|Past rates)$/ });
  const search = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

  test('the menu leads to the six pairs of the last bulletin, its bank, number and day', async () => {
    const page = await panel.open(viewer, '/panel');
    await page.getByRole('navigation').getByRole('link', { name: 'Döviz kurları' }).click();
    await page.waitForURL(`**${PAGE}`);
    await eventually(() => current(page).first().locator('tbody tr').count()).toBe(6);
    const words = await page.locator('main').textContent();
    expect(words).toContain('Bülten 2026/300');
    expect(words).toContain('Son bülten');
    expect(words).toContain(LAST.split('-').reverse().join('.'));
    const [first] = await current(page).first().locator('tbody tr').allInnerTexts();
    expect(first).toContain('STG-TL');
    expect(first).toContain('64,7268');
    await eventually(() => page.getByRole('button', { name: /^TCMB/ }).getAttribute('aria-pressed')).toBe('true');
    await panel.done(page);
  });

  test('pair, period and page are in the address and are restored from it', async () => {
    const page = await panel.open(owner, PAGE);
    await current(page).first().getByRole('button', { name: 'USD-TL' }).click();
    await page.getByRole('heading', { name: 'USD-TL geçmişi' }).waitFor();
    await page.getByLabel('Zaman aralığı').selectOption('365d');
    await eventually(() => history(page).first().locator('tbody tr').count()).toBe(25);
    await eventually(() => history(page).first().textContent()).toContain(`/ ${DAYS.length}`);
    await page.getByRole('button', { name: 'Sonraki' }).click();
    expect(search(page)).toEqual({ pair: 'USD-TL', range: '365d', offset: '25' });
    await panel.go(page, `${PAGE}?pair=TL-USD&from=${daysBefore(LAST, 9)}&to=${LAST}`);
    await page.getByRole('heading', { name: 'TL-USD geçmişi' }).waitFor();
    const shown = DAYS.filter((day) => day >= daysBefore(LAST, 9)).length;
    await eventually(() => history(page).first().locator('tbody tr').count()).toBe(shown);
    // A pair the other way round has six digits, and the first of its days nothing to be compared with.
    await eventually(() => history(page).first().locator('tbody tr').last().textContent()).toContain('—');
    await panel.go(page, `${PAGE}?from=2020-01-01&to=${LAST}`);
    await page.getByText('En çok 366 gün seçilebilir.').waitFor();
    await page.getByRole('button', { name: 'Son 1 yılı göster' }).click();
    await page.locator('canvas').waitFor();
    await panel.done(page);
  });

  test('a bank without a bulletin: what can be done about it, by whom', async () => {
    const page = await panel.open(owner, `${PAGE}?source=KKTCMB`);
    await page.getByText('KKTC Merkez Bankası için geçerli kur yok.').waitFor();
    await page.getByText(/tahsilatta anlaştığınız kuru yazabilir/).waitFor();
    await eventually(() => page.getByRole('link', { name: 'Kur kaynağını değiştir' }).count()).toBe(1);
    await look(page, 'rates-empty', { narrow: true });
    await page.getByRole('button', { name: 'TCMB kurlarına bak' }).click();
    await eventually(() => current(page).first().locator('tbody tr').count()).toBe(6);
    expect(search(page)).toEqual({ source: 'TCMB' });
    await panel.done(page);
    const other = await panel.open(viewer, `${PAGE}?source=KKTCMB`);
    await other.getByText('KKTC Merkez Bankası için geçerli kur yok.').waitFor();
    await eventually(() => other.getByRole('link', { name: 'Kur kaynağını değiştir' }).count()).toBe(0);
    await panel.done(other);
  });

  test('as it looks', async () => {
    const page = await panel.open(owner, PAGE);
    await page.locator('canvas').waitFor();
    await look(page, 'rates', { narrow: true });
    await panel.done(page);
  });
});

// What the tests of keys in a browser do over and over.
import type { Page } from 'playwright-core';
import type { TestPerson } from '../panel/people.ts';
import { settled } from '../support/browser.ts';
import { enter as enterPanel } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

export const KEYS = '/panel/api-anahtarlari';
export const NEW = `${KEYS}/yeni`;

/** A window of someone who is signed in, on `path`. */
export async function enter(page: Page, service: TestService, person: TestPerson, path = KEYS): Promise<void> {
  await enterPanel(page, service, person);
  await go(page, service, path);
}

export async function go(page: Page, service: TestService, path: string): Promise<void> {
  await page.goto(`${service.service.url}${path}`);
  await page.waitForSelector('main h1');
  await settled(page);
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });

/** The box of one endpoint of the picker. */
export const row = (page: Page, id: string) => page.locator(`input[data-row="${id}"]`);

export const template = (page: Page, name: string) => page.locator('button[aria-pressed]').filter({ hasText: name });

/** From the first step to the third, with a name. */
export async function toReview(page: Page, name: string): Promise<void> {
  await button(page, 'İleri').click();
  await page.getByLabel('Ad', { exact: true }).fill(name);
  await button(page, 'İleri').click();
  await page.getByText('Gözden geçir').first().waitFor();
}

/** The secret as it is shown on the page. */
export async function shownSecret(page: Page): Promise<string> {
  return ((await page.locator('p.select-all').textContent()) ?? '').trim();
}

/** Everything the browser keeps of this page: the document, its address and history, and what it stores. */
export const kept = (page: Page): Promise<string> =>
  page.evaluate(`JSON.stringify([document.documentElement.outerHTML, location.href, history.state, { ...localStorage },
    { ...sessionStorage }, document.cookie, [...document.querySelectorAll('input, textarea')].map((field) => field.value),
    performance.getEntries().map((entry) => entry.name)])`);

// Checks how a screen looks in every kind of window: both themes, both languages, desktop and phone. The page stays open and is
// changed in place, so that the path to a state is walked once.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axe, isSuspect, prepareAxe } from './axe.ts';
import { isSideways, screenshot, settled } from './browser.ts';

export const DESK = { width: 1280, height: 900 } as const;
export const PHONE = { width: 390, height: 844 } as const;
export const NARROWEST = 320;

export interface LookOptions {
  /** Also on the narrowest phone. */
  readonly narrow?: boolean;
  /** Where there is such a state, or where it is worth the time. */
  readonly on?: 'both' | 'desk' | 'phone';
  /** For a state with a request that never ends. */
  readonly busy?: boolean;
  /** The phone has a touch screen, which shows more than a narrow window does. */
  readonly touch?: boolean;
  /** With the frame around the screen, which stays the same on all screens. */
  readonly framed?: boolean;
}

/**
 * On a desktop, in Turkish: all of WCAG 2.2 AA, and in the other theme its colours. On a phone, in English: its sizes; for what
 * the desktop does not show everything, and its colours in both themes. Nothing overflows sideways: on a desktop, and on a phone
 * in both languages. A layer above the screen is checked alone. The page ends in its first state, except for its theme.
 */
export async function look(page: Page, name: string, options: LookOptions = {}): Promise<void> {
  const { narrow = false, on = 'both', busy = false, framed = false, touch = false } = options;
  const scope = framed ? 'whole' : 'screen';
  const still = () => (busy ? frame(page) : settled(page));
  const at = async (what: string, looked: Promise<readonly string[]>) => {
    const found = await looked;
    if (found.length > 0) throw new Error(`${name}: ${what}: ${found.join('\n')}`);
  };
  const inBothThemes = async (what: string, rules: 'all' | 'sizes and new') => {
    const theme = await themeOf(page);
    if (!(await isSuspect(page, rules, scope))) return;
    await turn(page);
    await at(`${what}, ${theme}`, axe(page, rules, scope));
    await turn(page);
    await at(`${what}, ${await themeOf(page)}`, axe(page, 'colours', rules === 'all' ? scope : 'new'));
  };
  const first = on === 'phone' ? PHONE : DESK;
  await page.setViewportSize(first);
  await still();
  await prepareAxe(page);
  await screenshot(page, `${name}-${first.width}-tr`);
  await inBothThemes(String(first.width), 'all');
  const other = await themeOf(page);
  await screenshot(page, `${name}-${first.width}-tr-${other}`);
  await fits(page, `${name}, tr`);
  await page.evaluate(`looks.remember(${framed})`);
  if (touch) await feelFingers(page, true);
  if (narrow || on === 'both') await fits(page, `${name}, tr`, narrow ? NARROWEST : PHONE.width);
  await speak(page, 'en');
  await still();
  if (narrow) await fits(page, `${name}, en`);
  await fits(page, `${name}, en`, PHONE.width);
  await screenshot(page, `${name}-${PHONE.width}-en-${other}`);
  if (on === 'both') {
    const isNew = await page.evaluate(`looks.isNew(${framed})`);
    if (isNew) await inBothThemes('phone, en', 'sizes and new');
    else await at(`phone, en, ${other}`, axe(page, 'sizes', scope));
  }
  if (touch) await feelFingers(page, false);
  await comeBack(page, first);
  await still();
}

/** In Turkish, in a window of that size. */
export async function comeBack(page: Page, size: { width: number; height: number } = DESK): Promise<void> {
  await speak(page, 'tr');
  await page.setViewportSize(size);
}

/** A touch screen: `pointer: coarse`. */
async function feelFingers(page: Page, enabled: boolean): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled });
  await devtools.detach();
}

/** Nothing overflows sideways, at the current width or at this one. */
export async function fits(page: Page, name: string, width = page.viewportSize()!.width): Promise<void> {
  await page.setViewportSize({ ...page.viewportSize()!, width });
  await frame(page);
  expect(await isSideways(page), `${name} is wider than ${width} px`).toBe(false);
}

const themeOf = (page: Page): Promise<string> => page.evaluate<string>('document.documentElement.dataset.theme');

const turn = (page: Page): Promise<unknown> => page.evaluate('looks.turn()');

/** As if it had been chosen in another window of this browser, which also works while a dialog is open. */
async function speak(page: Page, language: 'tr' | 'en'): Promise<void> {
  await page.evaluate(`{
    localStorage.setItem('galeri.locale', '${language}');
    dispatchEvent(new StorageEvent('storage', { key: 'galeri.locale' }));
  }`);
  await frame(page);
}

const frame = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`);

// Spectators that are pages of the panel in a real browser, one wide and one phone: what they show at the end is compared with
// the API.
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser, type PanelBrowser, problemsOf } from '../support/browser.ts';
import { deadline } from '../support/patience.ts';

const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;
export const PAGES = WINDOWS.length;

/** The API's view of the lot. */
export interface Struck {
  readonly current_bid: string;
  readonly bid_count: number;
}

export class RoomPages {
  /** The folder of their screenshots. */
  readonly folder = join(tmpdir(), 'galeri-room');
  private readonly browser: PanelBrowser;
  private readonly pages: readonly Page[];

  private constructor(browser: PanelBrowser, pages: readonly Page[]) {
    this.browser = browser;
    this.pages = pages;
  }

  /** Each at another service, as far as there are. */
  static async open(apis: readonly string[], event: string, cookies: readonly string[]): Promise<RoomPages> {
    const browser = await openBrowser();
    const pages: Page[] = [];
    for (const [place, window] of WINDOWS.entries()) {
      const page = await browser.open(window);
      const room = new URL(`/panel/muzayede/canli/${event}`, apis[place % apis.length]);
      const cookie = { name: '__Host-panel', value: cookies[place]!, domain: room.hostname, path: '/', secure: true } as const;
      await page.context().addCookies([{ ...cookie, httpOnly: true, sameSite: 'Lax' }]);
      await page.goto(room.href);
      await page.getByText('Canlı bağlantı').waitFor();
      pages.push(page);
    }
    return new RoomPages(browser, pages);
  }

  async picture(name: string): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    for (const page of this.pages)
      await page.screenshot({ path: join(this.folder, `${name}-${page.viewportSize()!.width}.png`), fullPage: true });
  }

  /** The price and the number of bids whose chain each page has verified, once they have arrived. */
  async mistakes({ current_bid, bid_count }: Struck): Promise<string[]> {
    const [whole] = current_bid.split('.');
    const found: string[] = [];
    for (const [place, page] of this.pages.entries()) {
      const figure = page.locator('[data-current-bid]');
      let shown = '';
      for (const isOver = deadline(60_000); !isOver(); await page.waitForTimeout(200)) {
        const verified = await page.getByText(`${bid_count} peyin zinciri eksiksiz`).count();
        shown = `${((await figure.textContent()) ?? '').replace(/\D/g, '')} (${verified === 0 ? 'not verified' : bid_count})`;
        if (shown === `${whole} (${bid_count})`) break;
      }
      if (shown !== `${whole} (${bid_count})`) found.push(`page ${place + 1} shows ${shown}, the API ${whole} (${bid_count})`);
      found.push(...problemsOf(page).map((problem) => `page ${place + 1}: ${problem}`));
    }
    return found;
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}

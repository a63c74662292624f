// The service and a browser in front of its panel, for one test file; and what every test there does.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { beginSession } from '../../src/domain/identity/sessions.ts';
import type { TestPerson } from '../panel/people.ts';
import { openBrowser, type PanelBrowser, problemsOf, settled, type Window } from './browser.ts';
import { type TestService, type TestServiceOptions, testService } from './service.ts';

/** With the limit and the pauses of vitest.config.ts. */
export const eventually = expect.poll;

export interface PanelTest {
  readonly service: TestService;
  readonly chromium: PanelBrowser;
  /** A window of someone who is signed in, on `path`. The form of the sign-in is `signIn` in browser.ts. */
  open(person: TestPerson, path: string, window?: Window & BrowserContextOptions): Promise<Page>;
  /** In a window that is open, to a page that is loaded anew. */
  go(page: Page, path: string): Promise<void>;
  /** As a link of the panel leads there: what was read a moment ago is not read again. */
  follow(page: Page, path: string): Promise<void>;
  /** Nothing was complained about on the way. */
  done(page: Page): Promise<void>;
}

/** Opened before the tests of the `describe` it is called in, closed after them. */
export function panelTest(options: TestServiceOptions = {}): PanelTest {
  const parts: { service?: TestService; chromium?: PanelBrowser } = {};
  beforeAll(async () => {
    parts.service = await testService(options);
    parts.chromium = await openBrowser();
  });
  afterAll(async () => {
    await parts.chromium?.close();
    await parts.service?.close();
  });
  const go = async (page: Page, path: string) => {
    await page.goto(`${parts.service!.service.url}${path}`);
    await page.waitForSelector('main h1');
    await settled(page);
  };
  const follow = async (page: Page, path: string) => {
    await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
    await page.waitForSelector('main h1');
    await settled(page);
  };
  return {
    get service() {
      return parts.service!;
    },
    get chromium() {
      return parts.chromium!;
    },
    go,
    follow,
    open: async (person, path, window) => {
      const page = await parts.chromium!.open(window);
      await enter(page, parts.service!, person);
      await go(page, path);
      return page;
    },
    done: async (page) => {
      expect(problemsOf(page)).toEqual([]);
      await parts.chromium!.leave(page);
    },
  };
}

/** As someone who has signed in just now, without the form and the seconds its password costs. */
export async function enter(page: Page, service: TestService, person: TestPerson, url = service.service.url): Promise<void> {
  const realNow = service.clock.realNow();
  const origin = { ip: '127.0.0.1', userAgent: 'Chromium' };
  const value = await service.database.onPlatform('write', (db) =>
    beginSession(db, person.id, origin, realNow, { pending: false }),
  );
  const cookie = { name: '__Host-panel', value, path: '/', secure: true, httpOnly: true, sameSite: 'Lax' } as const;
  await page.context().addCookies([{ ...cookie, domain: new URL(url).hostname }]);
}

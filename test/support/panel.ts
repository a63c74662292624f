// The service of one test file, the browser of its worker, and the common actions of tests of the panel.
import { createServer } from 'node:net';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { beginSession } from '../../src/domain/identity/sessions.ts';
import type { TestPerson } from '../panel/people.ts';
import { openBrowser, type PanelBrowser, problemsOf, settled, type Window } from './browser.ts';
import { type TestService, type TestServiceOptions, testService } from './service.ts';

/** With the limit and the pauses of vitest.config.ts. */
export const eventually = expect.poll;

export interface PanelTest {
  readonly service: TestService;
  readonly chromium: PanelBrowser;
  /** A window of a signed-in person, on `path`. The sign-in form is `signIn` in browser.ts. */
  open(person: TestPerson, path: string, window?: Window & BrowserContextOptions): Promise<Page>;
  /** In an open window, loads a page. */
  go(page: Page, path: string): Promise<void>;
  /** Like a link of the panel: recently read data is not read again. */
  follow(page: Page, path: string): Promise<void>;
  /** The page reported no problems. */
  done(page: Page): Promise<void>;
}

/** One browser for all files of a worker: starting it and compiling the panel costs a second of processor time. */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern that nothing else is needed
const worker = test.extend('chromium', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const chromium = await openBrowser();
  onCleanup(() => chromium.close());
  return chromium;
});

/** The port of the worker's last service. The next one has the same, because the browser's caches belong to the address. */
let port = 0;

/** The service starts before the tests of the `describe` it is called in, and ends after them. */
export function panelTest(options: TestServiceOptions = {}): PanelTest {
  const parts: { service?: TestService; chromium?: PanelBrowser } = {};
  worker.beforeAll(async ({ chromium }) => {
    const PORT = String((await isFree(port)) ? port : 0);
    parts.service = await testService({ ...options, env: { PORT, ...options.env } });
    port = Number(new URL(parts.service.service.url).port);
    parts.chromium = chromium;
  });
  afterAll(async () => {
    await parts.chromium?.tidy();
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

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.on('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** As a person who has just signed in, without the form and the seconds its password costs. */
export async function enter(page: Page, service: TestService, person: TestPerson, url = service.service.url): Promise<void> {
  const realNow = service.clock.realNow();
  const origin = { ip: '127.0.0.1', userAgent: 'Chromium' };
  const value = await service.database.onPlatform('write', (db) =>
    beginSession(db, person.id, origin, realNow, { pending: false }),
  );
  const cookie = { name: '__Host-panel', value, path: '/', secure: true, httpOnly: true, sameSite: 'Lax' } as const;
  await page.context().addCookies([{ ...cookie, domain: new URL(url).hostname }]);
}

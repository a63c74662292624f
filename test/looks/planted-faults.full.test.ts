// Each kind of fault is planted in a screen that has none, and the look finds it.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { comeBack, look } from '../support/look.ts';
import { panelTest } from '../support/panel.ts';

/** What is planted, its style, and what a look says of it. */
const FAULTS = [
  [
    'pale words',
    '<p class="planted">Soluk</p>',
    '[data-theme=light] .planted { background: #fff; color: #ccc }',
    /light: .*color-contrast/s,
  ],
  [
    'pale words in the dark',
    '<p class="planted">Soluk</p>',
    '[data-theme=dark] .planted { background: #222; color: #444 }',
    /dark: .*color-contrast/s,
  ],
  [
    'pale words in one row of many',
    '<ul><li>a</li><li>b</li><li data-kind="pale">Soluk</li></ul>',
    '[data-theme=light] [data-kind=pale] { background: #fff; color: #ccc }',
    /light: .*color-contrast/s,
  ],
  ['a picture without a name', '<img src="data:,">', '', /image-alt/],
  [
    'a button without a name on a phone',
    '<button class="planted"></button>',
    '.planted { display: none } @media (width < 640px) { .planted { display: block; width: 44px; height: 44px } }',
    /phone.*button-name/s,
  ],
  [
    'pale words on a phone by day',
    '<p class="planted">Soluk</p>',
    '.planted { display: none } @media (width < 640px) { .planted { display: block } [data-theme=light] .planted { background: #fff; color: #ccc } }',
    /phone, en, light: .*color-contrast/s,
  ],
  [
    'buttons on a phone too small for a finger',
    '<p><button class="planted">a</button><button class="planted">b</button><button class="planted">c</button></p>',
    '.planted { width: 60px; height: 60px } @media (width < 640px) { .planted { all: unset; display: inline-block; width: 9px; height: 9px } }',
    /phone, en, \w+: .*target-size/s,
  ],
  ['what is wider than the narrowest phone', '<p class="planted">Geniş</p>', '.planted { width: 330px }', /wider than 320 px/],
  [
    'what is wider in English',
    '<p class="planted">Geniş</p>',
    'html:lang(en) .planted { width: 400px }',
    /en is wider than (320|390) px/,
  ],
] as const;

describe.skipIf(isBrowserMissing())('a look', () => {
  const panel = panelTest();
  let owner: TestPerson;
  beforeAll(async () => {
    owner = await newPerson(panel.service, { accountId: await panel.service.account() });
  });

  const plant = (html: string, css: string, where: string) => `{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(css)});
    document.adoptedStyleSheets.push(sheet);
    const made = new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html').body.firstElementChild;
    document.querySelector(${JSON.stringify(where)}).append(made);
    window.planted = { sheet, made };
  }`;

  // One window for all: what was planted is pulled out again.
  let page: Page;
  test.each(FAULTS)('reports %s', async (_, html, css, report) => {
    page ??= await panel.open(owner, '/panel/bildirimler');
    await page.evaluate(plant(html, css, 'main'));
    const message = await look(page, 'planted', { narrow: true }).then(String, String);
    await page.evaluate('planted.sheet.disabled = true, planted.made.remove()');
    await comeBack(page);
    expect(message).toMatch(report);
  });

  test('reports nothing where nothing is planted', async () => {
    page ??= await panel.open(owner, '/panel/bildirimler');
    await look(page, 'bare', { narrow: true });
    await panel.done(page);
  });

  test('reports a fault in a dialog, and in the frame where requested', async () => {
    const page = await panel.open(owner, '/panel/gorevler?gorev=yeni');
    await page.getByRole('dialog').waitFor();
    await page.evaluate(plant('<img src="data:,">', '', '[data-layer]'));
    await expect(look(page, 'planted')).rejects.toThrow(/image-alt/);
    await page.evaluate('planted.made.remove()');
    const css = '[data-theme=dark] .planted { background: #222; color: #444 }';
    await page.evaluate(plant('<p class="planted">Soluk</p>', css, '[data-layer]'));
    await expect(look(page, 'planted')).rejects.toThrow(/dark: .*color-contrast/s);
    await panel.go(page, '/panel/bildirimler');
    await page.evaluate(plant('<img src="data:,">', '', 'aside'));
    await look(page, 'planted');
    await expect(look(page, 'planted', { framed: true })).rejects.toThrow(/image-alt/);
    await panel.done(page);
  });
});

// The WCAG 2.2 AA violations of a page, found by axe.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Names, roles and sizes are the same in both themes; these are not. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
/** Between a wide and a narrow window, and between two languages, these differ. */
const SIZES = ['target-size', 'scrollable-region-focusable', 'label-content-name-mismatch'];

let axeSource: Promise<string> | null = null;

/**
 * Which rules of WCAG 2.2 AA are checked: all, those that another theme can break, those that another width and language can, or
 * the latter plus all for what a narrower window has added.
 */
export type AxeRules = 'all' | 'colours' | 'sizes' | 'sizes and new';
/** Where: the screen, or only the layer above it; the frame around the screen too; what a narrower window has added. */
export type AxeScope = 'screen' | 'whole' | 'new';

/** WCAG 2.2 AA: the violations, one readable line each; none is `[]`. The content policy forbids a script tag, not this. */
export async function axe(page: Page, rules: AxeRules = 'all', scope: AxeScope = 'screen'): Promise<string[]> {
  await prepareAxe(page);
  const found = await runAxe(page, rules, scope);
  if (!found.some(isCovered)) return found;
  // A bar fixed at the edge always covers something, which can be reached by scrolling.
  await page.evaluate('scrollBy(0, 200)');
  const still = await runAxe(page, 'sizes', scope);
  await page.evaluate('scrollBy(0, -200)');
  const nameOf = (line: string) => line.split(': Fix ')[0]!;
  return found.filter((line) => !isCovered(line) || still.some((other) => nameOf(other) === nameOf(line)));
}

const isCovered = (line: string): boolean => line.startsWith('target-size: ') && line.includes('obscured');

/**
 * Two frames later, so that recent changes are drawn. Returns only violations: for hundreds of rows the rest would be megabytes.
 */
async function runAxe(page: Page, rules: AxeRules, scope: AxeScope): Promise<string[]> {
  return (await page.evaluate(`looks.drawn()
    .then(() => looks.choose('${rules}', '${scope}'))
    .then((context) => axe.run(context, ${JSON.stringify(optionsOf(rules))}))
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) =>
      id + ': ' + html.slice(0, 200) + ': ' + failureSummary.replace(/\\s+/g, ' '))))`)) as string[];
}

function optionsOf(rules: AxeRules) {
  const only = { colours: COLOURS, sizes: SIZES, all: null, 'sizes and new': null }[rules];
  const runOnly = only ? { type: 'rule', values: only } : { type: 'tag', values: WCAG };
  return { runOnly, resultTypes: ['violations'], selectors: false };
}

/**
 * Whether there may be a violation: by these rules on the current page, or by its colours in the other theme, which stays on. The
 * page is read once for both. If this returns true, `axe` checks each theme and decides; if not, there is none.
 */
export async function isSuspect(page: Page, rules: 'all' | 'sizes and new', scope: AxeScope): Promise<boolean> {
  await prepareAxe(page);
  return (await page.evaluate(`looks.drawn()
    .then(() => looks.choose('${rules}', '${scope}'))
    .then((context) => looks.inBothThemes(context, ${JSON.stringify(optionsOf(rules))}))`)) as boolean;
}

export async function prepareAxe(page: Page): Promise<void> {
  axeSource ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  if (await page.evaluate(`'axe' in window`)) return;
  await page.evaluate(await axeSource);
  await page.evaluate(IN_THE_PAGE);
}

/**
 * An inherited colour changes step by step, a frame for each: in an inspected page, at once. Elements below a layer cannot be
 * reached, and the frame is the same on all screens. Of siblings with the same elements, classes and states, two show all their
 * colours. For axe, reading the page costs as much as checking its rules: one run checks several rule sets, each on its own
 * elements, and the colours once more in the other theme, for which it forgets styles and colours and keeps the layout. Only
 * elements without colour and size are left out of its map of the page: lines of a drawing, closed choices, hidden elements, and
 * those below an opaque layer.
 */
const IN_THE_PAGE = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { transition: none !important }');
  document.adoptedStyleSheets.push(sheet);
  const frame = () => [...document.querySelectorAll('aside, header')].filter((one) => !one.closest('main, [data-layer]'));
  const layer = () => [...document.querySelectorAll('[data-layer]')].at(-1);
  const shown = (whole) => {
    const hidden = whole || layer() ? [] : frame();
    const all = (layer() ?? document.body).querySelectorAll('*');
    return [...all].filter((one) => one.getClientRects().length > 0 && !hidden.some((part) => part.contains(one)));
  };
  // What one of a kind says of itself; all else may be what a style goes by.
  const OF_ONE = /^(id|for|href|src|alt|title|value|name|datetime|data-(row|place|index)|aria-(label|labelledby|describedby|controls))$/;
  const kindOf = (one) => [one, ...one.querySelectorAll('*')].map(({ localName, attributes }) =>
    localName + [...attributes].filter(({ name }) => !OF_ONE.test(name)).map(({ name, value }) => name + '=' + value).sort()).join('>');
  const twins = (root) => [...root.querySelectorAll('tbody, ul, ol, dl')].flatMap((list) => {
    const counts = new Map();
    return [...list.children].filter((one) => {
      const kind = kindOf(one);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return counts.get(kind) > 2;
    });
  });
  const COLOURS = new Set(${JSON.stringify(COLOURS)});
  const SIZES = new Set(${JSON.stringify(SIZES)});
  let asks = () => true;
  let above = null;
  const FILTER = { acceptNode: (one) => isOnMap(one) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT };
  const isOnMap = (one) => {
    if (above && !above.contains(one) && !one.contains(above)) return false;
    if (one.ownerSVGElement) return one.ownerSVGElement.getElementsByTagName('text').length > 0;
    return one.localName !== 'option' && (one.getClientRects().length > 0 || getComputedStyle(one).display !== 'none');
  };
  const { createTreeWalker } = document;
  document.createTreeWalker = (root, what, filter) => createTreeWalker.call(document, root, what, axe._running ? FILTER : filter);
  const isOpaque = (one) => { const { backgroundColor, opacity } = getComputedStyle(one); return opacity === '1' && /^rgb\\(/.test(backgroundColor); };
  const forget = (node) => {
    delete node._stackingContext;
    for (const key of Object.keys(node._cache)) if (key === 'getBackgroundColor' || key.startsWith('computedStyle_')) delete node._cache[key];
    node.children.forEach(forget);
  };
  // The theme that is not on, chosen as if in another window; true where that also changed what is on the page.
  const turn = async () => {
    const seen = new MutationObserver(() => {});
    seen.observe(document.documentElement, { childList: true, subtree: true });
    localStorage.setItem('galeri.theme', document.documentElement.dataset.theme === 'light' ? 'dark' : 'light');
    dispatchEvent(new StorageEvent('storage', { key: 'galeri.theme' }));
    await looks.drawn();
    const isOther = seen.takeRecords().length > 0;
    seen.disconnect();
    return isOther;
  };
  let then = null;
  const { run } = axe._audit;
  axe._audit.run = function (context, options, resolve, reject) {
    const next = then;
    then = null;
    run.call(this, context, options, next === null ? resolve : (first) => next(first, context).then(resolve, reject), reject);
  };
  for (const rule of axe._audit.rules) {
    const { matches } = rule;
    rule.matches = function (element, ...more) { return asks(rule.id, element) && matches.call(this, element, ...more); };
  }
  window.looks = {
    drawn: () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    turn,
    inBothThemes: async (context, options) => {
      let isOther = true;
      then = async (first, read) => {
        isOther = await turn();
        if (isOther) return first;
        read.flatTree.forEach(forget);
        const colours = { ...options, runOnly: { type: 'rule', values: [...COLOURS] } };
        const second = await new Promise((resolve, reject) => run.call(axe._audit, read, colours, resolve, reject));
        isOther = [...first, ...second].some(({ error }) => error);
        return [...first, ...second];
      };
      return (await axe.run(context, options)).violations.length > 0 || isOther;
    },
    before: new WeakSet(),
    remember: (whole) => { looks.before = new WeakSet(shown(whole)); },
    // The outermost of what is shown now and was not then.
    isNew: (whole) => {
      const now = new Set(shown(whole));
      looks.now = [...now].filter((one) => !looks.before.has(one) && !(now.has(one.parentElement) && !looks.before.has(one.parentElement)));
      return looks.now.length > 0;
    },
    choose: (rules, which) => {
      const context = which === 'new' ? { include: looks.now }
        : layer() ? { include: [layer()], exclude: [] } : { include: [document.documentElement], exclude: which === 'whole' ? [] : frame() };
      const below = (roots) => new Set(roots.flatMap((root) => [root, ...root.querySelectorAll('*')]));
      const same = which === 'new' || rules === 'sizes and new' ? new Set() : below(twins(context.include[0]));
      const fresh = rules === 'sizes and new' ? below(looks.now) : null;
      above = layer() && isOpaque(layer()) ? layer() : null;
      asks = (rule, element) => COLOURS.has(rule) && same.has(element) ? false : fresh === null || SIZES.has(rule) || fresh.has(element);
      return context;
    },
  };
}`;

// Which functions of the panel's files a browser executed, written as `@file.js:offset`; scripts/test-record.ts converts them
// into sources.
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { writeLines } from './executed.ts';
import { recordedInto } from './recording.ts';

/** A page that is left or closed has written what it executed until shortly before. */
const EVERY_MS = 300;

interface Taken {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { functionName: string; ranges: readonly { startOffset: number; count: number }[] }[];
  }[];
}

/** Does nothing unless tests are recorded. */
export function recordPages(browser: Browser): void {
  if (recordedInto() === undefined) return;
  const takes = new Set<() => Promise<void>>();
  const takeAll = async () => void (await Promise.all([...takes].map((take) => take())));
  const { newContext } = browser;
  browser.newContext = async (options) => {
    const context = await newContext.call(browser, options);
    afterTake(context, 'close', takeAll);
    const { newPage } = context;
    // Awaited, so that the first script of the page is recorded.
    context.newPage = async () => {
      const page = await newPage.call(context);
      await recordPage(context, page, takes);
      return page;
    };
    context.on('page', (page) => void recordPage(context, page, takes).catch(() => {}));
    return context;
  };
  const timer = setInterval(takeAll, EVERY_MS);
  timer.unref();
  browser.on('disconnected', () => clearInterval(timer));
  afterTake(browser, 'close', takeAll);
}

const recorded = new WeakMap<Page, Promise<void>>();

function recordPage(context: BrowserContext, page: Page, takes: Set<() => Promise<void>>): Promise<void> {
  const started = recorded.get(page) ?? startRecording(context, page, takes);
  recorded.set(page, started);
  return started;
}

async function startRecording(context: BrowserContext, page: Page, takes: Set<() => Promise<void>>): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const take = () => takePage(session);
  takes.add(take);
  page.on('close', () => takes.delete(take));
  // A new document may have a separate process, and the record of the last one is lost with its process.
  for (const name of ['goto', 'reload', 'goBack', 'goForward', 'close'] as const) afterTake(page, name, take);
}

function afterTake<Name extends string>(
  of: { [N in Name]: (...args: never[]) => Promise<unknown> },
  name: Name,
  take: () => Promise<void>,
) {
  const original = of[name];
  of[name] = async (...args) => {
    await take();
    return original.apply(of, args);
  };
}

const written = new Set<string>();

async function takePage(session: CDPSession): Promise<void> {
  // A page that is closing does not answer.
  const { result } = (await session.send('Profiler.takePreciseCoverage').catch(() => ({ result: [] }))) as Taken;
  const folder = recordedInto()!;
  const lines = result
    .flatMap(({ url, functions }) =>
      functions
        .filter(({ functionName, ranges }) => ranges[0]!.count > 0 && (functionName !== '' || ranges[0]!.startOffset > 0))
        .map(({ ranges }) => `@${new URL(url, 'file:').pathname.split('/').at(-1)}:${ranges[0]!.startOffset}`),
    )
    .filter((line) => !written.has(`${folder} ${line}`));
  for (const line of lines) written.add(`${folder} ${line}`);
  writeLines(folder, lines);
}

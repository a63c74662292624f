// `logs tail` of the package of commands that work over HTTP: the requests of the calling key, from GET developer/request-logs.
import { setTimeout as wait } from 'node:timers/promises';
import { timeOfRequestId } from '../kit/ids.ts';
import { type Command, readOptions, UsageError } from './command.ts';
import { onInterrupt } from './interrupt.ts';
import { readKey, serviceAddress } from './service-key.ts';
import { Refused, refusalOf, waitOrEnd } from './service-refusals.ts';

export const logsClientCommand = (version: string): Command => ({
  usage: [
    'logs tail',
    '       (the requests of the key in GALERI_KEY or on stdin, one JSON line each; the service at GALERI_URL)',
  ],
  async run([act, ...args]) {
    if (act !== 'tail') throw new UsageError('logs takes tail');
    const { account, key: keyId } = readOptions(args, { key: 'text', account: 'text' });
    if (account !== undefined || keyId !== undefined)
      throw new UsageError(
        '--account and --key work on the machine of the service only; here the requests are those of the key in GALERI_KEY',
      );
    const service = serviceAddress();
    await tail({ service, key: await readKey(), userAgent: `${OWN_CALLS}${version}`, stop: onInterrupt() });
    return undefined;
  },
});

/** The command reads with the key whose requests it shows. Its own, in any number of terminals, are left out. */
const OWN_CALLS = 'galeri-logs/';

/** A key has 60 requests a minute by default. */
const EVERY_MS = 2000;
/** A line has the time at which its request began, and is stored when the request is over. */
const LOOKED_BACK_MS = 60_000;
/** How many lines one look reads, in pages of the largest size. */
const PAGE = 100;
const MAX_PAGES = 10;
const TIMEOUT_MS = 30_000;

interface Source {
  readonly service: string;
  readonly key: string;
  readonly userAgent: string;
  readonly stop: AbortSignal;
}

interface Line {
  readonly request_id: string;
  readonly timestamp: string;
  readonly user_agent: string | null;
}

interface Tail {
  /** By the service’s clock. */
  readonly startedAt: number;
  /** Of the newest reply. */
  readAt: number;
  /** Ids of the requests that were read, with the time at which they began. */
  readonly shown: Map<string, number>;
}

async function tail(source: Source): Promise<void> {
  const { service, stop } = source;
  let state: Tail | null = null;
  let failures = 0;
  while (!stop.aborted) {
    try {
      state = await readOn(source, state);
      failures = 0;
      await wait(EVERY_MS, undefined, { signal: stop }).catch(() => {});
    } catch (error) {
      if (stop.aborted) break;
      await waitOrEnd(error, { service, asked: 'request log', wasOpen: state !== null, failures: ++failures, stop });
    }
  }
}

async function readOn(source: Source, state: Tail | null): Promise<Tail> {
  if (state === null) {
    const { readAt } = await readPage(source, { limit: '1' });
    process.stderr.write(`Following the requests of the key at ${source.service}; Ctrl-C stops it.\n`);
    return { startedAt: readAt, readAt, shown: new Map() };
  }
  const from = Math.max(state.startedAt, state.readAt - LOOKED_BACK_MS);
  const found: Line[] = [];
  let readAt = state.readAt;
  let cursor: string | null = 'start';
  for (let pages = 0; cursor !== null; pages += 1) {
    if (pages === MAX_PAGES) {
      process.stderr.write('some lines were skipped, because more is logged than can be shown\n');
      break;
    }
    const page = await readPage(source, { from: new Date(from).toISOString(), limit: String(PAGE), cursor });
    const news = page.lines.filter(({ request_id }) => !state.shown.has(request_id));
    found.push(...news);
    if (pages === 0) readAt = page.readAt;
    // Newest first: a page without news is followed by what was read before.
    cursor = news.length > 0 ? page.next : null;
  }
  show(state, found);
  for (const [id, at] of state.shown) if (at < from) state.shown.delete(id);
  return { ...state, readAt };
}

function show({ shown }: Tail, lines: readonly Line[]): void {
  for (const line of lines.toReversed()) {
    shown.set(line.request_id, Date.parse(line.timestamp));
    if (!line.user_agent?.startsWith(OWN_CALLS)) process.stdout.write(`${JSON.stringify(line)}\n`);
  }
}

interface LogPage {
  readonly lines: readonly Line[];
  readonly next: string | null;
  /** A request id contains its time, by the clock of the log. */
  readonly readAt: number;
}

async function readPage({ service, key, userAgent, stop }: Source, query: Record<string, string>): Promise<LogPage> {
  const response = await fetch(`${service}/api/v1/developer/request-logs?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${key}`, accept: 'application/json', 'user-agent': userAgent },
    redirect: 'manual',
    signal: AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const { status, headers } = response;
  if (status !== 200) throw await refusalOf(response);
  const reply = (await response.json().catch(() => null)) as { readonly data?: unknown } | null;
  const readAt = timeOfRequestId(headers.get('x-request-id') ?? '');
  if (!Array.isArray(reply?.data) || readAt === null)
    throw new Refused(status, 'unexpected reply; this may not be a Galeri service', 0);
  return { lines: reply.data as Line[], next: nextCursor(headers.get('link')), readAt };
}

function nextCursor(link: string | null): string | null {
  const next = link?.split(', ').find((one) => one.endsWith('>; rel="next"'));
  return next === undefined ? null : new URL(next.slice(1, next.indexOf('>')), 'http://x').searchParams.get('cursor');
}

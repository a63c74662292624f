// Fetches a bank's bulletin, today's or that of a day, through net/outbound.ts and bounded in time and size.
import { NoAnswer, type OutboundAnswer, type OutboundRules, sendOutbound } from '../net/outbound.ts';
import { type Bulletin, BulletinError, MAX_BULLETIN_BYTES, readBulletin } from './bulletin.ts';
import { bankDay, expectedDay } from './bulletin-schedule.ts';
import type { RateSource } from './rates.ts';

/** The address of today's bulletin; those of other days are derived from it. Null: this bank is not queried. */
export type RateUrls = Readonly<Record<RateSource, string | null>>;

export const BANK_URLS: Readonly<Record<RateSource, string>> = {
  TCMB: 'https://www.tcmb.gov.tr/kurlar/today.xml',
  // Without www: the certificate names the bare host only.
  KKTCMB: 'https://mb.gov.ct.tr/kur/gunluk.xml',
};

const OF_DAY: Readonly<Record<RateSource, (day: string) => string>> = {
  TCMB: (day) => `${day.slice(0, 4)}${day.slice(5, 7)}/${day.slice(8)}${day.slice(5, 7)}${day.slice(0, 4)}.xml`,
  KKTCMB: (day) => `tarih/${day.replaceAll('-', '')}`,
};

/** The bank has no bulletin of that day: a weekend, a holiday, or too early. */
export class BulletinAbsent extends BulletinError {}

/** The bank could not be reached, so nothing is known about its bulletin. */
export class BankUnreachable extends BulletinError {}

export interface Asking {
  readonly source: RateSource;
  /** The address of today's bulletin. */
  readonly url: string;
  /** The day whose bulletin is wanted; absent: the newest. */
  readonly day?: string;
  readonly outbound: OutboundRules;
  readonly signal?: AbortSignal;
  /** Set by tests. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 20_000;

export async function fetchBulletin({ source, url, day, ...asking }: Asking): Promise<Bulletin> {
  const { status, body, whole } = await ask(day === undefined ? url : new URL(OF_DAY[source](day), url).href, asking);
  if (status === 404 && day !== undefined) throw new BulletinAbsent(`${source} has no bulletin of ${day}`);
  if (status !== 200) throw new BankUnreachable(`${source} answered ${status}`);
  if (body.length > MAX_BULLETIN_BYTES) throw new BulletinError(`it is larger than ${MAX_BULLETIN_BYTES} bytes`);
  if (!whole) throw new BankUnreachable(`${source} broke off in the middle of its answer`);
  return readBulletin(source, body);
}

/** A bank that publishes ahead may already have tomorrow's bulletin; then the one in force is fetched by its day. */
export async function fetchNewest(asking: Omit<Asking, 'day'>, realNow: Date): Promise<Bulletin> {
  const newest = await fetchBulletin(asking);
  if (newest.rateDate <= bankDay(asking.source, realNow)) return newest;
  return fetchBulletin({ ...asking, day: expectedDay(asking.source, realNow) });
}

async function ask(
  url: string,
  { outbound, signal, timeoutMs = TIMEOUT_MS }: Omit<Asking, 'source' | 'url'>,
): Promise<OutboundAnswer> {
  const headers = { accept: 'application/xml, text/xml', 'user-agent': 'Galeri-Rates/1' };
  const request = {
    method: 'GET',
    headers,
    timeoutMs,
    maxBytes: MAX_BULLETIN_BYTES + 1,
    ...(signal ? { signal } : {}),
  } as const;
  try {
    return await sendOutbound(url, request, outbound);
  } catch (error) {
    if (error instanceof NoAnswer) throw new BankUnreachable(`${new URL(url).host} could not be reached (${error.message})`);
    throw error;
  }
}

// Fetches a source from its address. A failure is reported as a code that does not reveal whether or what the server answered.
import type { Text } from '../../../kit/errors.ts';
import { allowedUrl, followOutbound, NoAnswer, type OutboundRules } from '../../net/outbound.ts';
import { FeedFailure, type FeedFailureCode } from '../feed-row.ts';
import { MAX_SOURCE_BYTES } from './feed-source.ts';

export interface FetchRules {
  readonly outbound: OutboundRules;
  /** The limit for the whole fetch; tests set it. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** The beginning of the source is enough. */
  readonly isPartWelcome?: true;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 3;
/** We request uncompressed answers and refuse compressed ones, because a few kilobytes may expand to gigabytes. */
const PLAIN = {
  accept: 'text/csv, application/json, application/xml, text/*, */*;q=0.5',
  'accept-encoding': 'identity',
  'user-agent': 'Galeri-Import/1',
};

export async function fetchSource(url: string, headers: Readonly<Record<string, string>>, rules: FetchRules): Promise<Buffer> {
  const { outbound, timeoutMs = TIMEOUT_MS, maxBytes = MAX_SOURCE_BYTES, signal } = rules;
  if (allowedUrl(url, outbound) === null) throw failure('url_not_allowed');
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const request = {
    method: 'GET',
    headers: { ...PLAIN, ...own },
    plainHeaders: PLAIN,
    redirects: MAX_REDIRECTS,
    timeoutMs,
    maxBytes,
    ...(signal === undefined ? {} : { signal }),
  } as const;
  const answer = await followOutbound(url, request, outbound).catch((error) => {
    throw error instanceof NoAnswer ? failure('source_unreachable', error) : error;
  });
  if (answer.status < 200 || answer.status > 299) throw failure('source_http_error', new Error(`it answered ${answer.status}`));
  if (!/^(identity)?$/i.test(String(answer.headers['content-encoding'] ?? ''))) throw failure('source_encoded');
  if (rules.isPartWelcome && answer.body.length > 0) return answer.body;
  const contentLength = Number(answer.headers['content-length'] ?? 0);
  if (contentLength > maxBytes || (!answer.whole && answer.body.length >= maxBytes)) throw failure('source_too_large');
  if (!answer.whole) throw failure('source_cut_off');
  if (answer.body.length === 0) throw failure('source_empty');
  return answer.body;
}

type FetchFailure = Extract<FeedFailureCode, `source_${string}` | 'url_not_allowed'>;

const TEXTS: Readonly<Partial<Record<FetchFailure, Text>>> = {
  url_not_allowed: { en: 'The URL is not allowed: use a public https address', tr: 'Bu adres çağrılamaz' },
  source_unreachable: {
    en: 'The source could not be reached, or did not answer in time',
    tr: 'Kaynağa ulaşılamadı ya da kaynak zamanında yanıt vermedi',
  },
  source_http_error: {
    en: 'The source returned an error status; check the URL and the credentials',
    tr: 'Kaynak isteği kabul etmedi: adresi ve kimlik bilgilerini kontrol edin',
  },
  source_encoded: {
    en: 'The source sent a compressed response; configure it to send uncompressed data',
    tr: 'Kaynak sıkıştırılmış yanıt verdi',
  },
  source_too_large: { en: 'The source is larger than 20 MB', tr: 'Kaynak 20 MB’tan büyük' },
  source_cut_off: {
    en: 'The connection closed before the whole source was received; try again',
    tr: 'Kaynak sonuna gelmeden kesildi',
  },
  source_empty: { en: 'The source is empty', tr: 'Kaynak boş' },
};

const failure = (code: FetchFailure, cause?: Error): FeedFailure => new FeedFailure(code, TEXTS[code]!, cause);

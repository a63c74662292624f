// The language of the pages that a dealer's customers open.
import type { IncomingMessage } from 'node:http';
import type { Locale } from '../../kit/errors.ts';
import { localeOf } from '../wire/reply.ts';

/** The language that the address names, or the preferred one. Most readers read Turkish; English only if Accept-Language names it. */
export function publicLocale(query: URLSearchParams, { headers }: IncomingMessage): Locale {
  const lang = query.get('lang');
  if (lang === 'tr' || lang === 'en') return lang;
  const accepted = headers['accept-language'] ?? '';
  return /\ben\b/i.test(accepted) ? localeOf(accepted) : 'tr';
}

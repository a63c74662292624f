// Central bank rates between TL, STG, USD and EUR. A rate is published or absent. Replies change when the platform stores a
// bulletin and not when the account writes, so they have no ETag.

import { daysBefore } from '../domain/exchange-rates/bulletin-schedule.ts';
import {
  accountSource,
  bulletinHistory,
  bulletinOfDay,
  canonicalRates,
  Rate,
  rateOfDay,
  readSpan,
  shownRate,
} from '../domain/exchange-rates/rate-table.ts';
import { isPair, PAIRS, RATE_SOURCES } from '../domain/exchange-rates/rates.ts';
import { dayIn } from '../kit/clock.ts';
import { type Context, get, resource } from '../kit/endpoint.ts';
import { fail } from '../kit/errors.ts';
import type { Page } from '../kit/page.ts';
import { momentParam, oneOfParam, type Param, readDay, requiredParam } from '../kit/params.ts';
import { arrayOf } from '../kit/schema.ts';

const dayParam: Param<string> = {
  allowed: { en: 'a date (2026-11-15)', tr: 'bir tarih (2026-11-15)' },
  schema: { type: 'string', format: 'date' },
  read: (text) => readDay(text) ?? undefined,
};

const OfDay = { date: dayParam, source: oneOfParam(RATE_SOURCES) } as const;
const OfPair = {
  pair: requiredParam(oneOfParam(PAIRS)),
  from: requiredParam(momentParam),
  to: requiredParam(momentParam),
  source: oneOfParam(RATE_SOURCES),
} as const;

export const exchangeRates = resource('Exchange rates', 'Döviz kurları', [
  get('exchange-rates', 'exchange-rates:read', 'read', 'Yakında', ['List current exchange rates', 'Güncel kurları listele'], {
    about: [
      'Returns the rates of a day (default: today) between TL, STG, USD and EUR, from the account’s source or the given one. If there is no bulletin for that day, the latest of the ten days before it is used. Until the deployment has fetched a bulletin, for example offline, the response is 409 `rate_not_available`. In an isolated sandbox whose clock is ahead, the last rates are carried on with `source: sandbox`.',
      'Bir günün (belirtilmezse bugünün) TL, STG, USD ve EUR arasındaki kurları; hesabın ya da belirtilen kaynağın. O gün bülten yoksa önceki on günün son bülteni geçerlidir. Kurulum henüz bülten almamışsa (örneğin çevrimdışıyken) yanıt 409 `rate_not_available` olur. Saati ileri alınmış yalıtılmış bir sandbox’ta son kurlar `source: sandbox` ile sürdürülür.',
    ],
    refuses: ['rate_not_available'],
    query: OfDay,
    returns: arrayOf(Rate),
    fresh: true,
    run: async ({ db, query, now, account }) =>
      canonicalRates(
        await bulletinOfDay(db, query.source ?? (await accountSource(db)), query.date ?? dayIn(now, account.timezone)),
      ),
  }),
  get(
    'exchange-rates/history',
    'exchange-rates:read',
    'read',
    'Yakında',
    ["List a currency pair's past rates", 'Döviz çiftinin kur geçmişini listele'],
    {
      about: [
        'Returns the published rates of a currency pair, newest first; days without a bulletin are left out. Until the deployment has fetched a bulletin, for example offline, the list is empty.',
        'Bir döviz çiftinin yayımlanmış kurları, en yeniden eskiye; bülteni olmayan günler yer almaz. Kurulum henüz bülten almamışsa (örneğin çevrimdışıyken) liste boştur.',
      ],
      query: OfPair,
      lists: Rate,
      fresh: true,
      run: pageOfHistory,
    },
  ),
  get(
    'exchange-rates/{currency_pair}',
    'exchange-rates:read',
    'read',
    'Yakında',
    ["Read a currency pair's rate", 'Döviz çiftinin kurunu getir'],
    {
      about: [
        'Returns the rate of a currency pair (`STG-TL`) on a day (default: today). If there is no bulletin for that day or the ten days before it, for example because the deployment is offline, the response is 409 `rate_not_available`.',
        'Bir döviz çiftinin (`STG-TL`) bir gündeki, belirtilmezse bugünkü kuru. O gün ve önceki on gün bülten yoksa reddedilir: kurulum henüz bülten almamışsa (örneğin çevrimdışıyken) yanıt 409 `rate_not_available` olur.',
      ],
      refuses: ['rate_not_available'],
      query: OfDay,
      returns: Rate,
      fresh: true,
      run: async ({ db, params, query, now, account }) => {
        const pair = params.currency_pair;
        if (!isPair(pair)) fail('not_found');
        return rateOfDay(db, query.source ?? (await accountSource(db)), query.date ?? dayIn(now, account.timezone), pair);
      },
    },
  ),
]);

/** Days that have a bulletin, newest first. */
async function pageOfHistory({ db, query, page, account }: Context<string, typeof OfPair>): Promise<Page> {
  const { from, to } = readSpan(query, account.timezone);
  const [after] = page.walk?.after ?? [];
  const source = query.source ?? (await accountSource(db));
  const found = await bulletinHistory(
    db,
    source,
    { from, to: after === undefined ? to : daysBefore(after, 1) },
    page.limit + 1,
    page.offset,
  );
  const shown = found.slice(0, page.limit).map((bulletin) => shownRate(bulletin, query.pair));
  const last = shown.map(({ rate_date }) => [rate_date]).at(-1) ?? null;
  return { json: JSON.stringify(shown), count: shown.length, hasMore: found.length > shown.length, last, version: null };
}

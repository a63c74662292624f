// The rates in force on a day, from the stored bulletins. They are the same for every account and can be read with both roles.
import { dayIn, type Moment } from '../../kit/clock.ts';
import { allAnswers, type Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { currency, day, nullable, type Of, object, oneOf, text, timestamp } from '../../kit/schema.ts';
import { own, sql } from '../../kit/sql.ts';
import { refusedDay } from '../formats/written.ts';
import { daysBefore } from './bulletin-schedule.ts';
import {
  BANK_ZONE,
  BASES,
  type Base,
  CANONICAL_PAIRS,
  type LiraRate,
  type LiraRates,
  type Pair,
  pairRate,
  parseRate,
  type RateSource,
  rateText,
  SHOWN_SOURCES,
  type ShownSource,
  sidesOf,
} from './rates.ts';

const rate = (example: string) => text(example);

export const Rate = object({
  pair: text('STG-TL'),
  base: currency(),
  quote: currency(),
  buying: rate('64.726800'),
  selling: rate('65.064300'),
  banknote_buying: nullable(rate('64.681500')),
  banknote_selling: nullable(rate('65.161800')),
  rate_date: day(),
  source: oneOf(SHOWN_SOURCES),
  bulletin_no: nullable(text('2026/182')),
  fetched_at: timestamp(),
});
export type Rate = Of<typeof Rate>;

/** A stored bulletin. */
export interface KeptBulletin extends ShownBulletin {
  readonly source: RateSource;
}

/** A stored bulletin, or one that a world carries on. */
export interface ShownBulletin {
  readonly source: ShownSource;
  readonly rateDate: string;
  readonly bulletinNo: string | null;
  readonly fetchedAt: string;
  readonly rates: LiraRates;
}

/** How many days a bulletin stays in force on days without one, such as weekends and holidays. */
const DAYS_IN_FORCE = 10;

type Span = { readonly from: string; readonly to: string };

/** Whole bulletins, newest first. */
export async function bulletinsIn(
  db: Db,
  source: RateSource,
  { from, to }: Span,
  limit: number,
  offset = 0,
): Promise<KeptBulletin[]> {
  const found = await db.rows<Omit<KeptBulletin, 'rates'> & { rates: Record<Base, Record<keyof LiraRate, string | null>> }>(sql`
    select source, rate_date as "rateDate", max(bulletin_no) as "bulletinNo", utc_text(max(fetched_at)) as "fetchedAt",
      json_object_agg(base, json_build_object('buying', buying::text, 'selling', selling::text,
        'banknote_buying', banknote_buying::text, 'banknote_selling', banknote_selling::text)) as rates
    from exchange_rates where source = ${source} and rate_date between ${from}::date and ${to}::date
    group by source, rate_date order by rate_date desc limit ${limit} offset ${offset}`);
  return found.map((bulletin) => ({ ...bulletin, rates: ratesFrom(bulletin.rates) }));
}

function ratesFrom(kept: Record<Base, Record<keyof LiraRate, string | null>>): LiraRates {
  const read = (text: string | null) => (text === null ? null : parseRate(text));
  const rates = BASES.map((base) => {
    const { buying, selling, banknote_buying, banknote_selling } = kept[base];
    const banknotes = { banknote_buying: read(banknote_buying), banknote_selling: read(banknote_selling) };
    return [base, { buying: read(buying)!, selling: read(selling)!, ...banknotes }];
  });
  return Object.fromEntries(rates) as LiraRates;
}

/** In a world: the real day and its own, in the bank's time zone. Null in production. */
interface WorldDays {
  readonly real: string;
  readonly world: string;
}

async function worldDays(db: Db, source: RateSource): Promise<WorldDays | null> {
  const [days] = await db.rows<WorldDays>(
    sql`select real_day as real, world_day as world from world_rate_days(${BANK_ZONE[source]})`,
  );
  return days ?? null;
}

const stored = async (db: Db, source: RateSource, day: string): Promise<KeptBulletin | null> =>
  (await bulletinsIn(db, source, { from: daysBefore(day, DAYS_IN_FORCE), to: day }, 1))[0] ?? null;

const carriedTo = (bulletin: KeptBulletin, day: string): ShownBulletin => ({ ...bulletin, source: 'sandbox', rateDate: day });

/**
 * The newest bulletin of that day or the ten days before it. In a world the bulletin in force on the real day is carried on to
 * each later day up to the world's own.
 */
export async function bulletinInForce(db: Db, source: RateSource, day: string): Promise<ShownBulletin | null> {
  const [bulletin, days] = await allAnswers([stored(db, source, day), worldDays(db, source)]);
  const isPublished = days === null || day <= days.real || (bulletin !== null && bulletin.rateDate > days.real);
  if (isPublished || days.world <= days.real) return bulletin;
  const carriedDay = day < days.world ? day : days.world;
  if (carriedDay < daysBefore(day, DAYS_IN_FORCE)) return null;
  const last = await stored(db, source, days.real);
  return last && carriedTo(last, carriedDay);
}

/** Bulletins of a period, newest first. */
export async function bulletinHistory(
  db: Db,
  source: RateSource,
  { from, to }: Span,
  limit: number,
  offset = 0,
): Promise<ShownBulletin[]> {
  const days = await worldDays(db, source);
  if (days === null || to <= days.real) return bulletinsIn(db, source, { from, to }, limit, offset);
  const last = await stored(db, source, days.real);
  const carried =
    last === null ? [] : daysIn({ from: from > days.real ? from : daysBefore(days.real, -1), to: min(to, days.world) });
  const shown = carried.slice(offset, offset + limit).map((day) => carriedTo(last!, day));
  if (shown.length === limit || from > days.real) return shown;
  const rest = await bulletinsIn(db, source, { from, to: days.real }, limit - shown.length, Math.max(0, offset - carried.length));
  return [...shown, ...rest];
}

const min = (one: string, other: string): string => (one < other ? one : other);

/** Newest first. */
function daysIn({ from, to }: Span): string[] {
  const days: string[] = [];
  for (let day = to; day >= from; day = daysBefore(day, 1)) days.push(day);
  return days;
}

/** Without a bulletin the request is refused. */
export const bulletinOfDay = async (db: Db, source: RateSource, day: string): Promise<ShownBulletin> =>
  (await bulletinInForce(db, source, day)) ?? fail('rate_not_available', { words: { source, day: refusedDay(day) } });

/** The rate that a payment stores. */
export const rateOfDay = async (db: Db, source: RateSource, day: string, pair: Pair): Promise<Rate> =>
  shownRate(await bulletinOfDay(db, source, day), pair);

export const canonicalRates = (bulletin: ShownBulletin): Rate[] => CANONICAL_PAIRS.map((pair) => shownRate(bulletin, pair));

export function shownRate({ rates, rateDate, source, bulletinNo, fetchedAt }: ShownBulletin, pair: Pair): Rate {
  const [base, quote] = sidesOf(pair);
  const { buying, selling, banknote_buying, banknote_selling } = pairRate(rates, pair);
  const shown = (value: bigint | null) => (value === null ? null : rateText(value));
  return {
    pair,
    base,
    quote,
    buying: rateText(buying),
    selling: rateText(selling),
    banknote_buying: shown(banknote_buying),
    banknote_selling: shown(banknote_selling),
    rate_date: rateDate,
    source,
    bulletin_no: bulletinNo,
    fetched_at: fetchedAt,
  };
}

/** With the tenant role: the bank whose rates this account works with. */
export async function accountSource(db: Db): Promise<RateSource> {
  return (await db.one<{ source: RateSource }>(sql`select rate_source as source from ${own('accounts')}`)).source;
}

const MAX_DAYS = 366;

/** `from` and `to` as days, both included; an instant is the day it falls on for the account. */
export function readSpan({ from, to }: { from: Moment; to: Moment }, timeZone: string): Span {
  const dayOf = (moment: Moment) => ('at' in moment ? dayIn(moment.at, timeZone) : moment.day);
  const [first, last] = [dayOf(from), dayOf(to)];
  if (first > last) refuse('from', { en: 'on or before to', tr: 'to değerinden sonra olmayan bir tarih' });
  if (first <= daysBefore(last, MAX_DAYS))
    refuse('from', { en: `at most ${MAX_DAYS} days before to`, tr: `to gününden en çok ${MAX_DAYS} gün önce` });
  return { from: first, to: last };
}

const refuse = (param: string, allowed: { en: string; tr: string }): never =>
  fail('invalid_parameter', { param, words: { allowed } });

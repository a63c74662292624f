// Stores a bulletin, or refuses it and keeps the last good one. With the platform role; the row that announces it is written with it.
import type { Times } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import { type Actor, audit } from '../writes/audit.ts';
import { type Bulletin, BulletinError } from './bulletin.ts';
import { bankDay, daysBefore } from './bulletin-schedule.ts';
import { bulletinsIn, canonicalRates, type KeptBulletin, type Rate } from './rate-table.ts';
import { BASES, type LiraRate, type RateSource, rateText } from './rates.ts';

/** The bulletin is well-formed but implausible; an operator can load it anyway. */
export class BulletinHeld extends BulletinError {}

/** The bulletin is dated after today: the bank of Northern Cyprus publishes each on the afternoon before its date. */
export class BulletinEarly extends BulletinError {}

export interface StoreOptions extends Times {
  readonly actor: Actor;
  /** An operator has checked it: a large change is accepted. */
  readonly force?: boolean;
}

export interface StoredBulletin {
  readonly outcome: 'stored' | 'replaced' | 'unchanged';
  readonly bulletin: KeptBulletin;
}

/** Replaces the bulletin of the same day if anything differs; the audit log then has both. */
export async function storeBulletin(
  db: Db,
  newBulletin: Bulletin,
  { now, realNow, actor, force = false }: StoreOptions,
): Promise<StoredBulletin> {
  const { source, rateDate } = newBulletin;
  // Banks publish in real time, and a rehearsal loads bulletins of its own days: a day has come if it has on either clock.
  if (rateDate > bankDay(source, now > realNow ? now : realNow))
    throw new BulletinEarly(`it is dated ${rateDate}, which has not come yet`);
  // One at a time for each bank, so that two processes which fetched the same bulletin do not both store it as new.
  await lockSource(db, source);
  const [before] = await bulletinsIn(db, source, { from: rateDate, to: rateDate }, 1);
  if (before !== undefined && isSame(before, newBulletin)) return { outcome: 'unchanged', bulletin: before };
  const [earlier = before] = await bulletinsIn(db, source, { from: '2005-01-01', to: daysBefore(rateDate, 1) }, 1);
  const doubt = force ? null : doubtAbout(newBulletin, earlier);
  if (doubt !== null) throw new BulletinHeld(doubt);
  const bulletin = { ...newBulletin, fetchedAt: now.toISOString() };
  await write(db, bulletin);
  const previous = before === undefined ? null : { rates: newsOf(before).rates };
  await db.exec(sql`insert into rate_news (id, source, object, previous, created_at)
    values (${newId(now.getTime())}, ${source}, ${newsOf(bulletin)}::json, ${previous}::json, ${now})`);
  if (before === undefined) return { outcome: 'stored', bulletin };
  await audit(db, actor, 'rates.replaced', `${source} ${rateDate}`, { before: plain(before), after: plain(bulletin) });
  return { outcome: 'replaced', bulletin };
}

/** Creates the bank's row where it is missing and locks it until the transaction ends. */
async function lockSource(db: Db, source: RateSource): Promise<void> {
  await db.exec(sql`insert into rate_looks (source, next_look_at) values (${source}, to_timestamp(0)) on conflict do nothing`);
  await db.exec(sql`select from rate_looks where source = ${source} for update`);
}

async function write(db: Db, { source, rateDate, bulletinNo, fetchedAt, rates }: KeptBulletin): Promise<void> {
  for (const base of BASES) {
    const text = (value: bigint | null) => (value === null ? null : rateText(value));
    const { buying, selling, banknote_buying, banknote_selling } = rates[base];
    await db.exec(sql`insert into exchange_rates
        (source, rate_date, base, buying, selling, banknote_buying, banknote_selling, bulletin_no, fetched_at)
      values (${source}, ${rateDate}, ${base}, ${text(buying)}::numeric, ${text(selling)}::numeric, ${text(banknote_buying)}::numeric,
        ${text(banknote_selling)}::numeric, ${bulletinNo}, ${fetchedAt}::timestamptz)
      on conflict (source, rate_date, base) do update set buying = excluded.buying, selling = excluded.selling,
        banknote_buying = excluded.banknote_buying, banknote_selling = excluded.banknote_selling,
        bulletin_no = excluded.bulletin_no, fetched_at = excluded.fetched_at`);
  }
}

type Values = Pick<KeptBulletin, 'bulletinNo' | 'rates'>;

const KINDS = ['buying', 'selling', 'banknote_buying', 'banknote_selling'] as const satisfies readonly (keyof LiraRate)[];

const isSame = (one: Values, other: Values): boolean =>
  one.bulletinNo === other.bulletinNo &&
  BASES.every((base) => KINDS.every((kind) => one.rates[base][kind] === other.rates[base][kind]));

/** A change of more than a fifth between two bulletins happens only in a well-known crisis. */
const isFar = (value: bigint, from: bigint): boolean => 5n * (value > from ? value - from : from - value) > from;

/** Compares with the previous bulletin and within itself, which reveals a misplaced decimal point. */
function doubtAbout({ rates }: Bulletin, last: KeptBulletin | undefined): string | null {
  for (const base of BASES) {
    const { buying, selling, banknote_buying, banknote_selling } = rates[base];
    for (const value of [selling, banknote_buying, banknote_selling]) {
      if (value !== null && isFar(value, buying)) return `its rates of ${base} lie more than a fifth apart`;
    }
    const former = last?.rates[base];
    if (former !== undefined && (isFar(buying, former.buying) || isFar(selling, former.selling)))
      return `its ${base} is at ${rateText(buying)}, more than a fifth away from ${rateText(former.buying)} on ${last!.rateDate}`;
  }
  return null;
}

/** The object of `exchange_rate.updated`. */
export interface RateNews {
  readonly source: RateSource;
  readonly rate_date: string;
  readonly bulletin_no: string | null;
  readonly rates: readonly Rate[];
}

const newsOf = (bulletin: KeptBulletin): RateNews => ({
  source: bulletin.source,
  rate_date: bulletin.rateDate,
  bulletin_no: bulletin.bulletinNo,
  rates: canonicalRates(bulletin),
});

/** For the audit log: the bank's own values, nothing computed. */
function plain({ bulletinNo, rates }: Values): Record<string, unknown> {
  const values = BASES.flatMap((base) =>
    KINDS.map((kind) => [`${base}_${kind}`, rates[base][kind] === null ? null : rateText(rates[base][kind])]),
  );
  return { bulletin_no: bulletinNo, ...Object.fromEntries(values) };
}

// `rates fetch|load`: stores a central bank's bulletin now, from the bank or from a file with its XML.

import { readFile, stat } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { databaseClock } from '../domain/clock/database-clock.ts';
import { type Bulletin, BulletinError, MAX_BULLETIN_BYTES, readBulletin } from '../domain/exchange-rates/bulletin.ts';
import { fetchBulletin, fetchNewest } from '../domain/exchange-rates/bulletin-fetch.ts';
import { BulletinHeld, type StoredBulletin, storeBulletin } from '../domain/exchange-rates/bulletin-store.ts';
import { canonicalRates } from '../domain/exchange-rates/rate-table.ts';
import { RATE_SOURCES, type RateSource } from '../domain/exchange-rates/rates.ts';
import { audit } from '../domain/writes/audit.ts';
import type { Times } from '../kit/clock.ts';
import type { Database } from '../kit/db.ts';
import { readDay } from '../kit/params.ts';
import { CLI_ACTOR } from './actor.ts';
import { type Command, print, readOptions, required, table, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

export const ratesCommand: Command = {
  usage: ['rates fetch [--source tcmb|kktcmb] [--date D] [--force]', 'rates load --source tcmb|kktcmb --file F [--force]'],
  async run([act, ...args]) {
    if (act === 'fetch') return fetchBulletins(args);
    if (act === 'load') return loadBulletin(args);
    throw new UsageError('rates takes fetch or load');
  },
};

async function fetchBulletins(args: string[]): Promise<number> {
  const { source, date, force, json } = readOptions(args, { source: 'text', date: 'text', force: 'flag' });
  const day = date === undefined ? undefined : (readDay(date) ?? refuseDate(date));
  const chosen = source === undefined ? null : readSource(source);
  return withDatabase(async ({ database }, config) => {
    const sources = chosen === null ? RATE_SOURCES.filter((one) => config.rateUrls[one] !== null) : [chosen];
    if (sources.length === 0)
      throw new UsageError('RATES_TCMB_URL and RATES_KKTCMB_URL are both empty: there is no bank to fetch from');
    const clock = await databaseClock(database);
    const done = await Promise.allSettled(
      sources.map(async (one) => keep(database, one, await fetchOne(config, one, day, clock.realNow()), force, clock.times())),
    );
    const stored = done.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    // One object for a named bank, otherwise a list.
    if (stored.length > 0) print(json, chosen === null ? stored.map(shown) : shown(stored[0]!), stored.map(textOf).join('\n\n'));
    const failed = done.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
    if (failed.length > 0) throw new UsageError(failed.map(({ message }) => message).join('; '));
    return 0;
  });
}

async function loadBulletin(args: string[]): Promise<number> {
  const { source, file, force, json } = readOptions(args, { source: 'text', file: 'text', force: 'flag' });
  const chosen = readSource(required(source, 'source'));
  const path = required(file, 'file');
  const bulletin = await named(`${path}: `, async () => readBulletin(chosen, await bytesOf(path)));
  const stored = await withDatabase(async ({ database }) => {
    const clock = await databaseClock(database);
    return keep(database, chosen, bulletin, force, clock.times());
  });
  print(json, shown(stored), textOf(stored));
  return 0;
}

async function bytesOf(path: string): Promise<Buffer> {
  const about = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(error.code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read (${error.code})`);
  });
  if (!about.isFile()) throw new UsageError(`${path} is not a file`);
  if (about.size > MAX_BULLETIN_BYTES) throw new UsageError(`${path} is larger than ${MAX_BULLETIN_BYTES} bytes`);
  return readFile(path);
}

function fetchOne(config: Config, source: RateSource, day: string | undefined, realNow: Date): Promise<Bulletin> {
  const url = config.rateUrls[source];
  if (url === null)
    throw new UsageError(`RATES_${source}_URL is empty, so ${source} cannot be fetched; use rates load with a file`);
  const asking = { source, url, outbound: { loopback: config.loopbackTargets } };
  return named(`${source}: `, () => (day === undefined ? fetchNewest(asking, realNow) : fetchBulletin({ ...asking, day })));
}

/** A bulletin that an operator loads is always audited, even if nothing changed. */
function keep(database: Database, source: RateSource, bulletin: Bulletin, force: boolean, times: Times): Promise<StoredBulletin> {
  return named(`${source}: `, () =>
    database.onPlatform('write', async (db) => {
      const stored = await storeBulletin(db, bulletin, { ...times, actor: CLI_ACTOR, force });
      const { outcome } = stored;
      await audit(db, CLI_ACTOR, 'rates.loaded', `${source} ${bulletin.rateDate}`, { after: { outcome, forced: force } });
      return stored;
    }),
  );
}

/** Adds the bank's name to errors, and how to accept a bulletin that was held back. */
async function named<T>(prefix: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof BulletinError)) throw error;
    const hint = error instanceof BulletinHeld ? '; if it is correct, use --force to import it' : '';
    throw new UsageError(`${prefix}nothing was written: ${error.message}${hint}`);
  }
}

function readSource(text: string): RateSource {
  const source = RATE_SOURCES.find((one) => one === text.toUpperCase());
  if (source === undefined) throw new UsageError(`--source must be tcmb or kktcmb, not "${text}"`);
  return source;
}

const refuseDate = (text: string): never => {
  throw new UsageError(`--date must be a date such as 2026-11-13, not "${text}"`);
};

const shown = ({ outcome, bulletin }: StoredBulletin) => ({
  source: bulletin.source,
  rate_date: bulletin.rateDate,
  bulletin_no: bulletin.bulletinNo,
  outcome,
  pairs: canonicalRates(bulletin).map(({ pair, buying, selling }) => ({ pair, buying, selling })),
});

const WORDS = { stored: 'imported', replaced: 'replaced', unchanged: 'unchanged' } as const;

function textOf(stored: StoredBulletin): string {
  const { source, rate_date, bulletin_no, pairs } = shown(stored);
  const head = `${source} ${rate_date}${bulletin_no === null ? '' : ` (${bulletin_no})`}: ${WORDS[stored.outcome]}`;
  return [head, table(pairs.map(({ pair, buying, selling }) => [`  ${pair}`, buying, selling]))].join('\n');
}

// The demonstration: dealers, people and a key to try the service with. The first start of a deployment decides whether it has
// one, and later only --demo or --no-demo change that (docs/decisions/0026-demonstration.md).
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import { loadDemoBids } from '../../demo/demo-bids.ts';
import { loadDemo } from '../../demo/demo-data.ts';
import { dealerOf } from '../../demo/demo-dealer.ts';
import { type Demo, readDemoFile, writeDemoFile } from '../../demo/demo-file.ts';
import { loadDemoMarket } from '../../demo/demo-market.ts';
import { loadDemoOffice } from '../../demo/demo-office.ts';
import { countDemoPeople, loadDemoPeople, newDemoPassword } from '../../demo/demo-people.ts';
import { loadDemoPhotos } from '../../demo/demo-photos.ts';
import { loadDemoSales } from '../../demo/demo-sales-load.ts';
import { loadDemoShowrooms } from '../../demo/demo-showroom.ts';
import type { Files } from '../../domain/files/file-store.ts';
import { openFiles } from '../../domain/files/open-files.ts';
import { templateEndpoints } from '../../domain/keys/key-policy.ts';
import { digestOf } from '../../domain/keys/key-secret.ts';
import { createKey, findKey } from '../../domain/keys/keys.ts';
import { apiEndpoints } from '../../http/api/api-endpoints.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Db } from '../../kit/db.ts';
import type { Log } from '../../kit/log.ts';
import { sql } from '../../kit/sql.ts';
import { type Connected, whileLoading } from '../../postgres/connect.ts';
import { resources } from '../../resources/index.ts';
import { progress } from '../command.ts';
import { openWriter } from '../with-database.ts';

const DEALERS = 3;

/** From --no-demo, --demo, or neither. */
export type DemoChoice = 'never' | 'always' | undefined;
export type DemoState = 'none' | 'loading' | 'loaded';

/** Without an option, a demonstration is loaded only once, on an empty embedded database of a private service. */
export async function decideDemo(db: Db, choice: DemoChoice, mayBegin: boolean): Promise<DemoState> {
  const { demo: before } = await db.one<{ demo: DemoState | null }>(sql`select demo from deployment for update`);
  const requested = choice === 'never' ? 'none' : choice === 'always' && before !== 'loaded' ? 'loading' : before;
  const demo = requested ?? (mayBegin && (await isEmpty(db)) ? 'loading' : 'none');
  if (demo !== before) await db.exec(sql`update deployment set demo = ${demo}`);
  return demo;
}

/** There is no account, no person and no audited action yet. */
async function isEmpty(db: Db): Promise<boolean> {
  const { used } = await db.one<{ used: boolean }>(sql`select exists (select from accounts) or exists (select from people)
    or exists (select from audit_log) as used`);
  return !used;
}

/** Loads the demonstration if that was decided. Null where there is none, or where its sign-ins are not in DATA_DIR. */
export async function openDemo(
  config: Config,
  connected: Connected,
  state: DemoState,
  choice: DemoChoice,
  clock: Clock,
): Promise<Demo | null> {
  if (state === 'none') return null;
  const kept = await readDemoFile(config.dataDir);
  if (state === 'loaded' && (kept !== null || choice !== 'always')) return kept;
  // An incomplete demonstration is completed only in a private service or with --demo, because others might reach it.
  if (!config.private && choice !== 'always') return null;
  return whileLoading(connected, (database) => load(database, { config, connected, clock, kept }));
}

interface Loading {
  readonly config: Config;
  readonly connected: Connected;
  readonly clock: Clock;
  readonly kept: Demo | null;
}

async function load(database: Database, { config, connected, clock, kept }: Loading): Promise<Demo> {
  const { secrets } = connected;
  const size = { vehicles: 60, customers: 40, now: clock.now() };
  const [dealer] = await loadDemo(database, secrets, { dealers: DEALERS, ...size, progress });
  const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
  await loadDemoOffice(database, secrets, dealerOf(0), size.now, { files: await openFiles(config), publicUrl });
  const dealers = Array.from({ length: DEALERS }, (_, index) => dealerOf(index));
  await loadDemoSales(database, secrets, dealers, size);
  await loadDemoMarket(database, dealers, size.now);
  await loadDemoShowrooms(database, secrets, dealers, size.now);
  await loadDemoBids(openWriter(connected, config, clock), dealers, size.now);
  const people = await loadDemoPeople(database, dealers, newDemoPassword());
  const key = (await stillOpens(database, secrets.pepper, kept)) ?? (await makeKey(database, secrets.pepper, dealer!.id));
  const demo = { account: dealer!.name, key, people };
  await writeDemoFile(config.dataDir, demo);
  await database.onPlatform('write', (db) => db.exec(sql`update deployment set demo = 'loaded' where demo = 'loading'`));
  return demo;
}

/** The service is of use sooner without them: until then the panel shows the same drawings. */
const PHOTOS_AFTER_MS = 15_000;

/** Adds the photos that the demonstration's cars lack, after the start and beside requests. */
export function addDemoPhotos(database: Database, files: Files, clock: Clock, log: Log): { close(): Promise<void> } {
  const stop = new AbortController();
  const { signal } = stop;
  const dealers = Array.from({ length: DEALERS }, (_, index) => dealerOf(index));
  const work = async () => {
    await wait(PHOTOS_AFTER_MS, undefined, { signal, ref: false });
    await loadDemoPhotos({ database, files, realNow: () => clock.realNow(), signal }, dealers);
  };
  const done = work().catch((error: Error) => {
    if (!signal.aborted) log.warn('the cars of the demonstration have no photos', { error: error.message });
  });
  return {
    close: () => {
      stop.abort();
      return done;
    },
  };
}

/** The stored key, if it belongs to this database. */
async function stillOpens(database: Database, pepper: Buffer, kept: Demo | null): Promise<string | null> {
  if (kept === null) return null;
  const found = await database.onPlatform('read', (db) => findKey(db, digestOf(kept.key, pepper)));
  return found === null || found.revoked ? null : kept.key;
}

async function makeKey(database: Database, pepper: Buffer, accountId: string): Promise<string> {
  const endpoints = templateEndpoints('read-only', apiEndpoints(resources)).map((endpoint) => endpoint.id);
  const limits = { limitPerMinute: 60, limitPerHour: null, limitPerDay: null };
  const name = `Demo ${new Date().toISOString().slice(0, 19).replace('T', ' ')}`;
  const key = { accountId, name, environment: 'production', endpoints, expiresAt: null, ...limits } as const;
  const { secret } = await database.onPlatform('write', (db) =>
    createKey(db, pepper, { ...key, allowedIps: [], authorizations: [] }, { type: 'system', name: 'demo' }),
  );
  return secret;
}

/** Logged at every start where the service is reachable by others, or was started with --no-demo. */
export async function warnOfDemo({ private: isPrivate }: Config, database: Database, state: DemoState, log: Log): Promise<void> {
  if (isPrivate && state !== 'none') return;
  const { people, administrators } = await database.onPlatform('read', countDemoPeople);
  if (people === 0) return;
  const where = isPrivate ? 'although the demonstration is off' : 'on a service that others may reach';
  log.warn(
    `DEMONSTRATION PEOPLE EXIST ${where}; they cannot sign in from other machines; remove the demonstration: galeri demo remove`,
    { people, administrators },
  );
}

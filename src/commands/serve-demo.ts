// The demonstration: dealers and a key to try the service with. Only on the embedded database behind a loopback address, or
// where --demo asks for it.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { loadDemo } from '../domain/demo-data.ts';
import { dealerOf } from '../domain/demo-dealer.ts';
import { type DemoSignIn, loadDemoPeople, newDemoPassword } from '../domain/demo-people.ts';
import { templateRows } from '../domain/key-policy.ts';
import { createKey } from '../domain/keys.ts';
import { apiRows } from '../http/api-rows.ts';
import type { Database } from '../kit/db.ts';
import type { Connected } from '../postgres/connect.ts';
import { resources } from '../resources/index.ts';
import { progress } from './command.ts';

export interface Demo {
  /** The name of the dealer the key belongs to. */
  readonly account: string;
  readonly key: string;
  /** Who may sign in to the panel. */
  readonly people: readonly DemoSignIn[];
}

const DEALERS = 3;

export type DemoWish = 'never' | 'always' | 'fresh';

/** Loaded on the first run; its key is kept in DATA_DIR, readable by its owner alone, and shown at every start. */
export async function openDemo(config: Config, connected: Connected, wish: DemoWish): Promise<Demo | null> {
  const allowed = wish === 'always' || (connected.embedded !== null && config.loopback);
  if (!allowed || wish === 'never') return null;
  const file = join(config.dataDir, 'demo.json');
  const kept = await readFile(file, 'utf8').catch(() => null);
  const { database, secrets } = connected;
  const known = kept === null ? null : (JSON.parse(kept) as Demo);
  // Kept by a version that had no panel yet: its dealers get their people now.
  if (known !== null) return known.people ? known : keep(file, { ...known, people: await loadPeople(database) });
  const [dealer] = await loadDemo(database, secrets, {
    dealers: DEALERS,
    vehicles: 60,
    customers: 40,
    now: new Date(),
    progress,
  });
  const endpoints = templateRows('read-only', apiRows(resources)).map((row) => row.id);
  const limits = { limitPerMinute: 60, limitPerHour: null, limitPerDay: null };
  const key = {
    accountId: dealer!.id,
    name: `Demo ${new Date().toISOString().slice(0, 19).replace('T', ' ')}`,
    environment: 'production',
    endpoints,
    expiresAt: null,
    ...limits,
  } as const;
  const { secret } = await database.onPlatform('write', (db) =>
    createKey(db, secrets.pepper, { ...key, allowedIps: [], authorizations: [] }, { type: 'system', name: 'demo' }),
  );
  return keep(file, { account: dealer!.name, key: secret, people: await loadPeople(database) });
}

const loadPeople = (database: Database): Promise<DemoSignIn[]> =>
  loadDemoPeople(
    database,
    Array.from({ length: DEALERS }, (_, index) => dealerOf(index)),
    newDemoPassword(),
  );

async function keep(file: string, demo: Demo): Promise<Demo> {
  await writeFile(file, `${JSON.stringify(demo)}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return demo;
}

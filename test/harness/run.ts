// `npm run harness [-- --full] [--only idem-race] [--seed 1] [--plant]`: every harness or one of them, small by default, or at
// the full size of the recorded figures.
import { parseArgs } from 'node:util';
import { accountsRace } from './accounts-race.ts';
import { arithmetic } from './arithmetic.ts';
import { auction } from './auction.ts';
import { badRequests } from './bad-requests.ts';
import { crash } from './crash.ts';
import { failover } from './failover.ts';
import { fairness } from './fairness.ts';
import { hooks } from './hooks.ts';
import { idemRace } from './idem-race.ts';
import { ledger } from './ledger.ts';
import { links } from './links.ts';
import { mirror, mirrorPhp } from './mirror.ts';
import { moneyRace } from './money-race.ts';
import { offerRace } from './offer-race.ts';
import { papers } from './papers.ts';
import { parties } from './parties.ts';
import { type Report, report } from './report.ts';
import { reports } from './reports.ts';
import { rudeClients } from './rude-clients.ts';
import { spectators } from './spectators.ts';
import { stockRace } from './stock-race.ts';
import { sync } from './sync.ts';
import { uploads } from './uploads.ts';
import { takeDeadlocks } from './world.ts';
import { worldKills } from './world-kills.ts';
import { worlds } from './worlds.ts';

/** Each group is a separate test file, so that several processes share the work. */
export type Group = 'races' | 'deals' | 'mirrors' | 'kills' | 'requests' | 'failover';

interface Harness {
  readonly group: Group;
  readonly run: (seed: number, n: number, plant: boolean) => Promise<Report>;
  /** What n counts. */
  readonly counts: string;
  readonly small: number;
  readonly full: number;
  /** The size at which the planted bug is noticed. */
  readonly planted: number;
  readonly needsRedis?: true;
  readonly needsPhp?: true;
}

export const HARNESSES: Readonly<Record<string, Harness>> = {
  arithmetic: { group: 'races', run: arithmetic, counts: 'acts on sales', small: 1000, full: 200_000, planted: 100 },
  'bad-requests': { group: 'requests', run: badRequests, counts: 'requests', small: 3000, full: 100_000, planted: 1000 },
  'idem-race': {
    group: 'races',
    run: idemRace,
    counts: 'keys, each sent 50 times at once',
    small: 10,
    full: 500,
    planted: 2,
    needsRedis: true,
  },
  'stock-race': {
    group: 'races',
    run: stockRace,
    counts: 'vehicles, each requested 50 times at once',
    small: 10,
    full: 1000,
    planted: 6,
    needsRedis: true,
  },
  'money-race': {
    group: 'races',
    run: moneyRace,
    counts: 'installments, each collected 50 times at once, and collections, each reversed 50 times at once',
    small: 4,
    full: 1000,
    planted: 2,
    needsRedis: true,
  },
  'offer-race': {
    group: 'races',
    run: offerRace,
    counts: 'vehicles, each contested by 50 dealers and their seller at once',
    small: 1,
    full: 500,
    planted: 1,
    needsRedis: true,
  },
  parties: {
    group: 'deals',
    run: parties,
    counts: 'acts of 8 dealers on each other while services and PostgreSQL are killed',
    small: 150,
    full: 50_000,
    planted: 300,
    needsRedis: true,
  },
  auction: {
    group: 'deals',
    run: auction,
    counts: 'auctions and some lots, bid on by all until they end, while services and PostgreSQL are killed',
    small: 2,
    full: 200,
    planted: 2,
    needsRedis: true,
  },
  spectators: {
    group: 'deals',
    run: spectators,
    counts: 'spectators of a live room with 20 bidders',
    small: 20,
    full: 300,
    planted: 20,
    needsRedis: true,
  },
  'accounts-race': {
    group: 'races',
    run: accountsRace,
    counts: 'writes of three dealers on each other',
    small: 120,
    full: 10_000,
    planted: 60,
  },
  sync: {
    group: 'mirrors',
    run: sync,
    counts: 'writes by 20 writers under a walk and a mirror',
    small: 400,
    full: 20_000,
    planted: 1000,
    needsRedis: true,
  },
  mirror: {
    group: 'mirrors',
    run: mirror,
    counts: 'vehicles mirrored in TypeScript while 20 writers change them',
    small: 120,
    full: 5000,
    planted: 120,
    needsRedis: true,
  },
  'mirror-php': {
    group: 'mirrors',
    run: mirrorPhp,
    counts: 'vehicles mirrored in PHP while 20 writers change them',
    small: 120,
    full: 500,
    planted: 120,
    needsRedis: true,
    needsPhp: true,
  },
  crash: {
    group: 'kills',
    run: crash,
    counts: 'kills of the service, of PostgreSQL and of both',
    small: 1,
    full: 50,
    planted: 1,
  },
  ledger: {
    group: 'kills',
    run: ledger,
    counts: 'kills of the service and of PostgreSQL under writers of sales',
    small: 1,
    full: 50,
    planted: 20,
  },
  reports: { group: 'requests', run: reports, counts: 'books of dealers in two time zones', small: 8, full: 1000, planted: 4 },
  uploads: { group: 'kills', run: uploads, counts: 'photos, 64 at once', small: 60, full: 1000, planted: 10 },
  papers: { group: 'kills', run: papers, counts: 'papers of sales, 16 at once', small: 30, full: 1000, planted: 6 },
  links: { group: 'requests', run: links, counts: 'guessed and altered links', small: 2000, full: 100_000, planted: 400 },
  fairness: {
    group: 'requests',
    run: fairness,
    counts: 'rounds alone and beside greedy dealers',
    small: 1,
    full: 40,
    planted: 1,
  },
  'rude-clients': {
    group: 'requests',
    run: rudeClients,
    counts: 'connections, 150 at once',
    small: 450,
    full: 100_000,
    planted: 225,
  },
  worlds: {
    group: 'kills',
    run: worlds,
    counts: 'resets of sandboxes and moves of their clocks beside writers of production',
    small: 30,
    full: 10_000,
    planted: 6,
  },
  'world-kills': {
    group: 'kills',
    run: worldKills,
    counts: 'kills while sandboxes are made, reset and moved',
    small: 3,
    full: 60,
    planted: 9,
  },
  hooks: { group: 'requests', run: hooks, counts: 'events', small: 100, full: 10_000, planted: 40 },
  failover: {
    group: 'failover',
    run: failover,
    counts: 'acknowledged writes while the parts of a site fail one after the other',
    small: 1200,
    full: 200_000,
    planted: 300,
    needsRedis: true,
  },
};

if (import.meta.main) {
  const { values } = parseArgs({
    options: { full: { type: 'boolean' }, plant: { type: 'boolean' }, only: { type: 'string' }, seed: { type: 'string' } },
  });
  const { full = false, plant = false, only, seed = '1' } = values;
  const chosen = Object.entries(HARNESSES).filter(([name]) => only === undefined || name === only);
  if (chosen.length === 0) throw new Error(`--only takes one of: ${Object.keys(HARNESSES).join(', ')}`);
  for (const [name, harness] of chosen) {
    const size = full ? harness.full : plant ? harness.planted : harness.small;
    process.stderr.write(`${name}: ${size} ${harness.counts}\n`);
    takeDeadlocks();
    const result = await harness.run(Number(seed), size, plant);
    const deadlocks = takeDeadlocks();
    const more = deadlocks === 0 ? [] : [`PostgreSQL counted ${deadlocks} deadlocks`];
    report({ ...result, violations: [...result.violations, ...more] });
  }
}

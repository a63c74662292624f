// Three accounts make, reset and move their sandboxes and write in them at random, several at once, while two of them also write in
// production. Then production holds what its own writers were answered and nothing else, nothing refers from one sandbox to another or to
// production, and removed sandboxes leave no row and no file. `--plant`: three services with a bug each (the clock of a sandbox is used for
// production; the removal leaves one table; simulated dealers are chosen from production).
//
//   node test/harness/worlds.ts --seed 1 --n 10000 [--plant]
import { setTimeout as wait } from 'node:timers/promises';
import type { Started } from '../start/process.ts';
import { end } from '../support/child-processes.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { openWorld, type Plant, type World } from './world.ts';
import { type Actor, actOnce, beginWith, newWatch, type Watch } from './worlds-acts.ts';
import { crossings, orphans, type Production, productionChanges, productionNow, unfinishedWorlds } from './worlds-check.ts';
import { type Ledger, newLedger, writeOn, wrongWrites } from './worlds-writer.ts';

const OWNERS = 3;
/** Their production has writers; that of the first owner and of the last dealer has none. */
const BUSY = [1, 2];
const ACTORS_EACH = 3;
const MAX_SHOWN = 20;

/** In the database, or in the code of the service. */
interface Planted {
  readonly code?: Plant;
  readonly sql?: string;
  /** What the harness says when it has found this bug and not another. */
  readonly shows: RegExp;
}

const PLANTS: Readonly<Record<string, Planted>> = {
  'borrowed clock': { code: 'borrowed-clock', shows: /has the time/ },
  'forgotten table': {
    shows: /^audit_log has .* accounts that do not exist/,
    sql: `do $$
      declare
        made text := pg_get_functiondef('clear_world'::regproc);
        planted text := replace(made, '''request_logs'')', '''request_logs'', ''audit_log'')');
      begin
        if planted = made then raise exception 'the code for this planted bug has changed'; end if;
        execute planted;
      end $$`,
  },
  'dealers of production': {
    // The simulated dealer of a listing's second offer is the first dealer by name, who is one of production.
    shows: /^production's .* changed$|leads to another sandbox/,
    sql: `do $$
      declare
        name text;
        made text;
        planted text;
      begin
        foreach name in array array['dealer_parties', 'network_dealers'] loop
          made := pg_get_viewdef(name::regclass);
          planted := regexp_replace(made, 'COALESCE\\((mine\\.)?world_id, (''[-0]*''::uuid)\\)', '\\2', 'g');
          if planted = made then raise exception 'the view for this planted bug has changed'; end if;
          execute format('create or replace view %I as %s', name, planted);
        end loop;
      end $$;
      create or replace function is_in_my_world(other uuid) returns boolean language sql security definer as 'select true';
      create or replace function dealers_meet(one_demo boolean, one_world uuid, other uuid) returns boolean language sql security definer
        as 'select true'`,
  },
};

export async function worlds(seed: number, n: number, plant: boolean): Promise<Report> {
  if (!plant) return { name: 'worlds', seed, n, ...(await run(seed, n, {})) };
  const noticed: Record<string, readonly string[]> = {};
  for (const [name, planted] of Object.entries(PLANTS))
    noticed[name] = (await run(seed, n, planted)).violations.filter((one) => planted.shows.test(one)).slice(0, 3);
  const found = Object.values(noticed);
  // Reports the plant as found only if every bug is found.
  const violations = found.every((problems) => problems.length > 0) ? found.flat() : [];
  return { name: 'worlds', seed, n, violations, figure: { noticed } };
}

interface Run {
  readonly world: World;
  readonly service: Started;
  readonly random: Random;
  readonly before: Production;
  readonly ledgers: readonly Ledger[];
  readonly watch: Watch;
}

async function run(seed: number, n: number, { code, sql }: Partial<Planted>): Promise<Pick<Report, 'violations' | 'figure'>> {
  const world = await openWorld({ dealers: OWNERS + 1, postgres: 'address' });
  try {
    // The first by name: a simulated side that chose from production would choose this dealer.
    await world.query(`update accounts set name = 'A' where id = $1`, [world.dealers[OWNERS]!.accountId]);
    if (sql !== undefined) await world.query(sql);
    const keys: string[] = [];
    for (const { accountId } of world.dealers.slice(0, OWNERS)) keys.push(await world.sandboxKey(accountId));
    const service = await world.serve({ env: { SANDBOX: 'isolated' }, plant: code });
    const random = createRandom(seed);
    const watch = newWatch(service.ready.api, keys, world.dealers);
    const ledgers = BUSY.map((place) => newLedger(world.dealers[place]!, place));
    await Promise.all(ledgers.map((ledger) => writeOn(ledger, service.ready.api, () => ledger.created.size > 0)));
    const before = await productionNow(world);
    const made: Run = { world, service, random, before, ledgers, watch };
    const seconds = await play(made, n);
    return { violations: (await settle(made)).slice(0, MAX_SHOWN), figure: figureOf(made, seconds) };
  } finally {
    await world.close();
  }
}

/** Returns how many seconds it took. */
async function play({ service, random, ledgers, watch }: Run, n: number): Promise<number> {
  const from = performance.now();
  const isOver = () => watch.resets + watch.moves >= n || watch.violations.length >= MAX_SHOWN;
  const actors = Array.from({ length: OWNERS * ACTORS_EACH }, (_, place): Actor => {
    const owner = place % OWNERS;
    return { owner, random: createRandom(random.below(1e9)), cars: [], customers: [], sales: [], wanted: [] };
  });
  for (const actor of actors.slice(0, OWNERS)) await beginWith(watch, actor);
  await Promise.all([
    ...actors.map(async (actor) => {
      while (!isOver()) await actOnce(watch, actor);
    }),
    ...ledgers.map((ledger) => writeOn(ledger, service.ready.api, isOver)),
  ]);
  return Math.round((performance.now() - from) / 1000);
}

/** Everything that may be broken at the end. */
async function settle({ world, service, before, ledgers, watch }: Run): Promise<string[]> {
  const found = [...watch.violations, ...ledgers.flatMap(({ violations }) => violations)];
  found.push(...(await unfinishedWorlds(world)), ...(await crossings(world)));
  await end(service.child, 'SIGTERM');
  const busy = BUSY.map((place) => world.dealers[place]!.accountId);
  found.push(...(await productionChanges(world, before, busy)));
  for (const ledger of ledgers) found.push(...(await wrongWrites(world, ledger)));
  await world.query(`update worlds set removed_at = removed_at - interval '2 hours'`);
  // Each pass removes fifty sandboxes.
  for (let left = Number.POSITIVE_INFINITY; ; ) {
    await world.command('worker', 'drain');
    const [{ count }] = (await world.query<{ count: number }>(
      'select count(*)::int as count from worlds where removed_at is not null',
    )) as [{ count: number }];
    if (count === 0) break;
    if (count >= left) return [...found, `${count} removed sandboxes cannot be cleared away`];
    left = count;
    await wait(10);
  }
  return [...found, ...(await orphans(world))];
}

function figureOf({ ledgers, watch }: Run, seconds: number): Report['figure'] {
  const { resets, moves, writes, looks, probes, times, statuses } = watch;
  const production = ledgers.reduce((sum, { created, repriced }) => sum + created.size + repriced, 0);
  const costs = Object.fromEntries(Object.entries(times).map(([what, all]) => [what, spreadOf(all)]));
  return { resets, moves, writes, looks, probes, production_writes: production, seconds, ms: costs, statuses };
}

function spreadOf(all: readonly number[]): { readonly count: number; readonly p50: number; readonly p95: number } {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
  return { count: sorted.length, p50: at(0.5), p95: at(0.95) };
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 10_000 });
  report(await worlds(seed, n, plant));
}

// The service, PostgreSQL or both are killed with -9 while a sandbox is made, reset and moved. After each kill the sandbox is whole or not
// there, and its clock is between two steps; after the same call again, every table is as in a sandbox that was not disturbed. `--plant`:
// the service opens a sandbox before its records are there.
//
//   node test/harness/world-kills.ts --seed 1 --n 60 [--plant]
import { setTimeout as wait } from 'node:timers/promises';
import { eventsOfWorld, rowsOfWorld } from '../support/world-rows.ts';
import { type Answered, ask, askUntilAnswered, type HarnessRequest } from './ask.ts';
import { type KilledService, startKilled, type Victim } from './killed-service.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report, spread } from './report.ts';
import { openWorld, type Plant, type World } from './world.ts';
import { unfinishedWorlds } from './worlds-check.ts';

const VICTIMS: readonly Victim[] = ['service', 'postgres', 'both'];
const MAX_SHOWN = 20;
const PARTIAL = /^the sandbox is not whole/;
const RESET = { method: 'POST', path: 'reset', body: { data: 'sample' } } as const;
const MOVE = { method: 'POST', path: 'clock', body: { advance: '90d' } } as const;
/** A kill comes at any moment of what the act took when it was last undisturbed, or a little later. */
const LATER = 1.1;

type Act = 'make' | 'reset' | 'move';

interface Run {
  readonly world: World;
  readonly service: KilledService;
  readonly random: Random;
  readonly keys: readonly [disturbed: string, undisturbed: string];
  readonly violations: string[];
  readonly downMs: number[];
  /** Kills that came before the reply. */
  readonly hits: Record<Act, number>;
  /** How long the undisturbed act took. */
  readonly took: Record<Act, number>;
  kills: number;
}

export async function worldKills(seed: number, n: number, plant: boolean): Promise<Report> {
  const world = await openWorld({ dealers: 2, postgres: 'own' });
  const random = createRandom(seed);
  try {
    const keys = [
      await world.sandboxKey(world.dealers[0]!.accountId),
      await world.sandboxKey(world.dealers[1]!.accountId),
    ] as const;
    const planted: { plant?: Plant } = plant ? { plant: 'early-opening' } : {};
    // The names are on papers and messages.
    await world.query(`update accounts set name = 'Deneme Oto' where world_id is null`);
    const service = await startKilled(world, random, { env: { SANDBOX: 'isolated' }, ...planted });
    const [hits, took] = [
      { make: 0, reset: 0, move: 0 },
      { make: 0, reset: 0, move: 0 },
    ];
    const run: Run = { world, service, random, keys, violations: [], downMs: [], hits, took, kills: 0 };
    await undisturbed(run, 'reset', RESET);
    await undisturbed(run, 'move', MOVE);
    // Another violation would not show that the planted bug is found.
    const found = () => (plant ? run.violations.filter((one) => PARTIAL.test(one)) : run.violations);
    while (run.kills < n && found().length < (plant ? 1 : MAX_SHOWN)) await round(run);
    const [violations, { downMs, kills }] = [found(), run];
    const figure = { kills, before_the_reply: hits, answering_again_ms: spread(downMs) };
    return { name: 'world-kills', seed, n, violations: violations.slice(0, MAX_SHOWN), figure };
  } finally {
    await world.close();
  }
}

/** A sandbox is made, replaced and moved, with a kill during each. */
async function round(run: Run): Promise<void> {
  const { world, keys, random } = run;
  await world.query('update worlds set removed_at = now() where removed_at is null');
  await disturbed(run, 'make', { method: 'GET', path: '', key: keys[0] });
  const name = `kill-${random.below(1e9)}`;
  // A reset without a key can be repeated at once; one with a key waits until the claim of the killed process has ended.
  const once = random.chance(0.3) ? { idempotencyKey: `${name}-r` } : {};
  await disturbed(run, 'reset', { ...RESET, key: keys[0], ...once });
  await undisturbed(run, 'reset', RESET);
  await disturbed(run, 'move', { ...MOVE, key: keys[0], idempotencyKey: `${name}-m` });
  await undisturbed(run, 'move', MOVE);
  run.violations.push(...(await unfinishedWorlds(world)), ...(await differences(world)));
}

async function undisturbed(run: Run, act: 'reset' | 'move', asked: Omit<HarnessRequest, 'key'>): Promise<void> {
  const from = performance.now();
  await answered(run, { ...asked, key: run.keys[1] });
  run.took[act] = performance.now() - from;
  // A reset makes a sandbox too.
  if (act === 'reset') run.took.make = run.took.reset;
}

const controlOf = ({ service }: Run): string => service.api().replace('/api/v1/', '/sandbox/v1/');

/** Sends a request, kills while it runs, looks at what is there, and repeats it until it is answered. */
async function disturbed(run: Run, act: Act, request: HarnessRequest): Promise<void> {
  const { service, random, downMs, hits, took } = run;
  const isAnswered = { is: false };
  const first = ask(controlOf(run), request)
    .then(() => {
      isAnswered.is = true;
    })
    .catch(() => {});
  await wait(random.below(Math.round(took[act] * LATER)));
  if (!isAnswered.is) hits[act] += 1;
  downMs.push(await service.kill(VICTIMS[run.kills % VICTIMS.length]!));
  run.kills += 1;
  await first;
  run.violations.push(...(await lookAfterKill(run, act)));
  await answered(run, request);
}

async function answered(run: Run, request: HarnessRequest): Promise<Answered> {
  const answer = await askUntilAnswered(
    () => controlOf(run),
    request,
    () => {},
  );
  if (answer === null || answer.status !== 200)
    run.violations.push(`${request.path} was answered ${answer?.text ?? 'not at all'}`);
  return answer!;
}

/** What the tables say right after a kill. */
async function lookAfterKill({ world }: Run, act: Act): Promise<string[]> {
  const moving = act === 'move' ? [] : await unfinishedWorlds(world);
  const between = await world.query<{ row: string }>(
    `select concat_ws(' ', status, reached_at, target_at, failure) as row from worlds
     where removed_at is null and not (status = 'ready' or (status = 'advancing' and reached_at <= target_at))`,
  );
  const several = await world.query<{ row: string }>(
    'select owner_id::text as row from worlds where removed_at is null group by owner_id having count(*) > 1',
  );
  return [
    ...moving,
    ...between.map(({ row }) => `the clock is at ${row}`),
    ...several.map(({ row }) => `${row} has two sandboxes`),
  ];
}

/** Every row and event of the disturbed sandbox, compared with those of the other. */
async function differences({ query, dealers }: World): Promise<string[]> {
  const ids: string[] = [];
  for (const { accountId } of dealers) {
    const [open] = await query<{ id: string }>('select id from worlds where owner_id = $1 and removed_at is null', [accountId]);
    ids.push(open!.id);
  }
  const precision = { times: false };
  const rowsOf = (text: string, values: unknown[]) => query<{ row: Record<string, unknown> }>(text, values);
  const [one, other] = [await rowsOfWorld(rowsOf, ids[0]!, precision), await rowsOfWorld(rowsOf, ids[1]!, precision)];
  one.events_in_order = await eventsOfWorld(rowsOf, ids[0]!, precision);
  other.events_in_order = await eventsOfWorld(rowsOf, ids[1]!, precision);
  return Object.entries(one).flatMap(([table, rows]) => {
    const at = rows.findIndex((row, place) => row !== other[table]![place]);
    if (at === -1 && rows.length === other[table]!.length) return [];
    return [`${table}: ${rows.length} and ${other[table]!.length} rows; ${rows[at]} is not ${other[table]![at]}`.slice(0, 1500)];
  });
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 60 });
  report(await worldKills(seed, n, plant));
}

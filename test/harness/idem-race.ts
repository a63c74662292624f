// Two services on one database; each key is sent fifty times at once, over both, some with another payload: one effect, the same
// bytes for every sender of the executed payload, 422 for the others, never a 5xx. `--plant` deletes the record of a key.
//
//   node test/harness/idem-race.ts --seed 1 --n 500 [--plant]
import { startRedis } from '../support/redis.ts';
import { type Answered, aCar, askInRace, codeOf } from './ask.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { openWorld, type World } from './world.ts';

const AT_ONCE = 50;
const MAX_SHOWN = 20;
/** While the first is in progress the others may be asked to retry. */
const MAX_TRIES = 20;

export async function idemRace(seed: number, n: number, plant: boolean): Promise<Report> {
  const redis = await startRedis();
  const world = await openWorld({ dealers: 1, postgres: 'address' });
  try {
    // Only the key prevents a repeat from creating a second vehicle.
    await world.query('drop index vehicles_plate');
    if (plant) await world.query(FORGETFUL);
    const env = { REDIS_URL: redis.url };
    const apis = [(await world.serve({ env })).ready.api, (await world.serve({ env })).ready.api];
    const violations: string[] = [];
    const statuses: Record<string, number> = {};
    const random = createRandom(seed);
    const startedAt = performance.now();
    for (let number = 1; number <= n; number += 1) {
      const found = await raceOneKey({ world, apis, random, statuses }, `key-${seed}-${number}`, number);
      violations.push(...found.slice(0, MAX_SHOWN - violations.length));
    }
    const seconds = (performance.now() - startedAt) / 1000;
    violations.push(...(await countEffects(world, n)));
    return {
      name: 'idem-race',
      seed,
      n,
      violations,
      figure: { requests: n * AT_ONCE, statuses, per_second: Math.round((n * AT_ONCE) / seconds) },
    };
  } finally {
    await world.close();
    await redis.stop();
  }
}

interface Race {
  readonly world: World;
  readonly apis: readonly string[];
  readonly random: Random;
  readonly statuses: Record<string, number>;
}

async function raceOneKey({ world, apis, random, statuses }: Race, idempotencyKey: string, number: number): Promise<string[]> {
  const [{ key }] = world.dealers as [World['dealers'][0]];
  const plate = `ID ${number}`;
  const payloads = [aCar(plate), aCar(plate, { km: 90_000 })];
  // One in ten sends another payload with the same key; the first to arrive decides.
  const requests = Array.from({ length: AT_ONCE }, () => ({ payload: random.chance(0.1) ? 1 : 0, api: random.pick(apis) }));
  const answers = await Promise.all(
    requests.map(async ({ payload, api }) => {
      const answer = await untilDecided(() =>
        askInRace(api, { method: 'POST', path: 'vehicles', key, idempotencyKey, body: payloads[payload] }),
      );
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      return { payload, answer };
    }),
  );
  return problemsOf(idempotencyKey, answers);
}

async function untilDecided(send: () => Promise<Answered>): Promise<Answered> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send();
    if (tries === MAX_TRIES || answer.status !== 409 || codeOf(answer) !== 'idempotency_in_progress') return answer;
  }
}

function problemsOf(key: string, answers: readonly { payload: number; answer: Answered }[]): string[] {
  const done = answers.filter(({ answer }) => answer.status === 201);
  const [first] = done;
  if (first === undefined) return [`${key}: no request got 201`];
  const problems: string[] = [];
  const firsts = done.filter(({ answer }) => !answer.replayed).length;
  if (firsts !== 1) problems.push(`${key}: ${firsts} replies claim to be the first`);
  const bodies = new Set(done.map(({ answer }) => answer.text)).size;
  if (bodies !== 1) problems.push(`${key}: ${bodies} different bodies`);
  for (const { payload, answer } of answers) {
    if (payload === first.payload && answer.status !== 201) problems.push(`${key}: the same payload got ${describe(answer)}`);
    if (payload !== first.payload && (answer.status !== 422 || codeOf(answer) !== 'idempotency_key_reused'))
      problems.push(`${key}: another payload got ${describe(answer)}`);
  }
  return problems;
}

const describe = ({ status, text }: Answered): string => `${status} ${text.slice(0, 200)}`;

/** One vehicle, one history entry, one event, one audit entry per key. */
async function countEffects({ query, dealers }: World, n: number): Promise<string[]> {
  const counts = await query<{ what: string; count: bigint }>(
    `select 'vehicles' as what, count(*) from vehicles where account_id = $1
     union all select 'plates', count(distinct plate) from vehicles where account_id = $1
     union all select 'history', count(*) from vehicle_history where account_id = $1
     union all select 'events', count(*) from events where account_id = $1
     union all select 'sequence', sequence from data_sets where id = $1
     union all select 'audit', count(*) from audit_log where account_id = $1 and action = 'POST vehicles'`,
    [dealers[0]!.accountId],
  );
  return counts.filter(({ count }) => Number(count) !== n).map(({ what, count }) => `${n} keys left ${count} ${what}`);
}

/** The record of a key is deleted before its effect exists. */
const FORGETFUL = `
  create function forget() returns trigger language plpgsql security definer as $$
    begin
      delete from public.idempotency where account_id = new.account_id and key = new.key;
      return null;
    end $$;
  create trigger forget after insert on idempotency for each row execute function forget();`;

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 500 });
  report(await idemRace(seed, n, plant));
}

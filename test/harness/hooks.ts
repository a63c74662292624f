// Events to a receiver that fails 30 %, hangs 10 % and resets 5 % of requests, while the worker and sometimes PostgreSQL are
// killed with -9: each committed event arrives, signed, always with the same bytes; none arrives of a write that was refused,
// rolled back or a dry run. `--plant` marks a tenth of the deliveries as sent without sending them.
//
//   node test/harness/hooks.ts --seed 1 --n 10000 [--plant]
import { setTimeout as wait } from 'node:timers/promises';
import { end } from '../support/child-processes.ts';
import { patience } from '../support/patience.ts';
import { aCar, ask, codeOf, dataOf } from './ask.ts';
import { gapsIn } from './history.ts';
import { createRandom, type Random } from './random.ts';
import { openMoodyReceiver, type Receiver } from './receiver.ts';
import { type Report, readArguments, report } from './report.ts';
import { type Dealer, openWorld, type World } from './world.ts';

const MAX_SHOWN = 20;
const WRITERS = 8;
/** Writers wait when this many events have not arrived, so that every kill interrupts some writes. */
const AHEAD = { full: 300, small: 30 };
const MOOD = { fails: 0.3, hangs: 0.1, resets: 0.05 };
/**
 * From this size nothing is accelerated: hanging requests hang until the sender gives up, and claims of a killed worker expire on
 * their own.
 */
const FULL = 5000;
/** Events not accepted within this time are lost. Well above the lease of a killed worker. */
const STILL_MS = patience(120_000);
/** In a small run claims are made to expire, and events that a planted bug loses must be noticed within the test's time. */
const SMALL_STILL_MS = patience(45_000);

export async function hooks(seed: number, n: number, plant: boolean): Promise<Report> {
  const full = n >= FULL;
  const random = createRandom(seed);
  const world = await openWorld({ dealers: full ? 32 : 8, postgres: 'address' });
  const receiver = await openMoodyReceiver(random, { ...MOOD, hangMs: full ? 60_000 : 1000 });
  const run: Run = {
    world,
    receiver,
    random,
    full,
    api: '',
    violations: [],
    statuses: {},
    written: 0,
    writing: WRITERS,
    over: false,
  };
  try {
    if (plant) await world.query(NEVER_SENT);
    const { ready, child, output } = await world.serve({ args: ['--only', 'api'] });
    run.api = ready.api;
    child.once(
      'exit',
      (code) => run.over || run.violations.push(`the API exited unexpectedly (${code}): ${output().slice(-500)}`),
    );
    for (const [number, dealer] of world.dealers.entries()) await subscribe(run, number, dealer);
    const hurrying = hurry(run);
    const startedAt = performance.now();
    const [kills] = await Promise.all([
      killAsItGoes(run, n, full ? { worker: 20, postgres: 5 } : { worker: 1, postgres: 1 }),
      ...Array.from({ length: WRITERS }, (_, number) => write(run, number, n)),
    ]);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    run.over = true;
    await hurrying;
    const problems = [...receiver.problems, ...run.violations, ...(await compare(run, n))];
    const again = [...receiver.received.values()].reduce((sum, { accepted }) => sum + Math.max(0, accepted - 1), 0);
    return {
      name: 'hooks',
      seed,
      n,
      violations: problems.slice(0, MAX_SHOWN),
      figure: {
        kills,
        writes: run.statuses,
        receiver: receiver.moods,
        accepted: receiver.accepted(),
        accepted_again: again,
        seconds,
      },
    };
  } finally {
    run.over = true;
    await world.close();
    await receiver.close();
  }
}

interface Run {
  readonly world: World;
  readonly receiver: Receiver;
  readonly random: Random;
  readonly full: boolean;
  readonly violations: string[];
  readonly statuses: Record<string, number>;
  api: string;
  written: number;
  /** Writers still running. */
  writing: number;
  over: boolean;
}

async function subscribe({ api, receiver }: Run, number: number, { key }: Dealer): Promise<void> {
  const endpoint = `dealer-${number}`;
  const body = { url: `${receiver.url}${endpoint}`, events: ['vehicle.*'] };
  const made = await ask(api, { method: 'POST', path: 'webhooks', key, body });
  if (made.status !== 201) throw new Error(`no webhook: ${made.text}`);
  receiver.expect(endpoint, (dataOf(made) as { secret: string }).secret);
}

/** Writes that commit one event each; between them writes that must not emit. */
async function write(run: Run, number: number, n: number): Promise<void> {
  while (run.written < n && !run.over) {
    if (run.written - run.receiver.accepted() > (run.full ? AHEAD.full : AHEAD.small)) {
      await wait(20);
      continue;
    }
    run.written += 1;
    const count = run.written;
    const { key } = run.world.dealers[count % run.world.dealers.length]!;
    const plate = `OK ${count}`;
    await sendWrite(run, key, `ok-${count}`, aCar(plate), 201);
    const dice = (count + number) % 6;
    if (dice === 0) await sendWrite(run, key, `dry-${count}`, aCar(`NO ${count}`), 201, { 'x-dry-run': 'true' });
    if (dice === 1) await sendWrite(run, key, `taken-${count}`, aCar(plate, { model: 'NO' }), 409);
    if (dice === 2) await sendWrite(run, key, `bad-${count}`, aCar(`NO ${count}`, { km: -1 }), 422);
    if (dice === 3) await sendWrite(run, key, `ok-${count}`, aCar(plate), 201);
  }
  run.writing -= 1;
}

/** Repeated with the same key until it is decided: the database is killed now and then. */
async function sendWrite(
  run: Run,
  key: string,
  idempotencyKey: string,
  body: unknown,
  expected: number,
  headers: Record<string, string> = {},
): Promise<void> {
  for (const until = performance.now() + STILL_MS; performance.now() < until && !run.over; await wait(100)) {
    const answer = await ask(run.api, { method: 'POST', path: 'vehicles', key, idempotencyKey, body, headers }).catch(() => null);
    const status = answer === null ? 'none' : String(answer.status);
    run.statuses[status] = (run.statuses[status] ?? 0) + 1;
    if (answer === null || answer.status === 503) continue;
    if (answer.status === 409 && codeOf(answer) === 'idempotency_in_progress') continue;
    if (answer.status !== expected) run.violations.push(`${idempotencyKey} was answered ${answer.status} ${answer.text}`);
    return;
  }
  run.violations.push(`${idempotencyKey} was never answered`);
}

type Kills = Record<'worker' | 'postgres', number>;

/** Kills spread over the run by the number of events received, until nothing is left to send. */
async function killAsItGoes(run: Run, n: number, planned: Kills): Promise<Kills> {
  const { world, receiver, random } = run;
  const places = placesOf(random, n, planned);
  const done: Kills = { worker: 0, postgres: 0 };
  let worker = await world.work();
  let last = { accepted: 0, at: performance.now() };
  for (;;) {
    await wait(20 + random.below(80));
    if (receiver.accepted() > last.accepted) last = { accepted: receiver.accepted(), at: performance.now() };
    const isDue = places[0] !== undefined && receiver.accepted() >= places[0].at;
    if (!isDue && (await isSettled(run))) break;
    if (worker.exitCode !== null || performance.now() - last.at > (run.full ? STILL_MS : SMALL_STILL_MS)) {
      run.violations.push(worker.exitCode === null ? 'nothing arrives anymore' : 'the worker exited unexpectedly');
      break;
    }
    if (!isDue) continue;
    const { what } = places.shift()!;
    done[what] += 1;
    if (what === 'postgres') await world.killPostgres();
    else {
      await end(worker, 'SIGKILL');
      if (!run.full) await letClaimsRunOut(world);
      worker = await world.work();
    }
  }
  await end(worker, 'SIGTERM');
  return done;
}

const placesOf = (random: Random, n: number, planned: Kills): { what: keyof Kills; at: number }[] =>
  (['worker', 'postgres'] as const)
    .flatMap((what) =>
      Array.from({ length: planned[what] }, (_, index) => ({
        what,
        at: Math.floor(((index + random.below(1000) / 1000) * n) / planned[what]),
      })),
    )
    .toSorted((one, other) => one.at - other.at);

/** Everything is written, and no delivery waits. */
async function isSettled({ world, writing }: Run): Promise<boolean> {
  if (writing > 0) return false;
  await wait(300);
  const [{ waiting }] = (await world.query(`select count(*) as waiting from webhook_deliveries where status = 'Bekliyor'`)) as [
    { waiting: bigint },
  ];
  return waiting === 0n;
}

/** No worker sends at the moment, and a small run does not wait 45 seconds. */
const letClaimsRunOut = ({ query }: World) =>
  query(`update webhook_deliveries set claimed_until = now() where claimed_until > now()`);

/** The schedule without its hours: makes waiting deliveries due. */
async function hurry(run: Run): Promise<void> {
  while (!run.over) {
    await run.world
      .query(`update webhook_deliveries set next_attempt_at = now()
        where status = 'Bekliyor' and next_attempt_at > now() and (claimed_until is null or claimed_until < now())`)
      .catch(() => {});
    await wait(run.full ? 1000 : 200);
  }
}

/** Compares what was committed with what arrived. */
async function compare(run: Run, n: number): Promise<string[]> {
  const { world, receiver } = run;
  const problems: string[] = [];
  const committed = new Set<string>();
  for (const [number, { accountId }] of world.dealers.entries()) {
    problems.push(...(await gapsIn(world, accountId)));
    const events = await world.query<{ id: string; payload: string; status: string | null }>(
      `select e.id, payload, d.status from events e left join webhook_deliveries d on d.account_id = e.account_id and d.event_id = e.id
       where e.account_id = $1`,
      [accountId],
    );
    for (const { id, payload, status } of events) {
      const name = `dealer-${number} ${id}`;
      committed.add(name);
      const came = receiver.received.get(name);
      if (came === undefined || came.accepted === 0) problems.push(`${name} was committed and is lost (${status})`);
      else if (came.body !== payload) problems.push(`${name} arrived with other bytes than were committed`);
      else if (status !== 'Başarılı') problems.push(`${name} arrived and has status ${status}`);
    }
  }
  if (committed.size !== n) problems.push(`${n} writes left ${committed.size} events`);
  for (const [name, { body }] of receiver.received) {
    if (!committed.has(name)) problems.push(`${name} arrived and was never committed`);
    if (/"plate":"NO |"model":"NO"/.test(body)) problems.push(`${name} reports a write that was not made`);
  }
  return problems;
}

const NEVER_SENT = `
  create sequence never_sent_count;
  create function never_sent() returns trigger language plpgsql security definer as $$
    begin
      if nextval('public.never_sent_count') % 10 = 0 then
        new.status := 'Başarılı';
        new.next_attempt_at := null;
        new.attempt_count := 1;
      end if;
      return new;
    end $$;
  create trigger never_sent before insert on webhook_deliveries for each row execute function never_sent();`;

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 10_000 });
  report(await hooks(seed, n, plant));
}

// Two services on one database. Fifty concurrent collections on one installment, each for a part of it: never a cent too much is
// collected, and none is refused that would fit. Then fifty concurrent reversals of one collection: one succeeds. `--plant` drops
// the locks and the sums that the database checks.
//
//   node test/harness/money-race.ts --seed 1 --n 1000 [--plant]
import { formatMoney } from '../../src/kit/money.ts';
import { startRedis } from '../support/redis.ts';
import { type Answered, aCar, askInRace, codeOf, dataOf } from './ask.ts';
import { gapsIn } from './history.ts';
import { brokenInvariants } from './ledger-invariants.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { openWorld, type World } from './world.ts';

const AT_ONCE = 50;
const MAX_SHOWN = 20;
const ROWS_EACH = 10;
const ROW_CENTS = 100_000;

export async function moneyRace(seed: number, n: number, plant: boolean): Promise<Report> {
  const redis = await startRedis();
  const world = await openWorld({ dealers: 1, postgres: 'address' });
  try {
    if (plant) await world.query(UNGUARDED);
    const options = { env: { REDIS_URL: redis.url }, plant: plant ? ('no-locks' as const) : undefined };
    const apis = [(await world.serve(options)).ready.api, (await world.serve(options)).ready.api];
    const race: Race = { apis, world, random: createRandom(seed), customer: await addCustomer(world), statuses: {}, keys: 0 };
    const violations: string[] = [];
    const startedAt = performance.now();
    for (let number = 0; number < n; number += ROWS_EACH) {
      const rows = await sellCar(race, number);
      for (const row of rows.slice(0, n - number)) violations.push(...(await raceRow(race, row)));
    }
    const seconds = (performance.now() - startedAt) / 1000;
    violations.push(...(await brokenInvariants(world)), ...(await disagreements(race, n)));
    violations.push(...(await gapsIn(world, world.dealers[0]!.accountId)));
    return {
      name: 'money-race',
      seed,
      n,
      violations: violations.slice(0, MAX_SHOWN),
      figure: { requests: 2 * n * AT_ONCE, statuses: race.statuses, per_second: Math.round((2 * n * AT_ONCE) / seconds) },
    };
  } finally {
    await world.close();
    await redis.stop();
  }
}

/** Drops the database constraints, so that only the locks can prevent it. */
const UNGUARDED = `
  drop trigger installments_sums on installments;
  drop trigger sales_sums on sales;
  drop trigger installments_allocated on installments;
  drop trigger collection_allocations_sums on collection_allocations;
  drop trigger collections_allocated on collections;
  drop trigger collections_kept on collections;
  drop index collections_one_reversal;`;

interface Race {
  readonly world: World;
  readonly apis: readonly string[];
  readonly random: Random;
  readonly customer: string;
  /** By action. */
  readonly statuses: Record<string, number>;
  keys: number;
}

interface Row {
  readonly id: string;
  readonly sale: string;
}

async function addCustomer({ query, dealers }: World): Promise<string> {
  const [added] = await query<{ id: string }>(
    `insert into customers (account_id, id, first_name, last_name, phone)
     values ($1, gen_random_uuid(), 'Ayşe', 'Yılmaz', '+905331000000') returning id`,
    [dealers[0]!.accountId],
  );
  return added!.id;
}

function write(race: Race, act: string, path: string, body: unknown): Promise<Answered> {
  const { key } = race.world.dealers[0]!;
  race.keys += 1;
  const idempotencyKey = `race-${race.keys}`;
  return askInRace(race.random.pick(race.apis), { method: 'POST', path, key, idempotencyKey, body }).then((answer) => {
    const counted = answer.status < 300 ? `${act} ${answer.status}` : `${act} ${codeOf(answer)}`;
    race.statuses[counted] = (race.statuses[counted] ?? 0) + 1;
    return answer;
  });
}

/** On ten installments of 1 000.00 and an eleventh, so that no race completes the sale. */
async function sellCar(race: Race, number: number): Promise<Row[]> {
  const { world, apis, customer } = race;
  const car = await write(race, 'car', 'vehicles', aCar(`MR ${number}`));
  const sale_price = formatMoney(BigInt((ROWS_EACH + 1) * ROW_CENTS));
  const terms = { vehicle_id: dataOf(car).id, customer_id: customer, sale_price, installment_count: ROWS_EACH + 1 };
  const sold = await write(race, 'sale', 'sales', terms);
  if (sold.status !== 201) throw new Error(`no sale to collect on: ${sold.text}`);
  const { id: sale } = dataOf(sold);
  const path = `sales/${sale}/installment-plan`;
  const plan = await askInRace(apis[0]!, { method: 'GET', path, key: world.dealers[0]!.key });
  const rows: { id: string }[] = dataOf(plan).installments;
  return rows.slice(0, ROWS_EACH).map(({ id }) => ({ id, sale }));
}

async function raceRow(race: Race, row: Row): Promise<string[]> {
  const { random } = race;
  const collections = Array.from({ length: AT_ONCE }, () => ({
    cents: 1 + random.below(ROW_CENTS / 4),
    // Some discount a part of it.
    forgiven: random.chance(0.2) ? 1 + random.below(1000) : 0,
  }));
  const answers = await Promise.all(
    collections.map(async ({ cents, forgiven }) => {
      const discount = { discount_amount: formatMoney(BigInt(forgiven)), discount_reason: 'Anlaşma' };
      const answer = await write(race, 'collect', 'collections', {
        sale_id: row.sale,
        installment_ids: [row.id],
        amount: formatMoney(BigInt(cents)),
        currency: 'STG',
        ...(forgiven > 0 ? discount : {}),
      });
      return { cents: cents + forgiven, answer };
    }),
  );
  const taken = answers.filter(({ answer }) => answer.status === 201);
  const left = ROW_CENTS - taken.reduce((all, { cents }) => all + cents, 0);
  const problems = left < 0 ? [`${row.id}: ${-left} cents too much were collected`] : [];
  for (const { cents, answer } of answers) {
    if (answer.status === 201) continue;
    // The open amount only decreases, so a refused amount exceeds it to the end.
    const isRight =
      codeOf(answer) === 'amount_exceeds_balance' ? cents > left : codeOf(answer) === 'installment_paid' && left === 0;
    if (!isRight) problems.push(`${row.id}: ${cents} with ${left} left: ${answer.status} ${answer.text}`);
  }
  if (taken.length === 0) return [...problems, `${row.id}: nothing was collected`];
  return [...problems, ...(await raceReversals(race, dataOf(random.pick(taken).answer)))];
}

/** Either half of a pair is named. */
async function raceReversals(race: Race, { id, paired_id }: { id: string; paired_id: string | null }): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, () => {
      const named = paired_id !== null && race.random.chance(0.5) ? paired_id : id;
      return write(race, 'reverse', `collections/${named}/reverse`, { reason: 'yanlış giriş' });
    }),
  );
  const done = answers.filter(({ status }) => status === 201).length;
  const strange = answers.filter((answer) => answer.status !== 201 && codeOf(answer) !== 'already_reversed');
  return [
    ...(done === 1 ? [] : [`${id}: reversed ${done} times`]),
    ...strange.map(({ status, text }) => `${id}: reversing: ${status} ${text}`),
  ];
}

/** One record and event per acknowledged action. */
async function disagreements({ world, statuses }: Race, n: number): Promise<string[]> {
  const [found] = (await world.query(
    `select (select count(*) from collections where type = 'Tahsilat') as taken,
       (select count(*) from collections r where type = 'Ters Kayıt' and method is not null) as reversed,
       (select count(*) from audit_log where action = 'POST collections') as audited,
       (select count(*) from audit_log where action = 'POST collections/{collection_id}/reverse') as audited_reversals,
       (select count(*) from events where kind = 'collection.created') - (select count(*) from collections where type in ('Tahsilat', 'İndirim')) as missing,
       (select count(*) from events where kind = 'collection.reversed') - (select count(*) from collections where type = 'Ters Kayıt') as unreversed`,
  )) as [Record<string, bigint>];
  const taken = BigInt(statuses['collect 201'] ?? 0);
  const due = { taken, reversed: BigInt(n), audited: taken, audited_reversals: BigInt(n), missing: 0n, unreversed: 0n };
  return Object.entries(due)
    .filter(([what, count]) => found[what] !== count)
    .map(([what, count]) => `${what}: should be ${count} and is ${found[what]}`);
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 1000 });
  report(await moneyRace(seed, n, plant));
}

// What an actor of the harness `worlds` does with the sandbox of an account, and what each reply must say.
import { type Answered, aCar, ask, askInRace, codeOf, dataOf } from './ask.ts';
import type { Random } from './random.ts';
import type { Dealer } from './world.ts';

export interface Watch {
  readonly api: string;
  readonly control: string;
  /** Sandbox keys of the owners. */
  readonly keys: readonly string[];
  /** Dealers of production; the owners come first. */
  readonly dealers: readonly Dealer[];
  readonly violations: string[];
  readonly statuses: Record<string, number>;
  readonly times: Record<'sample' | 'empty' | 'move', number[]>;
  /** When each sandbox was known to be replaced, by count of replies. */
  readonly replaced: Map<string, number>;
  readonly present: Set<string>[];
  /** The latest time that each sandbox has shown. */
  readonly clocks: Map<string, number>;
  replies: number;
  resets: number;
  moves: number;
  writes: number;
  looks: number;
  probes: number;
}

export const newWatch = (api: string, keys: readonly string[], dealers: readonly Dealer[]): Watch => ({
  api,
  control: api.replace('/api/v1/', '/sandbox/v1/'),
  keys,
  dealers,
  violations: [],
  statuses: {},
  times: { sample: [], empty: [], move: [] },
  replaced: new Map(),
  present: keys.map(() => new Set<string>()),
  clocks: new Map(),
  replies: 0,
  resets: 0,
  moves: 0,
  writes: 0,
  looks: 0,
  probes: 0,
});

/** Knows records that it made itself, which a reset by another actor may have removed. */
export interface Actor {
  readonly owner: number;
  readonly random: Random;
  cars: string[];
  customers: string[];
  sales: string[];
  /** Listings of the simulated dealers. */
  wanted: string[];
}

/** Refusals that a sandbox gives because another actor resets or moves it, or because resets are ahead of the removal of old sandboxes. */
const CONTENDED = new Set(['sandbox_reset', 'clock_moving', 'account_busy', 'rate_limit_exceeded']);

export function actOnce(watch: Watch, actor: Actor): Promise<void> {
  const dice = actor.random.below(100);
  if (dice < 12) return reset(watch, actor);
  if (dice < 34) return move(watch, actor);
  if (dice < 46) return look(watch, actor);
  return write(watch, actor);
}

/** A listing for which a simulated dealer makes an offer two days later: the simulated side acts at least once. */
export async function beginWith(watch: Watch, actor: Actor): Promise<void> {
  const key = keyOf(watch, actor);
  const send = async (api: string, path: string, body: Record<string, unknown>, idempotencyKey: string) => {
    const answer = await askInRace(api, { method: 'POST', path, key, body, idempotencyKey, withinMs });
    count(watch, path, answer);
    return dataOf(answer);
  };
  const { id } = await send(watch.api, 'vehicles', aCar(`B ${actor.owner}`, { price: '14500.03' }), 'begin-car');
  await send(watch.api, 'marketplace/listings', { vehicle_id: id }, 'begin-listing');
  await send(watch.control, 'clock', { advance: '7d' }, 'begin-move');
}

function count(watch: Watch, what: string, answer: Answered): void {
  const name = answer.status < 400 ? `${answer.status}` : `${answer.status} ${codeOf(answer)}`;
  const kept = answer.status === 503 ? `${name}: ${what}` : name;
  watch.statuses[kept] = (watch.statuses[kept] ?? 0) + 1;
  watch.replies += 1;
  if (answer.status >= 500 && answer.status !== 503) watch.violations.push(`${what} was answered ${answer.text}`);
}

/** Moves of one sandbox run one after the other, and a service makes two at a time. */
const withinMs = 180_000;

const keyOf = ({ keys }: Watch, { owner }: Actor): string => keys[owner]!;

async function reset(watch: Watch, actor: Actor): Promise<void> {
  const data = actor.random.chance(0.15) ? 'sample' : 'empty';
  const present = watch.present[actor.owner]!;
  const before = [...present];
  const from = performance.now();
  const idempotencyKey = actor.random.chance(0.3) ? { idempotencyKey: `reset-${actor.random.below(1e9)}` } : {};
  const answer = await ask(watch.control, {
    method: 'POST',
    path: 'reset',
    key: keyOf(watch, actor),
    ...idempotencyKey,
    body: { data, keep_webhooks: actor.random.chance(0.5) },
    withinMs,
  });
  count(watch, `a reset to ${data}`, answer);
  if (answer.status !== 200) {
    if (!CONTENDED.has(codeOf(answer)!) && answer.status !== 503) watch.violations.push(`a reset was answered ${answer.text}`);
    return;
  }
  watch.resets += 1;
  watch.times[data].push(performance.now() - from);
  for (const id of before) if (!watch.replaced.has(id)) watch.replaced.set(id, watch.replies);
  Object.assign(actor, { cars: [], customers: [], sales: [], wanted: [] });
  checkWorld(watch, actor, answer, watch.replies);
}

const MOVES = ['1m', '45m', '6h', '1d', '1d', '3d', '7d', '30d', '60d', '200d'] as const;

async function move(watch: Watch, actor: Actor): Promise<void> {
  const advance = actor.random.pick(MOVES);
  const from = performance.now();
  const answer = await ask(watch.control, {
    method: 'POST',
    path: 'clock',
    key: keyOf(watch, actor),
    body: { advance },
    withinMs,
  });
  count(watch, `a move by ${advance}`, answer);
  if (answer.status !== 200) {
    const code = codeOf(answer)!;
    if (!CONTENDED.has(code) && code !== 'clock_out_of_range' && answer.status !== 503)
      watch.violations.push(`a move by ${advance} was answered ${answer.text}`);
    return;
  }
  watch.moves += 1;
  watch.times.move.push(performance.now() - from);
  const moved = dataOf(answer);
  const [, amount, unit] = /^(\d+)([mhd])$/.exec(advance)!;
  const span = Number(amount) * { m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as 'm' | 'h' | 'd'];
  if (Date.parse(moved.to) - Date.parse(moved.from) !== span) watch.violations.push(`a move by ${advance} went ${answer.text}`);
}

async function look(watch: Watch, actor: Actor): Promise<void> {
  const since = watch.replies;
  const clocks = new Map(watch.clocks);
  const answer = await ask(watch.control.slice(0, -1), { method: 'GET', path: '', key: keyOf(watch, actor), withinMs });
  count(watch, 'a look', answer);
  if (answer.status !== 200) {
    if (answer.status !== 503 && !CONTENDED.has(codeOf(answer)!)) watch.violations.push(`a look was answered ${answer.text}`);
    return;
  }
  watch.looks += 1;
  const { id, clock } = dataOf(answer);
  if (Date.parse(clock.now) < (clocks.get(id) ?? 0)) watch.violations.push(`the clock of ${id} went back to ${clock.now}`);
  checkWorld(watch, actor, answer, since);
}

/** A sandbox is whole, and is not shown again after its reset. */
function checkWorld(watch: Watch, { owner }: Actor, answer: Answered, since: number): void {
  const { id, data, counts, clock } = dataOf(answer);
  const at = watch.replaced.get(id);
  if (at !== undefined && at < since) watch.violations.push(`${id} was shown after its reset`);
  const others = watch.present.some((ids, place) => place !== owner && ids.has(id));
  if (others) watch.violations.push(`${id} was shown to two accounts`);
  watch.present[owner]!.add(id);
  watch.clocks.set(id, Math.max(watch.clocks.get(id) ?? 0, Date.parse(clock.now)));
  const { vehicles, customers, sales, documents } = counts;
  if (data === 'sample' && (vehicles.count < 24 || customers.count < 16 || sales.count < 10 || documents.count < 8))
    watch.violations.push(`a sandbox with sample data is not whole: ${answer.text}`);
}

interface PlannedAct {
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly keep?: 'cars' | 'customers' | 'sales';
}

const ENDINGS = ['.01', '.02', '.03', '.04', '.05', '.00'] as const;

async function write(watch: Watch, actor: Actor): Promise<void> {
  const { random } = actor;
  if (actor.wanted.length === 0 && random.chance(0.2)) return findWanted(watch, actor);
  const { path, body, keep } = draw(actor);
  const answer = await ask(watch.api, {
    method: 'POST',
    path,
    key: keyOf(watch, actor),
    body,
    idempotencyKey: `write-${random.below(1e9)}`,
    withinMs,
  });
  count(watch, `POST ${path}`, answer);
  if (answer.status >= 300) return;
  watch.writes += 1;
  const { id } = dataOf(answer);
  if (keep !== undefined) actor[keep] = [...actor[keep].slice(-9), id];
  if (keep !== undefined && random.chance(0.05))
    await probe(watch, actor, { cars: 'vehicles', customers: 'customers', sales: 'sales' }[keep], id);
}

function draw(actor: Actor): PlannedAct {
  const { random, cars, customers, sales, wanted } = actor;
  const [car, customer, sale] = [cars.at(-1), customers.at(-1), sales.at(-1)];
  const ending = random.pick(ENDINGS);
  const listed = random.below(1e6);
  const any: PlannedAct[] = [
    { path: 'vehicles', body: aCar(`W ${random.below(1e9)}`, { price: `14${(listed % 900) + 100}${ending}` }), keep: 'cars' },
    {
      path: 'customers',
      body: { first_name: 'Ayşe', last_name: 'Yılmaz', phone: '0533 123 45 67', email: 'a@example.com' },
      keep: 'customers',
    },
    { path: 'wallet/topup-requests', body: { amount: `500${ending}` } },
  ];
  if (car !== undefined) {
    any.push({ path: 'marketplace/listings', body: { vehicle_id: car } });
    any.push({ path: `vehicles/${car}/reserve`, body: {} });
    const ends_at = new Date(Date.now() + random.below(400) * 86_400_000).toISOString();
    any.push({
      path: 'network-auctions',
      body: { vehicle_id: car, start_price: `8000${ending}`, min_increment: '50.00', ends_at },
    });
    if (customer !== undefined) {
      const terms = { currency: 'STG', sale_price: '2400.00', installment_count: 6 + random.below(6), late_rate_yearly: '24.00' };
      any.push({ path: 'sales', body: { vehicle_id: car, customer_id: customer, ...terms }, keep: 'sales' });
    }
  }
  if (sale !== undefined) any.push({ path: 'collections', body: { sale_id: sale, amount: '10.00', currency: 'STG' } });
  if (wanted.length > 0) any.push({ path: 'network-offers', body: { listing_id: random.pick(wanted), amount: `9000${ending}` } });
  return random.pick(any);
}

async function findWanted(watch: Watch, actor: Actor): Promise<void> {
  const answer = await ask(watch.api, {
    method: 'GET',
    path: 'marketplace/listings?scope=network&limit=20',
    key: keyOf(watch, actor),
  });
  count(watch, 'a list', answer);
  if (answer.status === 200) actor.wanted = dataOf(answer).map(({ id }: { id: string }) => id);
}

/** Neither production nor another sandbox knows the record. */
async function probe(watch: Watch, { owner, random }: Actor, path: string, id: string): Promise<void> {
  const others = watch.keys.filter((_, place) => place !== owner);
  for (const key of [watch.dealers[owner]!.key, random.pick(others)]) {
    const answer = await ask(watch.api, { method: 'GET', path: `${path}/${id}`, key, withinMs });
    watch.probes += 1;
    if (answer.status !== 404 && answer.status !== 503)
      watch.violations.push(`${path}/${id} was shown elsewhere: ${answer.text}`);
  }
}

// A cashier beside the writers of a dealer, with a till of their own: pays bills, reverses some, moves cash to the bank and back, closes the
// day and opens it again, in the panel. What must be in the till is added up here from the replies alone. A request whose reply was lost is
// looked up by its note, because panel requests have no idempotency key.
import { setTimeout as wait } from 'node:timers/promises';
import { CURRENCIES, formatMoney } from '../../src/kit/money.ts';
import { deadline } from '../support/patience.ts';
import type { Surroundings } from './ledger-writer.ts';
import { createRandom, type Random } from './random.ts';
import type { Dealer, World } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: harnesses read arbitrary JSON
type Shown = any;
interface Reply {
  readonly status: number;
  readonly json: Shown;
}
interface Kept {
  readonly kind: 'expenses' | 'cash-transfers';
  readonly id: string;
  readonly currency: string;
  /** By how much it changed the till. */
  readonly moved: bigint;
  isReversed: boolean;
}

const minor = (text: string): bigint => BigInt(text.replace('.', ''));

/** Of one request: a service without a database answers 503. */
const MAX_FAILURES = 10;

export class TillWriter {
  private readonly around: Surroundings;
  private readonly branch: string;
  private readonly cookie: string;
  private readonly random: Random;
  private readonly name: string;
  private readonly kept: Kept[] = [];
  /** What is in the till, by currency. */
  private readonly cash = new Map<string, bigint>();
  private count = 0;

  static async open(world: World, around: Surroundings, { accountId }: Dealer, name: string, seed: number): Promise<TillWriter> {
    const [branch] = await world.query<{ id: string }>(
      `insert into branches (account_id, id, name) values ($1, gen_random_uuid(), 'Kasa') returning id`,
      [accountId],
    );
    return new TillWriter(around, branch!.id, `__Host-panel=${await world.signIn(accountId)}`, name, seed);
  }

  private constructor(around: Surroundings, branch: string, cookie: string, name: string, seed: number) {
    this.around = around;
    this.branch = branch;
    this.cookie = cookie;
    this.name = name;
    this.random = createRandom(seed);
  }

  /** Until it is stopped, or for this many actions. */
  async run(acts = Number.POSITIVE_INFINITY): Promise<void> {
    try {
      for (let done = 0; done < acts && !this.around.isStopping; done += 1) await this.next();
    } catch (error) {
      this.around.violations.push((error as Error).message);
    }
  }

  /** Where the till by the service differs from the one here. */
  async problems(): Promise<string[]> {
    const { json } = await this.ask('GET', `till?branch_id=${this.branch}&day=${this.around.today}`);
    const shown = new Map<string, bigint>(
      json.data.lines
        .filter((line: Shown) => line.method === 'Nakit')
        .map((line: Shown) => [line.currency, minor(line.expected)] as const),
    );
    return CURRENCIES.flatMap((currency) => {
      const [due, found] = [this.cash.get(currency) ?? 0n, shown.get(currency) ?? 0n];
      return due === found
        ? []
        : [`${this.name}: the till should have ${formatMoney(due)} ${currency} and has ${formatMoney(found)}`];
    });
  }

  private async next(): Promise<void> {
    this.count += 1;
    const note = `${this.name}-${this.count}`;
    const live = this.kept.filter(({ isReversed }) => !isReversed);
    if (this.random.chance(0.05)) await this.closeAndReopen();
    else if (live.length > 0 && this.random.chance(0.2)) await this.reverse(this.random.pick(live), note);
    else if (this.random.chance(0.6)) await this.spend(note);
    else await this.transfer(note);
    this.around.answered += 1;
  }

  private async spend(note: string): Promise<void> {
    const [amount, currency] = [BigInt(1 + this.random.below(90_000)), this.random.pick(CURRENCIES)];
    const method = this.random.pick(['Nakit', 'Nakit', 'Kredi Kartı']);
    const body = {
      kind: 'İşletme',
      category: 'Diğer',
      amount: formatMoney(amount),
      currency,
      method,
      branch_id: this.branch,
      note,
    };
    const made = await this.post('expenses', body, () => this.find('expenses', note));
    this.keep({ kind: 'expenses', id: made.id, currency, moved: method === 'Nakit' ? -amount : 0n, isReversed: false });
  }

  private async transfer(note: string): Promise<void> {
    const [amount, currency] = [BigInt(1 + this.random.below(90_000)), this.random.pick(CURRENCIES)];
    const isIn = this.random.chance(0.5);
    const sides = isIn
      ? { from_place: 'Çelik kasa', to_place: 'Kasa', to_branch_id: this.branch }
      : { from_place: 'Kasa', from_branch_id: this.branch, to_place: 'Banka' };
    const body = { amount: formatMoney(amount), currency, note, ...sides };
    const made = await this.post('cash-transfers', body, () => this.find('cash-transfers', note));
    this.keep({ kind: 'cash-transfers', id: made.id, currency, moved: isIn ? amount : -amount, isReversed: false });
  }

  private async reverse(one: Kept, reason: string): Promise<void> {
    await this.post(`${one.kind}/${one.id}/reverse`, { reason }, async () => {
      const list = await this.ask('GET', `${one.kind}?limit=100&branch_id=${this.branch}`);
      return list.json.data.find(({ reverses_id }: Shown) => reverses_id === one.id);
    });
    one.isReversed = true;
    this.move(one.currency, -one.moved);
  }

  /** An expense in between is refused; then the day is opened again. */
  private async closeAndReopen(): Promise<void> {
    const day = this.around.today;
    const { json } = await this.ask('GET', `till?branch_id=${this.branch}&day=${day}`);
    const counted = json.data.lines.map(({ currency, method, expected }: Shown) => ({ currency, method, amount: expected }));
    const closed = await this.post('till/closings', { branch_id: this.branch, day, counted }, async () => {
      const list = await this.ask('GET', `till/closings?branch_id=${this.branch}&limit=1`);
      return list.json.data.find((one: Shown) => one.day === day && one.reopened_at === null);
    });
    const refused = { kind: 'İşletme', category: 'Diğer', amount: '1.00', currency: 'TL', branch_id: this.branch };
    const late = await this.attempt('POST', 'expenses', refused);
    if (late !== null && late.status < 500 && late.json.error?.code !== 'day_closed')
      throw new Error(`${this.name}: an expense on a closed day was answered ${late.status}`);
    await this.post(`till/closings/${closed.id}/reopen`, { reason: 'yeniden' }, async () => {
      const list = await this.ask('GET', `till/closings?branch_id=${this.branch}&limit=100`);
      return list.json.data.find((one: Shown) => one.id === closed.id && one.reopened_at !== null);
    });
  }

  private keep(one: Kept): void {
    this.kept.push(one);
    this.move(one.currency, one.moved);
  }

  private move(currency: string, amount: bigint): void {
    this.cash.set(currency, (this.cash.get(currency) ?? 0n) + amount);
  }

  private async find(kind: Kept['kind'], note: string): Promise<Shown> {
    const { json } = await this.ask('GET', `${kind}?limit=20&branch_id=${this.branch}`);
    return json.data.find((one: Shown) => one.note === note && one.reverses_id === null);
  }

  /** Sends once more only if `find` shows that the first one was not done. */
  private async post(path: string, body: object, find: () => Promise<Shown>): Promise<Shown> {
    let failures = 0;
    for (const isOver = deadline(); !isOver() && failures < MAX_FAILURES; ) {
      const reply = await this.attempt('POST', path, body);
      if (reply?.status === 500) failures += 1;
      if (reply !== null && reply.status < 500) {
        if (reply.status < 300) return reply.json.data;
        throw new Error(`${this.name}: ${path} ${JSON.stringify(body)} was answered ${JSON.stringify(reply.json)}`);
      }
      await wait(100);
      const done = await find();
      if (done !== undefined) {
        this.around.found += 1;
        return done;
      }
    }
    throw new Error(`${this.name}: ${path} was never answered`);
  }

  /** Until there is an answer. */
  private async ask(method: 'GET', path: string): Promise<Reply> {
    for (const isOver = deadline(); !isOver(); await wait(100)) {
      const reply = await this.attempt(method, path);
      if (reply !== null && reply.status === 200) return reply;
      if (reply !== null && reply.status < 500)
        throw new Error(`${this.name}: ${path} was answered ${JSON.stringify(reply.json)}`);
    }
    throw new Error(`${this.name}: ${path} was never answered`);
  }

  private async attempt(method: 'GET' | 'POST', path: string, body?: object): Promise<Reply | null> {
    const url = new URL(this.around.api()).origin;
    try {
      const headers = { cookie: this.cookie, 'sec-fetch-site': 'same-origin' };
      const limit = () => ({ signal: AbortSignal.timeout(15_000) });
      if (method === 'GET') return await replyOf(await fetch(`${url}/panel/api/${path}`, { headers, ...limit() }));
      const session = await fetch(`${url}/panel/api/session`, { headers, ...limit() });
      if (session.status !== 200) return null;
      const csrf = ((await session.json()) as Shown).data.csrf;
      const sent = { ...headers, 'x-csrf-token': csrf, 'content-type': 'application/json' };
      return await replyOf(
        await fetch(`${url}/panel/api/${path}`, { method, headers: sent, body: JSON.stringify(body), ...limit() }),
      );
    } catch {
      return null;
    }
  }
}

const replyOf = async (response: Response): Promise<Reply> => ({ status: response.status, json: await response.json() });

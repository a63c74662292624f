// A writer: requests actions on its own sales, records requests and replies, and compares each reply with the reference.
import { type Answered, aCar, askUntilAnswered, codeOf, dataOf } from './ask.ts';
import { type Journal, openJournal } from './journal.ts';
import { type Chooser, createChooser } from './ledger-choice.ts';
import { actRequest, codeFor, holdRequest, type PlannedRequest, sellRequest } from './ledger-request.ts';
import { createRandom, type Random } from './random.ts';
import { type Beside, type SaleAct, SaleStory, type Sell } from './sale-story.ts';
import type { Dealer } from './world.ts';

export type LedgerEntry =
  | { readonly key: string; readonly today: string; readonly act: { readonly act: 'car'; readonly plate: string } | Hold | Sell }
  | { readonly key: string; readonly today: string; readonly sale: string; readonly act: SaleAct; readonly beside: Beside }
  /** `wrote`: the expected entries of the audit log. */
  | { readonly key: string; readonly answered: number; readonly ids: readonly string[]; readonly wrote: string };

/** A vehicle held for the customer who paid a deposit. */
interface Hold {
  readonly act: 'hold';
  readonly sale: Sell;
}

/** What the writers of a dealer share. */
export interface Books {
  readonly dealer: Dealer;
  readonly customers: readonly string[];
  readonly branches: readonly string[];
}

/** The surroundings of a writer. */
export interface Surroundings {
  readonly api: () => string;
  readonly violations: string[];
  readonly statuses: Record<string, number>;
  /** The number of answered actions. */
  answered: number;
  /** Of these, the ones whose first reply was lost and that were found done. */
  found: number;
  today: string;
  isStopping: boolean;
}

interface LiveSale {
  readonly key: string;
  readonly id: string;
  readonly story: SaleStory;
  /** Ids of its rows by seq; read again after a restructuring. */
  rows: string[] | null;
  readonly collections: string[][];
  readonly promises: string[];
  acts: number;
}

const MAX_LIVE = 5;
const MAX_ACTS = 40;
const REPEATED = 0.05;

type RequestEntry = Exclude<LedgerEntry, { answered: number }>;

export class LedgerWriter {
  private readonly around: Surroundings;
  private readonly books: Books;
  private readonly path: string;
  private readonly name: string;
  private readonly random: Random;
  private readonly chooser: Chooser;
  private readonly live: LiveSale[] = [];
  private readonly stock: string[] = [];
  private count = 0;

  constructor(around: Surroundings, books: Books, path: string, name: string, seed: number) {
    this.around = around;
    this.books = books;
    this.path = path;
    this.name = name;
    this.random = createRandom(seed);
    this.chooser = createChooser(this.random);
  }

  /** Until it is stopped, or for this many actions. */
  async run(acts = Number.POSITIVE_INFINITY): Promise<void> {
    const journal = await openJournal<LedgerEntry>(this.path);
    try {
      for (const end = this.count + acts; this.count < end && !this.around.isStopping; ) await this.next(journal);
    } catch (error) {
      this.around.violations.push((error as Error).message);
    } finally {
      await journal.close();
    }
  }

  private async next(journal: Journal<LedgerEntry>): Promise<void> {
    const { live, random, around } = this;
    this.count += 1;
    const key = `${this.name}-${this.count}`;
    if (live.length < 2 || (live.length < MAX_LIVE && random.chance(0.1))) return this.sell(journal, key);
    const sale = random.pick(live);
    for (const { story } of live) story.dayPassed(around.today);
    const chosen = this.chooser.acts(sale.story, around.today, this.books.branches);
    for (const [index, { asked, beside }] of chosen.entries()) await this.act(journal, `${key}-${index}`, sale, asked, beside);
    sale.acts += 1;
    if (sale.acts > MAX_ACTS) this.retire(sale);
  }

  private retire(sale: LiveSale): void {
    const place = this.live.indexOf(sale);
    if (place >= 0) this.live.splice(place, 1);
  }

  private readonly countReply = (status: string): void => {
    this.around.statuses[status] = (this.around.statuses[status] ?? 0) + 1;
  };

  /** Repeats until it is answered; records the outcome before the next request. */
  private async send(journal: Journal<LedgerEntry>, entry: RequestEntry, choice: PlannedRequest): Promise<Answered> {
    const { around, countReply } = this;
    await journal.write(entry);
    const request = { ...choice, key: this.books.dealer.key, idempotencyKey: entry.key };
    const answer = await askUntilAnswered(around.api, request, countReply);
    if (answer === null) throw new Error(`${entry.key} was never answered: ${show(entry)}`);
    around.answered += 1;
    if (answer.replayed) around.found += 1;
    const ids = answer.status < 300 ? idsIn(answer) : [];
    await journal.write({ key: entry.key, answered: answer.status, ids, wrote: wroteBy(choice, ids[0]) });
    if (this.random.chance(REPEATED)) {
      // Already answered, and repeated: nothing more may happen.
      const again = await askUntilAnswered(around.api, request, countReply);
      if (again?.status !== answer.status || (answer.status < 300 && again.text !== answer.text))
        around.violations.push(`${entry.key} was answered ${answer.text} and then ${again?.status} ${again?.text}`);
    }
    return answer;
  }

  private async read(path: string) {
    const answer = await askUntilAnswered(this.around.api, { method: 'GET', path, key: this.books.dealer.key }, this.countReply);
    if (answer?.status !== 200) throw new Error(`${path} was answered ${answer?.text}`);
    return dataOf(answer);
  }

  private async sell(journal: Journal<LedgerEntry>, key: string): Promise<void> {
    const { today } = this.around;
    const { customers, branches } = this.books;
    const plate = `${this.name} ${this.count}`;
    const vehicle = this.stock.pop() ?? (await this.takeIn(journal, `${key}-car`, plate));
    const act = this.chooser.sale(today, { vehicle, customer: this.random.pick(customers), branches, plate: `${plate} T` });
    const hasDeposit = act.deposit.amount > 0n;
    if (hasDeposit) {
      const held = await this.send(journal, { key: `${key}-hold`, today, act: { act: 'hold', sale: act } }, holdRequest(act));
      if (held.status !== 200) throw new Error(`${show(act)} was answered ${held.text} before it was sold`);
    }
    const answer = await this.send(journal, { key, today, act }, sellRequest(act));
    if (answer.status !== 201) throw new Error(`${show(act)} was answered ${answer.text}`);
    const { id } = dataOf(answer);
    const collections = hasDeposit ? [[(await this.read(`sales/${id}/collections`))[0].id]] : [];
    this.live.push({ key, id, story: new SaleStory(act), rows: null, collections, promises: [], acts: 0 });
  }

  private async takeIn(journal: Journal<LedgerEntry>, key: string, plate: string): Promise<string> {
    const choice: PlannedRequest = { method: 'POST', path: 'vehicles', body: aCar(plate) };
    const answer = await this.send(journal, { key, today: this.around.today, act: { act: 'car', plate } }, choice);
    if (answer.status !== 201) throw new Error(`${plate} was answered ${answer.text}`);
    return dataOf(answer).id;
  }

  private async rowsOf(sale: LiveSale): Promise<string[]> {
    const rows: string[] = [];
    for (const { seq, id } of (await this.read(`sales/${sale.id}/installment-plan`)).installments) rows[seq] = id;
    return rows;
  }

  private async act(journal: Journal<LedgerEntry>, key: string, sale: LiveSale, request: SaleAct, beside: Beside): Promise<void> {
    sale.rows ??= await this.rowsOf(sale);
    const { rows, collections, promises, story } = sale;
    const ids = {
      sale: sale.id,
      row: (seq: number) => rows[seq]!,
      collection: (number: number, half: 0 | 1) => collections[number]![half]!,
      promise: (number: number) => promises[number]!,
    };
    const { today } = this.around;
    const entry = { key, today, sale: sale.key, act: request, beside };
    const answer = await this.send(journal, entry, actRequest(request, beside, ids));
    const outcome = story.perform(request, beside, today);
    const isDone = answer.status < 300;
    if (isDone !== (outcome === 'done') || (!isDone && codeOf(answer) !== codeFor(outcome)))
      throw new Error(`${show(entry)} should be ${outcome} and was answered ${answer.status} ${answer.text.slice(0, 300)}`);
    if (!isDone) return;
    if (request.act === 'collect') collections.push(idsIn(answer));
    if (request.act === 'promise') promises.push(idsIn(answer)[0]!);
    if (request.act === 'restructure') sale.rows = null;
    if (request.act !== 'cancel') return;
    this.retire(sale);
    // A vehicle with a deposit that may be reopened is not for every customer.
    if (story.sold.deposit.amount === 0n) this.stock.push(story.sold.vehicle);
  }
}

const show = (value: unknown): string => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one));

/** The record, and the other half of a pair. */
function idsIn(answer: Answered): string[] {
  const data = dataOf(answer);
  const record = data.reversal ?? data;
  return [record.id, ...(record.paired_id ? [record.paired_id] : [])];
}

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

/** Endpoint and record, as the audit log names them. */
function wroteBy({ method, path }: PlannedRequest, made: string | undefined): string {
  const named = UUID.exec(path)?.[0];
  return `${method} ${path.replace(UUID, '{}')} ${named ?? made}`;
}

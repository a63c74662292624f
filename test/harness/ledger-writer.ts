// One of the writers: asks for acts on sales of its own, writes down what it asks for and what it is told, and compares each answer
// with the one the reference gives.
import { type Answered, aCar, askUntilTold, codeOf, dataOf } from './ask.ts';
import { openJournal } from './journal.ts';
import { createChooser } from './ledger-choice.ts';
import { actRequest, codeFor, holdRequest, sellRequest, type Wanted } from './ledger-request.ts';
import { createRandom } from './random.ts';
import { type Beside, type SaleAct, SaleStory, type Sell } from './sale-story.ts';
import type { Dealer } from './world.ts';

export type LedgerEntry =
  | { readonly key: string; readonly today: string; readonly act: { readonly act: 'car'; readonly plate: string } | Hold | Sell }
  | { readonly key: string; readonly today: string; readonly sale: string; readonly act: SaleAct; readonly beside: Beside }
  /** `wrote`: what stands in the audit log. */
  | { readonly key: string; readonly told: number; readonly ids: readonly string[]; readonly wrote: string };

/** A car kept for whoever gave a deposit. */
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

/** What a writer finds around it. */
export interface Surroundings {
  readonly api: () => string;
  readonly violations: string[];
  readonly statuses: Record<string, number>;
  /** How many acts were answered. */
  told: number;
  /** Of them, those whose first answer was lost and that were found done. */
  found: number;
  today: string;
  isStopping: boolean;
}

interface LiveSale {
  readonly key: string;
  readonly id: string;
  readonly story: SaleStory;
  /** Of its rows by seq; read again after a restructuring. */
  rows: string[] | null;
  readonly collections: string[][];
  readonly promises: string[];
  acts: number;
}

export interface Writer {
  /** Until it is to stop, or for so many acts. */
  run(acts?: number): Promise<void>;
}

const MAX_LIVE = 5;
const MAX_ACTS = 40;

export function createWriter(around: Surroundings, books: Books, path: string, name: string, seed: number): Writer {
  const random = createRandom(seed);
  const chooser = createChooser(random);
  const live: LiveSale[] = [];
  const stock: string[] = [];
  let count = 0;
  const hear = (status: string) => {
    around.statuses[status] = (around.statuses[status] ?? 0) + 1;
  };

  return {
    run: async (acts = Number.POSITIVE_INFINITY) => {
      const journal = await openJournal<LedgerEntry>(path);
      const { dealer, customers, branches } = books;

      /** Asked until told; what was refused or acknowledged is written down before anything else is asked. */
      const tell = async (entry: Exclude<LedgerEntry, { told: number }>, wanted: Wanted): Promise<Answered> => {
        await journal.write(entry);
        const asked = { ...wanted, key: dealer.key, idempotencyKey: entry.key };
        const answer = await askUntilTold(around.api, asked, hear);
        if (answer === null) throw new Error(`${entry.key} was never answered: ${show(entry)}`);
        around.told += 1;
        if (answer.replayed) around.found += 1;
        const ids = answer.status < 300 ? idsIn(answer) : [];
        await journal.write({ key: entry.key, told: answer.status, ids, wrote: wroteBy(wanted, ids[0]) });
        if (random.chance(0.05)) {
          // Told already, and asked again: nothing more may happen.
          const again = await askUntilTold(around.api, asked, hear);
          if (again?.status !== answer.status || (answer.status < 300 && again.text !== answer.text))
            around.violations.push(`${entry.key} was answered ${answer.text} and then ${again?.status} ${again?.text}`);
        }
        return answer;
      };

      const sell = async (key: string): Promise<void> => {
        const { today } = around;
        const plate = `${name} ${count}`;
        const vehicle = stock.pop() ?? (await takeIn(`${key}-car`, plate));
        const act = chooser.sale(today, { vehicle, customer: random.pick(customers), branches, plate: `${plate} T` });
        const hasDeposit = act.deposit.amount > 0n;
        if (hasDeposit) {
          const held = await tell({ key: `${key}-hold`, today, act: { act: 'hold', sale: act } }, holdRequest(act));
          if (held.status !== 200) throw new Error(`${show(act)} was answered ${held.text} before it was sold`);
        }
        const answer = await tell({ key, today, act }, sellRequest(act));
        if (answer.status !== 201) throw new Error(`${show(act)} was answered ${answer.text}`);
        const { id } = dataOf(answer);
        const collections = hasDeposit ? [[(await read(`sales/${id}/collections`))[0].id]] : [];
        live.push({ key, id, story: new SaleStory(act), rows: null, collections, promises: [], acts: 0 });
      };
      const read = async (path: string) => {
        const answer = await askUntilTold(around.api, { method: 'GET', path, key: dealer.key }, hear);
        if (answer?.status !== 200) throw new Error(`${path} was answered ${answer?.text}`);
        return dataOf(answer);
      };
      const takeIn = async (key: string, plate: string): Promise<string> => {
        const wanted: Wanted = { method: 'POST', path: 'vehicles', body: aCar(plate) };
        const answer = await tell({ key, today: around.today, act: { act: 'car', plate } }, wanted);
        if (answer.status !== 201) throw new Error(`${plate} was answered ${answer.text}`);
        return dataOf(answer).id;
      };

      const rowsOf = async (sale: LiveSale): Promise<string[]> => {
        const rows: string[] = [];
        for (const { seq, id } of (await read(`sales/${sale.id}/installment-plan`)).installments) rows[seq] = id;
        return rows;
      };

      const act = async (key: string, sale: LiveSale, asked: SaleAct, beside: Beside): Promise<void> => {
        sale.rows ??= await rowsOf(sale);
        const ids = {
          sale: sale.id,
          row: (seq: number) => sale.rows![seq]!,
          collection: (number: number, half: 0 | 1) => sale.collections[number]![half]!,
          promise: (number: number) => sale.promises[number]!,
        };
        const { today } = around;
        const entry = { key, today, sale: sale.key, act: asked, beside };
        const answer = await tell(entry, actRequest(asked, beside, ids));
        const outcome = sale.story.perform(asked, beside, today);
        const isDone = answer.status < 300;
        if (isDone !== (outcome === 'done') || (!isDone && codeOf(answer) !== codeFor(outcome)))
          throw new Error(`${show(entry)} should be ${outcome} and was answered ${answer.status} ${answer.text.slice(0, 300)}`);
        if (!isDone) return;
        if (asked.act === 'collect') sale.collections.push(idsIn(answer));
        if (asked.act === 'promise') sale.promises.push(idsIn(answer)[0]!);
        if (asked.act === 'restructure') sale.rows = null;
        if (asked.act === 'cancel') {
          live.splice(live.indexOf(sale), 1);
          // A car with a deposit that may be open again is not for everyone.
          if (sale.story.sold.deposit.amount === 0n) stock.push(sale.story.sold.vehicle);
        }
      };

      try {
        for (const end = count + acts; count < end && !around.isStopping; ) {
          count += 1;
          const key = `${name}-${count}`;
          if (live.length < 2 || (live.length < MAX_LIVE && random.chance(0.1))) {
            await sell(key);
            continue;
          }
          const sale = random.pick(live);
          for (const story of live.map((one) => one.story)) story.dayPassed(around.today);
          for (const [index, { asked, beside }] of chooser.acts(sale.story, around.today, branches).entries())
            await act(`${key}-${index}`, sale, asked, beside);
          sale.acts += 1;
          if (sale.acts > MAX_ACTS && live.includes(sale)) live.splice(live.indexOf(sale), 1);
        }
      } catch (error) {
        around.violations.push((error as Error).message);
      } finally {
        await journal.close();
      }
    },
  };
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
function wroteBy({ method, path }: Wanted, made: string | undefined): string {
  const named = UUID.exec(path)?.[0];
  return `${method} ${path.replace(UUID, '{}')} ${named ?? made}`;
}

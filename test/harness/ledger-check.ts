// Compares the writers' journals with what the service returns and the tables hold.
import { formatMoney } from '../../src/kit/money.ts';
import { ask, dataOf } from './ask.ts';
import { daysLater } from './civil-days.ts';
import { disagreements, gapsIn, readStories } from './history.ts';
import { readEntries } from './journal.ts';
import type { Books, LedgerEntry } from './ledger-writer.ts';
import { compareReports } from './report-compare.ts';
import { lineOf, OFFSET, SaleStory } from './sale-story.ts';
import type { World } from './world.ts';

/** What must exist of one dealer. */
export interface Expected {
  readonly sales: ReadonlyMap<string, SaleStory>;
  /** The history entries of each vehicle, by plate. */
  readonly cars: ReadonlyMap<string, readonly string[]>;
  /** Endpoint and record of every acknowledged write. */
  readonly wrote: readonly string[];
  readonly open: readonly string[];
}

/** According to the journals alone. */
export async function readLedger(paths: readonly string[], today: string): Promise<Expected> {
  const sales = new Map<string, SaleStory>();
  const cars = new Map<string, string[]>();
  const wrote: string[] = [];
  const open: string[] = [];
  for (const path of paths) {
    const requests = new Map<string, Exclude<LedgerEntry, { answered: number }>>();
    const byKey = new Map<string, SaleStory>();
    const plates = new Map<string, string>();
    for (const entry of await readEntries<LedgerEntry>(path)) {
      if (!('answered' in entry)) {
        requests.set(entry.key, entry);
        continue;
      }
      const done = requests.get(entry.key)!;
      requests.delete(entry.key);
      if (entry.answered >= 300) continue;
      wrote.push(entry.wrote);
      const carOf = ({ sold }: SaleStory) => cars.get(plates.get(sold.vehicle)!)!;
      if ('sale' in done) {
        const story = byKey.get(done.sale)!;
        for (const one of byKey.values()) one.dayPassed(done.today);
        story.perform(done.act, done.beside, done.today);
        if (done.act.act === 'cancel') {
          carOf(story).push('status_changed');
          if (story.sold.plate !== null && done.act.tradeIn === 'iade') cars.get(story.sold.plate)!.push('deleted');
        }
      } else if (done.act.act === 'car') {
        plates.set(entry.ids[0]!, done.act.plate);
        cars.set(done.act.plate, ['created']);
      } else if (done.act.act === 'hold') cars.get(plates.get(done.act.sale.vehicle)!)!.push('reserved');
      else {
        const story = new SaleStory(done.act);
        byKey.set(entry.key, story);
        sales.set(entry.ids[0]!, story);
        carOf(story).push('sold');
        if (done.act.plate !== null) cars.set(done.act.plate, ['created']);
      }
    }
    open.push(...requests.keys());
  }
  for (const story of sales.values()) story.dayPassed(today);
  return { sales, cars, wrote, open };
}

export async function compare(world: World, api: string, books: Books, expected: Expected, today: string): Promise<string[]> {
  const problems = expected.open.map((key) => `${key} was never answered`);
  if (expected.sales.size === 0) problems.push('nothing was acknowledged');
  const read = async (path: string) => {
    const answer = await ask(api, { method: 'GET', path, key: books.dealer.key });
    if (answer.status !== 200) throw new Error(`${path} could not be read: ${answer.text}`);
    return dataOf(answer);
  };
  for (const [id, story] of expected.sales) {
    const shown = pictureOf(await read(`sales/${id}`), await read(`sales/${id}/installment-plan`), today);
    problems.push(...differences(id, story.ledger.picture(today), shown));
  }
  problems.push(...(await compareCustomers(read, books, expected, today)));
  problems.push(...(await compareTill(read, books, expected, today)));
  problems.push(...(await compareTables(world, books, expected, today)));
  problems.push(...(await compareFigures(world, read, books.dealer.accountId, today)));
  problems.push(...(await gapsIn(world, books.dealer.accountId)));
  return problems;
}

/** Compares the reports with the records, for the year up to today. */
async function compareFigures(world: World, read: Read, accountId: string, today: string): Promise<string[]> {
  const session = await world.session();
  try {
    const range = { from: daysLater(today, -300), to: daysLater(today, 30), today, into: 'TL' };
    // No bulletin is stored here, so amounts cannot be converted.
    return await compareReports(
      session,
      accountId,
      async (path) => (path.includes('convert_to') ? null : read(`reports/${path}`)),
      range,
    );
  } finally {
    await session.close();
  }
}

function differences(about: string, due: readonly string[], found: readonly string[]): string[] {
  return Array.from({ length: Math.max(due.length, found.length) }, (_, index) => index)
    .filter((index) => due[index] !== found[index])
    .slice(0, 3)
    .map((index) => `${about}: should be «${due[index]}» and is «${found[index]}»`);
}

const cents = (text: string): string => text.replace('.', '').replace(/^(-?)0+(?=\d)/, '$1');

// biome-ignore lint/suspicious/noExplicitAny: what the API shows
type Shown = any;

/** In the reference's format. */
function pictureOf(sale: Shown, plan: Shown, today: string): string[] {
  const lines = plan.installments.map((row: Shown) => {
    const figures = `${cents(row.amount)} = ${cents(row.paid_amount)} + ${cents(row.discounted_amount)} + ${cents(row.remaining_amount)}`;
    const late = `${row.days_overdue} ${cents(row.late_interest)}`;
    return `${row.seq} ${row.kind} ${row.due_date} (${row.original_due_date}, ${row.postpone_count}) ${figures} ${row.status} ${row.paid_at} ${late}`;
  });
  const isCancelled = sale.status === 'İptal';
  const settlement = isCancelled ? `refunded ${cents(sale.refunded_amount)} retained ${cents(sale.retained_amount)}` : '';
  const text = (day: string | null) => day ?? 'undefined';
  // Refunds are not subtracted from the rows.
  const paid = BigInt(cents(sale.collected_amount)) + BigInt(cents(sale.refunded_amount));
  const { outstanding_amount: open, overdue_amount: overdue, discounted_amount: forgiven } = sale;
  lines.push(
    `${sale.status} ${today} ${settlement}`,
    `total ${cents(sale.total_receivable)} ${cents(plan.total_amount)} financed ${cents(sale.financed_amount)} ${cents(plan.financed_amount)} down ${cents(sale.down_payment)}`,
    `rows ${plan.installment_count} ${text(plan.first_due_date)} ${text(plan.last_due_date)} next ${text(plan.next_due_date)} ${sale.payment_type}`,
    `paid ${paid} forgiven ${cents(forgiven)} open ${cents(open)} overdue ${cents(overdue)}`,
  );
  if (sale.payoff !== null) {
    const { outstanding, late_interest, unearned_finance_charge } = sale.payoff;
    lines.push(`payoff ${cents(outstanding)} ${cents(late_interest)} ${cents(unearned_finance_charge)}`);
  }
  const ofPlan = `${plan.paid_amount} ${plan.discounted_amount} ${plan.remaining_amount} ${plan.overdue_amount} ${plan.status}`;
  const ofSale = `${formatMoney(paid)} ${forgiven} ${open} ${overdue} ${sale.status}`;
  return ofPlan === ofSale ? lines : [...lines, `the plan has ${ofPlan} and the sale ${ofSale}`];
}

type Read = (path: string) => Promise<Shown>;

/** Amounts by name, without zeros. */
class Tally {
  private readonly amounts = new Map<string, bigint>();
  add(name: string, amount: bigint): void {
    this.amounts.set(name, (this.amounts.get(name) ?? 0n) + amount);
  }
  lines(): string[] {
    return [...this.amounts]
      .filter(([, amount]) => amount !== 0n)
      .map((pair) => pair.join(' '))
      .sort();
  }
}

async function compareCustomers(read: Read, { customers }: Books, { sales }: Expected, today: string): Promise<string[]> {
  const [due, found] = [new Tally(), new Tally()];
  for (const { sold, ledger } of sales.values()) {
    const name = `${sold.customer} ${sold.terms.currency}`;
    due.add(`${name} outstanding`, ledger.open());
    due.add(`${name} overdue`, ledger.overdue(today));
    due.add(`${sold.customer} sales`, ledger.status() === 'Aktif' ? 1n : 0n);
  }
  for (const id of customers) {
    const { balances, open_sale_count } = await read(`customers/${id}`);
    for (const { currency, outstanding, overdue } of balances) {
      found.add(`${id} ${currency} outstanding`, BigInt(cents(outstanding)));
      found.add(`${id} ${currency} overdue`, BigInt(cents(overdue)));
    }
    found.add(`${id} sales`, BigInt(open_sale_count));
  }
  return differences('customers', due.lines(), found.lines());
}

const KINDS: Readonly<Record<string, string>> = {
  Tahsilat: 'gross',
  Kapora: 'gross',
  'Ters Kayıt': 'reversed',
  İade: 'refunded',
};

/** Money into and out of the till, by method and by branch. */
async function compareTill(read: Read, { branches }: Books, { sales }: Expected, today: string): Promise<string[]> {
  const [due, found] = [new Tally(), new Tally()];
  const deposits = [...sales.values()].map(({ sold }) => ({
    ...sold.deposit,
    type: 'Kapora',
    branch: null,
    currency: sold.terms.currency,
  }));
  const moved = [...deposits, ...[...sales.values()].flatMap(({ records }) => records)];
  for (const { type, method, branch, currency, amount } of moved) {
    if (method === null || method === OFFSET || amount === 0n) continue;
    for (const group of ['', method, branch ?? branches[0]!]) {
      const name = `${group} ${currency}`;
      due.add(`${name} ${KINDS[type]}`, KINDS[type] === 'gross' ? amount : -amount);
      due.add(`${name} net`, amount);
      due.add(`${name} count`, KINDS[type] === 'gross' ? 1n : 0n);
    }
  }
  const from = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`;
  for (const by of ['method', 'branch']) {
    const { currency_rows, rows } = await read(`collections/summary?from=${from}&to=${today}&group_by=${by}`);
    const whole = by === 'method' ? currency_rows.map((row: Shown) => ({ ...row, group: '' })) : [];
    for (const { group, currency, count, ...figures } of [...whole, ...rows]) {
      const name = `${group} ${currency}`;
      for (const kind of ['gross', 'reversed', 'refunded', 'net']) found.add(`${name} ${kind}`, BigInt(cents(figures[kind])));
      found.add(`${name} count`, BigInt(count));
    }
  }
  return differences('the till', due.lines(), found.lines());
}

/** The sale of a record. */
const SALE_OF = `coalesce(
  (select id from sales where account_id = $1 and id = resource_id), (select id from sales where account_id = $1 and plan_id = resource_id),
  (select sale_id from installments where account_id = $1 and id = resource_id),
  (select sale_id from collections where account_id = $1 and id = resource_id),
  (select sale_id from payment_promises where account_id = $1 and id = resource_id))`;

const OF_SALE: Readonly<Record<string, readonly [question: string, due: (story: SaleStory, books: Books) => string[]]>> = {
  'records of money': [
    `select sale_id, type || ' ' || amount_minor || ' ' || currency || ' ' || applied_amount_minor || ' ' || late_interest_amount_minor || ' '
        || coalesce(method, 'null') || ' ' || branch_id || ' ' || to_char(collected_on, 'YYYY-MM-DD') || ' [' || coalesce((select string_agg(seq || ':' || a.amount_minor, ',' order by place)
          from collection_allocations a join installments i on i.account_id = $1 and i.id = a.installment_id
          where a.account_id = $1 and a.collection_id = collections.id), '') || ']' as line
      from collections where account_id = $1 and sale_id is not null order by number`,
    ({ records }, { branches }) => records.map((record) => lineOf(record, branches[0]!)),
  ],
  events: [
    `select ${SALE_OF} as sale_id, kind || coalesce((select ' ' || seq from installments where account_id = $1 and id = resource_id), '') as line
      from events where account_id = $1 and resource_kind in ('sale', 'installment_plan', 'installment', 'collection', 'payment_promise')
        and kind not in ('installment.overdue', 'installment.due_soon') order by sequence`,
    ({ emitted }) => emitted,
  ],
  promises: [
    `select sale_id, coalesce((select seq::text from installments i where i.account_id = $1 and i.id = installment_id), 'null') || ' '
        || amount_minor || ' ' || fulfilled_amount_minor || ' ' || to_char(promised_date, 'YYYY-MM-DD') || ' ' || status as line
      from payment_promises where account_id = $1 order by created_at, id`,
    ({ promises }) => promises.all.map((one) => `${one.seq} ${one.amount} ${one.fulfilled} ${one.until} ${one.status}`),
  ],
  deposits: [
    `select s.id as sale_id, c.amount_minor || ' ' || c.method || ' ' || c.deposit_status || ' ' || (select count(*) from collections m
        where m.account_id = $1 and m.reservation_id = c.reservation_id and m.type = 'Mahsup' and m.amount_minor = -c.amount_minor)
        || ' ' || (select count(*) from events e where e.account_id = $1 and e.resource_id = c.id) as line
      from collections c join sales s on s.account_id = $1 and s.vehicle_id = c.vehicle_id and s.created_at >= c.created_at
      where c.account_id = $1 and c.type = 'Kapora'`,
    (story) => {
      const { amount, method } = story.sold.deposit;
      return amount === 0n ? [] : [`${amount} ${method} ${story.isOffset() ? 'Mahsup Edildi' : 'Açık'} 1 1`];
    },
  ],
  'activity of the customer': [
    `select ${SALE_OF} as sale_id, count(*)::text as line from customer_activity where account_id = $1 and source = 'system' group by 1`,
    ({ notes }) => [String(notes)],
  ],
};

/** Overdue rows without an event, and rows with two events for one day. */
const MISSING_EVENTS = `select i.id, count(e.id) filter (where e.kind = 'installment.overdue') as overdue,
    count(e.id) filter (where e.kind = 'installment.due_soon') as due_soon
  from installments i left join events e on e.account_id = $1 and e.resource_id = i.id
  where i.account_id = $1 group by i.account_id, i.id
  having (remaining_amount_minor > 0 and due_date < $2::date and count(e.id) filter (where e.kind = 'installment.overdue') = 0)
    or (due_date = original_due_date and postpone_count = 0 and (count(e.id) filter (where e.kind = 'installment.overdue') > 1
      or count(e.id) filter (where e.kind = 'installment.due_soon') > 1))`;

async function compareTables(world: World, books: Books, { sales, cars, wrote }: Expected, today: string): Promise<string[]> {
  const { accountId } = books.dealer;
  const missing = await world.query(MISSING_EVENTS, [accountId, today]);
  const problems = missing.map(
    (row) => `wrong day events: ${JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? Number(value) : value))}`,
  );
  for (const [what, [question, dueOf]] of Object.entries(OF_SALE)) {
    const found = new Map<string, string[]>();
    for (const { sale_id, line } of await world.query<{ sale_id: string | null; line: string }>(question, [accountId]))
      if (sale_id !== null) found.set(sale_id, [...(found.get(sale_id) ?? []), line]);
    for (const [id, story] of sales) problems.push(...differences(`${what} of ${id}`, dueOf(story, books), found.get(id) ?? []));
    for (const id of found.keys()) if (!sales.has(id)) problems.push(`${what} of ${id}, which was never acknowledged`);
  }
  const stories = await readStories(world, accountId);
  for (const story of stories) {
    problems.push(...disagreements(story));
    problems.push(...differences(`history of ${story.plate}`, cars.get(story.plate) ?? [], story.history));
  }
  if (stories.length !== cars.size) problems.push(`there are ${stories.length} cars and should be ${cars.size}`);
  const audited = await world.query<{ line: string }>(
    `select regexp_replace(action, '\\{\\w+\\}', '{}') || ' ' || target as line from audit_log where account_id = $1 and actor_type = 'api_key'`,
    [accountId],
  );
  problems.push(...differences('the audit log', wrote.toSorted(), audited.map(({ line }) => line).sort()));
  return problems;
}

// After a run: the journals, the tables, the statements of the API, the webhooks and the event streams must agree.
import { until } from '../../support/patience.ts';
import { dataOf } from '../ask.ts';
import { disagreements, gapsIn, readStories } from '../history.ts';
import { readEntries } from '../journal.ts';
import type { Dealer } from '../world.ts';
import type { Site } from './site.ts';
import type { Traffic } from './traffic.ts';
import { type Act, type Entry, priceOf, type Writer } from './writer.ts';

interface Car {
  readonly plate: string;
  price: string;
  changes: number;
}

/** What must be stored of a dealer, according to the journals alone. */
interface Due {
  readonly cars: Map<string, Car>;
  /** Collections by sale. */
  readonly money: Map<string, Set<string>>;
  readonly open: Act[];
}

/** The writers have ended. */
export async function compare(site: Site, traffic: Traffic): Promise<string[]> {
  const problems: string[] = [];
  for (const dealer of traffic.dealers) {
    const due = await readDue(traffic.writers.filter(({ books }) => books.dealer === dealer));
    problems.push(...due.open.map((act) => `${JSON.stringify(act)} was never answered`));
    problems.push(...(await compareCars(site, dealer, due)));
    problems.push(...(await compareMoney(site, traffic, dealer, due)));
    problems.push(...(await gapsIn(site, dealer.accountId)));
    problems.push(...(await compareEvents(site, traffic, dealer)));
  }
  return problems;
}

async function readDue(writers: readonly Writer[]): Promise<Due> {
  const due: Due = { cars: new Map(), money: new Map(), open: [] };
  for (const { path } of writers) {
    const asked = new Map<string, Act>();
    for (const entry of await readEntries<Entry>(path)) {
      if ('asked' in entry) {
        asked.set(entry.key, entry);
        continue;
      }
      apply(due, asked.get(entry.key)!, entry.id);
      asked.delete(entry.key);
    }
    due.open.push(...asked.values());
  }
  return due;
}

function apply({ cars, money }: Due, act: Act, id: string): void {
  if (act.asked === 'car') cars.set(id, { plate: act.plate, price: priceOf(0), changes: 0 });
  if (act.asked === 'price') Object.assign(cars.get(id)!, { price: priceOf(act.value), changes: cars.get(id)!.changes + 1 });
  if (act.asked === 'money') money.set(act.sale, (money.get(act.sale) ?? new Set()).add(id));
}

async function compareCars(site: Site, { accountId }: Dealer, { cars }: Due): Promise<string[]> {
  const problems: string[] = [];
  const stories = new Map((await readStories(site, accountId)).map((story) => [story.id, story]));
  for (const [id, { plate, price, changes }] of cars) {
    const story = stories.get(id);
    stories.delete(id);
    if (story === undefined) {
      problems.push(`lost: ${plate} was acknowledged`);
      continue;
    }
    const made = story.history.filter((entry) => entry === 'price_changed').length;
    if (story.plate !== plate || story.price !== price)
      problems.push(`lost: ${plate} should cost ${price} and costs ${story.price}`);
    if (made !== changes)
      problems.push(`${made > changes ? 'doubled' : 'lost'}: ${changes} prices of ${plate} left ${made} entries`);
    problems.push(...disagreements(story));
  }
  const others = [...stories.values()].filter(({ plate }) => !plate.startsWith('SOLD '));
  return [...problems, ...others.map(({ plate }) => `doubled: ${plate} exists and was never acknowledged`)];
}

/** The sums of the sales, and what the API states of them. */
async function compareMoney(site: Site, traffic: Traffic, dealer: Dealer, { money }: Due): Promise<string[]> {
  const problems: string[] = [];
  const rows = await site.query<{ id: string; sale_id: string }>('select id, sale_id from collections where account_id = $1', [
    dealer.accountId,
  ]);
  const stored = Map.groupBy(rows, ({ sale_id }) => sale_id);
  for (const { books } of traffic.writers.filter((writer) => writer.books.dealer === dealer).slice(0, 1)) {
    for (const { id } of books.sales) {
      const due = money.get(id) ?? new Set();
      const ids = new Set((stored.get(id) ?? []).map((row) => row.id));
      const lost = [...due].filter((one) => !ids.has(one)).length;
      const doubled = [...ids].filter((one) => !due.has(one)).length;
      if (lost > 0) problems.push(`lost: ${lost} collections of the sale ${id} were acknowledged`);
      if (doubled > 0) problems.push(`doubled: ${doubled} collections of the sale ${id} were never acknowledged`);
      const shown = await traffic.caller.untilAnswered({ method: 'GET', path: `sales/${id}`, key: dealer.key });
      const { collected_amount } = dataOf(shown!) as { collected_amount: string };
      if (Number(collected_amount) !== ids.size)
        problems.push(`the sale ${id} states ${collected_amount} and has ${ids.size} collections of 1.00`);
    }
  }
  return problems;
}

/** Every event came to the webhook and to the stream. */
async function compareEvents(site: Site, { receiver, listeners }: Traffic, { accountId }: Dealer): Promise<string[]> {
  const problems: string[] = [];
  const listener = listeners.find((one) => one.accountId === accountId)!;
  const [last] = await site.query<{ sequence: bigint }>('select sequence from data_sets where id = $1', [accountId]);
  const waiting = `select count(*)::int as count from webhook_deliveries where account_id = $1 and status = 'Bekliyor'`;
  const isThrough = async () =>
    listener.position >= Number(last!.sequence) && (await site.query<{ count: number }>(waiting, [accountId]))[0]!.count === 0;
  await until(isThrough, 'all events were delivered').catch((error: Error) => problems.push(error.message));
  if (listener.position !== Number(last!.sequence))
    problems.push(`the event stream of ${accountId} ended at ${listener.position} of ${last!.sequence}`);
  const events = await site.query<{ id: string; kind: string; payload: string; status: string | null }>(
    `select e.id, e.kind, payload, d.status from events e
     left join webhook_deliveries d on d.account_id = e.account_id and d.event_id = e.id where e.account_id = $1`,
    [accountId],
  );
  const known = new Set(events.map(({ id }) => id));
  for (const { id, kind, payload, status } of events) {
    if (kind.startsWith('webhook.')) continue;
    const came = receiver.received.get(`${accountId} ${id}`);
    if (came === undefined || came.accepted === 0) problems.push(`lost: the webhook of ${kind} ${id} (${status})`);
    else if (came.body !== payload) problems.push(`the webhook of ${kind} ${id} has other bytes than were committed`);
  }
  for (const { endpoint, id } of receiver.received.values())
    if (endpoint === accountId && !known.has(id)) problems.push(`lost: ${id} came to the webhook and is not stored`);
  return problems;
}

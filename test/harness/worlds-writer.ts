// Writers of production beside sandboxes: what each was answered is all that may be stored, at the time of the request.
import { setTimeout as wait } from 'node:timers/promises';
import { aCar, askInRace, dataOf } from './ask.ts';
import { gapsIn } from './history.ts';
import type { Dealer, World } from './world.ts';

const PAUSE_MS = 40;
const withinMs = 60_000;
/** The database's clock and this one are the same machine's; a reply has milliseconds. */
const CLOCK_MS = 1000;

export interface Ledger {
  readonly dealer: Dealer;
  readonly tag: string;
  /** Price by plate. */
  readonly created: Map<string, string>;
  repriced: number;
  readonly violations: string[];
}

export const newLedger = (dealer: Dealer, place: number): Ledger => ({
  dealer,
  tag: `PR${place}`,
  created: new Map(),
  repriced: 0,
  violations: [],
});

/** One car after the other, every third repriced, until `isOver`. */
export async function writeOn(ledger: Ledger, api: string, isOver: () => boolean): Promise<void> {
  const { dealer, created, violations } = ledger;
  while (!isOver()) {
    const plate = `${ledger.tag} ${created.size}`;
    const before = Date.now();
    const answer = await askInRace(api, { method: 'POST', path: 'vehicles', key: dealer.key, body: aCar(plate), withinMs });
    if (answer.status !== 201) {
      violations.push(`production's write was answered ${answer.text}`);
      return;
    }
    const { id, created_at } = dataOf(answer);
    const at = Date.parse(created_at);
    if (at < before - CLOCK_MS || at > Date.now() + CLOCK_MS)
      violations.push(`${plate} has the time ${created_at} at ${new Date().toISOString()}`);
    created.set(plate, '14500.00');
    if (created.size % 3 === 0) await reprice(ledger, api, id, plate);
    await wait(PAUSE_MS);
  }
}

async function reprice(ledger: Ledger, api: string, id: string, plate: string): Promise<void> {
  const price = `${10_000 + ledger.repriced}.00`;
  const answer = await askInRace(api, {
    method: 'PATCH',
    path: `vehicles/${id}`,
    key: ledger.dealer.key,
    body: { price },
    withinMs,
  });
  if (answer.status !== 200) ledger.violations.push(`production's change was answered ${answer.text}`);
  ledger.created.set(plate, price);
  ledger.repriced += 1;
}

/** What is stored, compared with what was answered. */
export async function wrongWrites(world: World, { dealer, created, repriced, tag }: Ledger): Promise<string[]> {
  const { accountId } = dealer;
  const stored = await world.query<{ plate: string; price: string }>(
    'select plate, money_text(price_minor) as price from vehicles where account_id = $1',
    [accountId],
  );
  const found = stored
    .filter(({ plate, price }) => created.get(plate) !== price)
    .map(({ plate, price }) => `${tag}: ${plate} costs ${price}`);
  if (stored.length !== created.size) found.push(`${tag}: ${stored.length} cars, ${created.size} answered`);
  const [set] = await world.query<{ sequence: number; version: number }>(
    'select sequence::int, version::int from data_sets where id = $1',
    [accountId],
  );
  // A new price is two events.
  const events = created.size + 2 * repriced;
  if (set!.sequence !== events) found.push(`${tag}: sequence ${set!.sequence} after ${events} events`);
  // Beginning at 1.
  const writes = 1 + created.size + repriced;
  if (set!.version !== writes) found.push(`${tag}: version ${set!.version} after ${writes - 1} writes`);
  return [...found, ...(await gapsIn(world, accountId))];
}

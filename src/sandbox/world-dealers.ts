// The dealers of a world: the dealer's own account and three simulated dealers, from the demonstration's makers. What they hold depends
// on the country of the owner only; their ids contain the world's.

import { type DemoDealer, dealerOf } from '../demo/demo-dealer.ts';
import { idOf } from '../demo/demo-random.ts';
import { DEMO_CITIES, DEMO_DEALERS } from '../demo/demo-words.ts';
import type { Country } from '../domain/accounts/accounts.ts';

export interface WorldDealers {
  readonly own: DemoDealer;
  readonly simulated: readonly DemoDealer[];
}

export interface WorldOwner {
  readonly name: string;
  readonly city: string | null;
  readonly country: Country;
}

const SIMULATED = 3;

export function dealersOf(worldId: string, { name, city, country }: WorldOwner): WorldDealers {
  const cities = DEMO_CITIES[country];
  const home = cities.find((one) => one.name === city) ?? cities[0]!;
  const own: DemoDealer = { index: 0, scope: worldId, id: worldId, name, country, city: home };
  return { own, simulated: simulatedDealers(worldId, country) };
}

/** Those of the owner's country, so that prices are in one currency; none has the name of a dealer of the demonstration. */
export function simulatedDealers(worldId: string, country: Country): DemoDealer[] {
  const found: DemoDealer[] = [];
  for (let index = DEMO_DEALERS.length; found.length < SIMULATED; index += 1) {
    const dealer = dealerOf(index);
    if (dealer.country !== country) continue;
    found.push({ ...dealer, scope: `${worldId} ${index}`, id: idOf('dealer', worldId, index) });
  }
  return found;
}

// The dealers of the demonstration: three with given names, and more on request.
import type { Country } from '../domain/accounts/accounts.ts';
import { idOf } from './demo-random.ts';
import { DEALER_KINDS, DEALER_NAMES, DEMO_CITIES, DEMO_DEALERS, type DemoCity } from './demo-words.ts';

export interface DemoDealer {
  /** Decides what is random about the dealer. */
  readonly index: number;
  /** Part of every id, so that the same dealer can exist several times: the index in the demonstration. */
  readonly scope: string | number;
  readonly id: string;
  readonly name: string;
  readonly country: Country;
  readonly city: DemoCity;
}

/** Dealers beyond the named ones get a name of two words, and a number once all pairs are used. */
export function dealerOf(index: number): DemoDealer {
  const id = idOf('dealer', index);
  const named = DEMO_DEALERS[index];
  if (named)
    return { ...named, index, scope: index, id, city: DEMO_CITIES[named.country].find(({ name }) => name === named.city)! };
  const generated = index - DEMO_DEALERS.length;
  const country = generated % 2 === 0 ? 'TR' : 'KKTC';
  const cities = DEMO_CITIES[country];
  const round = Math.floor(generated / (DEALER_NAMES.length * DEALER_KINDS.length));
  const kind = DEALER_KINDS[Math.floor(generated / DEALER_NAMES.length) % DEALER_KINDS.length]!;
  const name = `${DEALER_NAMES[generated % DEALER_NAMES.length]} ${kind}${round === 0 ? '' : ` ${round + 1}`}`;
  return { index, scope: index, id, name, country, city: cities[Math.floor(generated / 2) % cities.length]! };
}

// Dealers who trade with each other.
import { aDealer, carOf, dataOf, type Shown } from '../../support/books.ts';
import type { TestService } from '../../support/service.ts';
import { type Dealer, newDealer } from '../../support/writer.ts';

let phones = 1_000_000;

export const named = (api: TestService, name: string, overrides: Record<string, unknown> = {}): Promise<Dealer> =>
  newDealer(api, { name, city: 'Girne', phone: `+90533${++phones}`, ...overrides });

export interface Published {
  readonly car: string;
  readonly listing: string;
}

export async function publish(dealer: Dealer, overrides: Record<string, unknown> = {}): Promise<Published> {
  const car = await carOf(dealer, { price: '13000.00', ...overrides });
  const { listing_id } = dataOf(await dealer.post(`vehicles/${car}/publish`));
  return { car, listing: listing_id };
}

export const offer = async (
  buyer: Dealer,
  listing_id: string,
  amount: string,
  overrides: Record<string, unknown> = {},
): Promise<Shown> => dataOf(await buyer.post('network-offers', { listing_id, amount, ...overrides }));

export const statusOf = async (dealer: Dealer, path: string): Promise<string> => dataOf(await dealer.get(path)).status;

export { aDealer };

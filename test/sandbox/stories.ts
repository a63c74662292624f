// Stories S1, S4, S6, S9 and S10 of the acceptance stories as a script of a sandbox key: the other side is simulated, and the clock of
// the sandbox stops at fixed instants.
import { expect } from 'vitest';
import { dataOf, newKey, type Shown, verdictOf } from '../support/books.ts';
import type { TestService } from '../support/service.ts';
import { aCar, aPerson, type Dealer } from '../support/writer.ts';
import { generate } from '../writes/documents/papers.ts';

const DAY = 86_400_000;

export interface Script {
  readonly dealer: Dealer;
  /** Moves the clock of the sandbox to a time of a day of the script. */
  to(days: number, time?: string): Promise<void>;
  /** `2027-03-01` */
  day(days: number): string;
  at(days: number, time?: string): string;
}

/** `first` is the first day of the script, the same for all sandboxes that are compared. */
export function scriptOf(api: TestService, dealer: Dealer, first: Date): Script {
  const at = (days: number, time = '09:00:00') =>
    `${new Date(first.getTime() + days * DAY).toISOString().slice(0, 10)}T${time}.000Z`;
  return {
    dealer: { ...dealer, post: (path, body, headers) => dealer.post(path, body, { ...newKey(), ...headers }) },
    at,
    day: (days) => at(days).slice(0, 10),
    to: async (days, time) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ to: at(days, time) });
      const moved = await api.call('/sandbox/v1/clock', { method: 'POST', key: dealer.key, headers, body });
      expect(moved.status, moved.text).toBe(200);
    },
  };
}

const carOf = async ({ dealer }: Script, plate: string, overrides: object = {}): Promise<string> =>
  dataOf(await dealer.post('vehicles', aCar({ plate, ...overrides }))).id;
const customerOf = async ({ dealer }: Script, name: string, overrides: object = {}): Promise<string> =>
  dataOf(await dealer.post('customers', aPerson({ first_name: name, id_no: `KIMLIK${name.length}`, ...overrides }))).id;
const pay = async (
  { dealer }: Script,
  sale_id: string,
  amount: string,
  currency = 'STG',
  overrides: object = {},
): Promise<Shown> => dataOf(await dealer.post('collections', { sale_id, amount, currency, ...overrides }));
const saleOf = async ({ dealer }: Script, id: string): Promise<Shown> => dataOf(await dealer.get(`sales/${id}`));

/** A car in sterling with a guarantor and notes, signed by link, paid in lira, bounced, then in dollars. */
export async function playS1(script: Script): Promise<void> {
  const { dealer, to, day } = script;
  await to(0);
  const vehicle_id = await carOf(script, 'S1 1', { price: '14500.00' });
  const customer_id = await customerOf(script, 'Birgül', { email: 'imzalar@example.com' });
  const guarantor = {
    first_name: 'Kemal',
    last_name: 'Taş',
    phone: '0533 765 43 21',
    email: 'gec@example.com',
    id_no: 'KEFIL1',
    address: 'Girne',
  };
  const { id: guarantor_id } = dataOf(await dealer.post(`customers/${customer_id}/guarantors`, guarantor));
  dataOf(await dealer.post(`vehicles/${vehicle_id}/reserve`, { customer_id, reserved_until: day(5) }));
  const terms = {
    currency: 'STG',
    sale_price: '14250.00',
    down_payment: '4000.00',
    finance_charge: '1050.00',
    installment_count: 12,
  };
  const sold = {
    vehicle_id,
    customer_id,
    guarantor_ids: [guarantor_id],
    ...terms,
    first_due_date: day(31),
    delivery_due_on: day(3),
  };
  const { id } = dataOf(await dealer.post('sales', sold));
  dataOf(await dealer.post('promissory-notes', { sale_id: id, issue_place: 'Lefkoşa' }));
  const document = dataOf(await generate(dealer, id, 'teslim_tutanagi'));
  dataOf(await dealer.post(`sale-documents/${document.id}/send`, { channel: 'E-posta' }));
  await pay(script, id, '4000.00');
  await to(4);
  expect(dataOf(await dealer.get(`documents/${document.id}`)).status).toBe('İmzalandı');
  await to(30);
  await pay(script, id, '1000.00');
  await to(58);
  const { id: bounced } = await pay(script, id, '60000.00', 'TL');
  dataOf(await dealer.post(`collections/${bounced}/reverse`, { reason: 'havale iade' }));
  await to(70);
  await pay(script, id, '1000.00', 'USD');
  const { outstanding_amount } = await saleOf(script, id);
  await pay(script, id, outstanding_amount);
  expect(await saleOf(script, id)).toMatchObject({ status: 'Tamamlandı', outstanding_amount: '0.00' });
}

/** Offers to simulated dealers with every outcome. */
export async function playS4(script: Script): Promise<void> {
  const { dealer, to } = script;
  await to(80);
  const listings = dataOf(await dealer.get('marketplace/listings?scope=network&limit=100')) as unknown as Shown[];
  // In the order of the list, which is the same in every sandbox.
  const chosen = listings.slice(0, 6);
  const made: Shown[] = [];
  for (const [place, ending] of ['.01', '.02', '.03', '.04', '.05', '.00'].entries())
    made.push(dataOf(await dealer.post('network-offers', { listing_id: chosen[place]!.id, amount: `900${place}${ending}` })));
  const open = dataOf(await dealer.get('network-offers?limit=100')) as unknown as Shown[];
  const counter = open.find(({ made_by, status }) => made_by === 'seller' && status === 'Beklemede')!;
  dataOf(await dealer.post(`network-offers/${counter.id}/counter`, { amount: '9100.03' }));
  await to(90);
  const statuses = await Promise.all(made.map(async ({ id }) => dataOf(await dealer.get(`network-offers/${id}`)).status));
  expect(statuses).toEqual(['Reddedildi', 'Karşı Teklif', 'Kabul Edildi', 'Süresi Doldu', 'Bozuldu', 'Kabul Edildi']);
}

/** Wallet, boosts, consumers' offers, a cash sale. */
export async function playS6(script: Script): Promise<void> {
  const { dealer, to, at } = script;
  await to(100);
  const verdicts: string[] = [];
  for (const amount of ['5000.01', '5000.02', '5000.00'])
    dataOf(await dealer.post('wallet/topup-requests', { amount, reference: 'DK 1' }));
  const vehicle_id = await carOf(script, 'S6 1', { price: '13900.03' });
  const { id: listing_id } = dataOf(await dealer.post('marketplace/listings', { vehicle_id }));
  const boost = (fields: object) => dealer.post('boost-orders', { listing_id, ...fields });
  const waiting = dataOf(await boost({ package: 'Vitrin-7', starts_at: at(102) }));
  dataOf(await dealer.delete(`boost-orders/${waiting.id}`));
  verdicts.push(verdictOf(await dealer.delete(`boost-orders/${waiting.id}`)));
  const running = dataOf(await boost({ package: 'Üst Sıra-14' }));
  verdicts.push(verdictOf(await dealer.delete(`boost-orders/${running.id}`)));
  expect(verdicts).toEqual(['409 boost_already_cancelled', '409 boost_active']);
  await to(104);
  const offers = dataOf(await dealer.get(`marketplace/listings/${listing_id}/offers`)) as unknown as Shown[];
  expect(offers).toHaveLength(2);
  const best = offers.toSorted((one, other) => Number(other.amount) - Number(one.amount))[0]!;
  dataOf(await dealer.post(`marketplace/listings/${listing_id}/offers/${best.id}/accept`));
  const customer_id = await customerOf(script, 'Meral');
  const sold = { vehicle_id, customer_id, currency: 'STG', sale_price: best.amount, down_payment: best.amount };
  const { id } = dataOf(await dealer.post('sales', sold));
  await pay(script, id, best.amount);
  expect((await saleOf(script, id)).status).toBe('Tamamlandı');
}

/** Deposit, late interest, restructuring, early settlement, its reversal: in Türkiye. */
export async function playS9(script: Script): Promise<void> {
  const { dealer, to, day } = script;
  await to(0);
  const vehicle_id = await carOf(script, 'S9 1', { price: '600000.00', currency: 'TL' });
  const customer_id = await customerOf(script, 'Dursun', { email: 'dursun@example.com' });
  dataOf(await dealer.post(`vehicles/${vehicle_id}/reserve`, { customer_id, deposit_amount: '20000.00' }));
  await to(3);
  const terms = {
    sale_price: '600000.00',
    down_payment: '150000.00',
    finance_charge: '48000.00',
    late_rate_yearly: 30,
    installment_count: 8,
  };
  const { id } = dataOf(
    await dealer.post('sales', { vehicle_id, customer_id, currency: 'TL', ...terms, first_due_date: day(34), round_to: 100 }),
  );
  await pay(script, id, '130000.00', 'TL');
  await to(54);
  const overdue = dataOf(await dealer.get('installments/overdue?limit=100')) as unknown as Shown[];
  const late = overdue.find(({ sale_id }) => sale_id === id);
  // 62,200.00 at 30 % a year for 20 days, as domain.md has it.
  expect(late).toMatchObject({ seq: 1, days_overdue: 20, late_interest: '1022.47' });
  await pay(script, id, '63222.47', 'TL', { late_interest_amount: '1022.47' });
  await to(69);
  const restructure = { from: day(95), installment_count: 10, add_finance_charge: '15000.00', reason: 'iş değişikliği' };
  dataOf(await dealer.patch(`sales/${id}`, { restructure }));
  await to(95);
  await pay(script, id, '45080.00', 'TL');
  const { payoff } = await saleOf(script, id);
  const cents = (amount: string) => BigInt(amount.replace('.', ''));
  const due = cents(payoff.outstanding) - cents(payoff.unearned_finance_charge);
  const early = { discount_amount: payoff.unearned_finance_charge, discount_reason: 'Erken Ödeme' };
  const settled = await pay(script, id, `${due / 100n}.${String(due % 100n).padStart(2, '0')}`, 'TL', early);
  expect((await saleOf(script, id)).status).toBe('Tamamlandı');
  dataOf(await dealer.post(`collections/${settled.id}/reverse`, { reason: 'havale iade' }));
  expect(await saleOf(script, id)).toMatchObject({ status: 'Aktif', outstanding_amount: '405720.00' });
  await to(330);
}

/** Auctions: own ones with every outcome, and bids in that of a simulated dealer. */
export async function playS10(script: Script): Promise<void> {
  const { dealer, to, at } = script;
  await to(110);
  const made: Shown[] = [];
  for (const [place, ending] of ['.01', '.02', '.03', '.00'].entries()) {
    const vehicle_id = await carOf(script, `S10 ${place}`);
    const body = {
      vehicle_id,
      start_price: `8000${ending}`,
      min_increment: '100.00',
      reserve_price: '8500.00',
      ends_at: at(111),
    };
    made.push(dataOf(await dealer.post('network-auctions', body)));
  }
  const asked = { vehicle_id: await carOf(script, 'S10 R'), start_price: '8000.00', note: 'lütfen' };
  dataOf(await dealer.post('auction-requests', asked));
  await to(120);
  const ended = await Promise.all(made.map(async ({ id }) => dataOf(await dealer.get(`network-auctions/${id}`))));
  expect(ended.map(({ result, extension_count }) => [result, extension_count])).toEqual([
    ['Satılmadı', 0],
    ['Satılmadı', 0],
    ['Satıldı', 1],
    ['Satıldı', 0],
  ]);
  expect(ended.map(({ bid_count }) => bid_count)).toEqual([0, 1, 3, 3]);
}

// The sales of the demonstration are exactly what the API would have created from the same actions.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BookAct } from '../../../src/demo/demo-book.ts';
import { type DemoSale, demoBuyers, newDemoSales } from '../../../src/demo/demo-sales.ts';
import { SOLD } from '../../../src/demo/demo-stories.ts';
import { sealingKeys } from '../../../src/domain/vault/vault.ts';
import { formatMoney } from '../../../src/kit/money.ts';
import { aDealer, carOf, customerOf, dataOf, newKey, rowsOf, type Shown } from '../../support/books.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, dealerWith, openAll } from '../../support/writer.ts';
import { DEALERS, loadAll, ZONES } from './load-all.ts';

/** One of each story at a dealer of each country. */
const CHOSEN = DEALERS.slice(0, 2);

describe('the same actions through the API', () => {
  const now = new Date('2026-03-31T20:45:00Z');
  let api: TestService;
  beforeAll(async () => {
    api = await testService({ at: '2023-09-01T07:00:00Z' });
    await openAll(api);
    await loadAll(api, now, CHOSEN);
  });
  afterAll(() => api?.close());

  it.each(CHOSEN)('produce what is loaded at $name', async (demo) => {
    const keys = sealingKeys(api.secrets, demo.id);
    const made = newDemoSales(demo, keys, { now, timezone: ZONES[demo.country], buyers: demoBuyers(demo, keys, 40, now) });
    const chosen = [...new Map(made.sales.toReversed().map((sale) => [sale.story, sale])).values()];
    expect(chosen.length).toBe(new Set(SOLD.map(([, story]) => story)).size);
    const dealer = await aDealer(api, demo.country);
    const sales = await replay(dealer, chosen);
    const { secret } = await api.key(demo.id, { endpoints: ALL });
    const loaded = dealerWith(api, demo.id, secret);
    for (const sale of chosen)
      expect(await shownOf(dealer, sales.get(sale)!), sale.story).toEqual(await shownOf(loaded, sale.id));
  });

  const ALL = [
    'GET sales/{sale_id}',
    'GET sales/{sale_id}/installment-plan',
    'GET sales/{sale_id}/collections',
    'GET payment-promises',
  ];

  async function replay(dealer: Dealer, chosen: readonly DemoSale[]): Promise<Map<DemoSale, string>> {
    const names = new Map<DemoSale, { car: string; customer: string; id: string; collections: string[] }>();
    api.clock.advance(Date.parse('2023-09-01T07:00:00Z') - api.clock.now().getTime());
    for (const [n, sale] of chosen.entries()) {
      const { price_minor, currency } = sale.car;
      const car = await carOf(dealer, {
        price: formatMoney(price_minor),
        currency,
        plate: `PL ${dealer.accountId.slice(-4)} ${n}`,
      });
      const customer = await customerOf(dealer, { phone: `053384${String(10_000 + n)}`, id_no: null });
      names.set(sale, { car, customer, id: '', collections: [] });
    }
    const acts = chosen.flatMap((sale) => sale.book.acts.map((act) => ({ sale, act })));
    for (const { sale, act } of acts.toSorted((a, b) => a.act.at.getTime() - b.act.at.getTime())) {
      api.clock.advance(act.at.getTime() - api.clock.now().getTime());
      const of = names.get(sale)!;
      const done = dataOf(await act1(dealer, of, act));
      if (act.does === 'sell') of.id = done.id;
      const posted = act.does === 'reverse' ? done.reversal : done;
      // A pair returns its first half; positions in the book count both.
      if (act.does === 'collect' || act.does === 'reverse')
        of.collections.push(posted.id, ...(posted.paired_id ? [posted.paired_id] : []));
      if (act.does === 'reserve') of.collections.push(done.reservation.deposit.collection_id);
      if (act.does === 'sell' && sale.book.terms.deposit !== undefined) of.collections.push('', '');
    }
    api.clock.advance(now.getTime() - api.clock.now().getTime());
    return new Map([...names].map(([sale, { id }]) => [sale, id]));
  }

  async function act1(dealer: Dealer, of: { car: string; customer: string; id: string; collections: string[] }, act: BookAct) {
    const { body } = act;
    if (act.does === 'reserve') return dealer.post(`vehicles/${of.car}/reserve`, { customer_id: of.customer, ...body }, newKey());
    if (act.does === 'sell')
      return dealer.post('sales', { vehicle_id: of.car, customer_id: of.customer, late_rate_yearly: '30', ...body }, newKey());
    if (act.does === 'collect') return dealer.post('collections', { sale_id: of.id, ...body }, newKey());
    if (act.does === 'reverse') return dealer.post(`collections/${of.collections[act.collection!]}/reverse`, body, newKey());
    if (act.does === 'promise') return dealer.post('payment-promises', { sale_id: of.id, ...body }, newKey());
    if (act.does === 'restructure') return dealer.patch(`sales/${of.id}`, { restructure: body });
    if (act.does === 'cancel') return dealer.post(`sales/${of.id}/cancel`, body, newKey());
    const row = (await rowsOf(dealer, of.id)).find(({ seq }) => seq === act.row)!;
    return dealer.post(`installments/${row.id}/postpone`, body, newKey());
  }

  const without = (shown: Shown, ...names: string[]): Shown =>
    Object.fromEntries(
      Object.entries(shown).filter(
        ([name]) => (!names.includes(name) && !/(^|_)ids?$|_no$|_at$/.test(name)) || name === 'paid_at',
      ),
    );

  /** The clock of the tests runs during them. */
  const minuteOf = (at: string | null) => at?.slice(0, 16) ?? null;

  /** All figures, dates and states, without ids, numbers and what only the demonstration fills in. */
  async function shownOf(dealer: Dealer, id: string): Promise<unknown> {
    const sale = dataOf(await dealer.get(`sales/${id}`));
    const rows = await rowsOf(dealer, id);
    const money = (await dealer.get(`sales/${id}/collections?limit=100`)).json.data as Shown[];
    const promises = (await dealer.get(`payment-promises?sale_id=${id}`)).json.data as Shown[];
    return {
      sale: without(sale, 'delivered_at', 'title_transfer', 'legal_stage', 'late_rate_yearly', 'guarantor_ids'),
      cancelled: minuteOf(sale.cancelled_at),
      rows: rows.map((row) => without(row)),
      money: money.map(({ allocations, created_at, ...one }) => ({
        ...without(one),
        created_at: minuteOf(created_at),
        isReversed: one.reversed_by_id !== null,
        isPaired: one.paired_id !== null,
        allocations: (allocations as Shown[]).map(({ seq, amount }) => `${seq} ${amount}`),
      })),
      promises: promises.map((one) => ({ ...without(one), isResolved: one.resolved_at !== null })),
    };
  }
});

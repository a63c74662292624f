// Trades between two dealers: proposed, answered, agreed on both vehicles at once, kept when both are sold, and cancelled by
// either party.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carOf, dataOf, type Shown, verdictOf } from '../../support/books.ts';
import { eventsBy } from '../../support/events.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';
import { named, offer, type Published, publish, statusOf } from './network.ts';

let api: TestService;
let asks: Dealer;
let owns: Dealer;
let third: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  [asks, owns, third] = [await named(api, 'İsteyen Oto'), await named(api, 'Sahip Oto'), await named(api, 'Üçüncü Oto')];
});
afterAll(() => api.close());

interface Swap {
  readonly mine: string;
  readonly theirs: Published;
  readonly swap: Shown;
}

async function propose(overrides: Record<string, unknown> = {}): Promise<Swap> {
  const [mine, theirs] = [await carOf(asks), await publish(owns)];
  const body = { offered_vehicle_id: mine, requested_listing_id: theirs.listing, ...overrides };
  return { mine, theirs, swap: dataOf(await asks.post('trade-requests', body)) };
}

const kindsBy = async (dealer: Dealer, act: () => Promise<unknown>) =>
  (await eventsBy(api, dealer.accountId, act)).map(({ kind }) => kind);
const carStatus = async (dealer: Dealer, car: string) => dataOf(await dealer.get(`vehicles/${car}`)).status;

test('each party sees its own vehicle’s id, the other’s card, and the sign of the amount as it was proposed', async () => {
  const { mine, theirs, swap } = await propose({ cash_difference: '-250.50', currency: 'STG', message: 'Üstüne alırım' });
  expect(swap).toMatchObject({
    my_role: 'requester',
    offered_vehicle_id: mine,
    requested_vehicle_id: null,
    cash_difference: '-250.50',
    currency: 'STG',
    status: 'Beklemede',
    message: 'Üstüne alırım',
    reject_reason: null,
    requester: { name: 'İsteyen Oto' },
    recipient: { name: 'Sahip Oto' },
  });
  const seen = dataOf(await owns.get(`trade-requests/${swap.id}`));
  expect(seen).toMatchObject({
    my_role: 'recipient',
    offered_vehicle_id: null,
    requested_vehicle_id: theirs.car,
    status: 'Beklemede',
  });
  expect(JSON.stringify([swap, seen])).not.toMatch(/phone|plate|TS \d/);
  expect(verdictOf(await third.get(`trade-requests/${swap.id}`))).toBe('404 not_found');
  for (const [dealer, role, count] of [
    [asks, 'requester', 1],
    [asks, 'recipient', 0],
    [owns, 'recipient', 1],
  ] as const)
    expect(dataOf(await dealer.get(`trade-requests?role=${role}`)), role).toHaveLength(count);
  expect(dataOf(await asks.delete(`trade-requests/${swap.id}`)).status).toBe('İptal');
  for (const answer of [await owns.post(`trade-requests/${swap.id}/accept`), await asks.delete(`trade-requests/${swap.id}`)])
    expect(verdictOf(answer)).toBe('409 request_closed');
});

test('refuses a vehicle that is not the caller’s, not in stock, not published, or already requested', async () => {
  const { mine, theirs, swap } = await propose();
  const ask = async (fields: Record<string, unknown>) =>
    verdictOf(await asks.post('trade-requests', { offered_vehicle_id: mine, requested_listing_id: theirs.listing, ...fields }));
  expect(await ask({})).toBe('409 request_already_open');
  expect(await ask({ offered_vehicle_id: theirs.car })).toBe('422 unknown_reference');
  expect(await ask({ requested_listing_id: mine })).toBe('409 listing_not_available');
  expect(await ask({ requested_listing_id: (await publish(asks)).listing })).toBe('409 own_listing');
  const held = await carOf(asks);
  dataOf(await asks.post(`vehicles/${held}/reserve`, {}));
  expect(await ask({ offered_vehicle_id: held })).toBe('409 vehicle_not_in_stock');
  for (const act of ['accept', 'reject'])
    expect(verdictOf(await asks.post(`trade-requests/${swap.id}/${act}`))).toBe('409 not_your_turn');
  expect(verdictOf(await owns.delete(`trade-requests/${swap.id}`))).toBe('409 not_your_request');
  expect(dataOf(await owns.post(`trade-requests/${swap.id}/reject`, { reason: 'Uymadı' }))).toMatchObject({
    status: 'Reddedildi',
    reject_reason: 'Uymadı',
  });
});

test('agreed: both vehicles are held, competing offers end on both sides, and it is kept when both are sold', async () => {
  const { mine, theirs, swap } = await propose({ cash_difference: 1000 });
  const rival = await offer(third, theirs.listing, '12000.00');
  const other = await publish(third);
  const crossed = dataOf(await asks.post('trade-requests', { offered_vehicle_id: mine, requested_listing_id: other.listing }));
  const dry = await owns.post(`trade-requests/${swap.id}/accept`, undefined, { 'x-dry-run': 'true' });
  expect(dataOf(dry).status).toBe('Kabul Edildi');
  expect(dry.text).not.toContain('phone');
  const emitted = await kindsBy(owns, () => owns.post(`trade-requests/${swap.id}/accept`));
  expect(emitted).toEqual([
    ...['trade_request.accepted', 'vehicle.reserved', 'vehicle.status_changed', 'listing.suspended', 'network_offer.rejected'],
  ]);
  for (const dealer of [asks, owns]) {
    const shown = dataOf(await dealer.get(`trade-requests/${swap.id}`));
    expect(shown).toMatchObject({ status: 'Kabul Edildi', cash_difference: '1000.00' });
    expect([shown.requester.phone, shown.recipient.phone]).toEqual([expect.any(String), expect.any(String)]);
  }
  for (const [dealer, car, counterparty] of [
    [asks, mine, owns],
    [owns, theirs.car, asks],
  ] as const)
    expect(dataOf(await dealer.get(`vehicles/${car}`))).toMatchObject({
      status: 'Rezerve',
      reservation: { kind: 'Takas', source_id: swap.id, counterparty: { account_id: counterparty.accountId } },
    });
  expect(dataOf(await third.get(`network-offers/${rival.id}`)).reject_reason).toBe('vehicle_unavailable');
  // The offered vehicle went into another trade: the party that was asked is notified.
  for (const dealer of [asks, third]) expect(await statusOf(dealer, `trade-requests/${crossed.id}`)).toBe('İptal');

  expect(await kindsBy(owns, () => owns.post(`vehicles/${theirs.car}/mark-sold`, {}))).toEqual([
    ...['vehicle.sold', 'vehicle.status_changed', 'listing.closed'],
  ]);
  expect(await statusOf(asks, `trade-requests/${swap.id}`)).toBe('Kabul Edildi');
  expect(await kindsBy(asks, () => asks.post(`vehicles/${mine}/mark-sold`, {}))).toEqual([
    ...['vehicle.sold', 'vehicle.status_changed', 'trade_request.completed'],
  ]);
  for (const dealer of [asks, owns]) expect(await statusOf(dealer, `trade-requests/${swap.id}`)).toBe('Tamamlandı');
});

test.each(['requester', 'recipient'] as const)('the %s cancels it: both vehicles are free again', async (side) => {
  const { mine, theirs, swap } = await propose();
  dataOf(await owns.post(`trade-requests/${swap.id}/accept`));
  const [dealer, car] = side === 'requester' ? [asks, mine] : [owns, theirs.car];
  const kinds = await kindsBy(side === 'requester' ? owns : asks, () => dealer.patch(`vehicles/${car}`, { status: 'Stokta' }));
  expect(kinds).toContain('trade_request.fell_through');
  expect(kinds).toContain('vehicle.reservation_released');
  expect([await carStatus(asks, mine), await carStatus(owns, theirs.car)]).toEqual(['Stokta', 'Stokta']);
  for (const one of [asks, owns]) {
    const shown = await one.get(`trade-requests/${swap.id}`);
    expect(dataOf(shown).status).toBe('Bozuldu');
    expect(shown.text).not.toContain('phone');
  }
});

test('once one vehicle is handed over, neither returns to stock, also after the trade is complete', async () => {
  const { mine, theirs, swap } = await propose();
  dataOf(await owns.post(`trade-requests/${swap.id}/accept`));
  dataOf(await owns.post(`vehicles/${theirs.car}/mark-sold`, {}));
  for (const [dealer, car] of [
    [asks, mine],
    [owns, theirs.car],
  ] as const) {
    const { status, json } = await dealer.patch(`vehicles/${car}`, { status: 'Stokta' });
    expect([status, json.error.code]).toEqual([409, 'trade_in_progress']);
  }
  expect([await carStatus(asks, mine), await carStatus(owns, theirs.car)]).toEqual(['Rezerve', 'Satıldı']);
  for (const dealer of [asks, owns]) expect(await statusOf(dealer, `trade-requests/${swap.id}`)).toBe('Kabul Edildi');
  dataOf(await asks.post(`vehicles/${mine}/mark-sold`, {}));
  for (const [dealer, car] of [
    [asks, mine],
    [owns, theirs.car],
  ] as const) {
    const { status, json } = await dealer.patch(`vehicles/${car}`, { status: 'Stokta' });
    expect([status, json.error.code]).toEqual([409, 'trade_in_progress']);
  }
  for (const dealer of [asks, owns]) expect(await statusOf(dealer, `trade-requests/${swap.id}`)).toBe('Tamamlandı');
});

test('a vehicle that leaves stock ends its open trades, and a closed listing the ones that requested it', async () => {
  const gone = await propose();
  dataOf(await owns.post(`vehicles/${gone.theirs.car}/reserve`, {}));
  expect(dataOf(await asks.get(`trade-requests/${gone.swap.id}`))).toMatchObject({
    status: 'Reddedildi',
    reject_reason: 'vehicle_unavailable',
  });
  const swap = await propose();
  expect(await kindsBy(owns, () => asks.post(`vehicles/${swap.mine}/reserve`, {}))).toEqual(['trade_request.cancelled']);
  expect(await statusOf(owns, `trade-requests/${swap.swap.id}`)).toBe('İptal');
  const closed = await propose();
  dataOf(await owns.delete(`marketplace/listings/${closed.theirs.listing}`));
  expect(dataOf(await asks.get(`trade-requests/${closed.swap.id}`))).toMatchObject({
    status: 'Reddedildi',
    reject_reason: 'listing_closed',
  });
});

const FREE = { status: 'Stokta' };

test('notifies the party that did not act: withdrawn, vehicle gone, cancelled', async () => {
  const notes = async (dealer: Dealer, { id }: Shown) =>
    (dataOf(await dealer.get('notifications?limit=100')) as unknown as Record<string, string>[])
      .filter(({ resource_id }) => resource_id === id)
      .map(({ kind }) => kind!.replace('trade_request.', ''))
      .reverse();
  const back = await propose();
  dataOf(await asks.delete(`trade-requests/${back.swap.id}`));
  expect([await notes(owns, back.swap), await notes(asks, back.swap)]).toEqual([['created', 'cancelled'], []]);
  const gone = await propose();
  dataOf(await asks.post(`vehicles/${gone.mine}/reserve`, {}));
  expect(await notes(owns, gone.swap)).toEqual(['created', 'cancelled']);
  for (const [lets, other] of [
    ['asks', 'owns'],
    ['owns', 'asks'],
  ] as const) {
    const { mine, theirs, swap } = await propose();
    dataOf(await owns.post(`trade-requests/${swap.id}/accept`));
    dataOf(await (lets === 'asks' ? asks.patch(`vehicles/${mine}`, FREE) : owns.patch(`vehicles/${theirs.car}`, FREE)));
    const notified = { asks: await notes(asks, swap), owns: await notes(owns, swap) };
    expect(notified[other].at(-1)).toBe('fell_through');
    expect(notified[lets]).not.toContain('fell_through');
  }
});

test('accepting one of two crossed trades ends the other', async () => {
  const [mine, theirs] = [await publish(asks), await publish(owns)];
  const one = dataOf(await asks.post('trade-requests', { offered_vehicle_id: mine.car, requested_listing_id: theirs.listing }));
  const two = dataOf(await owns.post('trade-requests', { offered_vehicle_id: theirs.car, requested_listing_id: mine.listing }));
  dataOf(await owns.post(`trade-requests/${one.id}/accept`));
  for (const dealer of [asks, owns]) {
    expect(await statusOf(dealer, `trade-requests/${one.id}`)).toBe('Kabul Edildi');
    expect(await statusOf(dealer, `trade-requests/${two.id}`)).toBe('İptal');
  }
});

// The effects of each write on a vehicle besides its transition: fields, listing, reservation, history, events, refusals.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dueReservations, expireReservations, nextReservationEnd } from '../../../src/domain/stock/reservations.ts';
import { SYSTEM } from '../../../src/domain/writes/write.ts';
import { dayIn } from '../../../src/kit/clock.ts';
import { type TestService, testService } from '../../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../../support/writer.ts';
import { historyOf, made, type Trail, trailOf, verdict } from './vehicles-trail.ts';

const ZONE = 'Europe/Istanbul';
const DAY = 86_400_000;
const dayFromNow = (days: number): string => dayIn(new Date(Date.now() + days * DAY), ZONE);

let api: TestService;
let dealer: Dealer;
let trail: Trail;
let customer: string;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api, { country: 'TR' });
  trail = await trailOf(api, dealer);
  customer = await api.customer(dealer.accountId);
});
afterAll(async () => {
  await trail.close();
  await api.close();
});

const admin = (text: string) => trail.admin.rows<Record<string, unknown>>(text);
const listingOf = async (id: string) =>
  (await admin(`select id, status, title, close_reason, closed_at from listings where vehicle_id = '${id}' order by id`)).at(-1)!;

describe('an edit', () => {
  test('emits the changed fields and their previous values', async () => {
    const id = await made(dealer);
    const [updated, ...more] = await trail.during(() =>
      dealer.patch(`vehicles/${id}`, { km: 90_000, color: 'Mavi', city: 'Lefkoşa' }),
    );
    expect(more).toEqual([]);
    expect(updated).toMatchObject({ type: 'vehicle.updated', resource: { kind: 'vehicle', id, path: `/api/v1/vehicles/${id}` } });
    expect(updated!.data.changed.sort()).toEqual(['color', 'km']);
    expect(updated!.data.previous).toEqual({ km: 84_000, color: 'Gümüş' });
    expect(updated!.data.object).toEqual((await dealer.get(`vehicles/${id}`)).json.data);
    const [entry] = await historyOf(dealer, id);
    expect(entry).toMatchObject({ event: 'updated', actor: { type: 'api_key' }, note: null });
    expect(entry.changes).toContainEqual({ field: 'km', old: 84_000, new: 90_000 });
    expect(entry.changes).toHaveLength(2);
  });

  test('of price or currency is a price change', async () => {
    const id = await made(dealer);
    const kinds = await trail.kindsDuring(() => dealer.patch(`vehicles/${id}`, { price: 13_900, km: 1 }));
    expect(kinds).toEqual(['vehicle.updated', 'vehicle.price_changed']);
    expect((await historyOf(dealer, id))[0]).toMatchObject({
      event: 'price_changed',
      changes: expect.arrayContaining([{ field: 'price', old: '14500.00', new: '13900.00' }]),
    });
    expect(await trail.kindsDuring(() => dealer.patch(`vehicles/${id}`, { currency: 'EUR' }))).toContain('vehicle.price_changed');
  });

  test('keeps cost, chassis and engine out of the reply, the history and the event', async () => {
    const id = await made(dealer);
    const secret = {
      purchase_price: '7654321.09',
      customs_fee: '6543210.98',
      chassis_no: 'SECRETCHASSIS',
      engine_no: 'SECRETENGINE',
    };
    let text = '';
    const events = await trail.during(async () => {
      text = (await dealer.patch(`vehicles/${id}`, secret)).text;
    });
    const history = await historyOf(dealer, id);
    expect(history[0].changes).toContainEqual({ field: 'chassis_no', redacted: true });
    expect(history[0].changes).toContainEqual({ field: 'purchase_price', redacted: true });
    expect(events[0]!.data.changed).toEqual([]);
    const everything = text + JSON.stringify(history) + JSON.stringify(events);
    for (const kept of ['7654321', '6543210', 'SECRET']) expect(everything).not.toContain(kept);
  });

  test('with the stored values changes and emits nothing', async () => {
    const id = await made(dealer);
    const before = (await dealer.get(`vehicles/${id}`)).json.data;
    const kinds = await trail.kindsDuring(async () => {
      const same = await dealer.patch(`vehicles/${id}`, {
        km: 84_000,
        price: '14500',
        status: 'Stokta',
        plate: before.plate.toLowerCase(),
      });
      expect([same.status, same.json.data]).toEqual([200, before]);
    });
    expect(kinds).toEqual([]);
    expect(await historyOf(dealer, id)).toHaveLength(1);
  });

  test.each([
    [{}, 'required'],
    [{ colour: 'x' }, 'unknown_field'],
    [{ id: '0190a6c0-0000-7000-8000-000000000000' }, 'unknown_field'],
    [{ is_marketplace_visible: true }, 'unknown_field'],
    [{ brand: null }, 'required'],
    [{ price: 0 }, 'out_of_range'],
  ])('%j is a fault of form: %s', async (body, code) => {
    const refused = await dealer.patch(`vehicles/${await made(dealer)}`, body);
    expect([refused.status, refused.json.error.code, refused.json.error.details[0].code]).toEqual([
      422,
      'validation_failed',
      code,
    ]);
  });

  test.each([
    ['plate', 'plate_in_use', 'XY 77'],
    ['chassis_no', 'chassis_in_use', 'CHASSIS77'],
    ['external_ref', 'external_ref_in_use', 'REF-77'],
  ])('refuses another vehicle’s %s', async (field, code, value) => {
    await made(dealer, { [field]: value });
    const refused = await dealer.patch(`vehicles/${await made(dealer)}`, { [field]: value });
    expect([refused.status, refused.json.error.code, refused.json.error.details[0].field]).toEqual([409, code, field]);
  });

  test('names a branch that does not exist', async () => {
    const refused = await dealer.patch(`vehicles/${await made(dealer)}`, { branch_id: customer });
    expect([refused.status, refused.json.error.code, refused.json.error.details[0].field]).toEqual([
      422,
      'unknown_reference',
      'branch_id',
    ]);
  });

  test('clears a field that may be empty', async () => {
    const id = await made(dealer, { description: 'İlk sahibinden', trim: 'Highline' });
    expect((await dealer.patch(`vehicles/${id}`, { description: null })).json.data).toMatchObject({
      description: null,
      trim: 'Highline',
    });
  });

  test('names every field that the vehicle’s state locks', async () => {
    const id = await made(dealer);
    await dealer.post(`vehicles/${id}/mark-sold`);
    const refused = await dealer.patch(`vehicles/${id}`, { price: 1, brand: 'Fiat', km: 5 });
    expect(refused.json.error.code).toBe('vehicle_locked');
    expect(refused.json.error.details.map(({ field }: { field: string }) => field).sort()).toEqual(['brand', 'price']);
    expect((await dealer.get(`vehicles/${id}`)).json.data.km).toBe(84_000);
  });

  test('and the release of a reservation in one request: fields first', async () => {
    const id = await made(dealer);
    await dealer.post(`vehicles/${id}/publish`);
    await dealer.post(`vehicles/${id}/reserve`, { customer_id: customer });
    const kinds = await trail.kindsDuring(() => dealer.patch(`vehicles/${id}`, { price: '14000.00', status: 'Stokta' }));
    expect(kinds).toEqual([
      'vehicle.updated',
      'vehicle.price_changed',
      'vehicle.reservation_released',
      'vehicle.status_changed',
      'listing.resumed',
    ]);
    expect((await historyOf(dealer, id)).map(({ event }) => event).slice(0, 2)).toEqual([
      'reservation_released',
      'price_changed',
    ]);
  });
});

describe('a reservation', () => {
  test('holds the vehicle for the default days, and emits', async () => {
    const id = await made(dealer);
    const events = await trail.during(() =>
      dealer.post(`vehicles/${id}/reserve`, { customer_id: customer, deposit_amount: 500, note: 'kapora elden' }),
    );
    // A deposit is money: it has its own record.
    expect(events.map(({ type }) => type)).toEqual(['vehicle.reserved', 'vehicle.status_changed', 'collection.created']);
    expect(events[0]!.data).toMatchObject({ previous: { status: 'Stokta', 'reservation.customer_id': null } });
    const { id: deposit } = events[2]!.data.object;
    expect(events[2]!.data.object).toMatchObject({ type: 'Kapora', amount: '500.00', deposit_status: 'Açık', vehicle_id: id });
    const { data } = (await dealer.get(`vehicles/${id}`)).json;
    expect(data).toMatchObject({
      status: 'Rezerve',
      reservation: {
        kind: 'Müşteri',
        customer_id: customer,
        counterparty: null,
        source_id: null,
        reserved_until: dayFromNow(7),
        deposit_amount: '500.00',
        deposit_currency: 'STG',
        deposit: { amount: '500.00', currency: 'STG', collection_id: deposit },
      },
    });
    expect(events[0]!.data.object).toEqual(data);
    const [entry] = await historyOf(dealer, id);
    expect(entry).toMatchObject({ event: 'reserved', note: 'kapora elden' });
    expect(entry.changes).toContainEqual({ field: 'status', old: 'Stokta', new: 'Rezerve' });
    expect(entry.changes).toContainEqual({ field: 'reservation.reserved_until', old: null, new: dayFromNow(7) });
  });

  test('is extended for the same customer, never shortened implicitly, and refused to others', async () => {
    const id = await made(dealer);
    await dealer.post(`vehicles/${id}/reserve`, { customer_id: customer, reserved_until: dayFromNow(20) });
    const again = await trail.kindsDuring(async () => {
      const { data } = (await dealer.post(`vehicles/${id}/reserve`, { customer_id: customer, deposit_amount: '250.00' })).json;
      expect(data.reservation).toMatchObject({ reserved_until: dayFromNow(20), deposit_amount: '250.00' });
    });
    expect(again).toEqual(['vehicle.reserved', 'collection.created']);
    const { data } = (await dealer.post(`vehicles/${id}/reserve`, { customer_id: customer, reserved_until: dayFromNow(2) })).json;
    expect(data.reservation).toMatchObject({ reserved_until: dayFromNow(2), deposit_amount: '250.00' });
    const nothing = await trail.kindsDuring(() =>
      dealer.post(`vehicles/${id}/reserve`, { customer_id: customer, reserved_until: dayFromNow(2) }),
    );
    expect(nothing).toEqual([]);
    expect((await historyOf(dealer, id)).map(({ event }) => event)).toEqual(['reserved', 'reserved', 'reserved', 'created']);
    const other = await api.customer(dealer.accountId);
    expect(verdict(await dealer.post(`vehicles/${id}/reserve`, { customer_id: other }))).toBe('409 vehicle_reserved');
    expect(verdict(await dealer.post(`vehicles/${id}/reserve`, {}))).toBe('409 vehicle_reserved');
  });

  test('without a customer cannot be taken over by another request', async () => {
    const id = await made(dealer);
    expect((await dealer.post(`vehicles/${id}/reserve`)).json.data.reservation.customer_id).toBeNull();
    expect(verdict(await dealer.post(`vehicles/${id}/reserve`))).toBe('409 vehicle_reserved');
  });

  test('lasts from today to ninety days', async () => {
    const id = await made(dealer);
    for (const reserved_until of [dayFromNow(-1), dayFromNow(92), '2026-02-30', 5]) {
      const refused = await dealer.post(`vehicles/${id}/reserve`, { reserved_until });
      expect([refused.status, refused.json.error.details[0].field]).toEqual([422, 'reserved_until']);
    }
    expect(verdict(await dealer.post(`vehicles/${id}/reserve`, { reserved_until: dayFromNow(0) }))).toBe('Rezerve');
  });

  test('requires a customer of the dealer who is not deleted', async () => {
    const stranger = await newDealer(api);
    const theirs = await api.customer(stranger.accountId);
    const gone = await api.customer(dealer.accountId, { deleted_at: new Date() });
    const id = await made(dealer);
    for (const customer_id of [theirs, gone, id]) {
      const refused = await dealer.post(`vehicles/${id}/reserve`, { customer_id });
      expect([refused.status, refused.json.error.code]).toEqual([422, 'unknown_reference']);
      expect(refused.json.error.details[0].field).toBe('customer_id');
    }
  });

  test('accepts a deposit’s currency only with its amount', async () => {
    const refused = await dealer.post(`vehicles/${await made(dealer)}/reserve`, { deposit_currency: 'TL' });
    expect([refused.status, refused.json.error.details[0].field]).toEqual([422, 'deposit_amount']);
  });

  test('released: the hold ends, the vehicle and its listing return', async () => {
    const id = await made(dealer);
    await dealer.post(`vehicles/${id}/publish`);
    const held = await trail.kindsDuring(() => dealer.post(`vehicles/${id}/reserve`, { customer_id: customer }));
    expect(held).toEqual(['vehicle.reserved', 'vehicle.status_changed', 'listing.suspended']);
    expect((await listingOf(id)).status).toBe('Askıda');
    expect((await dealer.get(`vehicles/${id}`)).json.data.is_marketplace_visible).toBe(false);
    const events = await trail.during(() => dealer.patch(`vehicles/${id}`, { status: 'Stokta' }));
    expect(events.map(({ type }) => type)).toEqual(['vehicle.reservation_released', 'vehicle.status_changed', 'listing.resumed']);
    expect(events[2]!.data.object).toMatchObject({ status: 'Yayında', vehicle_id: id, price: '14500.00', currency: 'STG' });
    expect((await dealer.get(`vehicles/${id}`)).json.data).toMatchObject({
      status: 'Stokta',
      is_marketplace_visible: true,
      reservation: null,
      listing_id: (await listingOf(id)).id,
    });
    expect(await admin(`select status from reservations where vehicle_id = '${id}'`)).toEqual([{ status: 'Serbest' }]);
    expect((await historyOf(dealer, id))[0]).toMatchObject({ event: 'reservation_released' });
    expect(verdict(await dealer.post(`vehicles/${id}/reserve`))).toBe('Rezerve');
  });
});

describe('after the last day of a reservation', () => {
  const sweepAt = async (at: Date) =>
    api.service.parts.writer.write(
      { dataSet: dealer.accountId, account: { id: dealer.accountId, timezone: ZONE }, actor: SYSTEM, now: at },
      async (work) => expireReservations(work, await dueReservations(work, [])),
    );
  const nextEnd = () => api.database.inTenant(dealer.accountId, 'read', (db) => nextReservationEnd(db, ZONE, []));

  test('the system releases it, with a notification; the last day itself is included', async () => {
    await admin(`update reservations set status = 'Serbest' where account_id = '${dealer.accountId}'`);
    await admin(`update vehicles set status = 'Stokta' where account_id = '${dealer.accountId}' and status = 'Rezerve'`);
    expect(await nextEnd()).toBeNull();
    const id = await made(dealer);
    await dealer.post(`vehicles/${id}/publish`);
    await dealer.post(`vehicles/${id}/reserve`, { customer_id: customer, reserved_until: dayFromNow(3) });
    const later = await made(dealer);
    await dealer.post(`vehicles/${later}/reserve`, { customer_id: customer, reserved_until: dayFromNow(5) });

    const end = new Date(`${dayFromNow(4)}T00:00:00+03:00`);
    expect(await nextEnd()).toEqual(end);
    const [{ next_due_at }] = (await admin(`select next_due_at from data_sets where id = '${dealer.accountId}'`)) as [
      { next_due_at: Date },
    ];
    expect(next_due_at.getTime()).toBeLessThanOrEqual(end.getTime());

    expect(await trail.kindsDuring(() => sweepAt(new Date(end.getTime() - 1)))).toEqual([]);
    const kinds = await trail.kindsDuring(() => sweepAt(end));
    expect(kinds).toEqual(['vehicle.reservation_released', 'vehicle.status_changed', 'listing.resumed']);
    expect(await trail.kindsDuring(() => sweepAt(end))).toEqual([]);
    expect((await dealer.get(`vehicles/${id}`)).json.data).toMatchObject({
      status: 'Stokta',
      reservation: null,
      is_marketplace_visible: true,
    });
    expect((await dealer.get(`vehicles/${later}`)).json.data.status).toBe('Rezerve');
    expect(await admin(`select status from reservations where vehicle_id = '${id}'`)).toEqual([{ status: 'Süresi Doldu' }]);
    expect((await historyOf(dealer, id))[0]).toMatchObject({
      event: 'reservation_released',
      actor: { type: 'system', name: 'Galeri' },
    });
    expect(await admin(`select kind, title, resource_type from notifications where resource_id = '${id}'`)).toEqual([
      { kind: 'vehicle.reservation_released', title: 'Rezervasyonun süresi doldu', resource_type: 'vehicle' },
    ]);
    expect(await nextEnd()).toEqual(new Date(`${dayFromNow(6)}T00:00:00+03:00`));
  });
});

describe('a listing', () => {
  test('is published with the vehicle’s title by default', async () => {
    const id = await made(dealer);
    const events = await trail.during(() => dealer.post(`vehicles/${id}/publish`));
    expect(events.map(({ type }) => type)).toEqual(['listing.published', 'vehicle.published']);
    const listing = await listingOf(id);
    expect(events[0]).toMatchObject({
      resource: { kind: 'listing', id: listing.id, path: `/api/v1/marketplace/listings/${listing.id}` },
      data: { object: { id: listing.id, vehicle_id: id, title: '2018 Volkswagen Golf', price: '14500.00', status: 'Yayında' } },
    });
    expect((await dealer.get(`vehicles/${id}`)).json.data).toMatchObject({
      is_marketplace_visible: true,
      listing_id: listing.id,
    });
    expect(verdict(await dealer.post(`vehicles/${id}/publish`))).toBe('409 already_published');
    expect((await historyOf(dealer, id))[0].event).toBe('published');
    const other = await made(dealer);
    await dealer.post(`vehicles/${other}/publish`, { title: 'Fırsat', description: 'Takas olur.' });
    expect(await listingOf(other)).toMatchObject({ title: 'Fırsat' });
  });

  test('that is unpublished is closed permanently; publishing again creates a new one', async () => {
    const id = await made(dealer);
    await dealer.post(`vehicles/${id}/publish`);
    const first = await listingOf(id);
    const kinds = await trail.kindsDuring(() => dealer.post(`vehicles/${id}/unpublish`));
    expect(kinds).toEqual(['listing.closed', 'vehicle.unpublished']);
    expect(await listingOf(id)).toMatchObject({ id: first.id, status: 'Kapandı', close_reason: 'kaldırıldı' });
    expect((await dealer.get(`vehicles/${id}`)).json.data).toMatchObject({ is_marketplace_visible: false, listing_id: null });
    expect(verdict(await dealer.post(`vehicles/${id}/unpublish`))).toBe('409 not_published');
    await dealer.post(`vehicles/${id}/publish`);
    expect((await listingOf(id)).id).not.toBe(first.id);
  });

  test('of a reserved vehicle can be unpublished, and is not restored on release', async () => {
    const id = await made(dealer);
    await dealer.post(`vehicles/${id}/publish`);
    await dealer.post(`vehicles/${id}/reserve`);
    expect(verdict(await dealer.post(`vehicles/${id}/unpublish`))).toBe('Rezerve');
    const kinds = await trail.kindsDuring(() => dealer.patch(`vehicles/${id}`, { status: 'Stokta' }));
    expect(kinds).toEqual(['vehicle.reservation_released', 'vehicle.status_changed']);
    expect((await dealer.get(`vehicles/${id}`)).json.data.is_marketplace_visible).toBe(false);
  });

  test('needs the capability and a place in the plan', async () => {
    const other = await newDealer(api);
    const [one, two] = [await made(other), await made(other)];
    await admin(`update accounts set marketplace = false where id = '${other.accountId}'`);
    const refused = await other.post(`vehicles/${one}/publish`);
    expect([refused.status, refused.json.error.code]).toEqual([403, 'capability_not_enabled']);
    await admin(`update accounts set marketplace = true, listing_limit = 1 where id = '${other.accountId}'`);
    const answers = await Promise.all([one, two].map((id) => other.post(`vehicles/${id}/publish`)));
    expect(answers.map(({ status, json }) => (status === 200 ? 'ok' : json.error.code)).sort()).toEqual([
      'ok',
      'plan_limit_reached',
    ]);
  });
});

describe('sold elsewhere', () => {
  test('completes the hold and closes the listing, without a receivable', async () => {
    const id = await made(dealer);
    await dealer.post(`vehicles/${id}/publish`);
    await dealer.post(`vehicles/${id}/reserve`, { customer_id: customer });
    const body = { sold_at: dayFromNow(-2), sold_price: '12000.00', note: 'Bayiye' };
    const kinds = await trail.kindsDuring(() => dealer.post(`vehicles/${id}/mark-sold`, body));
    expect(kinds).toEqual(['vehicle.sold', 'vehicle.status_changed', 'listing.closed']);
    expect((await dealer.get(`vehicles/${id}`)).json.data).toMatchObject({
      status: 'Satıldı',
      sold_at: dayFromNow(-2),
      sold_via: 'Harici',
      reservation: null,
      listing_id: null,
      is_marketplace_visible: false,
    });
    expect(await admin(`select status from reservations where vehicle_id = '${id}'`)).toEqual([{ status: 'Tamamlandı' }]);
    expect(await listingOf(id)).toMatchObject({ status: 'Kapandı', close_reason: 'satıldı' });
    const [entry] = await historyOf(dealer, id);
    expect(entry).toMatchObject({ event: 'sold', note: 'Bayiye' });
    expect(entry.changes).toContainEqual({ field: 'sold_price', old: null, new: '12000.00' });
    expect(entry.changes).toContainEqual({ field: 'sold_currency', old: null, new: 'STG' });
  });

  test('refuses a future date, and a currency without a price', async () => {
    const id = await made(dealer);
    for (const [body, field] of [
      [{ sold_at: dayFromNow(2) }, 'sold_at'],
      [{ sold_currency: 'TL' }, 'sold_price'],
      [{ sold_price: 0 }, 'sold_price'],
      [{ buyer: 'x' }, 'buyer'],
    ] as const) {
      const refused = await dealer.post(`vehicles/${id}/mark-sold`, body);
      expect([refused.status, refused.json.error.details[0].field]).toEqual([422, field]);
    }
  });

  test('undone: in stock, its listing stays closed, and its plate must be free', async () => {
    const plate = aCar().plate;
    const id = await made(dealer, { plate });
    await dealer.post(`vehicles/${id}/publish`);
    await dealer.post(`vehicles/${id}/mark-sold`);
    const again = await made(dealer, { plate });
    expect(verdict(await dealer.patch(`vehicles/${id}`, { status: 'Stokta' }))).toBe('409 plate_in_use');
    await dealer.delete(`vehicles/${again}`);
    const kinds = await trail.kindsDuring(() => dealer.patch(`vehicles/${id}`, { status: 'Stokta' }));
    expect(kinds).toEqual(['vehicle.status_changed']);
    expect((await dealer.get(`vehicles/${id}`)).json.data).toMatchObject({
      status: 'Stokta',
      sold_at: null,
      sold_via: null,
      listing_id: null,
      is_marketplace_visible: false,
    });
    expect((await historyOf(dealer, id))[0].event).toBe('status_changed');
  });
});

describe('a deleted vehicle', () => {
  test('leaves the list, keeps its history and is restored unpublished', async () => {
    const id = await made(dealer);
    await dealer.post(`vehicles/${id}/publish`);
    const kinds = await trail.kindsDuring(() => dealer.delete(`vehicles/${id}`));
    expect(kinds).toEqual(['vehicle.deleted', 'listing.closed']);
    expect(await listingOf(id)).toMatchObject({ status: 'Kapandı', close_reason: 'silindi' });
    const ids = async (query: string) =>
      (await dealer.get(`vehicles?limit=100${query}`)).json.data.map((one: { id: string }) => one.id);
    expect(await ids('')).not.toContain(id);
    expect(await ids('&deleted=true')).toContain(id);
    expect((await historyOf(dealer, id))[0].event).toBe('deleted');
    expect(await trail.kindsDuring(() => dealer.post(`vehicles/${id}/restore`))).toEqual(['vehicle.restored']);
    expect((await dealer.get(`vehicles/${id}`)).json.data).toMatchObject({
      status: 'Stokta',
      deleted_at: null,
      is_marketplace_visible: false,
      listing_id: null,
    });
    expect(await ids('')).toContain(id);
  });

  test.each([
    ['plate', 'plate_in_use', 'ZZ 99'],
    ['chassis_no', 'chassis_in_use', 'CHASSIS99'],
  ])('is not restored while its %s is in use', async (field, code, value) => {
    const id = await made(dealer, { [field]: value });
    await dealer.delete(`vehicles/${id}`);
    await made(dealer, { [field]: value });
    expect(verdict(await dealer.post(`vehicles/${id}/restore`))).toBe(`409 ${code}`);
  });

  test('is not restored beyond the plan’s limit', async () => {
    const other = await newDealer(api);
    const id = await made(other);
    await other.delete(`vehicles/${id}`);
    await made(other);
    await admin(`update accounts set vehicle_limit = 1 where id = '${other.accountId}'`);
    await api.settled();
    expect(verdict(await other.post(`vehicles/${id}/restore`))).toBe('403 plan_limit_reached');
    const refused = await other.post('vehicles', aCar());
    expect(verdict(refused)).toBe('403 plan_limit_reached');
    expect(refused.json.error.message).toBe('Your plan’s limit for vehicles in stock is 1');
  });
});

test('history is read newest first, by kind and page by page, by its dealer only', async () => {
  const id = await made(dealer);
  for (const km of [1, 2, 3]) await dealer.patch(`vehicles/${id}`, { km });
  await dealer.patch(`vehicles/${id}`, { price: 1 });
  const events = async (query: string) =>
    (await dealer.get(`vehicles/${id}/history${query}`)).json.data.map(({ event }: { event: string }) => event);
  expect(await events('')).toEqual(['price_changed', 'updated', 'updated', 'updated', 'created']);
  expect(await events('?event=updated&limit=2&offset=1')).toEqual(['updated', 'updated']);
  expect((await dealer.get(`vehicles/${id}/history?event=gone`)).status).toBe(400);
  expect((await (await newDealer(api)).get(`vehicles/${id}/history`)).status).toBe(404);
});

// Every write of a vehicle in every state of the vehicle: allowed or refused, the vehicle, its listing, hold, auction and sale
// agree afterwards, and no timed transition fails later.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelEvent, withdrawLot } from '../../../src/domain/auctions/live-event-writes.ts';
import { importRows, importTarget } from '../../../src/domain/imports/targets/import-rows.ts';
import { importSales } from '../../../src/domain/imports/targets/import-sales.ts';
import { runTimedTransitions } from '../../../src/jobs/run-timed-transitions.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { newPerson, signedIn } from '../../panel/people.ts';
import { aBidder, aLot, anEvent, asPlatform, bid, HOUR, inFuture, putUp } from '../../support/auctions.ts';
import { carOf, customerOf, dataOf, newKey, type Shown, sell, verdictOf } from '../../support/books.ts';
import { advanceClock } from '../../support/clock.ts';
import { carConnector, csvOf, feedCar, newImporter } from '../../support/imports.ts';
import { consumerOffers } from '../../support/market.ts';
import { TEST_ACTOR, type TestService, testService } from '../../support/service.ts';
import { aPerson, type Dealer, openAll } from '../../support/writer.ts';
import { offer, publish } from '../network/network.ts';

let api: TestService;
let admin: Session;
let [seller, other]: Dealer[] = [];
let customer: string;
let panel: Awaited<ReturnType<typeof signedIn>>;
beforeAll(async () => {
  api = await testService({ at: new Date().toISOString() });
  await openAll(api);
  admin = await openSession(api.adminUrl);
  [seller, other] = [await aBidder(api), await aBidder(api)];
  customer = await customerOf(seller!);
  panel = await signedIn(api, await newPerson(api, { accountId: seller!.accountId }));
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const event = () => anEvent(api, other!);

async function swapped(): Promise<{ car: string; theirs: string }> {
  const { car, listing } = await publish(seller!);
  const theirs = await carOf(other!);
  const { id } = dataOf(await other!.post('trade-requests', { offered_vehicle_id: theirs, requested_listing_id: listing }));
  dataOf(await seller!.post(`trade-requests/${id}/accept`));
  return { car, theirs };
}

const STATES: Readonly<Record<string, () => Promise<string>>> = {
  Stokta: () => carOf(seller!),
  'Stokta, published': async () => (await publish(seller!)).car,
  'Rezerve for a customer': async () => {
    const car = await carOf(seller!);
    dataOf(await seller!.post(`vehicles/${car}/reserve`, { customer_id: customer }));
    return car;
  },
  'Rezerve for a dealer': async () => {
    const { car, listing } = await publish(seller!);
    const { id } = await offer(other!, listing, '12000.00');
    dataOf(await seller!.post(`network-offers/${id}/accept`));
    return car;
  },
  'Rezerve for a consumer': async () => {
    const { car, listing } = await publish(seller!);
    const { id } = await consumerOffers(api, seller!, listing, '12000.00');
    dataOf(await seller!.post(`marketplace/listings/${listing}/offers/${id}/accept`));
    return car;
  },
  'Rezerve for a swap': async () => (await swapped()).car,
  'Rezerve for a swap, the other car handed over': async () => {
    const { car, theirs } = await swapped();
    dataOf(await other!.post(`vehicles/${theirs}/mark-sold`, {}));
    return car;
  },
  'Satıldı by a swap, the other car not handed over': async () => {
    const { car } = await swapped();
    dataOf(await seller!.post(`vehicles/${car}/mark-sold`, {}));
    return car;
  },
  'Satıldı by a completed swap': async () => {
    const { car, theirs } = await swapped();
    dataOf(await seller!.post(`vehicles/${car}/mark-sold`, {}));
    dataOf(await other!.post(`vehicles/${theirs}/mark-sold`, {}));
    return car;
  },
  'in a planned auction': async () =>
    (await putUp(api, seller!, { starts_at: inFuture(api, HOUR), ends_at: inFuture(api, 3 * HOUR) })).vehicle_id,
  'in a live auction under bids': async () => {
    const auction = await putUp(api, seller!);
    dataOf(await bid(other!, auction, '8000.00'));
    return auction.vehicle_id;
  },
  'on a waiting lot': async () => (await aLot(api, seller!, await event())).vehicle_id,
  'on an open lot': async () => {
    const lot = await aLot(api, seller!, await event());
    dataOf(await other!.post(`live-auctions/lots/${lot.id}/start`));
    return lot.vehicle_id;
  },
  'in an auction elsewhere': async () => {
    const car = await carOf(seller!);
    await imported({ status: "Auction'da" })(await plateOf(car));
    return car;
  },
  'Satıldı by a sale': async () => {
    const car = await carOf(seller!);
    dataOf(await sell(seller!, { vehicle_id: car, customer_id: customer, currency: 'STG', sale_price: '100.00' }));
    return car;
  },
  'Satıldı elsewhere': async () => {
    const car = await carOf(seller!);
    dataOf(await seller!.post(`vehicles/${car}/mark-sold`, {}));
    return car;
  },
  deleted: async () => {
    const car = await carOf(seller!);
    dataOf(await seller!.delete(`vehicles/${car}`));
    return car;
  },
};

const plateOf = async (id: string): Promise<string> =>
  (await admin.rows<{ plate: string }>('select plate from vehicles where id = $1', [id]))[0]!.plate;

const account = () => ({ id: seller!.accountId, timezone: 'Asia/Famagusta', country: 'KKTC', default_currency: 'STG' }) as const;
const job = () => ({ writer: api.service.parts.writer, account: account(), clock: api.clock, actor: TEST_ACTOR });

/** A row of a file for the command line. */
const imported = (fields: Record<string, unknown>) => async (plate: string) => {
  async function* rows() {
    yield { row: 1, cells: { plate, ...fields } };
  }
  const target = importTarget('vehicles', account(), api.secrets);
  const { errors, failed, updated } = await importRows({ ...job(), kind: 'vehicles', target, rows: rows() });
  return failed > 0 ? errors.map(({ code }) => code).join() : updated > 0 ? UPDATED : 'done';
};
const UPDATED = 'updated';

async function soldByFile(plate: string): Promise<string> {
  const line = {
    external_ref: `line ${plate}`,
    sale_date: new Date(api.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10),
    currency: 'STG',
    sale_price: '100.00',
    down_payment: '100.00',
    vehicle: { plate },
    customer: aPerson(),
  };
  async function* rows() {
    yield { row: 1, cells: line };
  }
  const { errors, failed } = await importSales({ ...job(), rows: rows(), dryRun: false });
  return failed === 0 ? 'done' : errors.map(({ code }) => code).join();
}

let connector: Shown | undefined;
async function fed(plate: string): Promise<string> {
  connector ??= dataOf(await seller!.post('import/connectors', carConnector()));
  const content = csvOf([feedCar(plate, { KM: 1, Fiyat: '1.00', Marka: 'Fiat' })]);
  const run = dataOf(await seller!.post(`import/connectors/${connector.id}/run`, { content }));
  const importer = newImporter(api);
  await importer.drain();
  await importer.close();
  return dataOf(await seller!.get(`import/runs/${run.id}`)).status;
}

const EDIT = { price: '1.00', currency: 'TL', km: 1, brand: 'Fiat', model_year: 1999, plate: undefined as string | undefined };
let plates = 0;
const edit = () => ({ ...EDIT, plate: `CW ${++plates}` });
const openOf = async (car: string): Promise<Shown> =>
  (
    await admin.rows<Shown>(
      `select (select id from network_auctions where vehicle_id = $1 and status in ('Planlandı', 'Canlı')) as auction,
        (select id from live_lots where vehicle_id = $1 and status in ('Sırada', 'Açık')) as lot,
        (select event_id from live_lots where vehicle_id = $1 and status in ('Sırada', 'Açık')) as event,
        (select id from sales where vehicle_id = $1 and status <> 'İptal') as sale`,
      [car],
    )
  )[0]!;

const STATUSES = ['Stokta', 'Rezerve', "Auction'da", 'Satıldı'];
const WRITERS: Readonly<Record<string, (car: string, plate: string) => Promise<unknown>>> = {
  ...Object.fromEntries(
    STATUSES.flatMap((status): [string, (car: string, plate: string) => Promise<unknown>][] => [
      [`PATCH ${status}`, (car) => seller!.patch(`vehicles/${car}`, { status })],
      [`a file with ${status}`, (_, plate) => imported({ status })(plate)],
      [`a file with ${status} and a price`, (_, plate) => imported({ status, price: '1.00', km: 1 })(plate)],
    ]),
  ),
  'PATCH fields': (car) => seller!.patch(`vehicles/${car}`, edit()),
  'PATCH fields in the panel': (car) => panel.api(`v1/vehicles/${car}`, { method: 'PATCH', body: edit() }),
  'PATCH Stokta in the panel': (car) => panel.api(`v1/vehicles/${car}`, { method: 'PATCH', body: { status: 'Stokta' } }),
  'bulk-update': (car) => seller!.post('vehicles/bulk-update', { updates: [{ id: car, status: 'Stokta', ...edit() }] }),
  'a file with fields': (_, plate) => imported({ price: '1.00', currency: 'TL', km: 1, brand: 'Fiat' })(plate),
  'a file that publishes': (_, plate) => imported({ is_marketplace_visible: true })(plate),
  'a file that hides': (_, plate) => imported({ is_marketplace_visible: false })(plate),
  'a feed': (_, plate) => fed(plate),
  'a file of sales': (_, plate) => soldByFile(plate),
  reserve: (car) => seller!.post(`vehicles/${car}/reserve`, {}),
  'mark-sold': (car) => seller!.post(`vehicles/${car}/mark-sold`, {}),
  publish: (car) => seller!.post(`vehicles/${car}/publish`),
  unpublish: (car) => seller!.post(`vehicles/${car}/unpublish`),
  DELETE: (car) => seller!.delete(`vehicles/${car}`),
  restore: (car) => seller!.post(`vehicles/${car}/restore`),
  'POST sales': (car) => sell(seller!, { vehicle_id: car, customer_id: customer, currency: 'STG', sale_price: '100.00' }),
  'cancelling its sale': async (car) => {
    const { sale } = await openOf(car);
    if (sale) return seller!.post(`sales/${sale}/cancel`, { reason: 'vazgeçti' }, newKey());
  },
  'POST network-auctions': (car) =>
    seller!.post('network-auctions', { vehicle_id: car, start_price: 1, min_increment: 1, ends_at: inFuture(api, HOUR) }),
  'POST auction-requests': (car) => seller!.post('auction-requests', { vehicle_id: car, start_price: 1 }),
  'ending its auction': async (car) => {
    const { auction } = await openOf(car);
    if (auction) return seller!.post(`network-auctions/${auction}/end`, { award: true });
  },
  'the hammer': async (car) => {
    const { lot } = await openOf(car);
    if (lot) return other!.post(`live-auctions/lots/${lot}/end`);
  },
  'withdrawing its lot': async (car) => {
    const { lot } = await openOf(car);
    if (lot) return asPlatform(api, other!.accountId, (work) => withdrawLot(work, lot, null)).catch((error) => error.code);
  },
  'cancelling its event': async (car) => {
    const { event } = await openOf(car);
    if (event) return asPlatform(api, other!.accountId, (work) => cancelEvent(work, event, null)).catch((error) => error.code);
  },
};

/** Inconsistencies of one vehicle; `$1` is its id. */
const WRONG: Readonly<Record<string, string>> = {
  'is visible without a live listing, or the reverse': `select from vehicles v where id = $1 and is_marketplace_visible <>
    exists (select from listings where vehicle_id = v.id and status = 'Yayında')`,
  'is listed although it is not in stock': `select from listings l join vehicles v on v.id = l.vehicle_id
    where v.id = $1 and (l.status = 'Yayında' and (v.status <> 'Stokta' or v.deleted_at is not null) or l.status = 'Askıda' and v.status <> 'Rezerve')`,
  'is in an auction but has another status': `select from vehicles v where id = $1 and (status <> 'Auction''da' or deleted_at is not null) and (
    exists (select from network_auctions where vehicle_id = v.id and status in ('Planlandı', 'Canlı'))
    or exists (select from live_lots where vehicle_id = v.id and status in ('Sırada', 'Açık')))`,
  'is sold by a sale without one, or has one and is not sold': `select from vehicles v where id = $1
    and (status = 'Satıldı' and sold_via = 'Satış') <> exists (select from sales where vehicle_id = v.id and status <> 'İptal')`,
  'is held although it is not reserved': `select from vehicles v where id = $1 and (status <> 'Rezerve' or deleted_at is not null)
    and exists (select from reservations where vehicle_id = v.id and status = 'Aktif')`,
  'is promised without a hold': `select from network_offers o where vehicle_id = $1 and status = 'Kabul Edildi'
      and not exists (select from reservations where source_id = o.id and status = 'Aktif')
    union all select from trade_requests t where requested_vehicle_id = $1 and status = 'Kabul Edildi' and not is_requested_sold
      and not exists (select from reservations where source_id = t.id and vehicle_id = t.requested_vehicle_id and status = 'Aktif')
    union all select from network_auctions a where vehicle_id = $1 and result = 'Satıldı'
      and not exists (select from reservations where source_id = a.id and status in ('Aktif', 'Tamamlandı'))`,
  'of a trade is free although the trade is agreed': `select from trade_requests t join vehicles v on v.id = $1
    where (t.status = 'Kabul Edildi' or t.status = 'Tamamlandı') and $1 in (requested_vehicle_id, offered_vehicle_id) and v.status = 'Stokta'`,
};

const FIXED = 'brand, model, model_year, km, fuel_type, transmission, body_type, plate, price_minor, currency';
/** Everything that an import can change. */
const whole = async (car: string): Promise<string> =>
  JSON.stringify(
    await admin.rows(
      `select to_jsonb(v) - array['updated_at', 'list_json', 'detail_json'] as car,
        (select jsonb_agg(status order by id) from listings where vehicle_id = v.id) as listings from vehicles v where id = $1`,
      [car],
    ),
  );
const seen = async (car: string) => (await admin.rows<Shown>(`select ${FIXED} from vehicles where id = $1`, [car]))[0];

test.each(Object.keys(STATES))('a vehicle that is %s', async (state) => {
  const found: string[] = [];
  for (const [name, write] of Object.entries(WRITERS)) {
    const car = await STATES[state]!();
    const [before, open, wholeBefore] = [await seen(car), await openOf(car), await whole(car)];
    const answer = (await write(car, await plateOf(car))) as
      | { status: number; json: { error: { code: string } } }
      | string
      | undefined;
    const verdict = typeof answer === 'object' && typeof answer.status === 'number' ? verdictOf(answer as never) : String(answer);
    if (verdict === UPDATED && (await whole(car)) === wholeBefore) found.push(`${name}: reports an update and changed nothing`);
    if (/^5\d\d/.test(verdict)) found.push(`${name}: ${verdict}`);
    for (const [what, text] of Object.entries(WRONG))
      if ((await admin.rows(text, [car])).length > 0) found.push(`${name} (${verdict}): ${what}`);
    const still = await openOf(car);
    if ((open.auction ?? open.lot) && (still.auction ?? still.lot)) {
      const after = await seen(car);
      if (JSON.stringify(before, text) !== JSON.stringify(after, text))
        found.push(`${name} (${verdict}): bidders saw another vehicle`);
    }
  }
  expect(found).toEqual([]);
});
const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

test('and every timed transition succeeds', async () => {
  await advanceClock(api, 30 * 24 * HOUR);
  for (let looks = 0; looks < 20 && (await runTimedTransitions(api.service.parts.writer, api.clock.now())) > 0; looks += 1);
  const late = await admin.rows(`select id from network_auctions where status in ('Planlandı', 'Canlı')`);
  expect(late).toEqual([]);
  expect((await other!.get('network-auctions')).status).toBe(200);
});

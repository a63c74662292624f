// Two more records for every list, so that a walk has pages. Every list needs an entry here.
import { bankDay, daysBefore } from '../../src/domain/exchange-rates/bulletin-schedule.ts';
import { RATE_SOURCES } from '../../src/domain/exchange-rates/rates.ts';
import { rawSql, type Sql, sql, theAccount } from '../../src/kit/sql.ts';
import { storeBulletinFor } from '../support/bulletins.ts';
import { moreBids, newAuction, newEvent, newLot, newRequest } from './auction-requests.ts';
import { aConnector } from './import-requests.ts';
import { newListing } from './market-requests.ts';
import { offerToMe, swapOfMine } from './network-requests.ts';
import type { World } from './requests.ts';
import { newCashSale, newCollection, newPromise, standingSale } from './sales-requests.ts';
import { newBoost, newInvoice, newTransaction } from './wallet-requests.ts';

/** Receives the list's path; returns the query to use, if it changed. */
type Filler = (world: World, path: string) => Promise<string | undefined>;

const idIn = (path: string, place: number): string => path.split('/')[place]!;

/** Copies of one record at the same moment that differ only in their ids. */
const copies =
  (table: string, where: (path: string) => Sql = () => sql`true`, changes: (n: number) => object = () => ({})): Filler =>
  async ({ api, accountId }, path) => {
    await api.database.inTenant(accountId, 'write', async (db) => {
      const { count } = await db.one<{ count: number }>(
        sql`select count(*)::int as count from ${rawSql(table)} where account_id = ${theAccount} and ${where(path)}`,
      );
      for (let n = count + 1; n <= 3; n += 1)
        await db.exec(sql`insert into ${rawSql(table)} select (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid())
            || ${JSON.stringify(changes(n))}::jsonb)).* from ${rawSql(table)} one
          where account_id = ${theAccount} and ${where(path)} limit 1`);
    });
    return undefined;
  };

/** Until the list has three. */
const untilThree =
  (make: (world: World) => Promise<unknown>): Filler =>
  async (world, path) => {
    const { json } = await world.api.call(path, { key: world.key });
    for (let n = json.data.length; n < 3; n += 1) await make(world);
    return undefined;
  };

const moreSales = untilThree(newCashSale);
const moreCollections = untilThree(async (world) => newCollection(world, (await standingSale(world)).sale));
const morePromises = untilThree(async (world) => newPromise(world, await newCashSale(world)));
const moreListings = untilThree(newListing);
/** The shared sale of the reads has more than three installments of each kind. */
const hasRows: Filler = async () => undefined;

const ofVehicle = (path: string) => sql`vehicle_id = ${idIn(path, 1)}`;
const ofCustomer = (path: string) => sql`customer_id = ${idIn(path, 1)} and true`;
const live = () => sql`deleted_at is null`;

export const MORE_RECORDS: Readonly<Record<string, Filler>> = {
  'GET network-auctions': untilThree(newAuction),
  'GET network-auctions/{auction_id}/bids': async (world) => {
    await moreBids(world);
    return undefined;
  },
  'GET auction-requests': untilThree(newRequest),
  'GET live-auctions': untilThree(newEvent),
  'GET live-auctions/{event_id}/lots': untilThree(newLot),
  'GET vehicles': async ({ api, accountId }) => void (await api.vehicle(accountId)),
  'GET customers': async ({ api, accountId }) => void (await api.customer(accountId)),
  'GET vehicles/{vehicle_id}/history': copies('vehicle_history', ofVehicle),
  'GET vehicles/{vehicle_id}/photos': copies('vehicle_photos', ofVehicle, (position) => ({ position })),
  'GET vehicles/{vehicle_id}/videos': copies('vehicle_videos', ofVehicle, (position) => ({ position })),
  'GET customers/{customer_id}/activity': copies('customer_activity', ofCustomer),
  'GET customers/{customer_id}/guarantors': copies('guarantors', ofCustomer, () => ({ id_no_index: null })),
  'GET sales': moreSales,
  'GET customers/{customer_id}/sales': moreSales,
  'GET installment-plans': moreSales,
  'GET installment-plans/{plan_id}/installments': hasRows,
  'GET installments/overdue': hasRows,
  'GET installments/upcoming': hasRows,
  'GET customers/{customer_id}/installments': hasRows,
  'GET collections': moreCollections,
  'GET sales/{sale_id}/collections': moreCollections,
  'GET customers/{customer_id}/collections': moreCollections,
  'GET payment-promises': morePromises,
  'GET promissory-notes': hasRows,
  'GET marketplace/listings': moreListings,
  'GET marketplace/listings/{listing_id}/offers': copies('marketplace_offers', (path) => sql`listing_id = ${idIn(path, 2)}`),
  'GET document-templates': hasRows,
  'GET documents': hasRows,
  'GET sales/{sale_id}/sale-documents': hasRows,
  'GET sale-documents/{document_id}/events': hasRows,
  'GET sales/{sale_id}/documents': hasRows,
  'GET customers/{customer_id}/documents': hasRows,
  'GET network-offers': untilThree(offerToMe),
  'GET network-offers/received': untilThree(offerToMe),
  'GET vehicles/{vehicle_id}/network-offers': copies('network_offers', ofVehicle, () => ({ status: 'Geri Çekildi' })),
  'GET trade-requests': untilThree(swapOfMine),
  'GET tasks': copies('tasks', live),
  'GET notifications': copies('notifications'),
  'GET account/branches': copies('branches', undefined, (n) => ({ name: `Şube ${n}`, is_main: false })),
  'GET membership/invoices': untilThree(newInvoice),
  'GET wallet/transactions': untilThree(newTransaction),
  'GET boost-orders': untilThree(newBoost),
  'GET webhooks': copies('webhooks', live),
  'GET webhooks/{webhook_id}/deliveries': copies('webhook_deliveries', (path) => sql`webhook_id = ${idIn(path, 1)}`),
  'GET import/connectors': async ({ api, key }, path) => {
    const headers = { 'content-type': 'application/json' };
    for (let n = 0; n < 2; n += 1) await api.call(path, { key, method: 'POST', headers, body: JSON.stringify(aConnector()) });
    return undefined;
  },
  'GET import/runs': copies('import_runs'),
  'GET import/runs/{run_id}/errors': copies('import_row_errors', (path) => sql`run_id = ${idIn(path, 2)}`),
  'GET exchange-rates/history': async ({ api }) => {
    const [to] = RATE_SOURCES.map((source) => bankDay(source, new Date())).sort() as [string];
    for (const source of RATE_SOURCES)
      for (const before of [1, 3]) await storeBulletinFor(api.database, source, { day: daysBefore(to, before) });
    return `pair=STG-TL&from=${daysBefore(to, 5)}&to=${to}`;
  },
  'GET developer/request-logs': async ({ api, key }) => {
    for (let n = 0; n < 3; n += 1) await api.call('account', { key });
    return undefined;
  },
};

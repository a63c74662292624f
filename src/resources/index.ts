// All catalogued endpoints, resource by resource, in the specification's order. Routes, docs and checks are derived from this list.
import type { Resource } from '../kit/endpoint.ts';
import { account } from './account.ts';
import { apiUsage } from './api-usage.ts';
import { auctionRequests } from './auction-requests.ts';
import { boostOrders } from './boost-orders.ts';
import { collections } from './collections.ts';
import { customers } from './customers.ts';
import { documents } from './documents.ts';
import { exchangeRates } from './exchange-rates.ts';
import { guarantors } from './guarantors.ts';
import { importCenter } from './import-center.ts';
import { installmentPlans } from './installment-plans.ts';
import { liveAuctions } from './live-auctions.ts';
import { marketplace } from './marketplace.ts';
import { membership } from './membership.ts';
import { networkAuctions } from './network-auctions.ts';
import { networkOffers } from './network-offers.ts';
import { notifications } from './notifications.ts';
import { paymentPromises } from './payment-promises.ts';
import { promissoryNotes } from './promissory-notes.ts';
import { reports } from './reports.ts';
import { sales } from './sales.ts';
import { tasks } from './tasks.ts';
import { tradeRequests } from './trade-requests.ts';
import { vehiclePhotos } from './vehicle-photos.ts';
import { vehicleVideos } from './vehicle-videos.ts';
import { vehicles } from './vehicles.ts';
import { wallet } from './wallet.ts';
import { webhooks } from './webhooks.ts';

const listed = [
  account,
  vehicles,
  vehiclePhotos,
  vehicleVideos,
  customers,
  guarantors,
  sales,
  installmentPlans,
  collections,
  paymentPromises,
  documents,
  promissoryNotes,
  tasks,
  networkOffers,
  tradeRequests,
  networkAuctions,
  marketplace,
  auctionRequests,
  liveAuctions,
  membership,
  wallet,
  boostOrders,
  notifications,
  exchangeRates,
  reports,
  importCenter,
  webhooks,
  apiUsage,
] as const;

export const resources: readonly Resource[] = listed;

/** The type of every endpoint's request and reply, by which the browser's calls are checked (web/src/endpoints.ts). */
export type CatalogEndpoints = (typeof listed)[number]['endpoints'][number];

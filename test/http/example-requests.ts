// One request of every built endpoint, as a client would send it to the demonstration's first dealer. Writes are dry runs, so
// that each finds the demonstration as it is shipped.

import { dealerOf } from '../../src/demo/demo-dealer.ts';
import { demoNetwork } from '../../src/demo/demo-network.ts';
import { demoIds } from '../../src/demo/demo-office.ts';
import { idOf, listingIdOf } from '../../src/demo/demo-random.ts';
import { newDemoVehicle } from '../../src/demo/demo-vehicle.ts';
import { TEMPLATES } from '../../src/domain/documents/document-templates.ts';
import { type ApiEndpoint, isList } from '../../src/http/api/api-endpoints.ts';

export interface ExampleRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The same as a form with a file, for endpoints that accept one. */
  readonly form?: { readonly file: string; readonly fields: Readonly<Record<string, string>> };
}

export const DEALER = dealerOf(0);
const IDS = demoIds(DEALER);

/** Of the dealership's country. */
const templateId = (code: string): string => TEMPLATES.find((one) => one.country === 'KKTC' && one.code === code)!.id;

/** The time of loading. */
export const LOADED_AT = new Date('2026-10-02T09:00:00Z');

const NETWORK = demoNetwork(DEALER, LOADED_AT);

/** Other records than the first, for endpoints that need one in another state. */
const cars = Array.from({ length: 60 }, (_, number) => newDemoVehicle(DEALER, number, LOADED_AT));
const inStock = (listed: boolean) =>
  cars.filter(({ status, is_marketplace_visible }) => status === 'Stokta' && is_marketplace_visible === listed);
const [UNLISTED] = inStock(false).map(({ id }) => id) as [string];
const [LISTED] = inStock(true).map(({ id }) => id) as [string];
/** The first, by id, of those that are not listed is in the dealer's own auction. */
const AUCTIONED = inStock(false)
  .map(({ id }) => id)
  .toSorted()[0]!;
/** Of the only vehicle in the exported file. */
const PLATE = String(cars[0]!.plate);

const CAR = {
  brand: 'Volkswagen',
  model: 'Golf',
  model_year: 2018,
  km: 84500,
  fuel_type: 'Benzin',
  transmission: 'Otomatik',
  body_type: 'Hatchback',
  color: 'Beyaz',
  plate: 'GL 2018',
  city: 'Lefkoşa',
  price: '14250.00',
  currency: 'STG',
  external_ref: 'STK-1042',
  stock_date: '2026-10-02',
  engine_cc: 1598,
  power_hp: 115,
  steering: 'Sağ',
  equipment: ['Klima', 'Cam tavan'],
};
const PERSON = { first_name: 'Ayşe', last_name: 'Yılmaz', phone: '+905338412207' };

const BODIES: Readonly<Record<string, unknown>> = {
  'POST vehicles': CAR,
  'PATCH vehicles/{vehicle_id}': {
    km: 85000,
    price: '13900.00',
    condition: { painted: ['Tavan'], locally_painted: ['Ön Tampon'] },
    inspection_until: '2027-05-31',
  },
  'POST vehicles/{vehicle_id}/publish': { title: '2018 Golf, ilk sahibinden' },
  'POST vehicles/{vehicle_id}/reserve': { customer_id: IDS.customer_id, deposit_amount: '500.00' },
  'POST vehicles/{vehicle_id}/mark-sold': { sold_at: '2026-10-02', sold_price: '13500.00', sold_currency: 'STG' },
  'POST vehicles/bulk-create': { vehicles: [CAR, { ...CAR, plate: PLATE, external_ref: 'STK-1043' }] },
  'POST vehicles/bulk-update': { updates: [{ id: IDS.vehicle_id, km: 85000 }] },
  'POST vehicles/{vehicle_id}/photos': { url: 'https://example.com/foto/arka.jpg', caption: 'Arkadan' },
  'PATCH vehicles/{vehicle_id}/photos/{photo_id}': { caption: 'Önden, gündüz' },
  'POST vehicles/{vehicle_id}/photos/reorder': { photo_ids: [IDS.photo_id] },
  'POST vehicles/{vehicle_id}/videos': { url: 'https://vimeo.com/76979871', title: 'Motor sesi' },
  'PATCH vehicles/{vehicle_id}/videos/{video_id}': { title: 'Tanıtım filmi' },
  'POST vehicles/{vehicle_id}/videos/reorder': { video_ids: [IDS.video_id] },
  'POST customers': { ...PERSON, email: 'ayse@example.com', risk_level: 'low' },
  'PATCH customers/{customer_id}': { note: 'Cumartesi aranacak' },
  'POST customers/{customer_id}/activity': { kind: 'Ziyaret', note: 'Eşiyle geldi, Golf’a baktı' },
  'POST customers/{customer_id}/guarantors': { ...PERSON, relationship: 'Eş' },
  'PATCH guarantors/{guarantor_id}': { relationship: 'Akraba' },
  'POST sales': {
    vehicle_id: IDS.vehicle_id,
    customer_id: IDS.customer_id,
    guarantor_ids: [IDS.guarantor_id],
    sale_price: '14250.00',
    down_payment: '4000.00',
    finance_charge: '1050.00',
    installment_count: 12,
    currency: 'STG',
    late_rate_yearly: '24.00',
  },
  'PATCH sales/{sale_id}': { title_transfer: { status: 'Yapıldı', place: 'Lefkoşa Kaza Dairesi' }, notes: 'İki anahtar verildi' },
  'POST sales/{sale_id}/cancel': { reason: 'Müşteri vazgeçti', refund_amount: '4500.00', refund_method: 'Havale/EFT' },
  'PATCH installments/{installment_id}': { amount: '950.00', note: 'Son taksit biraz büyük olsun istedi' },
  'POST installments/{installment_id}/postpone': { months: 1, reason: 'Maaşı gecikecek' },
  'POST collections': { sale_id: IDS.sale_id, amount: '900.00', currency: 'STG', method: 'Havale/EFT', reference: 'EFT 4471' },
  'POST collections/{collection_id}/reverse': { reason: 'Havale geri döndü', reason_code: 'İade' },
  'POST payment-promises': { sale_id: IDS.unpaid_sale_id, amount: '2000.00', promised_date: '2026-10-20' },
  'PATCH payment-promises/{promise_id}': { note: 'Cuma günü arayacak' },
  'POST promissory-notes': {
    sale_id: IDS.sale_id,
    installment_ids: [4, 5].map((seq) => idOf('office', 0, `row ${seq}`)),
    issue_place: 'Lefkoşa',
  },
  'PATCH promissory-notes/{note_id}': { status: 'Bankada', bank_name: 'Türkiye İş Bankası, Lefkoşa' },
  'POST marketplace/listings': { vehicle_id: UNLISTED, description: 'İlk sahibinden, bakımları yetkili serviste' },
  'POST marketplace/listings/{listing_id}/offers/{offer_id}/reject': { reason: 'Fiyat düşük' },
  'POST sale-documents/{document_id}/send': { channel: 'Bağlantı', message: 'Akşama kadar bakabilir misiniz?' },
  'POST sale-documents/{document_id}/void': { reason: 'Teslim günü değişti' },
  'POST sales/{sale_id}/sale-documents/generate': { template_id: templateId('odeme_plani') },
  'POST network-offers': {
    listing_id: NETWORK.free,
    amount: '11500.00',
    message: 'Nakit alırım',
  },
  'POST network-offers/{offer_id}/accept': { message: 'Hayırlı olsun' },
  'POST network-offers/{offer_id}/reject': { reason: 'Fiyat düşük' },
  'POST network-offers/{offer_id}/counter': { amount: '12400.00' },
  'POST trade-requests': {
    offered_vehicle_id: NETWORK.wanted,
    requested_listing_id: NETWORK.free,
    cash_difference: '-250.50',
    currency: 'STG',
  },
  'POST trade-requests/{request_id}/reject': { reason: 'Kilometresi yüksek' },
  'POST network-auctions': {
    vehicle_id: IDS.vehicle_id,
    start_price: '8000.00',
    min_increment: '100.00',
    reserve_price: '9000.00',
    ends_at: '2026-10-05T09:00:00Z',
  },
  'POST network-auctions/{auction_id}/bid': { amount: '9000000.00' },
  'POST network-auctions/{auction_id}/end': { award: false, reason: 'Araç elden satılacak' },
  'POST auction-requests': {
    vehicle_id: IDS.vehicle_id,
    start_price: '8000.00',
    reserve_price: '9000.00',
    event_id: IDS.event_id,
  },
  'PATCH auction-requests/{request_id}': { note: 'Ekspertiz raporu eklendi' },
  'POST live-auctions/lots/{lot_id}/bid': { amount: '9000000.00' },
  'POST live-auctions/lots/{lot_id}/end': { note: 'Taban fiyata ulaşılmadı' },
  'POST tasks': { title: 'Ruhsatı iste', priority: 'Yüksek', customer_id: IDS.customer_id },
  'PATCH tasks/{task_id}': { status: 'Tamamlandı' },
  'POST notifications/read-all': {},
  'POST import/connectors': {
    name: 'Web sitesi',
    type: 'csv',
    transport: 'inline',
    target: 'customers',
    key_field: 'phone',
    config: { mapping: { first_name: 'Ad', last_name: 'Soyad', phone: 'Telefon' } },
  },
  'PATCH import/connectors/{connector_id}': { name: 'Eski program (2024)' },
  'POST import/connectors/{connector_id}/run': { content: 'Ad;Soyad;Telefon\nAyşe;Yılmaz;+905338412207\n' },
  'POST wallet/topup-requests': { amount: '5000.00', method: 'Havale/EFT', reference: 'DK-20261002-0042' },
  'POST boost-orders': { listing_id: listingIdOf(DEALER, LISTED), package: 'Acil-7' },
  'POST webhooks': { url: 'https://example.com/galeri/olaylar', events: ['vehicle.*', 'customer.created'] },
  'PATCH webhooks/{webhook_id}': { description: 'Web sitesi, yeni' },
  'POST webhooks/{webhook_id}/rotate-secret': { overlap_seconds: 3600 },
};

const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'GET vehicles/export': { plate: PLATE },
  'GET marketplace/stats': { from: '2026-09-03', to: '2026-10-02' },
  'GET exchange-rates/history': { pair: 'STG-TL', from: '2026-10-01', to: '2026-10-02' },
  'GET collections/summary': { from: '2026-07-01', to: '2026-10-02' },
  'GET reports/sales-summary': { from: '2026-07-01', to: '2026-09-30' },
  'GET reports/collections-summary': { from: '2026-07-01', to: '2026-09-30', group_by: 'method' },
  'GET reports/profit-loss': { from: '2026-07-01', to: '2026-09-30' },
  'GET reports/salesperson-performance': { from: '2026-07-01', to: '2026-09-30' },
  'GET reports/overdue-risk': { limit: '2' },
  'GET reports/custom': {
    dataset: 'sales',
    metrics: 'count,sum_sale_price',
    group_by: 'month,brand',
    from: '2026-07-01',
    to: '2026-09-30',
  },
};

const CONSUMER_OFFER = { listing_id: IDS.listing_id, offer_id: IDS.consumer_offer_id };

const PARAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'POST network-auctions/{auction_id}/end': { auction_id: IDS.own_auction_id },
  'GET network-auctions/{auction_id}/winner': { auction_id: IDS.ended_auction_id },
  'GET vehicles/{vehicle_id}/network-auction': { vehicle_id: AUCTIONED },
  'GET auction-requests/{request_id}': { request_id: IDS.auction_request_id },
  'PATCH auction-requests/{request_id}': { request_id: IDS.auction_request_id },
  'DELETE auction-requests/{request_id}': { request_id: IDS.auction_request_id },
  'POST live-auctions/lots/{lot_id}/bid': { lot_id: IDS.bid_lot_id },
  'POST live-auctions/lots/{lot_id}/end': { lot_id: IDS.open_lot_id },
  'POST vehicles/{vehicle_id}/publish': { vehicle_id: UNLISTED },
  'POST vehicles/{vehicle_id}/unpublish': { vehicle_id: LISTED },
  'POST vehicles/{vehicle_id}/restore': { vehicle_id: IDS.deleted_vehicle_id },
  'GET network-offers/{offer_id}': { offer_id: NETWORK.countered },
  'POST network-offers/{offer_id}/accept': { offer_id: NETWORK.offer_to_me },
  'POST network-offers/{offer_id}/reject': { offer_id: NETWORK.offer_to_me },
  'POST network-offers/{offer_id}/counter': { offer_id: NETWORK.offer_to_me },
  'POST network-offers/{offer_id}/withdraw': { offer_id: NETWORK.offer_of_mine },
  'GET vehicles/{vehicle_id}/network-offers': { vehicle_id: NETWORK.countered_car },
  'GET trade-requests/{request_id}': { request_id: NETWORK.swap_to_me },
  'POST trade-requests/{request_id}/accept': { request_id: NETWORK.swap_to_me },
  'POST trade-requests/{request_id}/reject': { request_id: NETWORK.swap_to_me },
  'DELETE trade-requests/{request_id}': { request_id: NETWORK.swap_of_mine },
  'POST webhooks/{webhook_id}/deliveries/{delivery_id}/retry': {
    webhook_id: IDS.active_webhook_id,
    delivery_id: IDS.retried_delivery_id,
  },
  'POST marketplace/listings/{listing_id}/offers/{offer_id}/accept': CONSUMER_OFFER,
  'POST marketplace/listings/{listing_id}/offers/{offer_id}/reject': CONSUMER_OFFER,
  'GET sale-documents/{document_id}/signed-copy': { document_id: IDS.signed_document_id },
  'GET sale-documents/{document_id}/events': { document_id: IDS.signed_document_id },
  'POST sale-documents/{document_id}/send': { document_id: IDS.draft_document_id },
  'POST sale-documents/{document_id}/void': { document_id: IDS.draft_document_id },
  // A customer without debts.
  'DELETE customers/{customer_id}': { customer_id: idOf('customer', DEALER.index, 1) },
  'DELETE sales/{sale_id}': { sale_id: IDS.unpaid_sale_id },
};

const FORMS: Readonly<Record<string, ExampleRequest['form']>> = {
  'POST vehicles/{vehicle_id}/photos': { file: 'photo.jpg', fields: { caption: 'Arkadan' } },
  'POST import/connectors/{connector_id}/run': { file: 'customers.csv', fields: {} },
  'POST documents': { file: 'kimlik.pdf', fields: { kind: 'Kimlik', customer_id: IDS.customer_id } },
};

export function exampleRequest(endpoint: ApiEndpoint): ExampleRequest {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const known: Readonly<Record<string, string>> = { ...IDS, currency_pair: 'STG-TL', ...PARAMS[endpoint.id] };
  const params = Object.fromEntries(names.map((name) => [name, known[name]!]));
  const query = { ...(isList(endpoint.body) ? { limit: '2' } : {}), ...QUERIES[endpoint.id] };
  return {
    ...(names.length === 0 ? {} : { params }),
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(BODIES[endpoint.id] === undefined ? {} : { body: BODIES[endpoint.id] }),
    ...(FORMS[endpoint.id] === undefined ? {} : { form: FORMS[endpoint.id]! }),
  };
}

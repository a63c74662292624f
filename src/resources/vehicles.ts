// Vehicles in stock. Hidden from every key: cost and purchase price, customs fee, chassis and engine numbers.

import { WITH_PHOTOS } from '../domain/media/photo-include.ts';
import { createBody, patchBody } from '../domain/records/body.ts';
import {
  editWithDeposit,
  markSoldWithDeposit,
  RESERVE_FIELDS,
  reserveWithDeposit,
  SOLD_FIELDS,
  VEHICLE_PATCH_FIELDS,
} from '../domain/sales/deposits.ts';
import { LISTING_FIELDS } from '../domain/stock/listings.ts';
import { VEHICLE_FIELDS } from '../domain/stock/vehicle.ts';
import {
  BULK_CREATE_FIELDS,
  BULK_UPDATE_FIELDS,
  BulkCreated,
  BulkUpdated,
  createVehicles,
  updateVehicles,
} from '../domain/stock/vehicle-bulk.ts';
import { EXPORT_FORMATS, exportVehicles, VehicleExport } from '../domain/stock/vehicle-export.ts';
import { HISTORY_EVENTS, HistoryEntry, listHistory } from '../domain/stock/vehicle-history.ts';
import { VehicleFilters, vehiclesWhere } from '../domain/stock/vehicle-list.ts';
import { readVehicle, Vehicle, VehicleDetail } from '../domain/stock/vehicle-view.ts';
import { addVehicle, deleteVehicle, publishVehicle, restoreVehicle, unpublishVehicle } from '../domain/stock/vehicle-writes.ts';
import { dayIn } from '../kit/clock.ts';
import { BULK_BYTES, del, get, patch, post, resource } from '../kit/endpoint.ts';
import { listPage } from '../kit/page.ts';
import { oneOfParam, withFallback } from '../kit/params.ts';

export const vehicles = resource('Vehicles', 'Araçlar', [
  get('vehicles', 'vehicles:read', 'read', 'Aktif', ['List vehicles', 'Araçları listele'], {
    about: [
      'Returns the vehicles in stock, newest first. Filters are combined with AND. Deleted vehicles are returned only with `deleted=true`.',
      'Stoktaki araçlar, en yeniden eskiye; filtreler birlikte uygulanır. Silinenler yalnızca `deleted=true` ile gelir.',
    ],
    query: VehicleFilters,
    includes: WITH_PHOTOS,
    lists: Vehicle,
    synced: true,
    sorts: true,
    run: ({ db, query, page, account }) =>
      listPage(db, { table: 'vehicles', shows: 'list_json', where: vehiclesWhere(query, account.timezone) }, page),
  }),
  post('vehicles', 'vehicles:write', 'write', 'Yakında', ['Add a vehicle to stock', 'Stoğa araç ekle'], {
    about: [
      'Creates a vehicle with status «Stokta». Plate, chassis number and `external_ref` must be unique among vehicles that are not deleted; the plan can limit the number of vehicles. `condition` lists painted, locally painted and replaced body parts: null means unknown, empty lists mean none.',
      'Aracı «Stokta» olarak stoğa alır. Plaka, şasi numarası ve `external_ref` silinmemiş araçlar arasında tektir; plan araç sayısını sınırlayabilir. `condition` boyalı, lokal boyalı ve değişen parçaları söyler: null belirtilmemiş, boş liste hiç yok demektir.',
    ],
    refuses: ['plate_in_use', 'chassis_in_use', 'external_ref_in_use', 'plan_limit_reached', 'unknown_reference'],
    emits: ['vehicle.created', 'membership.limit_reached'],
    bodySchema: createBody(VEHICLE_FIELDS),
    returns: VehicleDetail,
    successStatus: 201,
    run: ({ work, body }) => addVehicle(work, body),
  }),
  get('vehicles/{vehicle_id}', 'vehicles:read', 'read', 'Yakında', ['Read a vehicle', 'Aracı getir'], {
    about: [
      'Returns a vehicle with its photo count and active reservation. A deleted vehicle is returned with `deleted_at`. Purchase price, customs fee, chassis number and engine number are never returned.',
      'Bir aracın anahtara açık tüm alanları, fotoğraf sayısı ve geçerli rezervasyonu; silinmiş araç `deleted_at` ile gösterilir. Alış fiyatı, gümrük, şasi ve motor numarası hiçbir zaman gösterilmez.',
    ],
    includes: WITH_PHOTOS,
    returns: VehicleDetail,
    run: ({ db, params }) => readVehicle(db, params.vehicle_id),
  }),
  patch(
    'vehicles/{vehicle_id}',
    'vehicles:write',
    'write',
    'Yakında',
    ['Edit a vehicle or release its reservation', 'Aracı düzenle veya rezervasyonunu kaldır'],
    {
      about: [
        'Updates the fields you send; `condition` is replaced as a whole. `status: "Stokta"` ends a reservation or an external sale. Fields that a sale or an auction depends on cannot be changed.',
        'Verilen alanları değiştirir, `condition` bütün olarak değişir; `status: "Stokta"` rezervasyonu ya da harici satışı sona erdirir. Satılmış ya da müzayededeki araçta anlaşmanın dayandığı alanlar değişmez.',
      ],
      refuses: [
        'plate_in_use',
        'chassis_in_use',
        'external_ref_in_use',
        'vehicle_deleted',
        'vehicle_locked',
        'vehicle_in_auction',
        'trade_in_progress',
        'invalid_transition',
        'unknown_reference',
        'deposit_open',
        'no_open_deposit',
        'day_closed',
      ],
      emits: [
        'vehicle.updated',
        'vehicle.price_changed',
        'vehicle.status_changed',
        'network_auction.fell_through',
        'live_lot.fell_through',
        'vehicle.reservation_released',
        'marketplace_offer.fell_through',
        'listing.resumed',
        'network_offer.fell_through',
        'trade_request.fell_through',
        'collection.refunded',
        'collection.deposit_kept',
      ],
      bodySchema: patchBody(VEHICLE_PATCH_FIELDS),
      returns: VehicleDetail,
      run: ({ work, params, body }) => editWithDeposit(work, params.vehicle_id, body),
    },
  ),
  del('vehicles/{vehicle_id}', 'vehicles:write', 'destructive', 'Yakında', ['Delete a vehicle', 'Aracı sil'], {
    about: [
      'Deletes a vehicle that is «Stokta» and closes its listing. It can be restored. Reserved, auctioned and sold vehicles cannot be deleted.',
      '«Stokta» olan aracı stoktan çıkarır ve ilanını kapatır; geri yüklenebilir. Rezerve edilmiş, müzayededeki ve satılmış araçlar reddedilir.',
    ],
    refuses: ['vehicle_reserved', 'vehicle_in_auction', 'vehicle_sold', 'deposit_open'],
    emits: [
      'vehicle.deleted',
      'listing.closed',
      'marketplace_offer.rejected',
      'network_offer.rejected',
      'trade_request.rejected',
      'trade_request.cancelled',
      'boost_order.finished',
      'boost_order.cancelled',
      'wallet_transaction.created',
    ],
    returns: VehicleDetail,
    run: ({ work, params }) => deleteVehicle(work, params.vehicle_id),
  }),
  post(
    'vehicles/{vehicle_id}/publish',
    'vehicles:write',
    'write',
    'Yakında',
    ['Publish a vehicle on the marketplace', 'Aracı pazar yerinde yayınla'],
    {
      about: [
        'Publishes the vehicle on the marketplace, optionally with its own title and description. The vehicle must be «Stokta» and not listed; the account needs the marketplace capability and a free place in its plan.',
        'Araç için pazar yerinde, istenirse kendi başlığı ve açıklamasıyla, ilan açar. Yalnızca «Stokta» ve ilanda olmayan araç yayınlanır; hesapta pazar yeri özelliği ve planda yer olmalıdır.',
      ],
      refuses: ['vehicle_deleted', 'vehicle_not_in_stock', 'already_published', 'capability_not_enabled', 'plan_limit_reached'],
      emits: ['listing.published', 'vehicle.published', 'membership.limit_reached'],
      bodySchema: createBody(LISTING_FIELDS),
      returns: VehicleDetail,
      run: ({ work, params, body }) => publishVehicle(work, params.vehicle_id, body),
    },
  ),
  post(
    'vehicles/{vehicle_id}/unpublish',
    'vehicles:write',
    'write',
    'Yakında',
    ['Take a vehicle off the marketplace', 'Aracı yayından kaldır'],
    {
      about: [
        'Closes the listing of the vehicle; the vehicle stays in stock. Fails if the vehicle is not listed.',
        'Aracın ilanını kapatır; araç stokta kalır. İlanı yoksa reddedilir.',
      ],
      refuses: ['not_published'],
      emits: [
        'listing.closed',
        'vehicle.unpublished',
        'marketplace_offer.rejected',
        'network_offer.rejected',
        'trade_request.rejected',
        'boost_order.finished',
        'boost_order.cancelled',
        'wallet_transaction.created',
      ],
      returns: VehicleDetail,
      run: ({ work, params }) => unpublishVehicle(work, params.vehicle_id),
    },
  ),
  post('vehicles/{vehicle_id}/reserve', 'vehicles:write', 'write', 'Yakında', ['Reserve a vehicle', 'Aracı rezerve et'], {
    about: [
      'Reserves the vehicle until a date, for a customer or without one. A deposit is recorded as a collection. A second call for the same customer updates the reservation. The reservation ends automatically after its last day.',
      'Aracı bir müşteri için ya da isimsiz olarak belirli bir güne kadar tutar; kapora para olarak kaydedilir. Aynı müşteri için yinelenirse rezervasyonu değiştirir. O günden sonra kendiliğinden biter.',
    ],
    refuses: [
      'vehicle_deleted',
      'vehicle_already_sold',
      'vehicle_reserved',
      'vehicle_in_auction',
      'unknown_reference',
      'deposit_exists',
      'day_closed',
    ],
    emits: [
      'vehicle.reserved',
      'vehicle.status_changed',
      'collection.created',
      'listing.suspended',
      'marketplace_offer.rejected',
      'network_offer.rejected',
      'trade_request.rejected',
      'trade_request.cancelled',
    ],
    bodySchema: createBody(RESERVE_FIELDS),
    returns: VehicleDetail,
    run: ({ work, params, body }) => reserveWithDeposit(work, params.vehicle_id, body),
  }),
  post(
    'vehicles/{vehicle_id}/mark-sold',
    'vehicles:write',
    'write',
    'Yakında',
    ['Mark a vehicle as sold elsewhere', 'Aracı satıldı olarak işaretle'],
    {
      about: [
        'Marks the vehicle as sold outside Galeri, with date and price if known. Its reservation is completed and its listing is closed. Fails if the vehicle is in an auction or already sold.',
        'Aracı sistem dışında satılmış olarak işaretler, biliniyorsa gün ve fiyatla; rezervasyonu tamamlanır, ilanı kapanır. Müzayededeki ya da satılmış araç reddedilir.',
      ],
      refuses: ['vehicle_deleted', 'vehicle_already_sold', 'vehicle_in_auction', 'deposit_open', 'no_open_deposit', 'day_closed'],
      emits: [
        'vehicle.sold',
        'vehicle.status_changed',
        'collection.refunded',
        'collection.deposit_kept',
        'listing.closed',
        'marketplace_offer.completed',
        'marketplace_offer.rejected',
        'network_offer.completed',
        'trade_request.completed',
        'network_offer.rejected',
        'trade_request.rejected',
        'trade_request.cancelled',
        'boost_order.finished',
        'boost_order.cancelled',
        'wallet_transaction.created',
      ],
      bodySchema: createBody(SOLD_FIELDS),
      returns: VehicleDetail,
      run: ({ work, params, body }) => markSoldWithDeposit(work, params.vehicle_id, body),
    },
  ),
  post(
    'vehicles/{vehicle_id}/restore',
    'vehicles:write',
    'write',
    'Yakında',
    ['Restore a deleted vehicle', 'Silinen aracı geri yükle'],
    {
      about: [
        'Restores a deleted vehicle; its listing stays closed. Fails if another vehicle now has its plate, chassis number or `external_ref`.',
        'Silinmiş aracı stoğa geri yükler; ilanı kapalı kalır. Plakası, şasi numarası ya da `external_ref` değeri bu arada başka bir araca verildiyse reddedilir.',
      ],
      refuses: ['vehicle_not_deleted', 'plan_limit_reached', 'plate_in_use', 'chassis_in_use', 'external_ref_in_use'],
      emits: ['vehicle.restored', 'membership.limit_reached'],
      returns: VehicleDetail,
      run: ({ work, params }) => restoreVehicle(work, params.vehicle_id),
    },
  ),
  get(
    'vehicles/{vehicle_id}/history',
    'vehicles:read',
    'read',
    'Yakında',
    ["Read a vehicle's history", 'Aracın geçmişini getir'],
    {
      about: [
        'Returns the history of a vehicle, newest first: what changed, and who changed it. Values that keys cannot read are left out.',
        'Araca ne olduğu ve kimin yaptığı, değişen alanlarla, en yeniden eskiye. Anahtara kapalı değerler çıkarılır.',
      ],
      query: { event: oneOfParam(HISTORY_EVENTS) },
      lists: HistoryEntry,
      run: ({ db, params, query, page }) => listHistory(db, params.vehicle_id, query.event, page),
    },
  ),
  get('vehicles/export', 'vehicles:read', 'read', 'Yakında', ['Export the stock', 'Stok listesini dışa aktar'], {
    about: [
      'Returns the filtered stock as CSV or JSON text in `content`. Fails if too many vehicles match; use narrower filters.',
      'Filtrelenmiş stok, `content` içinde tek bir CSV ya da JSON metni olarak. Bir dışa aktarmaya sığmayan stok reddedilir: filtreleri daraltın.',
    ],
    refuses: ['export_too_large'],
    query: { format: withFallback(oneOfParam(EXPORT_FORMATS), 'csv'), ...VehicleFilters },
    returns: VehicleExport,
    run: ({ db, query, account, now }) => {
      const where = vehiclesWhere(query, account.timezone);
      return exportVehicles(db, { format: query.format, where, today: dayIn(now, account.timezone) });
    },
  }),
  post('vehicles/bulk-create', 'vehicles:write', 'write', 'Yakında', ['Add vehicles in bulk', 'Toplu araç ekle'], {
    about: [
      'Creates up to 100 vehicles, each independently: `results` contains the error of each vehicle that failed, and the others are created.',
      'En çok 100 araç ekler, her biri kendi başına: reddedilen, hatasıyla `results` içinde belirtilir ve ötekileri etkilemez.',
    ],
    emits: ['vehicle.created'],
    bodySchema: createBody(BULK_CREATE_FIELDS),
    maxBytes: BULK_BYTES,
    returns: BulkCreated,
    run: ({ work, body, locale }) => createVehicles(work, body.vehicles, locale),
  }),
  post('vehicles/bulk-update', 'vehicles:write', 'write', 'Yakında', ['Edit vehicles in bulk', 'Araçları toplu güncelle'], {
    about: [
      'Updates up to 100 vehicles by id, each independently: `results` contains the error of each vehicle that failed, and the others are updated. Each id can occur once.',
      'Kimlikleriyle en çok 100 aracı düzenler, her biri kendi başına: reddedilen, hatasıyla `results` içinde belirtilir ve ötekileri etkilemez. Bir kimlik yalnızca bir kez yer alabilir.',
    ],
    emits: [
      'vehicle.updated',
      'vehicle.price_changed',
      'vehicle.status_changed',
      'vehicle.reservation_released',
      'marketplace_offer.fell_through',
      'listing.resumed',
      'network_offer.fell_through',
      'trade_request.fell_through',
    ],
    bodySchema: createBody(BULK_UPDATE_FIELDS),
    maxBytes: BULK_BYTES,
    returns: BulkUpdated,
    run: ({ work, body, locale }) => updateVehicles(work, body.updates, locale),
  }),
]);

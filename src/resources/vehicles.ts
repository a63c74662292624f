// Vehicles in stock. Kept from every key: cost and purchase price, customs fee, chassis and engine numbers.
import { createBody, patchBody } from '../domain/records/body.ts';
import { LISTING_FIELDS } from '../domain/stock/listings.ts';
import { RESERVATION_FIELDS, reserveVehicle } from '../domain/stock/reservations.ts';
import { VEHICLE_EDIT_FIELDS, VEHICLE_FIELDS } from '../domain/stock/vehicle.ts';
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
import {
  addVehicle,
  deleteVehicle,
  editVehicle,
  MARK_SOLD_FIELDS,
  markSold,
  publishVehicle,
  restoreVehicle,
  unpublishVehicle,
} from '../domain/stock/vehicle-writes.ts';
import { dayIn } from '../kit/clock.ts';
import { BULK_BYTES, del, get, patch, post, resource } from '../kit/endpoint.ts';
import { listPage } from '../kit/page.ts';
import { oneOfParam, withFallback } from '../kit/params.ts';

export const vehicles = resource('Vehicles', 'Araçlar', [
  get('vehicles', 'vehicles:read', 'read', 'Aktif', ['List vehicles', 'Araçları listele'], {
    query: VehicleFilters,
    lists: Vehicle,
    run: ({ db, query, page, account }) =>
      listPage(db, { table: 'vehicles', shows: 'list_json', where: vehiclesWhere(query, account.timezone) }, page),
  }),
  post('vehicles', 'vehicles:write', 'write', 'Yakında', ['Add a vehicle to stock', 'Stoğa araç ekle'], {
    takes: createBody(VEHICLE_FIELDS),
    returns: VehicleDetail,
    answers: 201,
    run: ({ work, body }) => addVehicle(work, body),
  }),
  get('vehicles/{vehicle_id}', 'vehicles:read', 'read', 'Yakında', ['Read a vehicle', 'Aracı getir'], {
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
      takes: patchBody(VEHICLE_EDIT_FIELDS),
      returns: VehicleDetail,
      run: ({ work, params, body }) => editVehicle(work, params.vehicle_id, body),
    },
  ),
  del('vehicles/{vehicle_id}', 'vehicles:write', 'destructive', 'Yakında', ['Delete a vehicle', 'Aracı sil'], {
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
      takes: createBody(LISTING_FIELDS),
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
      returns: VehicleDetail,
      run: ({ work, params }) => unpublishVehicle(work, params.vehicle_id),
    },
  ),
  post('vehicles/{vehicle_id}/reserve', 'vehicles:write', 'write', 'Yakında', ['Reserve a vehicle', 'Aracı rezerve et'], {
    takes: createBody(RESERVATION_FIELDS),
    returns: VehicleDetail,
    run: ({ work, params, body }) => reserveVehicle(work, params.vehicle_id, body),
  }),
  post(
    'vehicles/{vehicle_id}/mark-sold',
    'vehicles:write',
    'write',
    'Yakında',
    ['Mark a vehicle as sold elsewhere', 'Aracı satıldı olarak işaretle'],
    {
      takes: createBody(MARK_SOLD_FIELDS),
      returns: VehicleDetail,
      run: ({ work, params, body }) => markSold(work, params.vehicle_id, body),
    },
  ),
  post(
    'vehicles/{vehicle_id}/restore',
    'vehicles:write',
    'write',
    'Yakında',
    ['Restore a deleted vehicle', 'Silinen aracı geri getir'],
    {
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
      query: { event: oneOfParam(HISTORY_EVENTS) },
      lists: HistoryEntry,
      run: ({ db, params, query, page }) => listHistory(db, params.vehicle_id, query.event, page),
    },
  ),
  get('vehicles/export', 'vehicles:read', 'read', 'Yakında', ['Export the stock', 'Stok listesini dışa aktar'], {
    query: { format: withFallback(oneOfParam(EXPORT_FORMATS), 'csv'), ...VehicleFilters },
    returns: VehicleExport,
    run: ({ db, query, account, now }) => {
      const where = vehiclesWhere(query, account.timezone);
      return exportVehicles(db, { format: query.format, where, today: dayIn(now, account.timezone) });
    },
  }),
  post('vehicles/bulk-create', 'vehicles:write', 'write', 'Yakında', ['Add vehicles in bulk', 'Toplu araç ekle'], {
    takes: createBody(BULK_CREATE_FIELDS),
    maxBytes: BULK_BYTES,
    returns: BulkCreated,
    run: ({ work, body, locale }) => createVehicles(work, body.vehicles, locale),
  }),
  post('vehicles/bulk-update', 'vehicles:write', 'write', 'Yakında', ['Edit vehicles in bulk', 'Araçları toplu güncelle'], {
    takes: createBody(BULK_UPDATE_FIELDS),
    maxBytes: BULK_BYTES,
    returns: BulkUpdated,
    run: ({ work, body, locale }) => updateVehicles(work, body.updates, locale),
  }),
]);

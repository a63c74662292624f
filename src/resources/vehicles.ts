// Vehicles in stock. Kept from every key: cost and purchase price, customs fee, chassis and engine numbers.
import { del, get, patch, post, resource } from '../kit/endpoint.ts';

export const vehicles = resource('Vehicles', 'Araçlar', [
  get('vehicles', 'vehicles:read', 'read', 'Aktif', ['List vehicles', 'Araçları listele']),
  post('vehicles', 'vehicles:write', 'write', 'Yakında', ['Add a vehicle to stock', 'Stoğa araç ekle']),
  get('vehicles/{vehicle_id}', 'vehicles:read', 'read', 'Yakında', ['Read a vehicle', 'Aracı getir']),
  patch('vehicles/{vehicle_id}', 'vehicles:write', 'write', 'Yakında', [
    'Edit a vehicle or release its reservation',
    'Aracı düzenle veya rezervasyonunu kaldır',
  ]),
  del('vehicles/{vehicle_id}', 'vehicles:write', 'destructive', 'Yakında', ['Delete a vehicle', 'Aracı sil']),
  post('vehicles/{vehicle_id}/publish', 'vehicles:write', 'write', 'Yakında', [
    'Publish a vehicle on the marketplace',
    'Aracı pazar yerinde yayınla',
  ]),
  post('vehicles/{vehicle_id}/unpublish', 'vehicles:write', 'write', 'Yakında', [
    'Take a vehicle off the marketplace',
    'Aracı yayından kaldır',
  ]),
  post('vehicles/{vehicle_id}/reserve', 'vehicles:write', 'write', 'Yakında', ['Reserve a vehicle', 'Aracı rezerve et']),
  post('vehicles/{vehicle_id}/mark-sold', 'vehicles:write', 'write', 'Yakında', [
    'Mark a vehicle as sold elsewhere',
    'Aracı satıldı olarak işaretle',
  ]),
  post('vehicles/{vehicle_id}/restore', 'vehicles:write', 'write', 'Yakında', [
    'Restore a deleted vehicle',
    'Silinen aracı geri getir',
  ]),
  get('vehicles/{vehicle_id}/history', 'vehicles:read', 'read', 'Yakında', [
    "Read a vehicle's history",
    'Aracın geçmişini getir',
  ]),
  get('vehicles/export', 'vehicles:read', 'read', 'Yakında', ['Export the stock', 'Stok listesini dışa aktar']),
  post('vehicles/bulk-create', 'vehicles:write', 'write', 'Yakında', ['Add vehicles in bulk', 'Toplu araç ekle']),
  post('vehicles/bulk-update', 'vehicles:write', 'write', 'Yakında', ['Edit vehicles in bulk', 'Araçları toplu güncelle']),
]);

// Photos of a vehicle, in order; the first is the cover. An uploaded photo is re-encoded, so its metadata (place, device) is kept
// from everyone.
import { del, get, patch, post, resource } from '../kit/endpoint.ts';

export const vehiclePhotos = resource('Vehicle photos', 'Araç fotoğrafları', [
  get('vehicles/{vehicle_id}/photos', 'vehicles:read', 'read', 'Yakında', [
    "List a vehicle's photos",
    'Aracın fotoğraflarını listele',
  ]),
  post('vehicles/{vehicle_id}/photos', 'vehicles:write', 'write', 'Yakında', ['Add a photo', 'Fotoğraf ekle']),
  get('vehicles/{vehicle_id}/photos/{photo_id}', 'vehicles:read', 'read', 'Yakında', ['Read a photo', 'Fotoğrafı getir']),
  patch('vehicles/{vehicle_id}/photos/{photo_id}', 'vehicles:write', 'write', 'Yakında', [
    'Edit, move or make a photo the cover',
    'Fotoğrafı düzenle, taşı veya kapak yap',
  ]),
  del('vehicles/{vehicle_id}/photos/{photo_id}', 'vehicles:write', 'destructive', 'Yakında', ['Delete a photo', 'Fotoğrafı sil']),
  post('vehicles/{vehicle_id}/photos/reorder', 'vehicles:write', 'write', 'Yakında', [
    "Reorder a vehicle's photos",
    'Fotoğrafları sırala',
  ]),
]);

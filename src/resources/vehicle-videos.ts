// Video links of a vehicle, in order. Links only; no video is stored here.
import { del, get, patch, post, resource } from '../kit/endpoint.ts';

export const vehicleVideos = resource('Vehicle videos', 'Araç videoları', [
  get('vehicles/{vehicle_id}/videos', 'vehicles:read', 'read', 'Yakında', [
    "List a vehicle's videos",
    'Aracın videolarını listele',
  ]),
  post('vehicles/{vehicle_id}/videos', 'vehicles:write', 'write', 'Yakında', ['Add a video link', 'Video bağlantısı ekle']),
  get('vehicles/{vehicle_id}/videos/{video_id}', 'vehicles:read', 'read', 'Yakında', ['Read a video', 'Videoyu getir']),
  patch('vehicles/{vehicle_id}/videos/{video_id}', 'vehicles:write', 'write', 'Yakında', [
    'Edit or move a video',
    'Videoyu düzenle veya taşı',
  ]),
  del('vehicles/{vehicle_id}/videos/{video_id}', 'vehicles:write', 'destructive', 'Yakında', ['Delete a video', 'Videoyu sil']),
  post('vehicles/{vehicle_id}/videos/reorder', 'vehicles:write', 'write', 'Yakında', [
    "Reorder a vehicle's videos",
    'Videoları sırala',
  ]),
]);

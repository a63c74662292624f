// Video links of a vehicle, in order. Links only; no video is stored here.
import { listVideos, readVideo, VIDEO_FIELDS, VIDEO_ORDER_FIELDS, Video } from '../domain/media/video.ts';
import { addVideo, editVideo, removeVideo, reorderVideos } from '../domain/media/video-writes.ts';
import { createBody, patchBody } from '../domain/records/body.ts';
import { del, get, patch, post, resource } from '../kit/endpoint.ts';
import { arrayOf } from '../kit/schema.ts';

export const vehicleVideos = resource('Vehicle videos', 'Araç videoları', [
  get(
    'vehicles/{vehicle_id}/videos',
    'vehicles:read',
    'read',
    'Yakında',
    ["List a vehicle's videos", 'Aracın videolarını listele'],
    {
      lists: Video,
      run: ({ db, params, page }) => listVideos(db, params.vehicle_id, page),
    },
  ),
  post('vehicles/{vehicle_id}/videos', 'vehicles:write', 'write', 'Yakında', ['Add a video link', 'Video bağlantısı ekle'], {
    takes: createBody(VIDEO_FIELDS),
    returns: Video,
    answers: 201,
    run: ({ work, params, body }) => addVideo(work, params.vehicle_id, body),
  }),
  get('vehicles/{vehicle_id}/videos/{video_id}', 'vehicles:read', 'read', 'Yakında', ['Read a video', 'Videoyu getir'], {
    returns: Video,
    run: ({ db, params }) => readVideo(db, params.vehicle_id, params.video_id),
  }),
  patch(
    'vehicles/{vehicle_id}/videos/{video_id}',
    'vehicles:write',
    'write',
    'Yakında',
    ['Edit or move a video', 'Videoyu düzenle veya taşı'],
    {
      takes: patchBody(VIDEO_FIELDS),
      returns: Video,
      run: ({ work, params, body }) => editVideo(work, params.vehicle_id, params.video_id, body),
    },
  ),
  del('vehicles/{vehicle_id}/videos/{video_id}', 'vehicles:write', 'destructive', 'Yakında', ['Delete a video', 'Videoyu sil'], {
    returns: Video,
    run: ({ work, params }) => removeVideo(work, params.vehicle_id, params.video_id),
  }),
  post(
    'vehicles/{vehicle_id}/videos/reorder',
    'vehicles:write',
    'write',
    'Yakında',
    ["Reorder a vehicle's videos", 'Videoları sırala'],
    {
      takes: createBody(VIDEO_ORDER_FIELDS),
      returns: arrayOf(Video),
      run: ({ work, params, body }) => reorderVideos(work, params.vehicle_id, body.video_ids),
    },
  ),
]);

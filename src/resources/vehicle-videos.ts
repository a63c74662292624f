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
      about: ['Returns the video links of a vehicle in order.', 'Aracın video bağlantıları, sırasıyla.'],
      lists: Video,
      run: ({ db, params, page }) => listVideos(db, params.vehicle_id, page),
    },
  ),
  post('vehicles/{vehicle_id}/videos', 'vehicles:write', 'write', 'Yakında', ['Add a video link', 'Video bağlantısı ekle'], {
    about: [
      'Adds a link to a video; the video itself is not stored. A vehicle can have at most 5 videos.',
      'Video bağlantısı ekler; video burada saklanmaz. Bir araçta en çok 5 video olur.',
    ],
    refuses: ['vehicle_deleted', 'video_limit_reached', 'position_out_of_range'],
    emits: ['vehicle_video.created'],
    bodySchema: createBody(VIDEO_FIELDS),
    returns: Video,
    successStatus: 201,
    run: ({ work, params, body }) => addVideo(work, params.vehicle_id, body),
  }),
  get('vehicles/{vehicle_id}/videos/{video_id}', 'vehicles:read', 'read', 'Yakında', ['Read a video', 'Videoyu getir'], {
    about: ['Returns a video link of a vehicle.', 'Aracın bir video bağlantısı.'],
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
      about: [
        'Updates the link or its title, or moves it.',
        'Bağlantıyı ya da başlığını değiştirir veya başka bir sıraya taşır.',
      ],
      refuses: ['vehicle_deleted', 'position_out_of_range'],
      emits: ['vehicle_video.updated'],
      bodySchema: patchBody(VIDEO_FIELDS),
      returns: Video,
      run: ({ work, params, body }) => editVideo(work, params.vehicle_id, params.video_id, body),
    },
  ),
  del('vehicles/{vehicle_id}/videos/{video_id}', 'vehicles:write', 'destructive', 'Yakında', ['Delete a video', 'Videoyu sil'], {
    about: ['Deletes the video link; the links after it move up.', 'Video bağlantısını kaldırır; arkasındakiler öne kayar.'],
    refuses: ['vehicle_deleted'],
    emits: ['vehicle_video.deleted'],
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
      about: [
        'Sets the order of the video links. `video_ids` must contain each video of the vehicle exactly once.',
        'Video bağlantılarını verilen sıraya koyar. `video_ids` aracın her videosunu tam bir kez içermelidir.',
      ],
      refuses: ['vehicle_deleted', 'video_set_mismatch'],
      emits: ['vehicle_video.reordered'],
      bodySchema: createBody(VIDEO_ORDER_FIELDS),
      returns: arrayOf(Video),
      run: ({ work, params, body }) => reorderVideos(work, params.vehicle_id, body.video_ids),
    },
  ),
]);

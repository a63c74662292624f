// Photos of a vehicle, in order; the first is the cover. An uploaded photo is re-encoded, so its metadata (location, device) is
// removed. Links to files are signed and short-lived, so no endpoint here has an ETag.
import { MAX_PHOTO_BYTES, resizePhoto } from '../domain/media/image-worker-pool.ts';
import {
  findPhoto,
  listPhotos,
  PHOTO_EDIT_FIELDS,
  PHOTO_FIELDS,
  PHOTO_LINK_FIELDS,
  PHOTO_ORDER_FIELDS,
  Photo,
  shownPhoto,
} from '../domain/media/photo.ts';
import { addPhoto, editPhoto, type NewPhoto, removePhoto, reorderPhotos } from '../domain/media/photo-writes.ts';
import { createBody, patchBody } from '../domain/records/body.ts';
import { type BodyReader, del, get, patch, post, resource } from '../kit/endpoint.ts';
import { arrayOf } from '../kit/schema.ts';

const byLink: BodyReader<NewPhoto> = createBody(PHOTO_LINK_FIELDS);
const byFile: BodyReader<NewPhoto> = createBody(PHOTO_FIELDS);

export const vehiclePhotos = resource('Vehicle photos', 'Araç fotoğrafları', [
  get(
    'vehicles/{vehicle_id}/photos',
    'vehicles:read',
    'read',
    'Yakında',
    ["List a vehicle's photos", 'Aracın fotoğraflarını listele'],
    {
      about: [
        'Returns the photos of a vehicle in order; the first one is the cover. Links are signed and valid for 15 minutes.',
        'Aracın fotoğrafları sırasıyla; ilki kapaktır. Bağlantılar imzalıdır ve 15 dakika geçerlidir.',
      ],
      lists: Photo,
      fresh: true,
      run: ({ db, params, page, linkTo }) => listPhotos(db, params.vehicle_id, page, linkTo),
    },
  ),
  post('vehicles/{vehicle_id}/photos', 'vehicles:write', 'write', 'Yakında', ['Add a photo', 'Fotoğraf ekle'], {
    about: [
      'Adds a photo from a file (JPEG, PNG or WebP, re-encoded without metadata) or a URL. A vehicle can have at most 30 photos.',
      'Dosyadan (JPEG, PNG ya da WebP; üst verisi atılarak yeniden çizilir) veya adresiyle fotoğraf ekler. Bir araçta en çok 30 fotoğraf olur.',
    ],
    refuses: ['vehicle_deleted', 'photo_limit_reached', 'image_too_large', 'position_out_of_range'],
    emits: ['vehicle_photo.created'],
    bodySchema: byLink,
    upload: { maxBytes: MAX_PHOTO_BYTES, bodySchema: byFile, stores: resizePhoto },
    returns: Photo,
    successStatus: 201,
    run: async ({ work, params, body, files, linkTo }) =>
      shownPhoto(await addPhoto(work, params.vehicle_id, body, files), linkTo),
  }),
  get('vehicles/{vehicle_id}/photos/{photo_id}', 'vehicles:read', 'read', 'Yakında', ['Read a photo', 'Fotoğrafı getir'], {
    about: [
      'Returns a photo with new signed links, valid for 15 minutes.',
      'Bir fotoğraf, 15 dakika geçerli yeni imzalı bağlantılarıyla.',
    ],
    returns: Photo,
    fresh: true,
    run: async ({ db, params, linkTo }) => shownPhoto(await findPhoto(db, params.vehicle_id, params.photo_id), linkTo),
  }),
  patch(
    'vehicles/{vehicle_id}/photos/{photo_id}',
    'vehicles:write',
    'write',
    'Yakında',
    ['Edit, move or make a photo the cover', 'Fotoğrafı düzenle, taşı veya kapak yap'],
    {
      about: [
        'Updates the caption, moves the photo, or makes it the cover. The cover is always first.',
        'Açıklamayı değiştirir, fotoğrafı başka bir sıraya taşır ya da kapak yapar; kapak her zaman ilktir.',
      ],
      refuses: ['vehicle_deleted', 'position_out_of_range'],
      emits: ['vehicle_photo.updated'],
      bodySchema: patchBody(PHOTO_EDIT_FIELDS),
      returns: Photo,
      run: async ({ work, params, body, linkTo }) =>
        shownPhoto(await editPhoto(work, params.vehicle_id, params.photo_id, body), linkTo),
    },
  ),
  del(
    'vehicles/{vehicle_id}/photos/{photo_id}',
    'vehicles:write',
    'destructive',
    'Yakında',
    ['Delete a photo', 'Fotoğrafı sil'],
    {
      about: [
        'Deletes the photo and its files; the photos after it move up.',
        'Fotoğrafı ve dosyalarını kaldırır; arkasındakiler öne kayar.',
      ],
      refuses: ['vehicle_deleted'],
      emits: ['vehicle_photo.deleted'],
      returns: Photo,
      run: async ({ work, params, linkTo }) => shownPhoto(await removePhoto(work, params.vehicle_id, params.photo_id), linkTo),
    },
  ),
  post(
    'vehicles/{vehicle_id}/photos/reorder',
    'vehicles:write',
    'write',
    'Yakında',
    ["Reorder a vehicle's photos", 'Fotoğrafları sırala'],
    {
      about: [
        'Sets the order of the photos. `photo_ids` must contain each photo of the vehicle exactly once.',
        'Fotoğrafları verilen sıraya koyar. `photo_ids` aracın her fotoğrafını tam bir kez içermelidir.',
      ],
      refuses: ['vehicle_deleted', 'photo_set_mismatch'],
      emits: ['vehicle_photo.reordered'],
      bodySchema: createBody(PHOTO_ORDER_FIELDS),
      returns: arrayOf(Photo),
      run: async ({ work, params, body, linkTo }) =>
        (await reorderPhotos(work, params.vehicle_id, body.photo_ids)).map((photo) => shownPhoto(photo, linkTo)),
    },
  ),
]);

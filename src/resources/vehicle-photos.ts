// Photos of a vehicle, in order; the first is the cover. An uploaded photo is encoded anew, so its metadata (location, device) is
// removed. Links to files are signed and short-lived, so no row here has an ETag.
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
      lists: Photo,
      fresh: true,
      run: ({ db, params, page, linkTo }) => listPhotos(db, params.vehicle_id, page, linkTo),
    },
  ),
  post('vehicles/{vehicle_id}/photos', 'vehicles:write', 'write', 'Yakında', ['Add a photo', 'Fotoğraf ekle'], {
    takes: byLink,
    upload: { maxBytes: MAX_PHOTO_BYTES, takes: byFile, stores: resizePhoto },
    returns: Photo,
    answers: 201,
    run: async ({ work, params, body, files, linkTo }) =>
      shownPhoto(await addPhoto(work, params.vehicle_id, body, files), linkTo),
  }),
  get('vehicles/{vehicle_id}/photos/{photo_id}', 'vehicles:read', 'read', 'Yakında', ['Read a photo', 'Fotoğrafı getir'], {
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
      takes: patchBody(PHOTO_EDIT_FIELDS),
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
      takes: createBody(PHOTO_ORDER_FIELDS),
      returns: arrayOf(Photo),
      run: async ({ work, params, body, linkTo }) =>
        (await reorderPhotos(work, params.vehicle_id, body.photo_ids)).map((photo) => shownPhoto(photo, linkTo)),
    },
  ),
]);
